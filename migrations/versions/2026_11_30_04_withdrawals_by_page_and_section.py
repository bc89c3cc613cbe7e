"""A withdrawal names a page or a section of it, and so holds in later publications too.

`manual_withdrawn` stays: replicas of the release before read it, and this release still writes it. One release later it
goes. A page of which every section ever published was withdrawn is taken over as withdrawn whole.
"""

import sqlalchemy as sa
from alembic import op

revision = "2026_11_30_04"
down_revision = "2026_11_30_03"
branch_labels = None
depends_on = None

_TAKE_OVER = """
INSERT INTO manual_withdrawals (page, anchor, at)
WITH pages AS (
    SELECT s.page, bool_and(w.section IS NOT NULL) AS whole
    FROM manual_sections AS s LEFT JOIN manual_withdrawn AS w ON w.section = s.id GROUP BY s.page
)
SELECT s.page, CASE WHEN pages.whole THEN NULL ELSE s.anchor END AS anchor, max(w.at)
FROM manual_sections AS s JOIN manual_withdrawn AS w ON w.section = s.id JOIN pages ON pages.page = s.page
GROUP BY 1, 2 ORDER BY 1, 2
"""


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.create_table(
        "manual_withdrawals",
        sa.Column(
            "number", sa.BigInteger(), sa.Identity(), nullable=False, comment="the highest says whether one was added"
        ),
        sa.Column("page", sa.Text(), nullable=False),
        sa.Column("anchor", sa.Text(), nullable=True, comment="absent for the whole page"),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_manual_withdrawals")),
        sa.UniqueConstraint(
            "page", "anchor", name=op.f("uq_manual_withdrawals_page"), postgresql_nulls_not_distinct=True
        ),
    )
    op.execute(_TAKE_OVER)


def downgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.drop_table("manual_withdrawals")
