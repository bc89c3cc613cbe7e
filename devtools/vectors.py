"""The shape of `contracts/vectors/`: cases of the screen rule that a front end in any language can run as they are."""

from typing import Annotated, Generic, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, RootModel

from assist_service.domain.context import Command
from assist_service.domain.interface import Reason
from assist_service.domain.people import Role
from assist_service.domain.reply import OpenScreen, ScreenCommand
from assist_service.domain.screens import Language, Screen, Word

SHAPE = ConfigDict(extra="forbid", frozen=True)

Given = TypeVar("Given")
Act = TypeVar("Act")


class Accepted(BaseModel, Generic[Act]):
    """The action that comes of it, whole."""

    model_config = SHAPE

    action: Act


class Refused(BaseModel):
    """Nothing comes of it, for this reason."""

    model_config = SHAPE

    refused: Reason


class Case(BaseModel, Generic[Given, Act]):
    """One case: what the rule is given, and what it must say."""

    model_config = SHAPE

    name: Annotated[str, Field(min_length=1)]
    given: Given
    expect: Accepted[Act] | Refused


class Opening(BaseModel):
    """A call to open a screen. Ids and params are any texts: what they must be is the rule's to say."""

    model_config = SHAPE

    language: Language
    screen: str
    ids: dict[str, str]
    params: dict[str, str]


class OpeningByRole(Opening):
    """Among the screens that this role has in `contracts/screens.yaml`."""

    role: Role


class OpeningAmong(Opening):
    """Among these screens, in this order."""

    screens: dict[Word, Screen]


class Naming(BaseModel):
    """A call to name a command of those the screen at hand registered."""

    model_config = SHAPE

    commands: tuple[Command, ...]
    id: str


class Together(BaseModel):
    """The actions of one answer, noted one after the other: all but the last find room, what of the last is asked."""

    model_config = SHAPE

    actions: Annotated[
        tuple[Annotated[OpenScreen | ScreenCommand, Field(discriminator="type")], ...], Field(min_length=1)
    ]


class OpenScreenVectors(BaseModel):
    """May this screen be opened, and by which path?"""

    model_config = SHAPE

    rule: Literal["open_screen"]
    cases: tuple[Case[OpeningByRole | OpeningAmong, OpenScreen], ...]


class RunCommandVectors(BaseModel):
    """What becomes of this command?"""

    model_config = SHAPE

    rule: Literal["run_command"]
    cases: tuple[Case[Naming, ScreenCommand], ...]


class ActionLimitsVectors(BaseModel):
    """Does this action find room in the answer?"""

    model_config = SHAPE

    rule: Literal["action_limits"]
    cases: tuple[Case[Together, OpenScreen | ScreenCommand], ...]


class Vectors(
    RootModel[Annotated[OpenScreenVectors | RunCommandVectors | ActionLimitsVectors, Field(discriminator="rule")]]
):
    """One file of `contracts/vectors/`."""
