"""Who and what there is, for `GET /demo/school`: everyone, and everything but most of the 400 questions."""

from examples.reference_lms.school import Entity, EntityKind, Person, Role, School
from examples.reference_lms.store import Store

QUESTIONS_PER_POOL = 3
"""Questions of each pool that are named."""

_PEOPLE = "SELECT id, name, role FROM person ORDER BY rowid"

_ENTITIES = """
WITH teacher AS (SELECT course, person FROM seat WHERE role = 'teacher'),
pool_owner AS (
    SELECT pool.id AS pool, coalesce(owner, (SELECT person FROM course_pool JOIN teacher USING (course)
        WHERE pool = pool.id ORDER BY course_pool.rowid LIMIT 1)) AS owner FROM pool
)
SELECT 'course' AS kind, id, title, person AS owner FROM course JOIN teacher ON course = id
UNION ALL SELECT 'classroom', id, title, person FROM classroom JOIN teacher USING (course)
UNION ALL SELECT 'pool', id, title, pool_owner.owner FROM pool JOIN pool_owner ON pool = id
UNION ALL SELECT 'question', q.id, title, owner FROM (
    SELECT *, row_number() OVER (PARTITION BY pool ORDER BY rowid) AS place FROM question
) q JOIN pool_owner USING (pool) WHERE place <= :questions
UNION ALL SELECT 'evaluation', e.id, e.title, person FROM evaluation e
    JOIN classroom ON classroom.id = e.classroom JOIN teacher USING (course)
UNION ALL SELECT 'template', id, title, coalesce(owner, person) FROM template LEFT JOIN teacher USING (course)
"""


def read_school(store: Store) -> School:
    """As it is now; what lost its teacher belongs to nobody and is left out."""
    return School(
        people=tuple(Person(sub=row["id"], name=row["name"], role=Role(row["role"])) for row in store.rows(_PEOPLE)),
        entities=tuple(
            Entity(kind=EntityKind(row["kind"]), id=row["id"], title=row["title"], owner=row["owner"])
            for row in store.rows(_ENTITIES, questions=QUESTIONS_PER_POOL)
            if row["owner"]
        ),
    )
