"""What a lookup came to, as values that say what they are: how they are worded is another's (`ports/wording.py`).

Only a closed list of sentences and columns can be said, so no contact, no remark and no answer can be (row J9).
"""

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from assist_service.domain.live.query import Query, RecordKind
from assist_service.domain.references import Listed, Option
from assist_service.domain.school import EvaluationState


@dataclass(frozen=True)
class Called:
    """A name or a title as the LMS has it: anybody may have written it, so it is shown and never obeyed."""

    text: str


@dataclass(frozen=True)
class Share:
    """A part of a whole, from 0 to 1: shown in percent."""

    of_one: float


class Word(StrEnum):
    """What stands where there is no number."""

    ABSENT = "absent"
    UNMARKED = "unmarked"
    """The work is not all marked yet."""


Cell = Called | Share | Word | EvaluationState | int | float | dt.datetime | None
"""A value of a table or a sentence. None: there is none, which is worded."""


class Column(StrEnum):
    """The columns there are."""

    CLASS = "class"
    COURSE = "course"
    STUDENTS = "students"
    """How many."""
    STUDENT = "student"
    EXAM = "exam"
    STATE = "state"
    OPENS = "opens"
    CLOSES = "closes"
    MARK = "mark"
    OUT_OF = "out_of"
    MEAN = "mean"
    HIGHEST = "highest"
    LOWEST = "lowest"
    MARKED = "marked"
    """How many have a mark."""
    ABSENT = "absent"
    """How many were absent."""
    SHARE = "share"
    """Of the best mark, or of the students."""
    RANK = "rank"
    POINTS = "points"


class Topic(StrEnum):
    """What is answered where that is not what the operation asks for: a heading says what stands under it."""

    STUDENT_RESULT = "student_result"
    EXAM_STATE = "exam_state"
    PARTICIPATION = "participation"
    """How many took part, where there is nobody to list."""


class Say(StrEnum):
    """The sentences there are; behind each what of `count`, `kind` and `values` it needs."""

    # What there is not
    NO_CLASSES = "no_classes"
    """The person has no class at all."""
    NO_SUCH = "no_such"
    """None of the person's is called so: another's and nobody's read the same. `kind`."""
    NO_SUCH_IN_CLASS = "no_such_in_class"
    """None is called so in the one class that was looked in. `kind`: a student or an exam."""
    GONE = "gone"
    """What was selected is not found any more, of whatever kind it is."""
    NOT_IN_CLASS = "not_in_class"
    """What was selected is not found in the class that was named."""
    NO_STUDENTS = "no_students"
    NO_EXAMS = "no_exams"
    NO_RELEASED_EXAMS = "no_released_exams"
    NOT_RELEASED = "not_released"
    """An exam whose results nobody is told yet. `exam`, `state`."""
    NO_MARKS = "no_marks"
    """Nobody has a final mark yet."""
    NO_RANKING = "no_ranking"
    NOT_RANKED = "not_ranked"
    """Others are ranked. `student`."""
    NOBODY_HAS_ENTRY = "nobody_has_entry"
    """The gradebook has nothing of anybody for the exam."""
    NAME_ONE = "name_one"
    """One is needed and none was named, of too many to choose from. `kind`."""

    CLOSEST = "closest"
    """What was searched for is called otherwise: the name was misspelled, or stood there in part."""

    # How many
    CLASSES = "classes"
    """`count`."""
    STUDENTS = "students"
    """`count`."""
    EXAMS = "exams"
    """`count`."""
    RELEASED_EXAMS = "released_exams"
    """`count`."""
    MARKED = "marked"
    """`count` students have a final mark."""
    ABSENT = "absent"
    """`count` students were absent."""
    UNMARKED = "unmarked"
    """The work of `count` students is not all marked yet."""
    NO_ENTRY = "no_entry"
    """`count` students of the class have nothing in the gradebook for the exam."""

    # Marks
    MEAN = "mean"
    """`mean`, `out_of`."""
    MEDIAN = "median"
    """`median`, `out_of`."""
    HIGHEST = "highest"
    """`mark`, `out_of`; `count` students have it."""
    LOWEST = "lowest"
    """`mark`, `out_of`; `count` students have it."""
    MEAN_SHARE = "mean_share"
    """The mean of `count` final marks, each as a share of its best mark. `share`."""
    BEST_EXAM = "best_exam"
    """`exam`, `share`."""
    WEAKEST_EXAM = "weakest_exam"
    """`exam`, `share`."""
    MISSED_EXAMS = "missed_exams"
    """The student was absent from `count` released exams."""
    ABSENCES = "absences"
    """`count` times a student was absent, over all released exams."""
    STUDENT_MARK = "student_mark"
    """`student`, `mark`, `out_of`."""
    STUDENT_ABSENT = "student_absent"
    """`student`."""
    STUDENT_UNMARKED = "student_unmarked"
    """`student`."""
    STUDENT_NO_ENTRY = "student_no_entry"
    """`student`."""

    # Ranks
    PLACE = "place"
    """`student`, `rank`, `points`; of `count` students."""
    SHARED_PLACE = "shared_place"
    """`count` others share the place."""
    TIED = "tied"
    """`count` rows are alike at the limit, so that more are shown than were asked for."""
    RANKED_BY_LMS = "ranked_by_lms"
    """The ranking is the platform's own leaderboard."""

    # Who took part
    TOOK_PART = "took_part"
    """`count` of `of` students took the exam, `share`."""
    ALL_TOOK_PART = "all_took_part"
    NOBODY_TOOK_PART = "nobody_took_part"


@dataclass(frozen=True)
class Sentence:
    """One sentence; `count` is the number that its plural goes by."""

    say: Say
    count: int | None = None
    kind: RecordKind | None = None
    values: Mapping[str, Cell] = field(default_factory=dict)


@dataclass(frozen=True)
class Row:
    """One row of a table, and the record it is about, to be asked on about."""

    cells: tuple[Cell, ...]
    listed: Listed | None = None


@dataclass(frozen=True)
class Table:
    """Rows under columns; `more` further ones there are that the limit leaves out, or the room (`is_fitted`)."""

    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    more: int = 0
    is_fitted: bool = False


@dataclass(frozen=True)
class Finding:
    """What a lookup found. `classes` are those it is about, `is_cut` says that the LMS has more than was read."""

    query: Query
    said: tuple[Sentence, ...] = ()
    table: Table | None = None
    notes: tuple[Sentence, ...] = ()
    """Said after the table."""
    classes: tuple[Called, ...] = ()
    about: tuple[Listed, ...] = ()
    """What it was narrowed to, student and exam: each is named at its head, and can be asked on about."""
    is_cut: bool = False
    topic: Topic | None = None


@dataclass(frozen=True)
class Unclear:
    """Several records are called so, or one is needed and none was named: the person chooses, nothing is guessed."""

    query: Query
    kind: RecordKind
    options: tuple[Option, ...]
    more: int = 0
    others: int = 0
    """Further lookups of the same reply that need a choice: their questions are not asked."""


Looked = Finding | Unclear


def with_one_question(looked: Sequence[Looked]) -> tuple[Looked, ...]:
    """The same without the questions after the first, which says how many were left out: one lookup waits at a time."""
    first = next((each for each in looked if isinstance(each, Unclear)), None)
    if first is None:
        return tuple(looked)
    at = looked.index(first)
    # One that is alike is no other: the same choice answers it.
    others = sum(isinstance(each, Unclear) and each != first for each in looked)
    asked = replace(first, others=others)
    kept = [each for place, each in enumerate(looked) if isinstance(each, Finding) or place == at]
    return tuple(asked if isinstance(each, Unclear) else each for each in kept)


def listed_in(looked: Sequence[Looked]) -> tuple[Listed, ...]:
    """Every record that these list, in their order."""
    findings = [each for each in looked if isinstance(each, Finding)]
    return tuple(
        listed
        for finding in findings
        for listed in (*finding.about, *(row.listed for row in (finding.table.rows if finding.table else ())))
        if listed is not None
    )
