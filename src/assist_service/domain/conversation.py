"""Conversations: what one exchange keeps, which of it a later question sends on, and how long one stays open."""

import datetime as dt
import re
import uuid
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from pydantic import BaseModel, ConfigDict, Field

from assist_service.domain.citations import Citation
from assist_service.domain.messages import AssistantText, Message, UserText
from assist_service.domain.names import Masks
from assist_service.domain.own_words import without_statement
from assist_service.domain.placeholders import Names, united, with_names, without_tag
from assist_service.domain.text import one_line, visible

TITLE_CHARACTERS = 80


class Kind(StrEnum):
    """What an answer is; computed here, never taken from the model."""

    MANUAL = "manual"
    LIVE = "live"
    INTERFACE = "interface"
    PROPOSAL = "proposal"
    CHOICE = "choice"
    QUESTION = "question"
    REFUSAL = "refusal"


class RateLimits(BaseModel):
    """Questions of one person; a limit left out does not bind."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    questions_per_minute: int = Field(ge=1, le=1000)
    questions_per_day: int | None = Field(default=None, ge=1, le=100_000)


class HistoryWindow(BaseModel):
    """How much of a conversation a later question sends to the model."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    pairs: int = Field(ge=0, le=50)
    characters: int = Field(ge=0, le=100_000)


class ConversationTimes(BaseModel):
    """How long a conversation takes questions; a time left out does not bind."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    idle_minutes: int | None = Field(default=None, ge=1, le=100_000)
    total_hours: int | None = Field(default=None, ge=1, le=100_000)
    one_active: bool = False
    """Whether a conversation that starts ends the one that was active (row J12)."""


@dataclass(frozen=True)
class Span:
    """When a conversation began, was used last, and was ended by another that took its place, if it was."""

    started_at: dt.datetime
    last_at: dt.datetime
    ended_at: dt.datetime | None = None


def is_open(span: Span, times: ConversationTimes, *, now: dt.datetime) -> bool:
    """Whether a conversation still takes a question: not ended by another, not idle for too long and not too old.

    One that was ended stays so, whatever the policy in force says by now.
    """
    if span.ended_at is not None:
        return False
    is_used = times.idle_minutes is None or now - span.last_at < dt.timedelta(minutes=times.idle_minutes)
    is_young = times.total_hours is None or now - span.started_at < dt.timedelta(hours=times.total_hours)
    return is_used and is_young


LOOKED_UP = "(The platform answered this itself, from live data that you cannot see.)"
"""What a model reads of an answer that no model may read."""

WAITS = "(What was prepared beside it waits for the person, and nothing has changed yet.)"
"""What a model reads after that where a write was prepared in the same reply. It is no sentence that an answer holds:
those are taken out of what a model is sent."""

CHOSE = "(The person chose one of the ways to go on.)"
"""What a model reads of a choice: its label is a title or a name."""


NO_MODEL = "none"
"""The model of an answer for which none was asked."""


@dataclass(frozen=True)
class Withheld:
    """What of an exchange its person reads and no model: a looked-up answer, and what was chosen for it."""

    answer: str
    chosen: str | None = None


@dataclass(frozen=True)
class Exchange:
    """One question and its checked answer, with no more of the screen than pattern, topic and language (row A2)."""

    id: uuid.UUID
    conversation_id: uuid.UUID
    owner: str
    at: dt.datetime
    kind: Kind
    language: str
    route: str
    topic: str | None
    model: str
    corpus_version: str
    question: str
    answer: str
    """Masked, where names were kept from the model: so it goes to the model again, and `names` put them back."""
    citations: tuple[Citation, ...]
    names: Names | None = None
    withheld: Withheld | None = None
    """Where there is any, `answer` and `question` hold what a model may read in its place."""

    @property
    def shown_question(self) -> str:
        """The question as its reader sees it: what was chosen, where nothing was asked."""
        return self.withheld.chosen if self.withheld is not None and self.withheld.chosen else self.question

    @property
    def shown_answer(self) -> str:
        """The answer as its reader sees it."""
        if self.withheld is not None:
            return self.withheld.answer
        return with_names(self.answer, self.names)


@dataclass(frozen=True)
class ConversationHead:
    """A line of a list of conversations."""

    id: uuid.UUID
    span: Span
    title: str


def names_of(exchanges: Sequence[Exchange]) -> Names | None:
    """The placeholders a conversation goes on with: of whom these exchanges keep. Everybody else is forgotten."""
    return united([exchange.names for exchange in exchanges if exchange.names is not None])


def question_in(exchanges: Sequence[Exchange], question: str) -> str:
    """A question as a model reads it in this conversation: nothing in it is invisible, or taken for a placeholder."""
    names = names_of(exchanges)
    return visible(question) if names is None else without_tag(visible(question), names.tag)


def title_of(question: str) -> str:
    """A conversation's title: its first question on one line."""
    return one_line(question, TITLE_CHARACTERS)


def window(exchanges: Sequence[Exchange], bounds: HistoryWindow) -> tuple[Message, ...]:
    """The newest exchanges that fit, oldest first; a pair goes whole or not at all.

    One with another tag ends the window: its placeholders are nobody's now, and whom it names is not known.
    """
    kept: list[Exchange] = []
    left = bounds.characters
    names = names_of(exchanges)
    for exchange in reversed(exchanges[len(exchanges) - min(len(exchanges), bounds.pairs) :]):
        left -= len(exchange.question) + len(exchange.answer)
        is_of_before = names is not None and exchange.names is not None and exchange.names.tag != names.tag
        if left < 0 or is_of_before:
            break
        kept.append(exchange)
    messages: list[Message] = []
    for exchange in reversed(kept):
        question = exchange.question if names is None else without_tag(exchange.question, names.tag)
        messages += [UserText(question), AssistantText(_without_marks(exchange))]
    return tuple(messages)


def masked(history: Sequence[Message], masks: Masks) -> tuple[Message, ...]:
    """The history, in which nobody is named any more who is known by now: a model may have read them unmasked."""
    return tuple(
        replace(message, text=masks.hidden(message.text)) if isinstance(message, UserText | AssistantText) else message
        for message in history
    )


def _without_marks(exchange: Exchange) -> str:
    """The answer without its citation numbers, which mean nothing later, and without what the service said under it."""
    cited = {str(citation.marker) for citation in exchange.citations}
    words = re.sub(r" ?\[(\d+)\]", lambda mark: "" if mark[1] in cited else mark[0], exchange.answer)
    words = without_statement(words)
    return words if words.strip() else exchange.answer  # nothing empty may be sent
