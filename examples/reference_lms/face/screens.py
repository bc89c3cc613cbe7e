"""The table of pages: those of `contracts/screens.yaml`, and those a person comes to from there."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from examples.reference_lms.face import (
    admin,
    classrooms,
    courses,
    editing,
    evaluations,
    pools,
    start,
    students,
    template_pages,
)
from examples.reference_lms.face.visits import Handler
from examples.reference_lms.school import Role

CATALOGUE = Path(__file__).resolve().parents[3] / "contracts" / "screens.yaml"

EVERYBODY = frozenset(Role)
STAFF = frozenset({Role.TEACHER, Role.ADMIN})
STUDENTS = frozenset({Role.STUDENT})


@dataclass(frozen=True)
class Screen:
    """One page: where it lies, what it shows, and for whom."""

    name: str
    pattern: str
    handler: Handler
    roles: frozenset[Role]
    kinds: Mapping[str, str]
    """Of the ids in its path, by their names there."""
    topic: str | None = None
    tabs: tuple[str, ...] = ()
    reads_seats: bool = True
    """Its ids are reached by a seat; else its handler sees to it."""


HANDLERS: Mapping[str, Handler] = {
    "courses": courses.list_courses,
    "course": courses.show_course,
    "pools": pools.list_pools,
    "pool": pools.show_pool,
    "question": editing.show_question,
    "evaluations": evaluations.list_evaluations,
    "evaluation": evaluations.show_evaluation,
    "classroom": classrooms.show_classroom,
    "templates": template_pages.list_templates,
    "template": template_pages.show_template,
    "admin": admin.show_admin,
    "my-courses": students.list_courses,
    "my-results": students.list_results,
}
"""Of the catalogue's screens."""

_POOL, _EVALUATION, _COURSE = {"id": "pool"}, {"id": "evaluation"}, {"id": "course"}
_TABS_OF_COURSE = ("pools", "classrooms", "staff")

OTHERS = (
    Screen("home", "/", start.show_start, EVERYBODY, {}),
    Screen("account", "/account", start.show_account, EVERYBODY, {}),
    Screen("privacy", "/privacy", start.show_privacy, EVERYBODY, {}),
    *(
        Screen(f"course-{tab}", f"/courses/:id/{tab}", courses.show_course, STAFF, _COURSE, "course", (tab,))
        for tab in _TABS_OF_COURSE
    ),
    Screen("question-new", "/pools/:id/questions/new", pools.new_question, STAFF, _POOL, "question"),
    Screen("live", "/evaluations/:id/live", evaluations.show_live, STAFF, _EVALUATION, "evaluation"),
    Screen("grading", "/evaluations/:id/grading", evaluations.show_grading, STAFF, _EVALUATION, "evaluation"),
    Screen("my-course", "/my-courses/:id", students.show_course, STUDENTS, _COURSE, "course", reads_seats=False),
    Screen(
        "my-evaluation",
        "/my-evaluations/:id",
        students.show_evaluation,
        STUDENTS,
        _EVALUATION,
        "evaluation",
        reads_seats=False,
    ),
    # Without the panel: a window or a wall of their own.
    Screen("projection", "/evaluations/:id/projection", evaluations.show_projection, STAFF, _EVALUATION),
    Screen("pool-print", "/pools/:id/print", pools.print_pool, STAFF, _POOL),
    Screen("question-try", "/questions/:id/try", editing.try_question, STAFF, {"id": "question"}),
)


@cache
def catalogue() -> Mapping[str, Any]:
    screens: Mapping[str, Any] = yaml.safe_load(CATALOGUE.read_text("utf-8"))["screens"]
    return screens


@cache
def screens() -> Mapping[str, Screen]:
    """Every page by its name."""
    listed = (_screen(name, line) for name, line in catalogue().items())
    return {screen.name: screen for screen in (*listed, *OTHERS)}


def _screen(name: str, line: Mapping[str, Any]) -> Screen:
    return Screen(
        name=name,
        pattern=line["pattern"],
        handler=HANDLERS[name],
        roles=frozenset(Role(role) for role in line["roles"]),
        kinds=line["ids"],
        topic=line["topic"],
        tabs=tuple(line["params"].get("tab", ())),
    )
