"""What an LMS says of its types of question: the texts each has, and what may be appended to it."""

from enum import StrEnum
from typing import Annotated, Any, Self

from pydantic import Field, StringConstraints, model_validator

from assist_service.domain.school import Count, Known, Text, Title, Word


class TextLabel(StrEnum):
    """What a text is called in a diff: a closed word that the front end words."""

    STATEMENT = "statement"
    TEXT = "text"
    CHOICE = "choice"
    COLUMN = "column"
    CARD = "card"
    UNIT = "unit"
    GUIDANCE = "guidance"
    EXPLANATION = "explanation"


TEXT_FIELDS = 100
"""Texts that one type may declare."""

_KEY = r"[^.\[\]]{1,64}"
Key = Annotated[str, StringConstraints(pattern=rf"^{_KEY}$")]
FieldPath = Annotated[
    str, StringConstraints(max_length=500, pattern=rf"^(explanation|config(\.{_KEY}(\[\])*)*\.{_KEY}(\[\])*)$")
]
"""Keys from `{config, explanation}` on; `[]` stands for each element of a list."""
ListPath = Annotated[str, StringConstraints(max_length=500, pattern=rf"^config(\.{_KEY})+$")]


class TextField(Known):
    """Where a type has a text, and what it is called."""

    path: FieldPath
    label: TextLabel


class Append(Known):
    """What may be appended: to the list at `path`, copies of `item` with a text at the key `text`."""

    path: ListPath
    text: Key
    item: dict[str, Any]
    """Its text is empty, and nothing of it is ticked."""
    most: Count
    """Items the list may hold."""

    @property
    def field(self) -> str:
        """The path of the items' texts."""
        return f"{self.path}[].{self.text}"

    @model_validator(mode="after")
    def _holds_no_text_yet(self) -> Self:
        if self.item.get(self.text) != "":
            raise ValueError("the item has a text")
        return self


class QuestionType(Known):
    """A type of question, the texts it has, and what may be appended to it."""

    type: Word
    title: Title
    description: Text = ""
    text_fields: Annotated[tuple[TextField, ...], Field(max_length=TEXT_FIELDS)] = ()
    append: Append | None = None
    config_schema: dict[str, Any] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _appends_texts(self) -> Self:
        if self.append is not None and self.append.field not in {field.path for field in self.text_fields}:
            raise ValueError("what may be appended is no text of the type")
        return self
