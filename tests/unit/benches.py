"""A bench with tools of a test, or with those of a policy."""

from collections.abc import Awaitable, Callable
from typing import Annotated, Any

from pydantic import BaseModel, Field

from assist_service.adapters.configuration import load_policy
from assist_service.domain.messages import ToolCall, ToolResult
from assist_service.domain.policy import Disclosure
from assist_service.services.bench import Bench
from assist_service.services.toolbox import Toolbox
from assist_service.tools.catalog import TOOLS
from assist_service.tools.tool import ARGUMENTS, Desk, Effect, Family, Tool
from tests.unit.small_manual import desk, masks, publication, section

MANUAL = publication(section(), section(anchor="share", text="Press Share."))


DEFAULT = load_policy("default")


EVERYTHING = frozenset().union(*(tool.needs for tool in TOOLS.values()))


INTERFACE = ["open_screen", "run_screen_command"]
"""Behind no switch: they show what the person may see anyway."""


class Numbered(BaseModel):
    model_config = ARGUMENTS

    number: Annotated[int, Field(ge=0)]


class Nothing(BaseModel):
    model_config = ARGUMENTS


def tool(
    name: str,
    run: Callable[[Any, Desk], Awaitable[Any]],
    *,
    effect: Effect = Effect.READ,
    arguments: type[BaseModel] = Nothing,
) -> Tool:
    return Tool(name, "For a test.", Family.CONVERSING, effect, frozenset(Disclosure), arguments, run)


def bench(*tools: Tool, disclosure: Disclosure = Disclosure.OPEN) -> Bench:
    held = {each.name: each for each in (tools or TOOLS.values())}
    return Bench(Toolbox(held, dict.fromkeys(held, disclosure)), desk(MANUAL), masks())


async def one(at: Bench, name: str, arguments: dict[str, Any] | None) -> ToolResult:
    ran = await at.run([ToolCall("a", name, arguments)])
    [result] = ran.results
    return result


READ = {"page": "teacher/pools", "section": "create"}
