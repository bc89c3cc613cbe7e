"""What a selection means: one record of a kind, the placeholders it is told by, and each record listed once."""

import uuid

from assist_service.domain.live.query import RecordKind
from assist_service.domain.references import (
    NOTHING,
    PLACEHOLDERS,
    Listed,
    Picked,
    Selection,
    is_placeholder,
    on_screen,
    once,
)
from assist_service.domain.screens import EntityKind

CLASS = Picked(kind=RecordKind.CLASS, id=uuid.UUID(int=7))
EXAM = Picked(kind=RecordKind.EXAM, id=uuid.UUID(int=8))
SELECTION = Selection(records=(CLASS,))


def test_one_record_of_a_kind_is_meant_the_newest() -> None:
    other = Picked(kind=RecordKind.CLASS, id=uuid.UUID(int=70))
    both = SELECTION.with_(EXAM).with_(other)
    assert both.records == (EXAM, other)
    assert both.of(RecordKind.CLASS) == other.id
    assert both.of(RecordKind.STUDENT) is None
    assert both.placeholders == ("the selected exam", "the selected class")
    assert (bool(NOTHING), NOTHING.placeholders) == (False, ())


def test_of_a_screen_classes_and_exams_can_be_meant() -> None:
    entities = {kind: uuid.UUID(int=number) for number, kind in enumerate(EntityKind)}
    assert {(each.kind, each.id) for each in on_screen(entities).records} == {
        (RecordKind.CLASS, entities[EntityKind.CLASSROOM]),
        (RecordKind.EXAM, entities[EntityKind.EVALUATION]),
    }


def test_a_placeholder_is_known_however_it_is_written() -> None:
    for written in ("the selected class", "The Selected  class", '"the selected class"'):
        assert is_placeholder(written, RecordKind.CLASS)
        assert not is_placeholder(written, RecordKind.EXAM)
    assert not is_placeholder("the selected class 3B", RecordKind.CLASS)
    assert set(PLACEHOLDERS) == set(RecordKind)


def test_a_record_is_listed_once_the_first_time() -> None:
    first, again = (
        Listed(RecordKind.CLASS, "3B", SELECTION),
        Listed(RecordKind.CLASS, "3 B", Selection(records=(EXAM, CLASS))),
    )
    other = Listed(RecordKind.EXAM, "Quiz", Selection(records=(CLASS, EXAM)))
    assert once([first, other, again]) == (first, other)
