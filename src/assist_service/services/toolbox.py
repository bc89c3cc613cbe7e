"""Offers a person's tools and runs the calls of a reply: each checked again, all of a step at once."""

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from pydantic import BaseModel, ValidationError

from assist_service.domain.answer import LookedUp
from assist_service.domain.errors import AssistError, Code
from assist_service.domain.loop import AskedBack, Declined, Ending, Ran
from assist_service.domain.messages import ToolCall, ToolResult, ToolSpec
from assist_service.domain.names import Masks
from assist_service.domain.people import Role
from assist_service.domain.policy import Disclosure, Policy
from assist_service.domain.progress import LookingUp, Reading, Step, Tell, silent
from assist_service.domain.records import Found, meet, shown
from assist_service.domain.reply import Sent
from assist_service.domain.text import visible
from assist_service.ports import LmsFault
from assist_service.tools.guide import ReadGuideArguments
from assist_service.tools.tool import RESULT_CHARACTERS, Desk, Effect, Family, Said, Tool

CUT = "\n[Cut here: narrow your request.]"


@dataclass(frozen=True)
class Toolbox:
    """The tools one person has, and what the model may read of each."""

    tools: Mapping[str, Tool]
    disclosures: Mapping[str, Disclosure]

    @property
    def has_data(self) -> bool:
        return any(tool.family is Family.DATA for tool in self.tools.values())

    def specs(self) -> tuple[ToolSpec, ...]:
        """The tools as the model sees them, in the order of their names so that the prefix never differs."""
        return tuple(tool.spec for _, tool in sorted(self.tools.items()))


def toolbox_of(policy: Policy, roles: Sequence[Role], tools: Mapping[str, Tool], offers: frozenset[str]) -> Toolbox:
    """What the policy gives these roles together, less what its switches hold back and the LMS does not have."""
    disclosures = policy.of_roles(roles).tools
    switched = {Family.MANUAL: policy.switches.manual, Family.DATA: policy.switches.live}
    return Toolbox(
        tools={
            name: tools[name]
            for name in disclosures
            if switched.get(tools[name].family, True) and tools[name].needs <= offers
        },
        disclosures=disclosures,
    )


@dataclass
class Bench:
    """Runs the calls of one question and notes what of their results a provider reads."""

    toolbox: Toolbox
    desk: Desk
    masks: Masks
    tell: Tell = silent
    sent: list[Sent] = field(default_factory=list)
    looked_up: LookedUp = LookedUp.NOTHING
    """What came of the data tools: it decides what an answer may be."""

    async def run(self, calls: Sequence[ToolCall]) -> Ran:
        """Runs the calls of one step together. The first that ends the question does.

        Raises AssistError `unauthenticated` where the person's session ended meanwhile.
        """
        brought = await asyncio.gather(*(self._run(call) for call in calls))
        if any(isinstance(each, LmsFault) for each in brought):
            raise AssistError(Code.UNAUTHENTICATED)
        ending = next((each for each in brought if isinstance(each, Declined | AskedBack)), None)
        if ending is not None:
            return Ran((), ending)
        for call, each in zip(calls, brought, strict=True):  # who is in one result may be named in another's title
            if isinstance(each, Found):
                meet(each, self.toolbox.disclosures[call.name], self.masks)
        said = [
            self._said(call, each) for call, each in zip(calls, brought, strict=True) if isinstance(each, Said | Found)
        ]
        self.sent += [
            Sent(tool=call.name, disclosure=self.toolbox.disclosures[call.name])
            for call, each in zip(calls, said, strict=True)
            if not each.is_error and self.toolbox.tools[call.name].effect is Effect.READ
        ]
        return Ran(
            tuple(
                ToolResult(call.id, _bounded(each.text), each.is_error) for call, each in zip(calls, said, strict=True)
            )
        )

    def _said(self, call: ToolCall, brought: Said | Found) -> Said:
        """What the model reads: of records what the policy's disclosure of this tool leaves of them."""
        if isinstance(brought, Said):
            tool = self.toolbox.tools.get(call.name)
            if tool is not None and tool.family is Family.DATA:
                self.looked_up = max(self.looked_up, LookedUp.FAILED)
            return brought
        self.looked_up = LookedUp.FOUND
        result = shown(brought, self.toolbox.disclosures[call.name], self.masks, limit=RESULT_CHARACTERS)
        self.desk.known.ids |= result.ids
        return Said(result.text)

    async def _run(self, call: ToolCall) -> Said | Found | Ending | LmsFault:
        tool = self.toolbox.tools.get(call.name)
        if tool is None:
            return Said(f"There is no such tool. Those there are: {', '.join(sorted(self.toolbox.tools))}", True)
        # What ends a question is said to the person, who gets the names with the answer.
        given = call.arguments if tool.effect is Effect.END else self.masks.unmasked_json(call.arguments)
        try:
            arguments = tool.arguments.model_validate_json(json.dumps(given))
        except ValidationError as error:
            return Said(f"Not run, the arguments do not fit: {_faults(error)}", is_error=True)
        if (step := step_of(tool, arguments, self.desk)) is not None:
            self.tell(step)
        try:
            return await tool.run(arguments, self.desk)
        except LmsFault as fault:  # returned, so that the others of the step end before the question does
            return fault


def step_of(tool: Tool, arguments: BaseModel, desk: Desk) -> Step | None:
    """What a call is told as, in words of ours: a page by its own path, a tool by its own name."""
    if tool.effect is Effect.END:
        return None
    if not isinstance(arguments, ReadGuideArguments):
        return LookingUp(tool=tool.name)
    page = desk.publication.page(arguments.page, desk.audiences, desk.language.value)
    return Reading(page=page.path) if page is not None else None


def _faults(error: ValidationError) -> str:
    return "; ".join(
        f"{'.'.join(map(str, fault['loc'])) or 'arguments'}: {fault['type']}" for fault in error.errors()[:5]
    )


def _bounded(text: str) -> str:
    """A result within its bound, without invisible characters, and never empty."""
    shown = visible(text) or "(nothing)"
    return shown if len(shown) <= RESULT_CHARACTERS else shown[: RESULT_CHARACTERS - len(CUT)] + CUT
