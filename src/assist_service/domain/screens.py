"""The screens an LMS has, as a closed catalogue: what a route may look like and what each screen is called."""

import re
from collections.abc import Mapping
from enum import StrEnum
from functools import cached_property
from typing import Annotated, Self

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, model_validator

from assist_service.domain.people import Role

ROUTE_CHARACTERS = 200

_SEGMENT = r"(?:[a-z][a-z0-9-]*|:[a-z][a-zA-Z0-9]*)"
ROUTE_PATTERN = rf"^/(?:{_SEGMENT}(?:/{_SEGMENT})*)?(?:\?tab=[a-z][a-z0-9-]*)?$"
"""Lower-case literals and `:params` only: neither an id nor a name can ride along (row A2)."""

Route = Annotated[str, StringConstraints(pattern=ROUTE_PATTERN, max_length=ROUTE_CHARACTERS)]
Word = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9-]*$", max_length=64)]


class Language(StrEnum):
    """The languages a screen and an answer may be in."""

    ENGLISH = "en"
    FRENCH = "fr"
    FILIPINO = "fil"


class EntityKind(StrEnum):
    """What an id on screen may stand for; never a person, an enrolment or an attempt."""

    COURSE = "course"
    CLASSROOM = "classroom"
    POOL = "pool"
    QUESTION = "question"
    EVALUATION = "evaluation"
    TEMPLATE = "template"


class ScreenParams(BaseModel):
    """The parameters a screen reads from its address."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    tab: tuple[Word, ...] = ()
    search: bool = False
    category: bool = False
    item: bool = False


class Screen(BaseModel):
    """One screen: its address pattern, the kind of each id in it, its parameters, titles, help topic and roles."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    pattern: Route
    ids: dict[str, EntityKind]
    params: ScreenParams = ScreenParams()
    titles: dict[Language, Annotated[str, StringConstraints(min_length=1, max_length=80)]]
    topic: Word | None = None
    roles: frozenset[Role] = Field(min_length=1)

    @model_validator(mode="after")
    def _ids_are_those_of_the_pattern(self) -> Self:
        if set(re.findall(r":([a-zA-Z0-9]+)", self.pattern)) != set(self.ids):
            raise ValueError("ids differ from the pattern's :params")
        if "?" in self.pattern:
            raise ValueError("a tab belongs to params, not to the pattern")
        if not {Language.ENGLISH, Language.FRENCH} <= set(self.titles):
            raise ValueError("titles need en and fr")
        return self

    def title(self, language: str) -> str:
        return next((text for key, text in self.titles.items() if key == language), self.titles[Language.ENGLISH])


class Catalogue(BaseModel):
    """All screens, and the other routes a question may be asked from."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    screens: dict[Word, Screen] = Field(min_length=1)
    other_routes: tuple[Route, ...] = ()

    @model_validator(mode="after")
    def _patterns_are_unique(self) -> Self:
        patterns = [screen.pattern for screen in self.screens.values()]
        if len(set(patterns)) != len(patterns):
            raise ValueError("two screens have one pattern")
        return self

    @cached_property
    def routes(self) -> frozenset[str]:
        """Every route a question may come from: a screen's pattern, with a tab of its list, or another route."""
        tabs = {f"{screen.pattern}?tab={tab}" for screen in self.screens.values() for tab in screen.params.tab}
        return frozenset({screen.pattern for screen in self.screens.values()} | tabs | set(self.other_routes))

    @cached_property
    def topics(self) -> frozenset[str]:
        return frozenset(screen.topic for screen in self.screens.values() if screen.topic is not None)

    def of_roles(self, *roles: Role) -> Mapping[str, Screen]:
        """The screens that each of these roles has."""
        return {name: screen for name, screen in self.screens.items() if screen.roles.issuperset(roles)}
