"""Offers a person's tools and runs the calls of a reply: each checked again, all of a step at once."""

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from pydantic import ValidationError

from assist_service.domain.loop import Ending, Ran
from assist_service.domain.messages import ToolCall, ToolResult, ToolSpec
from assist_service.domain.people import Role
from assist_service.domain.policy import Disclosure, Policy
from assist_service.domain.reply import Sent
from assist_service.domain.text import visible
from assist_service.tools.tool import RESULT_CHARACTERS, Desk, Effect, Family, Said, Tool

CUT = "\n[Cut here: narrow your request.]"


@dataclass(frozen=True)
class Toolbox:
    """The tools one person has, and what the model may read of each."""

    tools: Mapping[str, Tool]
    disclosures: Mapping[str, Disclosure]

    def specs(self) -> tuple[ToolSpec, ...]:
        """The tools as the model sees them, in the order of their names so that the prefix never differs."""
        return tuple(tool.spec for _, tool in sorted(self.tools.items()))


def toolbox_of(policy: Policy, role: Role, tools: Mapping[str, Tool]) -> Toolbox:
    """What the policy gives this role, less what its switches hold back."""
    disclosures = policy.of_role(role).tools
    closed = set() if policy.switches.manual else {Family.MANUAL}
    return Toolbox(
        tools={name: tools[name] for name in disclosures if tools[name].family not in closed},
        disclosures=disclosures,
    )


@dataclass
class Bench:
    """Runs the calls of one question and notes what of their results a provider reads."""

    toolbox: Toolbox
    desk: Desk
    sent: list[Sent] = field(default_factory=list)

    async def run(self, calls: Sequence[ToolCall]) -> Ran:
        """Runs the calls of one step together. The first that ends the question does."""
        said = await asyncio.gather(*(self._run(call) for call in calls))
        ending = next((each for each in said if not isinstance(each, Said)), None)
        if ending is not None:
            return Ran((), ending)
        self.sent += [
            Sent(tool=call.name, disclosure=self.toolbox.disclosures[call.name])
            for call, each in zip(calls, said, strict=True)
            if isinstance(each, Said) and not each.is_error and self.toolbox.tools[call.name].effect is Effect.READ
        ]
        results = tuple(
            ToolResult(call.id, _bounded(each.text), each.is_error)
            for call, each in zip(calls, said, strict=True)
            if isinstance(each, Said)
        )
        return Ran(results)

    async def _run(self, call: ToolCall) -> Said | Ending:
        tool = self.toolbox.tools.get(call.name)
        if tool is None:
            return Said(f"There is no such tool. Those there are: {', '.join(sorted(self.toolbox.tools))}", True)
        try:
            arguments = tool.arguments.model_validate_json(json.dumps(call.arguments))
        except ValidationError as error:
            return Said(f"Not run, the arguments do not fit: {_faults(error)}", is_error=True)
        return await tool.run(arguments, self.desk)


def _faults(error: ValidationError) -> str:
    return "; ".join(
        f"{'.'.join(map(str, fault['loc'])) or 'arguments'}: {fault['type']}" for fault in error.errors()[:5]
    )


def _bounded(text: str) -> str:
    """A result within its bound, without invisible characters, and never empty."""
    shown = visible(text) or "(nothing)"
    return shown if len(shown) <= RESULT_CHARACTERS else shown[: RESULT_CHARACTERS - len(CUT)] + CUT
