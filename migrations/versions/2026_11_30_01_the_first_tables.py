"""The first tables: conversations, replies kept, rates, the ledger, the audit log."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "2026_11_30_01"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.create_table(
        "audit",
        sa.Column("id", sa.Uuid(), server_default=sa.text("gen_random_uuid()"), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("actor", sa.Text(), nullable=False),
        sa.Column("action", sa.Text(), nullable=False),
        sa.Column("subject", sa.Text(), nullable=False, comment="whose conversations"),
        sa.Column(
            "conversation_id",
            sa.Uuid(),
            nullable=True,
            comment="absent for a list; no foreign key: it outlives what it tells of",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_audit")),
    )
    op.create_table(
        "conversations",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("owner", sa.Text(), nullable=False),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("last_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("lease", sa.Uuid(), nullable=True, comment="held while a question of this conversation runs"),
        sa.Column(
            "lease_until",
            sa.DateTime(timezone=True),
            nullable=True,
            comment="a lease past this is a dead process's and binds nobody",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_conversations")),
    )
    op.create_index("ix_conversations_owner_last_at", "conversations", ["owner", "last_at", "id"], unique=False)
    op.create_table(
        "llm_calls",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("day", sa.Date(), nullable=False, comment="the day that reserved it, and is charged"),
        sa.Column("purpose", sa.Text(), nullable=False),
        sa.Column("model", sa.Text(), nullable=False),
        sa.Column("person", sa.Text(), nullable=False),
        sa.Column("question_id", sa.Uuid(), nullable=False),
        sa.Column("reserved_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("lease_until", sa.DateTime(timezone=True), nullable=False),
        sa.Column("worst_micros", sa.BigInteger(), nullable=False),
        sa.Column("settled_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("outcome", sa.Text(), nullable=True),
        sa.Column("cost_micros", sa.BigInteger(), nullable=True),
        sa.Column("input_tokens", sa.Integer(), nullable=True),
        sa.Column("cached_input_tokens", sa.Integer(), nullable=True),
        sa.Column("cache_write_tokens", sa.Integer(), nullable=True),
        sa.Column("output_tokens", sa.Integer(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_llm_calls")),
    )
    op.create_index("ix_llm_calls_day", "llm_calls", ["day"], unique=False)
    op.create_index(
        "ix_llm_calls_unsettled",
        "llm_calls",
        ["lease_until"],
        unique=False,
        postgresql_where=sa.text("settled_at IS NULL"),
    )
    op.create_table(
        "llm_days",
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("spent_micros", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.Column("reserved_micros", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.Column("chat_spent_micros", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.Column("chat_reserved_micros", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.CheckConstraint(
            "reserved_micros >= 0 AND chat_reserved_micros >= 0", name=op.f("ck_llm_days_reserved_is_not_negative")
        ),
        sa.PrimaryKeyConstraint("day", name=op.f("pk_llm_days")),
    )
    op.create_table(
        "question_rates",
        sa.Column("person", sa.Text(), nullable=False),
        sa.Column(
            "recent",
            postgresql.ARRAY(sa.DateTime(timezone=True)),
            nullable=False,
            comment="the questions of the last minute",
        ),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("day_count", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("person", name=op.f("pk_question_rates")),
    )
    op.create_table(
        "exchanges",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("conversation_id", sa.Uuid(), nullable=False),
        sa.Column("owner", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("language", sa.Text(), nullable=False),
        sa.Column("route", sa.Text(), nullable=False),
        sa.Column("topic", sa.Text(), nullable=True),
        sa.Column("model", sa.Text(), nullable=False),
        sa.Column("corpus_version", sa.Text(), nullable=False),
        sa.Column(
            "citations",
            postgresql.JSONB(astext_type=sa.Text()),
            nullable=False,
            comment="sections of the manual; no words of the person",
        ),
        sa.Column("key_id", sa.Text(), nullable=False),
        sa.Column(
            "sealed", sa.LargeBinary(), nullable=False, comment="question and answer, bound to this row and owner"
        ),
        sa.ForeignKeyConstraint(
            ["conversation_id"],
            ["conversations.id"],
            name=op.f("fk_exchanges_conversation_id_conversations"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_exchanges")),
    )
    op.create_index("ix_exchanges_conversation_id_at", "exchanges", ["conversation_id", "at", "id"], unique=False)
    op.create_index("ix_exchanges_kind_at", "exchanges", ["kind", "at"], unique=False)
    op.create_table(
        "idempotent_replies",
        sa.Column("owner", sa.Text(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("token", sa.Uuid(), nullable=False, comment="whose claim this is"),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("lease_until", sa.DateTime(timezone=True), nullable=False),
        sa.Column("key_id", sa.Text(), nullable=False),
        sa.Column("sealed_body_digest", sa.LargeBinary(), nullable=False),
        sa.Column("reply_key_id", sa.Text(), nullable=True),
        sa.Column("sealed_reply", sa.LargeBinary(), nullable=True, comment="absent while the question runs"),
        sa.Column("conversation_id", sa.Uuid(), nullable=True, comment="whose answer is kept: deleted with it"),
        sa.ForeignKeyConstraint(
            ["conversation_id"],
            ["conversations.id"],
            name=op.f("fk_idempotent_replies_conversation_id_conversations"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("owner", "key", name=op.f("pk_idempotent_replies")),
    )
    op.create_index("ix_idempotent_replies_at", "idempotent_replies", ["at"], unique=False)
    op.create_index("ix_idempotent_replies_conversation_id", "idempotent_replies", ["conversation_id"], unique=False)


def downgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.drop_index("ix_idempotent_replies_conversation_id", table_name="idempotent_replies")
    op.drop_index("ix_idempotent_replies_at", table_name="idempotent_replies")
    op.drop_table("idempotent_replies")
    op.drop_index("ix_exchanges_kind_at", table_name="exchanges")
    op.drop_index("ix_exchanges_conversation_id_at", table_name="exchanges")
    op.drop_table("exchanges")
    op.drop_table("question_rates")
    op.drop_table("llm_days")
    op.drop_index("ix_llm_calls_unsettled", table_name="llm_calls", postgresql_where=sa.text("settled_at IS NULL"))
    op.drop_index("ix_llm_calls_day", table_name="llm_calls")
    op.drop_table("llm_calls")
    op.drop_index("ix_conversations_owner_last_at", table_name="conversations")
    op.drop_table("conversations")
    op.drop_table("audit")
