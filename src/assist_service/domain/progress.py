"""What a question tells while it is answered: steps of a closed list, and never a word of the model's."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, RootModel

TOLD = ConfigDict(extra="forbid", frozen=True, json_schema_serialization_defaults_required=True)


class Reading(BaseModel):
    """A page of the manual is read: one that exists, by its own path, and that this person may read."""

    model_config = TOLD

    step: Literal["reading"] = "reading"
    page: str


class LookingUp(BaseModel):
    """A tool of this person's looks something up; `tool` is its name."""

    model_config = TOLD

    step: Literal["looking_up"] = "looking_up"
    tool: str


class Checking(BaseModel):
    """There is an answer, and it is checked."""

    model_config = TOLD

    step: Literal["checking"] = "checking"


Step = Reading | LookingUp | Checking


class Progress(RootModel[Annotated[Step, Field(discriminator="step")]]):
    """The data of a `progress` event."""


@dataclass(frozen=True)
class Asking:
    """A request goes to a provider now, reserved and paid for, or the lookup that a choice goes on with begins. Nobody
    is shown it.

    Until the first, a question that fails has been refused, and costs nothing.
    """


Tell = Callable[[Step | Asking], None]
"""Called with each step as it begins; returns at once and never raises."""


def silent(_: Step | Asking) -> None:
    """Tells nobody."""
