"""axe-core in a page: what it found wrong, and of how much it judged."""

from dataclasses import dataclass
from typing import Any

from playwright.async_api import Page

from assist_service.settings import ROOT

SCRIPT = ROOT / "node_modules" / "axe-core" / "axe.min.js"

RUN = """async (within) => {
  const told = await axe.run(within ?? document, {resultTypes: ["violations", "incomplete"]});
  const nodes = (each) => each.nodes.map(({html, any}) => [html, any.map(({data}) => data?.messageKey).join()]);
  const lines = (found) => found.flatMap((each) => nodes(each).map((node) => [each.id, ...node]));
  return {faults: lines(told.violations), unsure: lines(told.incomplete), rules: told.passes.length};
}"""

FEWEST_RULES = 10
"""axe that looked at nothing would find nothing either: so many of its rules had something to judge."""


@dataclass(frozen=True)
class Judged:
    faults: list[str]
    unsure: list[str]
    """What axe could not judge."""
    rules: int


async def judged(page: Page, within: str | None = None) -> Judged:
    """What axe says of the page, or of a part of it; the page's policy must let it in (`bypass_csp`)."""
    if not await page.evaluate("'axe' in window"):
        await page.evaluate(SCRIPT.read_text("utf-8"))
    told: dict[str, Any] = await page.evaluate(RUN, within)
    assert told["rules"] >= FEWEST_RULES or within is not None
    return Judged(_lines(told["faults"]), _lines(told["unsure"]), told["rules"])


def _lines(found: list[list[Any]]) -> list[str]:
    return [f"{rule}: {html[:120]} {why or ''}".rstrip() for rule, html, why in found]
