"""What a question brings along: the screen it was asked on, refused whole when it holds anything it may not."""

import json
from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, Any, Self
from uuid import UUID

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints, field_validator, model_validator

from assist_service.domain.errors import AssistError, Code, FieldFault
from assist_service.domain.screens import Catalogue, EntityKind, Language, Route
from assist_service.domain.text import one_line

QUESTION_CHARACTERS = 2_000
COMMANDS = 40
LABEL_CHARACTERS = 80
DRAFT_BYTES = 200_000
EDITOR_ROUTE = "/questions/:id"

STRICT = ConfigDict(extra="forbid", strict=True, frozen=True)


class CommandEffect(StrEnum):
    """Whether a screen command changes anything."""

    NONE = "none"
    WRITE = "write"


def _chrome(label: str) -> str:
    if one_line(label, LABEL_CHARACTERS) != label:
        raise ValueError("must be one line of visible characters")
    return label


Label = Annotated[str, StringConstraints(min_length=1, max_length=LABEL_CHARACTERS), AfterValidator(_chrome)]
"""Screen chrome: one line, nothing invisible."""


class Command(BaseModel):
    """A command the screen offers. Its label is chrome and never holds a name or a title."""

    model_config = STRICT

    id: Annotated[str, StringConstraints(pattern=r"^[a-z0-9.-]{1,64}$")]
    label: Label
    effect: CommandEffect
    gesture: bool = False
    danger: bool = False


class Entities(BaseModel):
    """The ids on screen, by kind."""

    model_config = STRICT

    course: UUID | None = None
    classroom: UUID | None = None
    pool: UUID | None = None
    question: UUID | None = None
    evaluation: UUID | None = None
    template: UUID | None = None

    def present(self) -> dict[EntityKind, UUID]:
        return {kind: found for kind in EntityKind if (found := getattr(self, kind.value)) is not None}


class AssistContext(BaseModel):
    """The screen of a question: a route pattern, a help topic, the language, ids, commands. Nothing else passes."""

    model_config = STRICT

    route: Route
    topic: Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9._-]{0,63}$")] | None = None
    language: Language
    entities: Entities = Entities()
    commands: Annotated[tuple[Command, ...], Field(max_length=COMMANDS)] = ()

    @field_validator("commands")
    @classmethod
    def _command_ids_are_unique(cls, commands: tuple[Command, ...]) -> tuple[Command, ...]:
        if len({command.id for command in commands}) != len(commands):
            raise ValueError("an id stands twice")
        return commands


def draft_bytes(config: Mapping[str, Any], explanation: str) -> int:
    """What a draft weighs, written as JSON."""
    return len(json.dumps([config, explanation], ensure_ascii=False).encode())


class EditorDraft(BaseModel):
    """The question editor's draft as it stands in the browser. Never stored."""

    model_config = STRICT

    question_id: UUID
    type: Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_-]{0,63}$")]
    base: Annotated[str, StringConstraints(min_length=1, max_length=128)]
    config: dict[str, Any]
    explanation: Annotated[str, StringConstraints(max_length=DRAFT_BYTES)] = ""

    @model_validator(mode="after")
    def _is_within_bounds(self) -> Self:
        if draft_bytes(self.config, self.explanation) > DRAFT_BYTES:
            raise ValueError("is too large")
        return self


def refuse_foreign_screen(context: AssistContext, catalogue: Catalogue) -> None:
    """Raises `invalid_request` for a route that is no pattern of the catalogue: a literal could carry a name."""
    if context.route not in catalogue.routes:
        raise AssistError(Code.INVALID_REQUEST, faults=(FieldFault("context.route", "is not a route of this LMS"),))


def refuse_draft_off_screen(context: AssistContext, draft: EditorDraft | None) -> None:
    """Raises `editor_off_screen` for a draft of anything but the very question in the editor on screen (row A15)."""
    if draft is None:
        return
    if context.route != EDITOR_ROUTE or context.entities.question != draft.question_id:
        raise AssistError(Code.EDITOR_OFF_SCREEN)


def known_topic(context: AssistContext, catalogue: Catalogue) -> str | None:
    """The help topic if the catalogue has it; an unknown one is ignored, and never stored."""
    return context.topic if context.topic in catalogue.topics else None
