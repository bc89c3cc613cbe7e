"""What people say around a title ("the algebra quiz", "classe de 3B") is no part of it, unless the title has it too.

Some of these words are also names ("Le Minh", "Ng Wei"): they go only beside a word for a class or an exam, since
whoever is called so would otherwise be taken for another.
"""

from collections.abc import Mapping
from itertools import takewhile

from assist_service.domain.live.query import RecordKind
from assist_service.domain.live.spelling import Words, has_digit, readings

_CLASS = frozenset({"class", "classe", "klase", "section", "seksyon"})
_EXAM = frozenset({"exam", "examen", "test", "quiz", "controle", "pagsusulit"})
_NOUNS = _CLASS | _EXAM
_NEVER_NAMES = frozenset({"the", "of", "ni"})
_PARTICLES = _NEVER_NAMES | {"ng", "sa", "ang", "de", "du", "des", "d", "la", "le", "les", "l"}
_SMALL = _NOUNS | _PARTICLES

_POINTING = frozenset(
    "this that ce cet cette ito itong iyon iyong yung yong "  # demonstratives
    "my our mon notre nos aking ating aming namin natin "
    "selected chosen current selectionne selectionnee choisi choisie actuel actuelle napili napiling".split()
)
_SELECTED = frozenset("selected chosen selectionne selectionnee choisi choisie napili napiling".split())
_LINKERS = _PARTICLES | {"na", "ko", "ma", "in", "on"}
"""Small words of which some are names: alone they name somebody."""

_KINDS: Mapping[RecordKind, frozenset[str]] = {
    RecordKind.CLASS: _CLASS | {"course", "cours", "kurso", "group", "groupe", "grupo"},
    RecordKind.EXAM: _EXAM | _CLASS | {"evaluation", "eksamen", "eksam"},
    RecordKind.STUDENT: frozenset("student pupil learner eleve etudiant etudiante estudyante magaaral".split()),
}
"""Words for a record of a kind. "Test Student" may be somebody, and "class test" no one exam."""

_EVERY_KIND = frozenset().union(*_KINDS.values())


_SORTS = frozenset({"quiz", "test", "controle"})


def is_sort(words: str) -> bool:
    """Whether they name a sort of exams, which a list of exams may be narrowed to."""
    return any(len(each) == 1 and each[0] in _SORTS for each in readings(words))


def names_nothing(words: str, kind: RecordKind) -> bool:
    """Whether they only say that one is meant, and not which: "the exam", "ang klase", "the selected student"."""
    return any(_only_points(each, kind) for each in readings(words))


def _only_points(words: Words, kind: RecordKind) -> bool:
    nouns = _KINDS[kind] if _SELECTED.isdisjoint(words) else _EVERY_KIND
    saying = [word for word in words if word not in _LINKERS or word in _NEVER_NAMES]
    return bool(saying) and all(word in nouns or word in _POINTING or word in _NEVER_NAMES for word in saying)


def is_small(word: str) -> bool:
    """Whether it says nothing by itself."""
    return word in _SMALL


def goes_unsaid(word: str) -> bool:
    """Whether a title is understood without it: "Class 3B", and not "Quiz 3"."""
    return word in _SMALL - _EXAM


def has_small_words(wanted: Words) -> bool:
    """Whether anything might be left out at all. At least one word is there."""
    return wanted[0] in _SMALL or wanted[-1] in _NOUNS


def without_small_words(wanted: Words, name: Words) -> Words:
    """The words (folded) without those small ones around them that the name has not; the same where none would stay."""
    lead = _lead(wanted)
    tail = len(tuple(takewhile(_NOUNS.__contains__, reversed(wanted[lead:]))))
    end = len(wanted) - tail
    kept = (
        tuple(word for word in wanted[:lead] if word in name)
        + wanted[lead:end]
        + tuple(word for word in wanted[end:] if word in name)
    )
    is_said = any(word not in _PARTICLES for word in kept)
    return kept if is_said and not _is_another_exam(wanted, kept, name) else wanted


def _lead(wanted: Words) -> int:
    """How many words before what is meant may go."""
    small = tuple(takewhile(_SMALL.__contains__, wanted))
    if _NOUNS.isdisjoint(small):
        small = tuple(takewhile(_NEVER_NAMES.__contains__, wanted))
    return len(small)


def _is_another_exam(wanted: Words, kept: Words, name: Words) -> bool:
    """Whether it only has the number: "Exam 3" is not "Quiz 3", nor "Algebra 3": a number counts exams of one sort."""
    lost = _EXAM.intersection(wanted) - set(kept)
    is_number_of_more = all(map(has_digit, kept)) and sorted(kept) != sorted(name)
    return bool(lost) and any(map(has_digit, kept)) and (is_number_of_more or any(word in name for word in _EXAM))
