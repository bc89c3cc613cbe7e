"""Publications of the manual, their sections, the switches between them, and what was withdrawn."""

import sqlalchemy as sa
from alembic import op

revision = "2026_11_30_02"
down_revision = "2026_11_30_01"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.create_table(
        "manual_publications",
        sa.Column("id", sa.Text(), nullable=False, comment="the hash of its content"),
        sa.Column("staged_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_manual_publications")),
    )
    op.create_table(
        "manual_withdrawn",
        sa.Column("section", sa.Text(), nullable=False, comment="closed in every publication"),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("section", name=op.f("pk_manual_withdrawn")),
    )
    op.create_table(
        "manual_sections",
        sa.Column("publication", sa.Text(), nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("page", sa.Text(), nullable=False),
        sa.Column("page_title", sa.Text(), nullable=False),
        sa.Column("language", sa.Text(), nullable=False),
        sa.Column("audience", sa.Text(), nullable=False),
        sa.Column("anchor", sa.Text(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["publication"], ["manual_publications.id"], name=op.f("fk_manual_sections_publication_manual_publications")
        ),
        sa.PrimaryKeyConstraint("publication", "id", name=op.f("pk_manual_sections")),
    )
    op.create_index("ix_manual_sections_page", "manual_sections", ["page", "anchor"], unique=False)
    op.create_table(
        "manual_switches",
        sa.Column(
            "number", sa.BigInteger(), sa.Identity(always=False), nullable=False, comment="the highest is the live one"
        ),
        sa.Column("publication", sa.Text(), nullable=False),
        sa.Column("why", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["publication"], ["manual_publications.id"], name=op.f("fk_manual_switches_publication_manual_publications")
        ),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_manual_switches")),
    )


def downgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.drop_table("manual_switches")
    op.drop_index("ix_manual_sections_page", table_name="manual_sections")
    op.drop_table("manual_sections")
    op.drop_table("manual_withdrawn")
    op.drop_table("manual_publications")
