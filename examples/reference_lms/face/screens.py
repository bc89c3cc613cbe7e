"""The table of pages: those of `contracts/screens.yaml`, and those a person comes to from there."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from examples.reference_lms.face import courses, editing, pools, start
from examples.reference_lms.face.visits import Handler
from examples.reference_lms.school import Role

CATALOGUE = Path(__file__).resolve().parents[3] / "contracts" / "screens.yaml"

EVERYBODY = frozenset(Role)
STAFF = frozenset({Role.TEACHER, Role.ADMIN})


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
    layout: str = "layout.html"


HANDLERS: Mapping[str, Handler] = {
    "courses": courses.list_courses,
    "course": courses.show_course,
    "pools": pools.list_pools,
    "pool": pools.show_pool,
    "question": editing.show_question,
}
"""Of the catalogue's screens."""

OTHERS = (
    Screen("home", "/", start.show_start, EVERYBODY, {}),
    Screen("question-new", "/pools/:id/questions/new", pools.new_question, STAFF, {"id": "pool"}, "question"),
    Screen("question-try", "/questions/:id/try", editing.try_question, STAFF, {"id": "question"}),
)


@cache
def catalogue() -> Mapping[str, Any]:
    screens: Mapping[str, Any] = yaml.safe_load(CATALOGUE.read_text("utf-8"))["screens"]
    return screens


@cache
def screens() -> Mapping[str, Screen]:
    """Every page by its name."""
    listed = (_screen(name, line) for name, line in catalogue().items() if name in HANDLERS)
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
