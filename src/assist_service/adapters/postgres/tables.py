"""The tables, described once: Alembic migrates to them, a test holds the two equal."""

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    Column,
    Date,
    DateTime,
    ForeignKey,
    Identity,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
    Uuid,
    text,
)
from sqlalchemy.dialects.postgresql import ARRAY, JSONB

METADATA = MetaData(
    naming_convention={
        "ix": "ix_%(column_0_label)s",
        "uq": "uq_%(table_name)s_%(column_0_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
        "pk": "pk_%(table_name)s",
    }
)

MOMENT = DateTime(timezone=True)

CONVERSATIONS = Table(
    "conversations",
    METADATA,
    Column("id", Uuid, primary_key=True),
    Column("owner", Text, nullable=False),
    Column("started_at", MOMENT, nullable=False),
    Column("last_at", MOMENT, nullable=False),
    Column("lease", Uuid, comment="held while a question of this conversation runs"),
    Column("lease_until", MOMENT, comment="a lease past this is a dead process's and binds nobody"),
    Column("ended_at", MOMENT, comment="when another of its owner's took its place, where there may be one only"),
    Index("ix_conversations_owner_last_at", "owner", "last_at", "id"),
)

EXCHANGES = Table(
    "exchanges",
    METADATA,
    Column("id", Uuid, primary_key=True),
    Column("conversation_id", Uuid, ForeignKey("conversations.id", ondelete="CASCADE"), nullable=False),
    Column("owner", Text, nullable=False),
    Column("at", MOMENT, nullable=False),
    Column("kind", Text, nullable=False),
    Column("language", Text, nullable=False),
    Column("route", Text, nullable=False),
    Column("topic", Text),
    Column("model", Text, nullable=False),
    Column("corpus_version", Text, nullable=False),
    Column("citations", JSONB, nullable=False, comment="sections of the manual; no words of the person"),
    Column("key_id", Text, nullable=False),
    Column("sealed", LargeBinary, nullable=False, comment="question and answer, bound to this row and owner"),
    Index("ix_exchanges_conversation_id_at", "conversation_id", "at", "id"),
    Index("ix_exchanges_kind_at", "kind", "at"),
    Index("ix_exchanges_owner", "owner"),
)

REPLIES = Table(
    "idempotent_replies",
    METADATA,
    Column("owner", Text, primary_key=True),
    Column("key", Text, primary_key=True),
    Column("token", Uuid, nullable=False, comment="whose claim this is"),
    Column("at", MOMENT, nullable=False),
    Column("lease_until", MOMENT, nullable=False),
    Column("key_id", Text, nullable=False),
    Column("sealed_body_digest", LargeBinary, nullable=False),
    Column("reply_key_id", Text),
    Column("sealed_reply", LargeBinary, comment="absent while the question runs"),
    Column(
        "conversation_id",
        Uuid,
        ForeignKey("conversations.id", ondelete="CASCADE"),
        comment="whose answer is kept: deleted with it",
    ),
    Index("ix_idempotent_replies_conversation_id", "conversation_id"),
    Index("ix_idempotent_replies_at", "at"),
)

PENDING_WRITES = Table(
    "pending_writes",
    METADATA,
    Column("id", Uuid, primary_key=True, comment="the key under which the LMS is sent it"),
    Column("owner", Text, nullable=False),
    Column("conversation_id", Uuid, ForeignKey("conversations.id", ondelete="CASCADE"), nullable=False),
    Column("tool", Text, nullable=False),
    Column("state", Text, nullable=False),
    Column("prepared_at", MOMENT, nullable=False),
    Column("expires_at", MOMENT, nullable=False, comment="of the card; binds nobody once it may have been sent"),
    Column("lease", Uuid, comment="whose confirm runs"),
    Column("lease_until", MOMENT, comment="a confirm past this is a dead process's, and may have been sent"),
    Column("sent_at", MOMENT, comment="when it may first have been sent"),
    Column("key_id", Text),
    Column(
        "sealed", LargeBinary, comment="entity, body, digest and card, bound to this row and owner; gone when it ended"
    ),
    CheckConstraint(
        "state IN ('pending', 'confirming', 'done', 'refused', 'unknown', 'cancelled')", name="state_is_known"
    ),
    CheckConstraint(
        "CASE WHEN state IN ('pending', 'cancelled') THEN sent_at IS NULL "
        "WHEN state IN ('done', 'unknown') THEN sent_at IS NOT NULL ELSE true END",
        name="sent_or_not",
    ),
    CheckConstraint(
        "(lease IS NOT NULL) = (state = 'confirming') AND (lease IS NULL) = (lease_until IS NULL)", name="leased_or_not"
    ),
    CheckConstraint(
        "(sealed IS NULL) = (state IN ('done', 'refused', 'cancelled')) AND (sealed IS NULL) = (key_id IS NULL)",
        name="nothing_kept_when_ended",
    ),
    Index("ix_pending_writes_conversation_id", "conversation_id"),
    Index("ix_pending_writes_owner", "owner"),
    Index("ix_pending_writes_expires_at", "expires_at"),
)

RATES = Table(
    "question_rates",
    METADATA,
    Column("person", Text, primary_key=True),
    Column("recent", ARRAY(MOMENT), nullable=False, comment="the questions of the last minute"),
    Column("day", Date, nullable=False),
    Column("day_count", Integer, nullable=False),
    Index("ix_question_rates_day", "day"),
)

LLM_DAYS = Table(
    "llm_days",
    METADATA,
    Column("day", Date, primary_key=True),
    Column("spent_micros", BigInteger, nullable=False, server_default=text("0")),
    Column("reserved_micros", BigInteger, nullable=False, server_default=text("0")),
    Column("chat_spent_micros", BigInteger, nullable=False, server_default=text("0")),
    Column("chat_reserved_micros", BigInteger, nullable=False, server_default=text("0")),
    CheckConstraint("reserved_micros >= 0 AND chat_reserved_micros >= 0", name="reserved_is_not_negative"),
)

LLM_CALLS = Table(
    "llm_calls",
    METADATA,
    Column("id", Uuid, primary_key=True),
    Column("day", Date, nullable=False, comment="the day that reserved it, and is charged"),
    Column("purpose", Text, nullable=False),
    Column("model", Text, nullable=False),
    Column("person", Text, nullable=False),
    Column("question_id", Uuid, nullable=False),
    Column("reserved_at", MOMENT, nullable=False),
    Column("lease_until", MOMENT, nullable=False),
    Column("worst_micros", BigInteger, nullable=False),
    Column("settled_at", MOMENT),
    Column("outcome", Text),
    Column("cost_micros", BigInteger),
    Column("input_tokens", Integer),
    Column("cached_input_tokens", Integer),
    Column("cache_write_tokens", Integer),
    Column("output_tokens", Integer),
    Index("ix_llm_calls_unsettled", "lease_until", postgresql_where=text("settled_at IS NULL")),
    Index("ix_llm_calls_day", "day"),
    Index("ix_llm_calls_person", "person"),
)

AUDIT = Table(
    "audit",
    METADATA,
    Column("id", Uuid, primary_key=True, server_default=text("gen_random_uuid()")),
    Column("at", MOMENT, nullable=False),
    Column("actor", Text, nullable=False),
    Column("action", Text, nullable=False),
    Column("subject", Text, nullable=False, comment="whose conversations"),
    Column("conversation_id", Uuid, comment="absent for a list; no foreign key: it outlives what it tells of"),
    Column("tool", Text, comment="which write, where it tells of one"),
    Column("outcome", Text, comment="of a write that was confirmed: done, refused or unknown"),
    Index("ix_audit_at", "at"),
    Index("ix_audit_subject", "subject"),
    Index("ix_audit_actor", "actor"),
)

ERASURES = Table(
    "erasures",
    METADATA,
    Column("person_digest", Text, primary_key=True, comment="SHA-256 of whose data was erased, in hexadecimal"),
    Column("at", MOMENT, nullable=False),
)
"""Kept a short while: what a question that still ran leaves behind is erased after it."""

PUBLICATIONS = Table(
    "manual_publications",
    METADATA,
    Column("id", Text, primary_key=True, comment="the hash of its content"),
    Column("staged_at", MOMENT, nullable=False),
    Column(
        "glossary", JSONB, nullable=False, server_default=text("'{}'::jsonb"), comment="by language, groups of names"
    ),
)

SECTIONS = Table(
    "manual_sections",
    METADATA,
    Column("publication", Text, ForeignKey("manual_publications.id"), primary_key=True),
    Column("id", Text, primary_key=True),
    Column("position", Integer, nullable=False),
    Column("page", Text, nullable=False),
    Column("page_title", Text, nullable=False),
    Column("language", Text, nullable=False),
    Column("audience", Text, nullable=False),
    Column("anchor", Text, nullable=False),
    Column("title", Text, nullable=False),
    Column("text", Text, nullable=False),
    Index("ix_manual_sections_page", "page", "anchor"),
)

VECTORS = Table(
    "manual_vectors",
    METADATA,
    Column("publication", Text, ForeignKey("manual_publications.id"), primary_key=True),
    Column("model", Text, primary_key=True, comment="whose vector it is: another model's cannot be compared"),
    Column("section", Text, primary_key=True),
    Column("vector", LargeBinary, nullable=False, comment="32-bit floats, little-endian, of length one"),
)

SWITCHES = Table(
    "manual_switches",
    METADATA,
    Column("number", BigInteger, Identity(), primary_key=True, comment="the highest is the live one"),
    Column("publication", Text, ForeignKey("manual_publications.id"), nullable=False),
    Column("why", Text, nullable=False),
    Column("at", MOMENT, nullable=False),
)

WITHDRAWN = Table(
    "manual_withdrawn",
    METADATA,
    Column("section", Text, primary_key=True, comment="closed in every publication"),
    Column("at", MOMENT, nullable=False),
)
"""For replicas of the release before the withdrawals below, which read no other table. Only ever written."""

WITHDRAWALS = Table(
    "manual_withdrawals",
    METADATA,
    Column("number", BigInteger, Identity(), primary_key=True, comment="the highest says whether one was added"),
    Column("page", Text, nullable=False),
    Column("anchor", Text, comment="absent for the whole page"),
    Column("at", MOMENT, nullable=False),
    UniqueConstraint("page", "anchor", postgresql_nulls_not_distinct=True),
)
