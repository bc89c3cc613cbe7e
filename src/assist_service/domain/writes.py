"""Pending writes: what a person may confirm, frozen before it is shown, and what becomes of it.

What is executed, what is stored and what is shown are one value: its digest is taken once, after validation and
defaults, and compared with the very bytes that are sent (invariant W1).
"""

import datetime as dt
import hashlib
import json
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any
from uuid import UUID

from assist_service.domain.reply import CardLine, PreparedWrite

MAX_WRITES = 3
"""Prepared in one answer, at most (row A16)."""

PENDING = dt.timedelta(minutes=10)
"""How long a card may be confirmed (row A16)."""

CONFIRMING = dt.timedelta(seconds=30)
"""The lease of a confirm. Past it the process that held it is dead, and nobody knows whether it wrote."""

REPEATABLE = dt.timedelta(hours=23)
"""How long a write of unknown outcome may be sent again under its key: the LMS keeps keys for a day at least."""


class WriteTool(StrEnum):
    """The closed list of writes (row A16)."""

    CREATE_QUESTION = "create_question"
    CREATE_CATEGORY = "create_category"
    CREATE_TEMPLATE = "create_template"
    ADD_QUESTIONS_TO_TEMPLATE = "add_questions_to_template"
    LINK_POOL_TO_COURSE = "link_pool_to_course"


class WriteState(StrEnum):
    """Where a write stands; only `pending`, `unknown` and a `confirming` whose lease is over can still be confirmed."""

    PENDING = "pending"
    CONFIRMING = "confirming"
    DONE = "done"
    REFUSED = "refused"
    UNKNOWN = "unknown"
    CANCELLED = "cancelled"


@dataclass(frozen=True)
class WriteRequest:
    """One request to the LMS: the entity its address names, where it names one, and the very bytes of its body."""

    tool: WriteTool
    entity: UUID | None
    body: bytes

    @classmethod
    def of(cls, tool: WriteTool, entity: UUID | None, body: Mapping[str, Any]) -> "WriteRequest":
        """The body in its one canonical form. Raises ValueError for what JSON has no word for."""
        text = json.dumps(body, ensure_ascii=True, allow_nan=False, sort_keys=True, separators=(",", ":"))
        return cls(tool, entity, text.encode("ascii"))

    @property
    def digest(self) -> str:
        """SHA-256 in hex of tool, entity and body."""
        parts = (self.tool.value.encode(), str(self.entity or "").encode(), self.body)
        return hashlib.sha256(b"\0".join(parts)).hexdigest()


@dataclass(frozen=True)
class PendingWrite:
    """A write that was prepared in an answer and waits for its person."""

    id: uuid.UUID
    owner: str
    conversation_id: uuid.UUID
    request: WriteRequest
    digest: str
    lines: tuple[CardLine, ...]
    """The card as it was shown."""
    language: str
    prepared_at: dt.datetime

    @property
    def expires_at(self) -> dt.datetime:
        return self.prepared_at + PENDING

    @property
    def card(self) -> PreparedWrite:
        """As it is shown."""
        return PreparedWrite(id=self.id, tool=self.request.tool.value, expires_at=self.expires_at, lines=self.lines)
