"""Which sentences a lookup must say, in which order and with what in them; and how each reads in English."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from tests.slow.lookup_expected import Found, Share

Value = str | Share | float | int
"""A name, or a figure."""

MOST_ROWS = 200
"""How many rows may be asked for: said where some are left out."""


@dataclass(frozen=True)
class Told:
    """A sentence. `values` in the order in which they stand in it, `count` is what its plural goes by."""

    key: str
    values: tuple[Value, ...] = ()
    count: int | None = None


def counted(key: str, count: int, *values: Value) -> Told:
    """The sentence that there are so many."""
    return Told(key, values or (count,), count)


def told(about: str, limit: int, found: Found) -> Sequence[Told]:
    """Every sentence of an answer. `about` is the lookup and its operation."""
    said = (found.say or "").partition(" ")[0]
    sentences = _ALONE[said](found) if said in _ALONE else _SAID[about.split()[0]](about, found)
    if found.is_closest:
        at = next((place for place, each in enumerate(sentences) if each.key in _NOTES), len(sentences))
        sentences = [*sentences[:at], Told("closest"), *sentences[at:]]
    if not found.more:
        return sentences
    is_most = limit >= MOST_ROWS
    more = counted("more", found.more) if is_most else counted("more on asking", found.more, found.more, MOST_ROWS)
    return [*sentences, more]


_ALONE: Mapping[str, Callable[[Found], list[Told]]] = {
    "no_classes": lambda _: [Told("no_classes")],
    "no_such": lambda found: [Told(str(found.say))],
    "name_one": lambda found: [Told(str(found.say))],
    "no_students": lambda _: [Told("students", (), 0)],
    "no_exams": lambda _: [Told("exams", (), 0)],
    "no_released_exams": lambda _: [Told("released_exams", (), 0)],
    "no_ranking": lambda _: [Told("no_ranking")],
    "not_released": lambda found: [Told(str(found.say), found.names)],
    "student": lambda found: [Told(str(found.say), found.names[1:])],
    "nobody_has_entry": lambda _: [Told("nobody_has_entry")],
}
"""What is said where there are no figures to tell."""


def _class_performance(about: str, found: Found) -> list[Told]:
    if about.endswith("by_exam"):
        return []
    students, exams, *rest, absences = found.numbers
    return [
        _count("students", students),
        _count("released_exams", exams),
        *_shares(rest, found.names),
        _count("absences", absences),
    ]


def _student_performance(about: str, found: Found) -> list[Told]:
    if about.endswith("by_exam"):
        return []
    exams, *rest, missed = found.numbers
    return [_count("released_exams", exams), *_shares(rest, found.names[1:]), _count("missed_exams", missed)]


def _count(key: str, number: Value) -> Told:
    assert isinstance(number, int)
    return Told(key, (), 0) if number == 0 and key in _SAYS_NONE else counted(key, number)


def _shares(rest: Sequence[Value], titles: Sequence[str]) -> list[Told]:
    if not rest:
        return [Told("no_marks")]
    mean, count, *ends = rest
    assert isinstance(count, int)
    named = zip(("best_exam", "weakest_exam"), titles, ends, strict=True) if ends else ()
    return [counted("mean_share", count, mean, count), *(Told(key, (title, share)) for key, title, share in named)]


def _exam_results(about: str, found: Found) -> list[Told]:
    operation, numbers = about.split()[1], found.numbers
    if (found.say or "").startswith("no_marks"):
        return [Told("no_marks"), *_groups(_WITHOUT_MARK, numbers)]
    if len(found.names) > 1:
        return [Told("student_mark", (found.names[1], *numbers))]
    if operation == "list":
        return _groups(("marked", *_WITHOUT_MARK), numbers)
    if operation == "summary":
        marked, mean, median, highest, lowest, out_of, with_highest, with_lowest, *without = numbers
        assert isinstance(with_highest, int)
        assert isinstance(with_lowest, int)
        return [
            _count("marked", marked),
            Told("mean", (mean, out_of)),
            Told("median", (median, out_of)),
            counted("highest", with_highest, highest, out_of, with_highest),
            counted("lowest", with_lowest, lowest, out_of, with_lowest),
            *_groups(_WITHOUT_MARK, without),
        ]
    return _groups(("tied",), numbers)


def _groups(keys: Sequence[str], numbers: Sequence[Value]) -> list[Told]:
    """How many are in each group that anybody is in."""
    return [_count(key, number) for key, number in zip(keys, numbers, strict=bool(numbers)) if number]


def _rankings(about: str, found: Found) -> list[Told]:
    by_lms = Told("ranked_by_lms")
    if not about.endswith("place"):
        return [*(_count("tied", number) for number in found.numbers), by_lms]
    rank, points, count, *others = found.numbers
    assert isinstance(count, int)
    place = counted("place", count, found.names[0], rank, count, points)
    return [place, *(_count("shared_place", number) for number in others), by_lms]


def _participation(_: str, found: Found) -> list[Told]:
    *part, lacking = found.numbers
    lack = _groups(("no_entry",), [lacking])
    if found.say:
        return [Told(found.say), *lack]
    count, of, share = part
    assert isinstance(count, int)
    return [counted("took_part", count, count, of, share), *lack]


def _counting(key: str) -> Callable[[str, Found], list[Told]]:
    return lambda _, found: [_count(key, found.numbers[0])]


_SAID: Mapping[str, Callable[[str, Found], list[Told]]] = {
    "query_classes": _counting("classes"),
    "query_students": _counting("students"),
    "query_exams": _counting("exams"),
    "query_class_performance": _class_performance,
    "query_student_performance": _student_performance,
    "query_exam_results": _exam_results,
    "query_rankings": _rankings,
    "query_participation": _participation,
}

_WITHOUT_MARK = ("absent", "unmarked", "no_entry")

_NOTES = frozenset({"tied", "ranked_by_lms"})
"""Said after a table, and after that a name comes close."""

_SAYS_NONE = frozenset({"students", "exams", "released_exams", "missed_exams", "absences"})
"""Sentences that have words for there being none."""
