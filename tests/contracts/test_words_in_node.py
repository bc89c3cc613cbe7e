"""The panel has words for all that the service may say: each code, reason, tool and form, in its three languages."""

from pathlib import Path
from typing import get_args

from assist_service.domain.availability import Reason
from assist_service.domain.cards import Label
from assist_service.domain.errors import Code, WriteFailure
from assist_service.domain.policy import Disclosure
from assist_service.domain.reply import AlsoSent
from assist_service.domain.writes import WriteTool
from assist_service.tools.catalog import TOOLS
from tests.panel.node import failures, in_node

OF_THE_PANEL = ("unreachable", "stopped", "page_failed", "page_refused")
"""Problems that no answer of the service has: the client's own, and the page's."""

SAME_IN_BOTH = (
    *("fr panel.title", "fr panel.log", "fr citations.list", "fr label.question", "fr label.type"),
    *("fil label.pool", "fil label.setting", "fil label.template"),
)
"""Sentences that are the English ones by right, and no forgotten translation."""


async def test_everything_the_service_says_has_words(tmp_path: Path) -> None:
    keys = [
        *(f"problem.{code}" for code in (*Code, *get_args(Reason), *OF_THE_PANEL)),
        *(f"write.failed.{reason}" for reason in WriteFailure),
        *(f"write.{tool}" for tool in (*WriteTool, "other")),
        *(f"label.{label}" for label in Label),
        *(f"tool.{tool}" for tool in (*TOOLS, "other")),
        *(f"receipt.sent.{form}" for form in (*Disclosure, "other")),
        *(f"receipt.also.{kind}" for kind in (*get_args(AlsoSent), "other")),
    ]
    given = {"keys": sorted(set(keys)), "tools": sorted(TOOLS), "same": SAME_IN_BOTH}
    outcomes = await in_node("words.test.mjs", folder=tmp_path, given={"words": given})
    assert failures(outcomes) == {}
    assert len(outcomes) >= 3 * len(given["keys"])
