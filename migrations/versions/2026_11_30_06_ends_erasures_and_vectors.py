"""A conversation may be ended by the next one; who was erased lately; the vectors of the manual's sections.

The new column may be empty, since the release before starts conversations without it.

The indexes are made inside the transaction: on a large table each keeps its writers waiting while it is made, some
seconds for some million rows.
"""

import sqlalchemy as sa
from alembic import op

revision = "2026_11_30_06"
down_revision = "2026_11_30_05"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.add_column(
        "conversations",
        sa.Column(
            "ended_at",
            sa.DateTime(timezone=True),
            nullable=True,
            comment="when another of its owner's took its place, where there may be one only",
        ),
    )
    op.create_table(
        "erasures",
        sa.Column(
            "person_digest", sa.Text(), nullable=False, comment="SHA-256 of whose data was erased, in hexadecimal"
        ),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("person_digest", name=op.f("pk_erasures")),
    )
    op.create_table(
        "manual_vectors",
        sa.Column("publication", sa.Text(), nullable=False),
        sa.Column("model", sa.Text(), nullable=False, comment="whose vector it is: another model's cannot be compared"),
        sa.Column("section", sa.Text(), nullable=False),
        sa.Column("vector", sa.LargeBinary(), nullable=False, comment="32-bit floats, little-endian, of length one"),
        sa.ForeignKeyConstraint(
            ["publication"],
            ["manual_publications.id"],
            name=op.f("fk_manual_vectors_publication_manual_publications"),
        ),
        sa.PrimaryKeyConstraint("publication", "model", "section", name=op.f("pk_manual_vectors")),
    )
    # What the purge finds by its time.
    op.create_index("ix_audit_at", "audit", ["at"])
    op.create_index("ix_question_rates_day", "question_rates", ["day"])
    # What export and erasure find by its person.
    op.create_index("ix_exchanges_owner", "exchanges", ["owner"])
    op.create_index("ix_llm_calls_person", "llm_calls", ["person"])
    op.create_index("ix_audit_subject", "audit", ["subject"])
    op.create_index("ix_audit_actor", "audit", ["actor"])


def downgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.drop_index("ix_audit_actor", table_name="audit")
    op.drop_index("ix_audit_subject", table_name="audit")
    op.drop_index("ix_llm_calls_person", table_name="llm_calls")
    op.drop_index("ix_exchanges_owner", table_name="exchanges")
    op.drop_index("ix_question_rates_day", table_name="question_rates")
    op.drop_index("ix_audit_at", table_name="audit")
    op.drop_table("manual_vectors")
    op.drop_table("erasures")
    op.drop_column("conversations", "ended_at")
