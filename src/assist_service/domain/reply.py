"""The reply of a question, in the very shape the contract fixes: what is built here is what is sent and kept."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated, Literal
from uuid import UUID

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, JsonValue

from assist_service.domain.citations import Citation
from assist_service.domain.conversation import Kind
from assist_service.domain.messages import Usage
from assist_service.domain.policy import Disclosure
from assist_service.domain.screens import Language

SHAPE = ConfigDict(extra="forbid", frozen=True)


class CitationLink(BaseModel):
    """A numbered citation; `href` is fetched with the bearer, it is no link."""

    model_config = SHAPE

    marker: int
    page: str
    section: str
    title: str
    href: str

    @classmethod
    def of(cls, citation: Citation) -> "CitationLink":
        return cls(
            marker=citation.marker,
            page=citation.page,
            section=citation.section,
            title=citation.title,
            href=citation.href,
        )


class OpenScreen(BaseModel):
    """The browser opens a screen."""

    model_config = SHAPE

    type: Literal["open_screen"]
    screen: str
    ids: dict[str, UUID]
    params: dict[str, str]
    path: str
    title: str


class ScreenCommand(BaseModel):
    """A command of the screen: run at once, offered as a button, or run on Confirm only."""

    model_config = SHAPE

    type: Literal["run_command", "offer_command", "confirm_command"]
    id: str
    label: str


class TextChange(BaseModel):
    """One text of a question before and after; `path` is a JSON Pointer into `{config, explanation}`."""

    model_config = SHAPE

    path: str
    label: str
    before: str
    after: str


class EditQuestion(BaseModel):
    """A proposal for the open draft, applied by the person only."""

    model_config = SHAPE

    type: Literal["edit_question"]
    question_id: UUID
    base: str
    changes: tuple[TextChange, ...]
    config: dict[str, JsonValue]
    explanation: str


Action = Annotated[OpenScreen | ScreenCommand | EditQuestion, Field(discriminator="type")]


class CardLine(BaseModel):
    """A line of a card; `label` is a closed key that the front end words."""

    model_config = SHAPE

    label: str
    value: str


class PreparedWrite(BaseModel):
    """A change the person may confirm."""

    model_config = SHAPE

    id: UUID
    tool: str
    expires_at: AwareDatetime
    lines: tuple[CardLine, ...]


class Confirmed(BaseModel):
    """What a confirmed write made or changed: the app's path to it, and its title."""

    model_config = SHAPE

    path: str
    title: str


class Reference(BaseModel):
    """A handle for a follow-up question about a record."""

    model_config = SHAPE

    kind: str
    label: str
    token: str


class Choice(BaseModel):
    """One way to resolve what was ambiguous."""

    model_config = SHAPE

    label: str
    token: str


class Statement(BaseModel):
    """What was done for this answer, from the service's own records: the model's prose is never the witness."""

    model_config = SHAPE

    opened: tuple[str, ...] = ()
    prepared: tuple[str, ...] = ()
    changed: bool = False


class Sent(BaseModel):
    """A tool whose result a provider read, and in which form."""

    model_config = SHAPE

    tool: str
    disclosure: Disclosure


AlsoSent = Literal["question", "history", "draft", "moderation"]


class Took(BaseModel):
    """What provider requests took: tokens as the providers counted them, cost in micro-units.

    `input_tokens` counts all input; `cached_input_tokens` is the part of it that a provider read from its cache.
    """

    model_config = SHAPE

    models: tuple[str, ...]
    requests: int
    input_tokens: int
    cached_input_tokens: int
    output_tokens: int
    cost_micros: int


class Receipt(Took):
    """What a question took: tokens as the providers counted them, cost in micro-units, what left the service.

    `input_tokens` counts all input; `cached_input_tokens` is the part of it that a provider read from its cache.
    """

    corpus_version: str
    sent: tuple[Sent, ...]
    also_sent: tuple[AlsoSent, ...]


class Reply(BaseModel):
    """A checked answer with all that stands under it."""

    model_config = SHAPE

    conversation_id: UUID
    exchange_id: UUID
    kind: Kind
    answer: str
    html: str
    language: Language
    citations: tuple[CitationLink, ...]
    actions: tuple[Action, ...] = ()
    writes: tuple[PreparedWrite, ...] = ()
    references: tuple[Reference, ...] = ()
    choices: tuple[Choice, ...] = ()
    statement: Statement
    receipt: Receipt


@dataclass(frozen=True)
class Spent:
    """One settled provider request of a question."""

    model: str
    usage: Usage | None
    cost_micros: int


def took_of(spent: Iterable[Spent]) -> Took:
    """The sums of the requests that were made, and of nothing else."""
    calls = tuple(spent)
    usages = [call.usage for call in calls if call.usage is not None]
    return Took(
        models=tuple(dict.fromkeys(call.model for call in calls)),
        requests=len(calls),
        input_tokens=sum(usage.all_input_tokens for usage in usages),
        cached_input_tokens=sum(usage.cached_input_tokens for usage in usages),
        output_tokens=sum(usage.output_tokens for usage in usages),
        cost_micros=sum(call.cost_micros for call in calls),
    )


def receipt_of(
    spent: Iterable[Spent], *, corpus_version: str, sent: Iterable[Sent], also_sent: tuple[AlsoSent, ...]
) -> Receipt:
    """The receipt of a question."""
    return Receipt(
        **took_of(spent).model_dump(),
        corpus_version=corpus_version,
        sent=tuple(dict.fromkeys(sent)),
        also_sent=also_sent,
    )
