"""The marks of an evaluation: who has done it, who was absent, whose work is not all marked yet."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random

REMARKS = ("Très bon travail.", "Talk to the parents.", "Copied from a neighbour?", "Was ill last week.")
"""What a teacher wrote beside a mark, for the teacher's eyes."""


@dataclass(frozen=True)
class MadeMark:
    """One student's cell in a gradebook; a mark that is not final stands for work that is not done."""

    person: str
    mark: float | None
    final: bool = False
    absent: bool = False
    remark: str | None = None


def make_marks(state: str, *, students: Sequence[str], best_mark: float, seed: str) -> Iterator[MadeMark]:
    """Nobody has marks before an evaluation runs; the same seed makes the same marks."""
    make = _BY_STATE.get(state)
    random = Random(seed)
    for place, student in enumerate(students if make else ()):
        mark = round(2 * best_mark * (0.3 + 0.7 * random.random())) / 2
        assert make is not None
        yield make(student, mark, place)


def _marked(student: str, mark: float, place: int) -> MadeMark:
    if place % 9 == 4:
        return MadeMark(student, None, final=True, absent=True, remark="Excused." if place % 2 else None)
    if place % 11 == 7:
        return MadeMark(student, mark / 2)  # some of the questions are marked
    return MadeMark(student, mark, final=True, remark=REMARKS[place % len(REMARKS)] if place % 3 == 0 else None)


def _under_way(student: str, mark: float, place: int) -> MadeMark:
    return MadeMark(student, mark / 2 if place % 2 else None)


_BY_STATE: Mapping[str, Callable[[str, float, int], MadeMark]] = {
    "running": _under_way,
    "closed": _marked,
    "released": _marked,
}
