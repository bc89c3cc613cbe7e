"""What a lookup may be asked for: an operation of a list, a few search words, a limit. No id, no column (row J6)."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, Self

from pydantic import BaseModel, Field, StringConstraints, model_validator

from assist_service.domain.closed import CLOSED

SEARCH_CHARACTERS = 100
"""Of the search words for one record."""

DEFAULT_ROWS = 20
"""Rows of a table, where nobody says how many."""

MOST_ROWS = 200


class RecordKind(StrEnum):
    """What a lookup finds, and a reference points at."""

    CLASS = "class"
    STUDENT = "student"
    EXAM = "exam"


class Lookup(StrEnum):
    """The eight lookups, by the names of their tools."""

    CLASSES = "query_classes"
    STUDENTS = "query_students"
    EXAMS = "query_exams"
    CLASS_PERFORMANCE = "query_class_performance"
    STUDENT_PERFORMANCE = "query_student_performance"
    EXAM_RESULTS = "query_exam_results"
    RANKINGS = "query_rankings"
    PARTICIPATION = "query_participation"


class Operation(StrEnum):
    """What is done with what a lookup finds; which lookup has which, `OPERATIONS` says."""

    LIST = "list"
    COUNT = "count"
    SUMMARY = "summary"
    BY_EXAM = "by_exam"
    HIGHEST = "highest"
    LOWEST = "lowest"
    TOP = "top"
    BOTTOM = "bottom"
    PLACE = "place"
    MISSING = "missing"
    TAKEN = "taken"
    RATE = "rate"


_O, _K = Operation, RecordKind

OPERATIONS: Mapping[Lookup, tuple[Operation, ...]] = {
    Lookup.CLASSES: (_O.LIST, _O.COUNT),
    Lookup.STUDENTS: (_O.LIST, _O.COUNT),
    Lookup.EXAMS: (_O.LIST, _O.COUNT),
    Lookup.CLASS_PERFORMANCE: (_O.SUMMARY, _O.BY_EXAM),
    Lookup.STUDENT_PERFORMANCE: (_O.SUMMARY, _O.BY_EXAM),
    Lookup.EXAM_RESULTS: (_O.LIST, _O.HIGHEST, _O.LOWEST, _O.SUMMARY),
    Lookup.RANKINGS: (_O.TOP, _O.BOTTOM, _O.PLACE),
    Lookup.PARTICIPATION: (_O.MISSING, _O.TAKEN, _O.RATE),
}
"""The first one is what is meant where nothing else is said."""

TAKES: Mapping[Lookup, frozenset[RecordKind]] = {
    Lookup.CLASSES: frozenset({_K.CLASS}),
    Lookup.STUDENTS: frozenset({_K.CLASS, _K.STUDENT}),
    Lookup.EXAMS: frozenset({_K.CLASS, _K.EXAM}),
    Lookup.CLASS_PERFORMANCE: frozenset({_K.CLASS}),
    Lookup.STUDENT_PERFORMANCE: frozenset({_K.CLASS, _K.STUDENT}),
    Lookup.EXAM_RESULTS: frozenset({_K.CLASS, _K.STUDENT, _K.EXAM}),
    Lookup.RANKINGS: frozenset({_K.CLASS, _K.STUDENT}),
    Lookup.PARTICIPATION: frozenset({_K.CLASS, _K.EXAM}),
}
"""What each may be narrowed to, by search words or by what the person selected."""


Search = Annotated[str, StringConstraints(min_length=1, max_length=SEARCH_CHARACTERS)]


class Query(BaseModel):
    """One lookup, as a model chose it or as it waits for the person's choice."""

    model_config = CLOSED

    lookup: Lookup
    operation: Operation
    searches: Mapping[RecordKind, Search] = {}
    """The search words, by what they are to find."""
    limit: Annotated[int, Field(ge=1, le=MOST_ROWS)] = DEFAULT_ROWS

    @model_validator(mode="after")
    def _is_one_of_those_there_are(self) -> Self:
        if self.operation not in OPERATIONS[self.lookup]:
            raise ValueError("the lookup has no such operation")
        if not self.searches.keys() <= TAKES[self.lookup]:
            raise ValueError("the lookup is not narrowed by that")
        return self

    def without(self, kind: RecordKind) -> "Query":
        """The same, where a record of this kind was chosen instead of searched for."""
        return self.model_copy(
            update={"searches": {each: words for each, words in self.searches.items() if each != kind}}
        )
