"""What a question of an evaluation set expects: the kind of answer, a page, a lookup and its words, what is unsaid."""

import hashlib
from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Annotated, Literal, Self

from pydantic import BaseModel, Field, StringConstraints, model_validator

from assist_service.domain.closed import CLOSED
from assist_service.domain.conversation import Kind
from assist_service.domain.evaluation import Expected, Line
from assist_service.domain.live.query import OPERATIONS, TAKES, Lookup, Operation, RecordKind
from assist_service.domain.people import Role
from assist_service.domain.screens import Language

Words = Annotated[str, StringConstraints(min_length=1, max_length=100)]


class SetName(StrEnum):
    """The sets there are."""

    MANUAL = "manual"
    LIVE = "live"
    CONDUCT = "conduct"


class ExpectedLookup(BaseModel):
    """The lookup that a question means, and what it is to be narrowed by; by nothing else."""

    model_config = CLOSED

    tool: Lookup
    operations: tuple[Operation, ...] = Field(min_length=1)
    """Any of these will do."""
    words: Mapping[RecordKind, Words] = {}
    """What the search words for each must hold."""
    selected: Mapping[RecordKind, Words] = {}
    """What the person selected, by its name in the made school: its placeholder, or nothing, stands for it."""
    limit: Annotated[int, Field(ge=1)] | None = None
    """The limit that the question names."""

    @model_validator(mode="after")
    def _is_one_that_can_be_asked(self) -> Self:
        if not set(self.operations) <= set(OPERATIONS[self.tool]):
            raise ValueError("the lookup has no such operation")
        if not {*self.words, *self.selected} <= TAKES[self.tool]:
            raise ValueError("the lookup is not narrowed by that")
        if not self.words.keys().isdisjoint(self.selected):
            raise ValueError("what is selected is searched for too")
        return self


class Question(BaseModel):
    """A question of any set. `group` is what its results are counted with."""

    model_config = CLOSED

    group: str
    role: Role
    language: Language
    question: Line
    kinds: frozenset[Kind]
    """The answer may be any of these."""
    pages: tuple[Line, ...] = ()
    """One of these must be cited, where there are any."""
    lookup: ExpectedLookup | None = None
    """None where nothing may be looked up."""
    unsaid: tuple[Words, ...] = ()
    """What must not stand in the answer."""


class LiveItem(ExpectedLookup):
    """A line of a file of live-data questions, all of them a teacher's."""

    language: Language
    question: Line
    answer: Literal[Kind.LIVE, Kind.CHOICE] = Kind.LIVE

    def asked(self) -> Question:
        return Question(
            group=self.tool.value,
            role=Role.TEACHER,
            language=self.language,
            question=self.question,
            kinds=frozenset({self.answer}),
            lookup=ExpectedLookup.model_validate(self.model_dump(exclude={"language", "question", "answer"})),
        )


class Sort(StrEnum):
    """What a prompt of the conduct set is."""

    OFF_TOPIC = "off-topic"
    JAILBREAK = "jailbreak"
    LEGITIMATE = "legitimate"


class ConductItem(BaseModel):
    """A line of a file of prompts: to be refused, answered from a page, or met with a courtesy."""

    model_config = CLOSED

    sort: Sort
    role: Role = Role.TEACHER
    language: Language
    question: Line
    expected: Literal[Kind.REFUSAL, Kind.MANUAL, Kind.QUESTION]
    pages: tuple[Line, ...] = ()
    unsaid: tuple[Words, ...] = ()

    @model_validator(mode="after")
    def _only_an_answer_cites(self) -> Self:
        if (self.expected is Kind.MANUAL) != bool(self.pages):
            raise ValueError("an answer names its pages, and nothing else does")
        return self

    def asked(self) -> Question:
        return Question(
            group=self.sort.value,
            role=self.role,
            language=self.language,
            question=self.question,
            kinds=frozenset({self.expected}),
            pages=self.pages,
            unsaid=self.unsaid,
        )


def asked_of_manual(item: Expected) -> Question:
    """A question that the search is measured with, asked of the whole service."""
    return Question(
        group=item.role.value,
        role=item.role,
        language=item.language,
        question=item.question,
        kinds=frozenset({Kind.MANUAL}),
        pages=item.pages,
    )


def digest_of(questions: Sequence[Question]) -> str:
    """Tells whether two reports are of the same questions, expectations included."""
    told = [question.model_copy(update={"kinds": tuple(sorted(question.kinds))}) for question in questions]
    whole = "\n".join(question.model_dump_json(warnings=False) for question in told)
    return hashlib.sha256(whole.encode()).hexdigest()[:16]
