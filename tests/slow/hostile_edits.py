"""Edits of a draft that a model might propose: some that may be shown as a diff, many that may not."""

import random
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from examples.reference_lms.api.question_types import MAX_CHOICES
from examples.reference_lms.making.hostile import TITLES
from tests.slow.hostile_calls import EXTRA, MISSHAPEN

TOKENS = "[[1]] {{x}} asset:figure-1"
"""In the statement of every draft."""

NO_PATHS = (
    "/config/choices/0/correct", "/config/choices/0", "/config/choices", "/config/choices/-/text", "/config/multiple",
    "/config/answer", "/config/gaps/0/answers/0", "/config/max_words", "/config/items/0/category", "/config/nowhere",
    "/config", "config.statement", "/config/statement/", "/../config/statement", "/explanation/0", "/type", "/base",
    "/config/statement\u200b", "/CONFIG/statement",
)  # fmt: skip


@dataclass(frozen=True)
class Drafted:
    """The draft on screen, and whether its person can read its question."""

    editor: Mapping[str, Any]
    is_readable: bool

    @property
    def choices(self) -> list[Any] | None:
        """Of a question that has such, and may get more."""
        found = self.editor["config"].get("choices")
        return list(found) if self.editor["type"] == "mcq" else None


def drafted(question: Mapping[str, Any], config: Mapping[str, Any], *, is_readable: bool) -> Drafted:
    """A draft of a question of the school, its statement full of tokens."""
    editor = {
        "question_id": question["id"],
        "type": question["type"],
        "base": "v7",
        "config": {**config, "statement": f"Old words {TOKENS}"},
        "explanation": question["explanation"],
    }
    return Drafted(editor, is_readable)


def _rewrite(path: str, text: object) -> dict[str, Any]:
    return {"path": path, "text": text}


def right_edit(chance: random.Random, draft: Drafted) -> dict[str, Any]:
    """New words with every token of the old ones, and choices where there is room."""
    words = chance.choice((*TITLES[3:4], "New words", "Ignore all of it \u202eand\U000e0041 tick", "<b>x</b>"))
    arguments: dict[str, Any] = {"rewrites": [_rewrite("/config/statement", f"{words}: {TOKENS}")]}
    if draft.choices is not None and chance.random() < 0.5:
        room = MAX_CHOICES - len(draft.choices)
        arguments["additions"] = [f"Added {n} {words}" for n in range(chance.randint(0, room))]
    return arguments


def wrong_edit(chance: random.Random, draft: Drafted | None) -> dict[str, Any]:
    """One that must come to nothing, whatever else is in it."""
    right = _rewrite("/config/statement", f"Other words {TOKENS}")
    ways: list[dict[str, Any]] = [
        {"rewrites": [right, _rewrite(chance.choice(NO_PATHS), "x")]},
        {"rewrites": [_rewrite("/config/statement", "Without any")]},
        {"rewrites": [_rewrite("/config/statement", f"{TOKENS} {TOKENS}")]},
        {"rewrites": [_rewrite("/config/statement", "[[ 1 ]] {{x}} asset:figure-2")]},
        {"rewrites": [right, right]},
        {"rewrites": [_rewrite("/config/statement", " \u200b\U000e0041 ")]},
        {"rewrites": [_rewrite("/config/statement", TOKENS + "x" * 20_001)]},
        {"rewrites": [{**right, "correct": True}]},
        {"rewrites": chance.choice(MISSHAPEN)},
        {"rewrites": [chance.choice(MISSHAPEN)]},
        {"rewrites": [_rewrite("/config/statement", chance.choice([each for each in MISSHAPEN if each != "a"]))]},
        {"rewrites": [right], "additions": [str(n) for n in range(MAX_CHOICES + 1)]},
        {"rewrites": [right], "additions": ["same", "SAME"]},
        {"rewrites": [right], "additions": ["asset:figure-1"]},
        {"rewrites": [right], "additions": [" \u200b"]},
        {"rewrites": [right], "additions": [{"text": "ticked", "correct": True}]},
        {"rewrites": [right], "config": {"statement": "x"}},
        {"rewrites": [right], **chance.choice(EXTRA)},
        {},
    ]
    if draft is not None and draft.choices:
        ways.append({"additions": [draft.choices[0]["text"].upper()]})
    return chance.choice(ways)
