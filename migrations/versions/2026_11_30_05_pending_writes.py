"""Writes that wait for their person's word, and what the audit log tells of them.

The new columns of `audit` may be empty, since the release before enters rows without them.
"""

import sqlalchemy as sa
from alembic import op

revision = "2026_11_30_05"
down_revision = "2026_11_30_04"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.add_column("audit", sa.Column("tool", sa.Text(), nullable=True, comment="which write, where it tells of one"))
    op.add_column(
        "audit",
        sa.Column(
            "outcome", sa.Text(), nullable=True, comment="of a write that was confirmed: done, refused or unknown"
        ),
    )
    op.create_table(
        "pending_writes",
        sa.Column("id", sa.Uuid(), nullable=False, comment="the key under which the LMS is sent it"),
        sa.Column("owner", sa.Text(), nullable=False),
        sa.Column("conversation_id", sa.Uuid(), nullable=False),
        sa.Column("tool", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("prepared_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column(
            "expires_at",
            sa.DateTime(timezone=True),
            nullable=False,
            comment="of the card; binds nobody once it may have been sent",
        ),
        sa.Column("lease", sa.Uuid(), nullable=True, comment="whose confirm runs"),
        sa.Column(
            "lease_until",
            sa.DateTime(timezone=True),
            nullable=True,
            comment="a confirm past this is a dead process's, and may have been sent",
        ),
        sa.Column("sent_at", sa.DateTime(timezone=True), nullable=True, comment="when it may first have been sent"),
        sa.Column("key_id", sa.Text(), nullable=True),
        sa.Column(
            "sealed",
            sa.LargeBinary(),
            nullable=True,
            comment="entity, body, digest and card, bound to this row and owner; gone when it ended",
        ),
        *_checks(),
        sa.ForeignKeyConstraint(
            ["conversation_id"],
            ["conversations.id"],
            name=op.f("fk_pending_writes_conversation_id_conversations"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_pending_writes")),
    )
    op.create_index("ix_pending_writes_conversation_id", "pending_writes", ["conversation_id"], unique=False)
    op.create_index("ix_pending_writes_owner", "pending_writes", ["owner"], unique=False)
    op.create_index("ix_pending_writes_expires_at", "pending_writes", ["expires_at"], unique=False)


def _checks() -> list[sa.CheckConstraint]:
    return [
        sa.CheckConstraint(
            "state IN ('pending', 'confirming', 'done', 'refused', 'unknown', 'cancelled')",
            name=op.f("ck_pending_writes_state_is_known"),
        ),
        sa.CheckConstraint(
            "CASE WHEN state IN ('pending', 'cancelled') THEN sent_at IS NULL "
            "WHEN state IN ('done', 'unknown') THEN sent_at IS NOT NULL ELSE true END",
            name=op.f("ck_pending_writes_sent_or_not"),
        ),
        sa.CheckConstraint(
            "(lease IS NOT NULL) = (state = 'confirming') AND (lease IS NULL) = (lease_until IS NULL)",
            name=op.f("ck_pending_writes_leased_or_not"),
        ),
        sa.CheckConstraint(
            "(sealed IS NULL) = (state IN ('done', 'refused', 'cancelled')) AND (sealed IS NULL) = (key_id IS NULL)",
            name=op.f("ck_pending_writes_nothing_kept_when_ended"),
        ),
    ]


def downgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.drop_table("pending_writes")
    op.drop_column("audit", "outcome")
    op.drop_column("audit", "tool")
