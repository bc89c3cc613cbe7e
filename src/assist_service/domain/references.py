"""Follow-up references: the records a person selected, and the lookup that waits for them, for one conversation.

Whoever reads a token learns nothing: it is sealed (`services/references.py`). A model gets a generic placeholder for
each record and never what stands behind it (row J10).
"""

import datetime as dt
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated
from uuid import UUID

from pydantic import AwareDatetime, BaseModel, Field, StringConstraints

from assist_service.domain.closed import CLOSED
from assist_service.domain.folding import folded
from assist_service.domain.live.query import Query, RecordKind
from assist_service.domain.screens import EntityKind, Language
from assist_service.domain.text import one_line

MOST_RECORDS = 5
"""Records of one reference."""

LIFETIME = dt.timedelta(hours=24)

LABEL_CHARACTERS = 200

NO_LABEL = "…"
"""Where nobody sees anything of a title: the front end has no words of its own for it."""

PLACEHOLDERS: Mapping[RecordKind, str] = {kind: f"the selected {kind.value}" for kind in RecordKind}
"""What a model reads of a record that the person selected, and writes where it means it."""

_AROUND = re.compile(r"[\"'“”«»‹›„`.,:;!?()\[\]]")
"""Signs that are no part of a placeholder."""


class Purpose(StrEnum):
    """What a reference is for; one does not open as another."""

    FOLLOW_UP = "follow-up"
    CHOICE = "choice"


class Picked(BaseModel):
    """One record, by its id in the LMS. Whether the person reaches it is asked again each time."""

    model_config = CLOSED

    kind: RecordKind
    id: UUID


class Selection(BaseModel):
    """The records of a reference, those of before first; at most one of a kind is meant, the newest."""

    model_config = CLOSED

    records: Annotated[tuple[Picked, ...], Field(max_length=MOST_RECORDS)] = ()

    def of(self, kind: RecordKind) -> UUID | None:
        return next((each.id for each in reversed(self.records) if each.kind is kind), None)

    def with_(self, *picked: Picked) -> "Selection":
        """These too, each in the place of one of its kind."""
        kinds = {each.kind for each in picked}
        return Selection(records=(*(each for each in self.records if each.kind not in kinds), *picked))

    def __bool__(self) -> bool:
        return bool(self.records)

    @property
    def placeholders(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(PLACEHOLDERS[each.kind] for each in self.records))

    @property
    def entities(self) -> Mapping[EntityKind, UUID]:
        """What of it has an id that a model may be told and call a data tool with: nobody's is among them."""
        found = {entity: self.of(kind) for entity, kind in ON_SCREEN.items()}
        return {entity: id_ for entity, id_ in found.items() if id_ is not None}

    @property
    def told(self) -> tuple[str, ...]:
        """The placeholders with the ids behind them, for a model that has data tools."""
        ids = {PLACEHOLDERS[ON_SCREEN[entity]]: f", {entity.value} {id_}" for entity, id_ in self.entities.items()}
        return tuple(f"{placeholder}{ids.get(placeholder, '')}" for placeholder in self.placeholders)


NOTHING = Selection()

ON_SCREEN: Mapping[EntityKind, RecordKind] = {
    EntityKind.CLASSROOM: RecordKind.CLASS,
    EntityKind.EVALUATION: RecordKind.EXAM,
}
"""What of a screen a lookup can be about."""


def on_screen(entities: Mapping[EntityKind, UUID]) -> Selection:
    """The records that are on screen."""
    return Selection(records=tuple(Picked(kind=ON_SCREEN[e], id=id_) for e, id_ in entities.items() if e in ON_SCREEN))


class Reference(BaseModel):
    """What a token holds. `waiting` is the lookup that a choice goes on with; a follow-up has none."""

    model_config = CLOSED

    purpose: Purpose
    selection: Selection
    label: Annotated[str, StringConstraints(max_length=LABEL_CHARACTERS)]
    """What the person clicked on, for their own transcript."""
    waiting: Query | None = None
    language: Language
    """That of the answer it stands under."""
    expires_at: AwareDatetime


@dataclass(frozen=True)
class Listed:
    """A record that an answer lists, to be asked about: what it is called, and what is selected with it."""

    kind: RecordKind
    label: str
    selection: Selection


@dataclass(frozen=True)
class Option:
    """One way to resolve what was ambiguous: what is selected with it, and the lookup that goes on."""

    label: str
    selection: Selection
    waiting: Query


def shown_label(label: str) -> str:
    """What a record is called where it can be clicked on: visible, on one line, and nothing escaped."""
    return one_line(label, LABEL_CHARACTERS) or NO_LABEL


def is_placeholder(words: str, kind: RecordKind) -> bool:
    """Whether these are the words that stand for the selected record of a kind, however they are written."""
    written = _AROUND.sub(" ", folded(words)).split()
    return ["the", *written] == PLACEHOLDERS[kind].split() or written == PLACEHOLDERS[kind].split()


def once(listed: Iterable[Listed]) -> tuple[Listed, ...]:
    """Each record once, the first time it is listed."""
    found: dict[Picked, Listed] = {}
    for each in listed:
        found.setdefault(each.selection.records[-1], each)
    return tuple(found.values())
