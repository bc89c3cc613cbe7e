"""What the data look-ups of a question came to: whether any found something, and what of them is still missing.

A look-up that failed and then succeeded is missing no more, nor is the rest of one that was cut, where a narrower one
of a later step was not. Mistakes of the model are counted by tool, for nobody knows what was meant by arguments that
did not fit: each well-formed call of a later step makes up for one.
"""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum


class Miss(StrEnum):
    """Why a look-up brought nothing, or not all, as far as the person may know it."""

    ABSENT = "absent"
    """No seat on its course, or nothing there; an id that nobody gave reads the same (row J2)."""
    SILENT = "silent"
    """The platform gave no answer, or none that can be used."""
    REFUSED = "refused"
    """The platform did not take the request, or its answer was longer than is read."""
    UNDONE = "undone"
    """What the model asked for did not fit, or was more than one step runs, so nothing was asked."""
    BESIDE = "beside"
    """It stood in one reply with a lookup, which ended the question before it was run."""
    CUT = "cut"
    """It brought something, but there is more than the model could read."""


@dataclass(frozen=True)
class LookedUp:
    """What an answer may rest on, and what it must not pass over in silence."""

    found: bool = False
    missing: frozenset[Miss] = frozenset()


NOTHING = LookedUp()
"""Of a question that looked nothing up."""


@dataclass(frozen=True)
class LookUp:
    """One call of a data tool; `arguments` as they were understood, None where they were not."""

    tool: str
    arguments: str | None
    """As a JSON object."""
    miss: Miss | None = None


_LAST_OF_ALIKE: Mapping[Miss | None, int] = {Miss.CUT: 1, None: 2}
"""Of two look-ups of one step that are alike the better one counts; all that brought nothing come before."""


@dataclass
class LookUps:
    """Those of one question, step by step."""

    _found: bool = False
    _missed: dict[tuple[str, str], Miss] = field(default_factory=dict)
    _cut: set[tuple[str, str]] = field(default_factory=set)
    _mistakes: Counter[str] = field(default_factory=Counter)

    @property
    def outcome(self) -> LookedUp:
        mistaken = {Miss.UNDONE} if self._mistakes.total() else set()
        cut = {Miss.CUT} if self._cut else set()
        return LookedUp(self._found, frozenset({*self._missed.values(), *mistaken, *cut}))

    def note(self, step: Sequence[LookUp]) -> None:
        """Takes in the calls of one step, which ran together: none of them repeats another."""
        understood = Counter(each.tool for each in step if each.arguments is not None)
        mistaken = Counter(each.tool for each in step if each.arguments is None)
        for tool in {each.tool for each in step}:
            self._mistakes[tool] = max(self._mistakes[tool] - understood[tool], mistaken[tool])
        whole = [(each.tool, each.arguments) for each in step if each.arguments is not None and each.miss is None]
        self._cut = {cut for cut in self._cut if not any(_is_part(each, cut) for each in whole)}
        for each in sorted(step, key=lambda each: _LAST_OF_ALIKE.get(each.miss, 0)):
            if each.arguments is not None:
                self._take(each.miss, (each.tool, each.arguments))

    def note_cut(self, tool: str, arguments: str) -> None:
        """A look-up of an earlier step is cut from now on: what is read of it grew when names were hidden in it."""
        self._cut.add((tool, arguments))

    def _take(self, miss: Miss | None, wanted: tuple[str, str]) -> None:
        match miss:
            case None:
                self._cut.discard(wanted)
            case Miss.CUT:
                self._cut.add(wanted)
            case _:
                self._missed[wanted] = miss
                return
        self._found = True
        self._missed.pop(wanted, None)


def _is_part(one: tuple[str, str], other: tuple[str, str]) -> bool:
    """Whether one look-up asks for the same as another or less: what that one sets, it sets to the same."""
    asked, before = json.loads(one[1]), json.loads(other[1])
    return one[0] == other[0] and all(asked.get(key) == value for key, value in before.items() if value is not None)
