"""What an export says of one person: a line for each row kept of them, in the shape the contract fixes."""

import datetime as dt
from collections.abc import Mapping
from enum import StrEnum
from uuid import UUID

from pydantic import AwareDatetime, BaseModel, ConfigDict, JsonValue

from assist_service.domain.conversation import Kind
from assist_service.domain.errors import AssistError, Code, FieldFault
from assist_service.domain.people import is_subject
from assist_service.domain.reply import CardLine, CitationLink

SHAPE = ConfigDict(extra="forbid", frozen=True)

ERASED = "erased person"
"""Stands where somebody's id stood who was erased. It has a space, so it is nobody's id."""

SOMEBODY_ELSE = "another person"
"""Stands in an export for everybody but its person: their ids are theirs. It has a space, so it is nobody's id."""

NOBODY = "nobody known"
"""Whose data was exported of whom nothing is kept: their id would be all. It has a space, so it is nobody's id."""

OPERATOR = "the operator"
"""Who exported or erased at the command line, as the audit log names them. It has a space: no back end is."""


class Sealed(StrEnum):
    """What became of a row's sealed words in the export."""

    OPENED = "opened"
    BROKEN = "does not open"
    """Its key is gone, or the row is damaged: the words are lost for the service too."""
    NOTHING = "holds nothing"


class KeptConversation(BaseModel):
    """A conversation; its exchanges name it by their `conversation_id`."""

    model_config = SHAPE

    id: UUID
    started_at: AwareDatetime
    last_at: AwareDatetime
    ended_at: AwareDatetime | None


class KeptExchange(BaseModel):
    """A question and its answer, as its reader saw it: with the names that were kept from the model."""

    model_config = SHAPE

    id: UUID
    conversation_id: UUID
    at: AwareDatetime
    kind: Kind
    language: str
    route: str
    topic: str | None
    model: str
    corpus_version: str
    citations: tuple[CitationLink, ...]
    sealed: Sealed
    question: str | None
    answer: str | None


class KeptReply(BaseModel):
    """A reply kept for an idempotency key; `reply` is the body as it was sent, absent while its question runs."""

    model_config = SHAPE

    key: str
    at: AwareDatetime
    conversation_id: UUID | None
    sealed: Sealed
    reply: JsonValue


class KeptWrite(BaseModel):
    """A change that an answer prepared: what would be sent to the LMS, and the card that was shown."""

    model_config = SHAPE

    id: UUID
    conversation_id: UUID
    tool: str
    state: str
    prepared_at: AwareDatetime
    expires_at: AwareDatetime
    sent_at: AwareDatetime | None
    sealed: Sealed
    language: str | None
    entity: UUID | None
    arguments: JsonValue
    lines: tuple[CardLine, ...]


class KeptRate(BaseModel):
    """How many questions were asked: the moments of the last minute's, the number of the day's."""

    model_config = SHAPE

    recent: tuple[AwareDatetime, ...]
    day: dt.date
    day_count: int


class KeptCall(BaseModel):
    """A request to a provider, without content; `question_id` is the exchange's id where one came of it."""

    model_config = SHAPE

    id: UUID
    day: dt.date
    purpose: str
    model: str
    question_id: UUID
    reserved_at: AwareDatetime
    settled_at: AwareDatetime | None
    outcome: str | None
    worst_micros: int
    cost_micros: int | None
    input_tokens: int | None
    cached_input_tokens: int | None
    cache_write_tokens: int | None
    output_tokens: int | None


class KeptEntry(BaseModel):
    """An entry of the audit log that tells of the person, or of what they did; others stand as `another person`."""

    model_config = SHAPE

    at: AwareDatetime
    actor: str
    action: str
    subject: str
    conversation_id: UUID | None
    tool: str | None
    outcome: str | None


class DamagedRow(BaseModel):
    """A row with a value that is none for its field, told as far as it can be."""

    model_config = SHAPE

    damaged: tuple[str, ...]
    """The fields at fault."""
    told: Mapping[str, JsonValue]
    """By name what the row's fields would be, those at fault as they stand in the database."""


class PersonDocument(BaseModel):
    """Everything that is kept of one person: each list is a table, each of its items a row."""

    model_config = SHAPE

    sub: str
    exported_at: AwareDatetime
    conversations: tuple[KeptConversation | DamagedRow, ...]
    exchanges: tuple[KeptExchange | DamagedRow, ...]
    kept_replies: tuple[KeptReply | DamagedRow, ...]
    pending_writes: tuple[KeptWrite | DamagedRow, ...]
    question_rates: tuple[KeptRate | DamagedRow, ...]
    llm_calls: tuple[KeptCall | DamagedRow, ...]
    audit: tuple[KeptEntry | DamagedRow, ...]


KeptRow = KeptConversation | KeptExchange | KeptReply | KeptWrite | KeptRate | KeptCall | KeptEntry


def refuse_no_subject(sub: str) -> None:
    """Raises `invalid_request` for what can name nobody."""
    if not is_subject(sub):
        raise AssistError(Code.INVALID_REQUEST, faults=(FieldFault("sub", "is not 1 to 255 visible ASCII characters"),))
