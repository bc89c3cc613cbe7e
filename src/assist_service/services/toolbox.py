"""Offers a person's tools: what the policy gives their roles, less what is switched off or the LMS lacks."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from assist_service.domain.context import AssistContext, Entities
from assist_service.domain.messages import ToolCall, ToolSpec
from assist_service.domain.people import Role
from assist_service.domain.policy import Disclosure, Policy
from assist_service.domain.prompt import Ability
from assist_service.domain.references import Selection
from assist_service.domain.rejecting import is_rejected
from assist_service.tools.interface import RUN_SCREEN_COMMAND
from assist_service.tools.tool import Family, Tool

ABILITIES: Mapping[Family, Ability] = {
    Family.MANUAL: Ability.READING,
    Family.DATA: Ability.LOOKING_UP,
    Family.LIVE: Ability.CHOOSING,
    Family.INTERFACE: Ability.SHOWING,
    Family.WRITING: Ability.PREPARING,
}


@dataclass(frozen=True)
class Toolbox:
    """The tools one person has, and what the model may read of each."""

    tools: Mapping[str, Tool]
    disclosures: Mapping[str, Disclosure]

    @property
    def abilities(self) -> frozenset[Ability]:
        """What the rules of the prompt have to speak of."""
        return frozenset(ABILITIES[tool.family] for tool in self.tools.values() if tool.family in ABILITIES)

    @property
    def is_of_use(self) -> bool:
        """Whether there is anything to answer with: to decline and to ask back is no assistant."""
        return any(tool.family is not Family.CONVERSING for tool in self.tools.values())

    @property
    def keeps_back(self) -> bool:
        """Whether a model reads any of this person's data otherwise than as it is."""
        return any(self.disclosures[name] is not Disclosure.OPEN for name in self.tools)

    def has(self, family: Family) -> bool:
        return any(tool.family is family for tool in self.tools.values())

    def rejects(self, calls: Sequence[ToolCall]) -> bool:
        """Whether a reply with these calls is refused whole."""
        return is_rejected(
            calls, offered=self.tools, lookups=self._names(Family.LIVE), manual=self._names(Family.MANUAL)
        )

    def _names(self, family: Family) -> frozenset[str]:
        return frozenset(name for name, tool in self.tools.items() if tool.family is family)

    def without(self, family: Family) -> "Toolbox":
        return replace(self, tools={name: tool for name, tool in self.tools.items() if tool.family is not family})

    def of_use(self, context: AssistContext) -> AssistContext:
        """A screen without what no tool here could do anything with: commands nobody runs, ids nobody looks up."""
        unused: dict[str, object] = {}
        if RUN_SCREEN_COMMAND.name not in self.tools:
            unused["commands"] = ()
        if self.abilities <= {Ability.READING}:
            unused["entities"] = Entities()
        return context.model_copy(update=unused)

    def to_read(self, context: AssistContext) -> AssistContext:
        """The same without the ids, where no tool takes one from a model: a lookup knows what is on screen itself."""
        if self.abilities <= {Ability.READING, Ability.CHOOSING}:
            return context.model_copy(update={"entities": Entities()})
        return context

    def told(self, selected: Selection, on_screen: Selection) -> tuple[str, ...]:
        """What a model reads of what the person selected, or has on screen: an id only where a data tool takes one."""
        if self.has(Family.DATA) and selected:
            return selected.told
        return (selected or on_screen).placeholders if self.has(Family.LIVE) else ()

    def specs(self) -> tuple[ToolSpec, ...]:
        """The tools as the model sees them, in the order of their names so that the prefix never differs."""
        return tuple(tool.spec for _, tool in sorted(self.tools.items()))


def toolbox_of(policy: Policy, roles: Sequence[Role], tools: Mapping[str, Tool], offers: frozenset[str]) -> Toolbox:
    """What the policy gives these roles together, less what its switches hold back and the LMS does not have."""
    disclosures = policy.of_roles(roles).tools
    switched = {
        Family.MANUAL: policy.switches.manual,
        **dict.fromkeys((Family.DATA, Family.LIVE, Family.EDITING, Family.WRITING), policy.switches.live),
    }
    return Toolbox(
        tools={
            name: tools[name]
            for name in disclosures
            if switched.get(tools[name].family, True) and tools[name].needs <= offers
        },
        disclosures=disclosures,
    )


ToolboxOf = Callable[[Sequence[Role]], Toolbox]
"""What these roles have together, here and now."""
