"""What a session is told of the assistant, in the shape the contract fixes."""

from collections.abc import Sequence
from typing import Literal

from pydantic import BaseModel, ConfigDict

from assist_service.domain.policy import Retention
from assist_service.domain.screens import EntityKind, Language, ScreenParams

Reason = Literal["not_offered", "exam_in_progress"]

SHAPE = ConfigDict(extra="forbid", frozen=True)


class Limits(BaseModel):
    """What bounds a question; `questions_per_day` is null where the policy sets none."""

    model_config = SHAPE

    question_characters: int
    questions_per_minute: int
    questions_per_day: int | None
    deadline_seconds: int


class ScreenLine(BaseModel):
    """A screen of this person's role."""

    model_config = SHAPE

    screen: str
    pattern: str
    ids: dict[str, EntityKind]
    params: ScreenParams
    titles: dict[Language, str]
    topic: str | None


class Availability(BaseModel):
    """Whether and how the assistant is offered; `reason` is null when it is."""

    model_config = SHAPE

    offered: bool
    reason: Reason | None
    manual: bool
    live: bool
    languages: tuple[Language, ...]
    limits: Limits
    notice: str
    screens: tuple[ScreenLine, ...]


def worded_notice(wording: str, *, providers: Sequence[str], retention: Retention) -> str:
    """A notice of the policy with all that it leaves open; a policy that loaded leaves nothing else open."""
    return wording.format(
        providers=", ".join(providers), manual_days=retention.manual_days, live_days=retention.live_days
    )
