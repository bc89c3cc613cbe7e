"""A school's policy: what the assistant may be and do for each role, read from one TOML file."""

import re
from collections.abc import Collection, Mapping, Sequence
from enum import StrEnum
from typing import Annotated, Self

from pydantic import AfterValidator, BaseModel, Field, StringConstraints, model_validator

from assist_service.domain.closed import CLOSED
from assist_service.domain.conversation import ConversationTimes, HistoryWindow, Kind, RateLimits
from assist_service.domain.manual import Audience
from assist_service.domain.people import Role
from assist_service.domain.screens import Language
from assist_service.domain.text import visible

MAX_PROVIDER_REQUESTS = 6
"""Provider requests of one question at most, the last without tools (row A5)."""


class Disclosure(StrEnum):
    """What the model may read of a tool's result, from all of it to nothing."""

    OPEN = "open"
    MASKED = "masked"
    SEALED = "sealed"


class Citations(StrEnum):
    """Whether a manual answer must cite (`required`), or its citations are only shown."""

    REQUIRED = "required"
    SHOWN = "shown"


class ModerationRule(StrEnum):
    """Whether questions and answers pass a moderator: always (`required`: without one the service does not start),
    `where_set`, or never (`off`)."""

    REQUIRED = "required"
    WHERE_SET = "where_set"
    OFF = "off"


class RolePolicy(BaseModel):
    """One role: offered or not, what it may read, which tools, and what the model reads of each."""

    model_config = CLOSED

    offered: bool
    audiences: frozenset[Audience] = frozenset()
    tools: dict[str, Disclosure] = {}

    def together(self, other: "RolePolicy") -> "RolePolicy":
        """What both have; of a result the less that either shows."""
        return RolePolicy(
            offered=self.offered and other.offered,
            audiences=self.audiences & other.audiences,
            tools={
                name: max(self.tools[name], other.tools[name], key=list(Disclosure).index)
                for name in self.tools
                if name in other.tools
            },
        )


class Switches(BaseModel):
    """What may be answered at all; each can be released without the other (row J15)."""

    model_config = CLOSED

    manual: bool
    live: bool


class Effort(BaseModel):
    """How much one question may take."""

    model_config = CLOSED

    deadline_seconds: int = Field(ge=1, le=600)
    provider_requests: int = Field(ge=1, le=MAX_PROVIDER_REQUESTS)
    answer_tokens: int = Field(ge=64, le=64_000)


class Retention(BaseModel):
    """Days an exchange is kept, by what it may hold: only an answer from the manual is sure to rest on no live data."""

    model_config = CLOSED

    manual_days: int = Field(ge=1, le=3650)
    live_days: int = Field(ge=1, le=3650)
    audit_days: int = Field(default=730, ge=1, le=3650)
    """Days that an entry of the audit log is kept."""

    def days(self, kind: Kind) -> int:
        # A proposal, a question back, a refusal: each may follow a look-up, and then keeps whom that named.
        return self.manual_days if kind is Kind.MANUAL else self.live_days


NOTICE_PLACEHOLDERS = ("providers", "manual_days", "live_days")
"""What a notice may leave open, in braces: who reads it, and how many days it is kept. See `worded_notice`."""

_PLACEHOLDER = re.compile(rf"\{{(?:{'|'.join(NOTICE_PLACEHOLDERS)})\}}")

_MARKUP = re.compile(r"[\[\]<]|://|\bwww\.", re.IGNORECASE)


def _plain(text: str) -> str:
    """A fixed sentence, which is shown as it stands: nothing cleans it as a model's words are cleaned."""
    if visible(text) != text:
        raise ValueError("has a character that nobody sees")
    if not any(map(str.isalnum, text)):
        raise ValueError("has no word")
    if _MARKUP.search(text):
        raise ValueError("has one of [ ] < :// www. and is to be plain words, without link, image or HTML")
    return text.strip()


Wording = dict[Language, Annotated[str, StringConstraints(min_length=1, max_length=2000), AfterValidator(_plain)]]


class Texts(BaseModel):
    """The fixed sentences, in every language of the contract."""

    model_config = CLOSED

    decline: Wording
    not_found: Wording
    not_found_there: Wording
    lms_silent: Wording
    lms_refused: Wording
    not_looked_up: Wording
    cut_short: Wording
    notice: Wording
    """What a person is told whose tools read live data."""
    notice_manual: Wording
    """What everybody else is told."""

    @model_validator(mode="after")
    def _every_language_has_a_wording(self) -> Self:
        for name in type(self).model_fields:
            missing = set(Language) - set(getattr(self, name))
            if missing:
                raise ValueError(f"{name} has no wording in {', '.join(sorted(missing))}")
        return self

    @model_validator(mode="after")
    def _a_notice_leaves_nothing_else_open(self) -> Self:
        for name in ("notice", "notice_manual"):
            for language, wording in getattr(self, name).items():
                if not {"{", "}"}.isdisjoint(_PLACEHOLDER.sub("", wording)):
                    known = ", ".join(f"{{{placeholder}}}" for placeholder in NOTICE_PLACEHOLDERS)
                    raise ValueError(f"{name}.{language} has a brace that is in none of {known}")
        return self


class Policy(BaseModel):
    """A whole policy; unknown keys are refused."""

    model_config = CLOSED

    name: Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9-]{0,63}$")]
    citations: Citations
    standing: bool
    """Whether each question asks the LMS what it says of the person now."""
    moderation: ModerationRule
    switches: Switches
    limits: RateLimits
    effort: Effort
    history: HistoryWindow
    conversation: ConversationTimes = ConversationTimes()
    retention: Retention
    roles: dict[Role, RolePolicy]
    texts: Texts

    def of_role(self, role: Role) -> RolePolicy:
        """What a role has; a role the policy does not name has nothing."""
        return self.roles.get(role, RolePolicy(offered=False))

    def of_roles(self, roles: Sequence[Role]) -> RolePolicy:
        """What all of these roles have: the one that was signed, and the one the LMS names now."""
        first, *others = (self.of_role(role) for role in roles)
        for other in others:
            first = first.together(other)
        return first


FOR_STUDENTS = frozenset({Audience.SHARED, Audience.STUDENT})
"""What a student may read at most, under any policy: pages for staff say how an exam is made."""

WITHOUT_DATA = frozenset({Role.STUDENT, Role.TRAINER_ADMIN})
"""Who has the manual and the screens of their role and nothing else, under any policy (row J15)."""


def policy_faults(
    policy: Policy, disclosures: Mapping[str, frozenset[Disclosure]], *, for_everyone: Collection[str]
) -> list[str]:
    """What this service cannot or will not do of what a policy asks.

    `disclosures` says of each tool how it can be shown, `for_everyone` which ones no role is kept from.
    """
    faults = []
    for role, ruled in sorted(policy.roles.items()):
        if role is Role.STUDENT and (others := ruled.audiences - FOR_STUDENTS):
            faults.append(f"roles.{role}.audiences: not for this role: {', '.join(sorted(others))}")
        for tool, disclosure in sorted(ruled.tools.items()):
            if tool not in disclosures:
                faults.append(f"roles.{role}.tools: there is no tool {tool}")
            elif disclosure not in disclosures[tool]:
                faults.append(f"roles.{role}.tools.{tool}: cannot be {disclosure}")
            elif role in WITHOUT_DATA and tool not in for_everyone:
                faults.append(f"roles.{role}.tools.{tool}: not for this role")
    if not any(ruled.offered for ruled in policy.roles.values()):
        faults.append("roles: none is offered")
    return faults
