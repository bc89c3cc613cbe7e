"""What the stub does on the interface: opens a pool that a question names, prepares a quoted category, tidies a text.

Each language has few words for it, and each act goes through the same tools, checks and cards as a model's would.
"""

import json
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from assist_service.adapters.models.stub_lists import POOLS
from assist_service.adapters.models.stub_words import folded_words
from assist_service.domain.messages import ToolResult

OPEN, PREPARE, EDIT = "open_screen", "create_category", "propose_question_edit"

ACTS = frozenset({OPEN, PREPARE, EDIT})


@dataclass(frozen=True)
class Call:
    """A tool to be called."""

    tool: str
    arguments: Mapping[str, Any]


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_SHOW = _words("show open see display montre montrer affiche afficher ouvre ouvrir ipakita buksan")
_POOL = _words("pool banque")
_CREATE = _words("create add new cree creer ajoute ajouter nouvelle gumawa lumikha idagdag")
_CATEGORY = _words("category categorie kategorya")
_REWRITE = _words("rewrite tidy correct improve reecris corrige ameliore ayusin itama")
_HOW = _words("how comment paano")
"""A question with one of these is the manual's."""

_COMMON = _words("me the of my please questions question in la le les de des du moi mes svp ang mga ng ko sa")

_QUOTED = re.compile(r"[«“\"]\s*([^«»“”\"\n]{1,200}?)\s*[»”\"]")
_TAG = re.compile(r"(?:tag:|#)([\w-]{1,50})")
_ON_SCREEN = re.compile(r"^On screen: pool (\S+)$", re.MULTILINE)
_TEXT = re.compile(r"^(/config/statement|/explanation) \(\w+\): (\".*\")$", re.MULTILINE)
"""A text of the draft, as the prompt shows it."""

SAID: Mapping[str, str] = {
    OPEN: "I am a stub, not a model. Here is the pool.",
    PREPARE: "I am a stub, not a model. The category waits for your word.",
    EDIT: "I am a stub, not a model. I propose a tidier text.",
}


def first_act(question: str, screen: str, offered: Collection[str]) -> Call | None:
    """What a question asks to be done, if that is offered; None for any other question."""
    words = frozenset(folded_words(question))
    if words & _HOW:
        return None
    if words & _REWRITE and EDIT in offered:
        return _tidied(screen)
    pool = _ON_SCREEN.search(screen)
    if words & _CREATE and words & _CATEGORY and pool is not None and PREPARE in offered:
        title = _QUOTED.search(question)
        return Call(PREPARE, {"pool": pool[1], "title": title[1]}) if title is not None else None
    return Call(POOLS, {}) if _shows(words) and {OPEN, POOLS} <= set(offered) else None


def next_act(question: str, tool: str, result: ToolResult) -> Call | str | None:
    """What follows such a call: another, or what is said; None where the call was for something else."""
    if tool in ACTS:
        return f"I am a stub, not a model. {result.content}" if result.is_error else SAID[tool]
    words = frozenset(folded_words(question))
    if tool != POOLS or not _shows(words) or result.is_error:
        return None
    pool = _named(words, result)
    if pool is None:
        return None
    tag = _TAG.search(question)
    params = {"tab": "questions", **({"search": f"tag:{tag[1]}"} if tag is not None else {})}
    return Call(OPEN, {"screen": "pool", "ids": {"id": pool}, "params": params})


def _shows(words: frozenset[str]) -> bool:
    return bool(words & _SHOW and words & _POOL) and not words & _HOW


def _named(words: frozenset[str], result: ToolResult) -> str | None:
    """The pool whose title shares most words with the question; None where none shares any."""
    telling = words - _SHOW - _POOL - _COMMON
    pools = [json.loads(line) for line in result.content.splitlines() if line.startswith("{")]
    shared = {pool["id"]: len(telling & frozenset(folded_words(pool.get("title", "")))) for pool in pools}
    best = max(shared, key=lambda pool: shared[pool], default=None)
    return best if best is not None and shared[best] else None


def _tidied(screen: str) -> Call | None:
    """The first text of the draft that tidying changes."""
    for path, written in _TEXT.findall(screen):
        text = json.loads(written)
        if text.strip() and (tidy := _tidy(text)) != text:
            return Call(EDIT, {"rewrites": [{"path": path, "text": tidy}]})
    return None


def _tidy(text: str) -> str:
    """One space between words, a capital at the start, a mark at the end."""
    line = re.sub(r"[ \t]+", " ", text.strip())
    line = line[:1].upper() + line[1:]
    return line if line.endswith((".", "?", "!", "…", ":", "]", "}")) else f"{line}."
