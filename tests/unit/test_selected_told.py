"""What a model is told of what a person selected: a placeholder, and an id only where a data tool takes one."""

import uuid

import pytest

from assist_service.domain.live.query import RecordKind
from assist_service.domain.policy import Disclosure
from assist_service.domain.references import NOTHING, Picked, Selection
from assist_service.services.toolbox import Toolbox
from assist_service.tools.live import LOOKUPS
from assist_service.tools.results import RESULTS
from assist_service.tools.tool import Tool

CLASS, STUDENT, EXAM, OTHER = (uuid.uuid5(uuid.NAMESPACE_OID, name) for name in ("class", "student", "exam", "other"))


def selection(**records: uuid.UUID) -> Selection:
    return Selection(records=tuple(Picked(kind=RecordKind(kind), id=id_) for kind, id_ in records.items()))


def toolbox(*tools: Tool) -> Toolbox:
    return Toolbox({tool.name: tool for tool in tools}, {tool.name: Disclosure.MASKED for tool in tools})


SELECTED = selection(**{"class": CLASS, "student": STUDENT, "exam": EXAM})
ON_SCREEN = selection(exam=OTHER)
PLAIN = ("the selected class", "the selected student", "the selected exam")
WITH_IDS = (f"the selected class, classroom {CLASS}", "the selected student", f"the selected exam, evaluation {EXAM}")


@pytest.mark.parametrize(
    ("tools", "selected", "told"),
    [
        (RESULTS, SELECTED, WITH_IDS),
        ((*RESULTS, *LOOKUPS), SELECTED, WITH_IDS),
        (LOOKUPS, SELECTED, PLAIN),
        ((), SELECTED, ()),
        (RESULTS, selection(student=STUDENT), ("the selected student",)),
        (RESULTS, NOTHING, ()),
        (LOOKUPS, NOTHING, ("the selected exam",)),
        ((*RESULTS, *LOOKUPS), NOTHING, ("the selected exam",)),
    ],
)
def test_ids_are_told_to_data_tools_alone(tools: tuple[Tool, ...], selected: Selection, told: tuple[str, ...]) -> None:
    assert toolbox(*tools).told(selected, ON_SCREEN) == told


def test_the_id_of_a_student_is_never_among_those_a_model_may_know() -> None:
    assert set(SELECTED.entities.values()) == {CLASS, EXAM}
    assert str(STUDENT) not in " ".join(SELECTED.told)


def test_of_two_of_a_kind_the_newest_is_meant() -> None:
    two = Selection(records=(*selection(exam=OTHER).records, *SELECTED.records))
    assert set(two.entities.values()) == {CLASS, EXAM}
