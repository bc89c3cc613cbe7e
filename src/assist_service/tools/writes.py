"""Prepares the five writes a person may confirm: checked, read back as the person, frozen, and not done (row A16)."""

import math
import unicodedata
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Annotated, Any
from uuid import UUID

from pydantic import AfterValidator, BaseModel, Field, JsonValue, StringConstraints

from assist_service.domain.acts import Prepared
from assist_service.domain.cards import Unfit
from assist_service.domain.records import ItemKind
from assist_service.domain.screens import EntityKind
from assist_service.domain.text import visible
from assist_service.domain.unprepared import Unprepared
from assist_service.domain.writes import WriteRequest, WriteTool
from assist_service.ports import LmsFault, LmsFaultKind, SchemaUnfit
from assist_service.tools.cards import card_of, type_of
from assist_service.tools.looking_up import FAULTS, NO_SEAT
from assist_service.tools.tool import ARGUMENTS, OPEN_ONLY, Desk, Effect, Family, Said, Tool

QUESTIONS = 20
"""That one card names, at most: each is read back by itself."""

TITLE_CHARACTERS = 200
EXPLANATION_CHARACTERS = 4_000

SEARCH_FIRST = (
    "Not prepared: call find_similar_questions with the statement first, then say what it found, and prepare the "
    "question only if none is the same."
)

UNCHECKED = "Not prepared: the platform does not say what such a question looks like. Say so."

UNREACHED: Mapping[LmsFaultKind, Unprepared] = {
    LmsFaultKind.NOT_FOUND: Unprepared.NO_SEAT,
    LmsFaultKind.REFUSED: Unprepared.REFUSED,
    LmsFaultKind.UNAVAILABLE: Unprepared.SILENT,
    LmsFaultKind.MALFORMED: Unprepared.SILENT,
    LmsFaultKind.TOO_LARGE: Unprepared.REFUSED,
}
"""What the person is told where a card could not be made; a session that ended ends the question instead."""

TOLD_FAULTS = 5

DRAFT = "draft"


def _line(text: str) -> str:
    cleaned = " ".join(visible(text).split())
    if not any(unicodedata.category(letter)[0] in "LNPS" and letter != "\u2800" for letter in cleaned):
        raise ValueError("is empty")
    return cleaned


def _cleaned(value: Any) -> Any:
    """The same value without characters that cannot be seen, in keys too: what is shown is what is sent.

    Raises ValueError for a number that JSON has no word for.
    """
    match value:
        case str():
            return visible(value)
        case list():
            return [_cleaned(inner) for inner in value]
        case dict():
            return {visible(key): _cleaned(inner) for key, inner in value.items()}
        case float() if not math.isfinite(value):
            raise ValueError("is no number of JSON")
        case _:
            return value


Line = Annotated[str, StringConstraints(min_length=1, max_length=TITLE_CHARACTERS), AfterValidator(_line)]
Word = Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9_-]{0,63}$")]
Ids = Annotated[tuple[UUID, ...], Field(max_length=QUESTIONS)]


class NewQuestion(BaseModel):
    """A draft."""

    model_config = ARGUMENTS

    pool: UUID
    type: Word = Field(description="One of describe_question_types.")
    config: Annotated[dict[str, JsonValue], AfterValidator(_cleaned)] = Field(
        description="The statement and the rest, by the type's schema as describe_question_types shows it."
    )
    explanation: Annotated[str, StringConstraints(max_length=EXPLANATION_CHARACTERS), AfterValidator(visible)] = ""
    title: Line | None = None
    difficulty: Word | None = None
    category: UUID | None = None

    def request(self) -> WriteRequest:
        body = {**_present(self), "config": self.config, "explanation": self.explanation, "status": DRAFT}
        return WriteRequest.of(WriteTool.CREATE_QUESTION, None, body)

    def ids(self) -> Sequence[tuple[EntityKind | ItemKind, UUID]]:
        category = [(ItemKind.CATEGORY, self.category)] if self.category is not None else []
        return [(EntityKind.POOL, self.pool), *category]


class NewCategory(BaseModel):
    """A category of a pool."""

    model_config = ARGUMENTS

    pool: UUID
    title: Line

    def request(self) -> WriteRequest:
        return WriteRequest.of(WriteTool.CREATE_CATEGORY, self.pool, {"title": self.title})

    def ids(self) -> Sequence[tuple[EntityKind | ItemKind, UUID]]:
        return [(EntityKind.POOL, self.pool)]


class NewTemplate(BaseModel):
    """A template of evaluations."""

    model_config = ARGUMENTS

    title: Line
    course: UUID | None = Field(default=None, description="Whose template it is; without one it is the person's own.")
    language: Word | None = None
    questions: Ids = Field(default=(), description="Published ones only.")

    def request(self) -> WriteRequest:
        body = {**_present(self), "questions": _texts(self.questions)}
        return WriteRequest.of(WriteTool.CREATE_TEMPLATE, None, body)

    def ids(self) -> Sequence[tuple[EntityKind | ItemKind, UUID]]:
        course = [(EntityKind.COURSE, self.course)] if self.course is not None else []
        return [*course, *((EntityKind.QUESTION, each) for each in self.questions)]


class MoreQuestions(BaseModel):
    """Questions for a template."""

    model_config = ARGUMENTS

    template: UUID
    questions: Annotated[Ids, Field(min_length=1)] = Field(description="Published ones only.")

    def request(self) -> WriteRequest:
        body = {"questions": _texts(self.questions)}
        return WriteRequest.of(WriteTool.ADD_QUESTIONS_TO_TEMPLATE, self.template, body)

    def ids(self) -> Sequence[tuple[EntityKind | ItemKind, UUID]]:
        return [(EntityKind.TEMPLATE, self.template), *((EntityKind.QUESTION, each) for each in self.questions)]


class PoolLink(BaseModel):
    """A pool and the course that gets it."""

    model_config = ARGUMENTS

    pool: UUID
    course: UUID

    def request(self) -> WriteRequest:
        return WriteRequest.of(WriteTool.LINK_POOL_TO_COURSE, self.course, {"pool": str(self.pool)})

    def ids(self) -> Sequence[tuple[EntityKind | ItemKind, UUID]]:
        return [(EntityKind.POOL, self.pool), (EntityKind.COURSE, self.course)]


Arguments = NewQuestion | NewCategory | NewTemplate | MoreQuestions | PoolLink

Check = Callable[[Any, Desk], Awaitable[None]]


def _present(arguments: BaseModel) -> dict[str, Any]:
    """What was given of them, as JSON has it."""
    return arguments.model_dump(mode="json", exclude_none=True)


def _texts(ids: Sequence[UUID]) -> list[str]:
    return [str(each) for each in dict.fromkeys(ids)]


async def _nothing_more(_: Any, __: Desk) -> None:
    """The card says it all."""


async def _checked_question(arguments: NewQuestion, desk: Desk) -> None:
    """Raises Unfit where nobody looked for one like it, or where the config is not one of its type."""
    if "find_similar_questions" not in desk.searched:
        raise Unfit(SEARCH_FIRST, Unprepared.SEARCH_FIRST)
    type_ = await type_of(arguments.type, desk.reads.for_tool(WriteTool.CREATE_QUESTION))
    try:
        if desk.schemas is None or not type_.config_schema:
            raise Unfit(UNCHECKED, Unprepared.UNCHECKED)
        (faults,) = await desk.schemas.faults(type_.config_schema, [arguments.config])
    except SchemaUnfit:
        raise Unfit(UNCHECKED, Unprepared.UNCHECKED) from None
    if faults:
        told = "; ".join(f"config{fault.pointer}: {fault.words}" for fault in faults[:TOLD_FAULTS])
        raise Unfit(f"Not prepared, the config does not fit its type: {told}")


def _refused(reason: str, unprepared: Unprepared) -> Said:
    return Said(reason, is_error=True, unprepared=unprepared)


def _preparing(tool: WriteTool, check: Check) -> Callable[[Arguments, Desk], Awaitable[Said | Prepared]]:
    """A run that refuses ids nobody was given, reads everything back as the person, and freezes it."""

    async def run(arguments: Arguments, desk: Desk) -> Said | Prepared:
        if not all(desk.known.holds(kind, wanted) for kind, wanted in arguments.ids()):
            return _refused(NO_SEAT, Unprepared.NO_SEAT)
        try:
            await check(arguments, desk)
            request = arguments.request()
            return Prepared(request, await card_of(request, desk.reads.for_tool(tool)))
        except Unfit as unfit:
            return _refused(unfit.reason, unfit.unprepared)
        except LmsFault as fault:
            if fault.kind is LmsFaultKind.SESSION_ENDED:
                raise
            return _refused(FAULTS[fault.kind], UNREACHED[fault.kind])

    return run


def _write(tool: WriteTool, arguments: type[BaseModel], description: str, *, check: Check = _nothing_more) -> Tool:
    return Tool(
        name=tool.value,
        description=f"{description} Nothing is done: the person gets a card and decides. Use it only when they ask.",
        family=Family.WRITING,
        effect=Effect.PREPARE,
        disclosures=OPEN_ONLY,
        arguments=arguments,
        run=_preparing(tool, check),
        needs=frozenset({tool.value, *_READS[tool]}),
    )


_READS: Mapping[WriteTool, frozenset[str]] = {
    WriteTool.CREATE_QUESTION: frozenset({"pool", "question_types", "similar_questions"}),
    WriteTool.CREATE_CATEGORY: frozenset({"pool"}),
    WriteTool.CREATE_TEMPLATE: frozenset({"course", "question"}),
    WriteTool.ADD_QUESTIONS_TO_TEMPLATE: frozenset({"template", "question"}),
    WriteTool.LINK_POOL_TO_COURSE: frozenset({"pool", "course", "course_staff"}),
}
"""What each card is made of."""

WRITES = (
    _write(
        WriteTool.CREATE_QUESTION,
        NewQuestion,
        "Prepares a new question in a pool, always a draft. Call find_similar_questions before it, in this answer.",
        check=_checked_question,
    ),
    _write(WriteTool.CREATE_CATEGORY, NewCategory, "Prepares a new category in a pool."),
    _write(
        WriteTool.CREATE_TEMPLATE,
        NewTemplate,
        "Prepares a new template, empty or with published questions.",
    ),
    _write(
        WriteTool.ADD_QUESTIONS_TO_TEMPLATE,
        MoreQuestions,
        "Prepares adding published questions to a template. A draft has to be published in the editor first.",
    ),
    _write(
        WriteTool.LINK_POOL_TO_COURSE,
        PoolLink,
        "Prepares giving a course a pool; everyone who teaches the course gains access to it.",
    ),
)
