"""A deterministic stand-in for a model: no key, no network, the same loop and tools as the real ones.

It searches with the person's words, reads what is found first and answers with what it read; what the help on the
screen says well it answers from there, and without a search it reads the page of the index that shares most words.
Asked to, it lists what the person has, opens a screen, names a command, edits the draft in the editor, prepares a
change and reads a classroom's results. Where lookups are offered that the service answers itself, it chooses one.
It says that it is a stub. A completion gets the least object that its schema allows. Production refuses it.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from assist_service.adapters.models.stub_acts import next_act, next_read
from assist_service.adapters.models.stub_asked import Asked, Call, Said
from assist_service.adapters.models.stub_lists import LISTS, list_told, list_wanted
from assist_service.adapters.models.stub_lookups import lookup_wanted
from assist_service.adapters.models.stub_object import least
from assist_service.adapters.models.stub_words import folded_words
from assist_service.domain.messages import (
    AssistantTurn,
    ModelReply,
    ModelRequest,
    Stop,
    ToolCall,
    ToolResult,
    ToolResults,
    Usage,
)
from assist_service.domain.search import QUERY_CHARACTERS

NAME = "stub"

STUB: Said = {
    "en": "I am a stub, not a model.",
    "fr": "Je suis un simulacre, pas un modèle.",
    "fil": "Isa akong panghalili, hindi modelo.",
}
"""How each of its answers begins."""

SAYS: Said = {"en": "“{}” says: {} [{}]", "fr": "« {} » dit : {} [{}]", "fil": "Sabi sa “{}”: {} [{}]"}
NOTHING: Said = {
    "en": "I am a stub and found no section about that.",
    "fr": "Je suis un simulacre et n'ai trouvé aucune section à ce sujet.",
    "fil": "Isa akong panghalili at wala akong nakitang bahagi tungkol diyan.",
}
HELLO: Said = {
    "en": "Hello, I am a stub. What would you like to know?",
    "fr": "Bonjour, je suis un simulacre. Que veux-tu savoir ?",
    "fil": "Kumusta, isa akong panghalili. Ano ang gusto mong malaman?",
}

BYTES_PER_TOKEN = 4
"""Roughly what English text has; the stub counts its tokens by it."""

WELL_SHARED = 0.5
"""The share of a question's telling words that the help on the screen must have to be the answer without a search."""

TITLES_COMPARED = 3
"""Of what a search found: it ranks well, and a title tells of what it ranks alike which was meant."""

SEARCHES = frozenset({"search_guide"})

_INDEX = re.compile(r"^Index of the manual.*\n((?:.+\n)*)", re.MULTILINE)
_INDEX_PAGE = re.compile(r"^- (.+?) \| (.+)$")
_INDEX_SECTION = re.compile(r"^  - (\S+) \| (.+)$")
_FOUND = re.compile(r"^- (.+?) \| (\S+) \| (.+)$", re.MULTILINE)
_PICTURE = re.compile(r"!\[[^\]\n]{0,500}\]\([^)\n]{0,500}\)")
_BLOCK = re.compile(r"^\[(s\d+)\] (.+?) \| (\S+) \| (.+)$", re.MULTILINE)

_STOP_WORDS = frozenset(
    "a about an and any are can do does for from get give have how i in is it me my need of on please show tell "
    "that the this to use want what when where which who why will with write you your "
    "au aux ce comment dans de des du est et je la le les mon on ou par pour qu que quel quelle un une "
    "ako ang ano ba ko mga na ng paano sa saan".split()
)


@dataclass(frozen=True)
class _Block:
    """A section as the prompt shows it."""

    handle: str
    title: str
    text: str

    @property
    def words(self) -> frozenset[str]:
        return _words(f"{self.title} {self.text}")


class StubModel:
    """Implements ports.ModelProvider."""

    model = NAME

    async def send(self, request: ModelRequest, *, timeout_seconds: float) -> ModelReply:
        if request.output_schema is not None:
            return _completed(request, json.dumps(least(request.output_schema), ensure_ascii=False))
        asked = Asked.of(request)
        words = _words(asked.question)
        if not asked.steps and request.may_call:
            return _first(request, asked)
        if (followed := _followed(request, asked)) is not None:
            return followed
        if listed := _results_of(request, LISTS):
            return _told(request, asked, list_told(asked.question, *listed[0]))
        found = _results_of(request, SEARCHES)
        if found and request.may_call:
            return _opened(request, words, "\n".join(result.content for _, result in found))
        return _answered(request, asked, words) or _said(request, asked.said(NOTHING))

    async def close(self) -> None:
        """Holds nothing open."""


def _followed(request: ModelRequest, asked: Asked) -> ModelReply | None:
    """The next step of what the question asks to be done or to be known; None where it asks for neither."""
    following = next_act(asked) or next_read(asked)
    return _done(request, asked, following) if isinstance(following, str) or (following and request.may_call) else None


def _done(request: ModelRequest, asked: Asked, following: Call | str) -> ModelReply:
    if isinstance(following, str):
        return _told(request, asked, following)
    return _called(request, following.tool, following.arguments)


def _first(request: ModelRequest, asked: Asked) -> ModelReply:
    """The first reply: a courtesy, a list of the LMS's, an act, a lookup, results, what the screen's help says, a
    search, a page, or a refusal."""
    question, words = asked.question, _words(asked.question)
    if words and words <= GREETINGS:
        return _called(request, "ask_back", {"text": asked.said(HELLO)})
    offered = asked.offered
    if (wanted := list_wanted(question, offered)) is not None:
        return _called(request, wanted, {})
    if (act := next_act(asked)) is not None:
        return _done(request, asked, act)
    if (lookup := lookup_wanted(question, request.screen, offered)) is not None:
        return _called(request, lookup.tool, lookup.arguments)
    if (read := next_read(asked)) is not None:
        return _done(request, asked, read)
    on_screen = _closest(words, _blocks_of(request.screen))
    if on_screen is not None and len(words & on_screen.words) >= WELL_SHARED * len(words):
        return _quoted(request, asked, on_screen)
    if any(tool.name == "search_guide" for tool in request.tools):
        query = _query(question)
        return _called(request, "search_guide", {"query": query}) if query else _called(request, "decline", {})
    page = _closest_page(request.prefix, words)
    if page is not None:
        return _called(request, "read_guide", {"page": page})
    return _answered(request, asked, words) or _called(request, "decline", {})


def _opened(request: ModelRequest, words: frozenset[str], found: str) -> ModelReply:
    """The reply to a search: of the first few sections, the one whose title shares most with the question is read.

    Where nothing it names shares a word with the question, a stub cannot tell a synonym from a question about the sea.
    """
    lines = list(_FOUND.finditer(found))
    if not any(words & _words(line[3]) for line in lines):
        return _called(request, "decline", {})
    beginnings = _beginnings(words)
    best = max(lines[:TITLES_COMPARED], key=lambda line: len(beginnings & _beginnings(_words(line[3].split(" | ")[0]))))
    return _called(request, "read_guide", {"page": best[1], "section": best[2]})


def _beginnings(words: frozenset[str]) -> frozenset[str]:
    """*Create* and *creation* begin alike."""
    return frozenset(word[:5] for word in words)


def _answered(request: ModelRequest, asked: Asked, words: frozenset[str]) -> ModelReply | None:
    """The words of what it read last, which a search may have found by other words than the question's.

    Where it read nothing, those of the section closest to the question; None where no section shares a word with it.
    """
    last = request.messages[-1]
    read = (
        [block for each in last.results for block in _blocks_of(each.content)] if isinstance(last, ToolResults) else []
    )
    best = _closest(words, read) or next(iter(read), None) or _closest(words, _blocks(request))
    return _quoted(request, asked, best) if best is not None else None


def _closest(words: frozenset[str], blocks: Sequence[_Block]) -> _Block | None:
    """The section closest to the question, the first of several; None where none shares a word with it."""
    sharing = [block for block in blocks if words & block.words]
    return max(sharing, key=lambda block: _closeness(words, block), default=None)


def _quoted(request: ModelRequest, asked: Asked, block: _Block) -> ModelReply:
    return _told(request, asked, asked.said(SAYS).format(block.title, _opening(block.text), block.handle))


def _telling(text: str) -> list[str]:
    """The words that carry meaning, folded, in their order."""
    return [word for word in folded_words(text) if len(word) > 1 and word not in _STOP_WORDS]


def _words(text: str) -> frozenset[str]:
    """The words that carry meaning, without a plural's s."""
    return frozenset(word.rstrip("s") or word for word in _telling(text))


def _query(question: str) -> str:
    """The question's telling words, each once, as many as a search takes."""
    return " ".join(dict.fromkeys(_telling(question)))[:QUERY_CHARACTERS].strip()


GREETINGS = _words("hello hi thanks bonjour merci salut kumusta salamat")


def _closest_page(prefix: str, words: frozenset[str]) -> str | None:
    """The page whose title and headings share most words with the question; the first of several."""
    scores: dict[str, float] = {}
    page = None
    index = _INDEX.search(prefix)
    for line in index[1].split("\n") if index else ():
        if found := _INDEX_PAGE.match(line):
            page = found[1]
            scores.setdefault(page, 0)
            scores[page] += 1.5 * len(words & _words(found[2]))
        elif page is not None and (section := _INDEX_SECTION.match(line)):
            shared = len(words & _words(section[2]))
            scores[page] += shared * shared / 4
    best = max(scores, key=lambda path: scores[path], default=None)
    return best if best is not None and scores[best] > 0 else None


def _results_of(request: ModelRequest, tools: frozenset[str]) -> list[tuple[str, ToolResult]]:
    """What the last calls of these tools brought, each with the tool's name; nothing where there were none."""
    results, turn = request.messages[-1], request.messages[-2] if len(request.messages) > 1 else None
    if not isinstance(results, ToolResults) or not isinstance(turn, AssistantTurn):
        return []
    names = {call.id: call.name for call in turn.calls}
    return [(name, result) for result in results.results if (name := names.get(result.call_id)) in tools]


def _blocks(request: ModelRequest) -> list[_Block]:
    """Every section this question was given: on the screen, and in the results of its calls."""
    results = [r.content for m in request.messages if isinstance(m, ToolResults) for r in m.results]
    return [block for text in (request.screen, *results) for block in _blocks_of(text)]


def _blocks_of(text: str) -> list[_Block]:
    """The sections of a text; none has no end either."""
    heads = list(_BLOCK.finditer(text))
    ends = [head.start() for head in heads[1:]] + [len(text)]
    return [_Block(head[1], head[4], text[head.end() : end].strip()) for head, end in zip(heads, ends, strict=False)]


def _closeness(words: frozenset[str], block: _Block) -> float:
    return 3 * len(words & _words(block.title)) + len(words & block.words)


def _opening(text: str) -> str:
    """The first paragraph that is prose or a list, on one line; a picture is none."""
    paragraph = next((part for part in _PICTURE.sub("", text).split("\n\n") if part.strip()), text)
    return " ".join(re.sub(r"[*_#>|`]|^\s*(?:[-+]|\d+\.)\s+", "", paragraph, flags=re.MULTILINE).split())


def _usage(request: ModelRequest, said: str) -> Usage:
    size = len(request.prefix) + len(request.screen) + sum(len(repr(message)) for message in request.messages)
    return Usage(size // BYTES_PER_TOKEN, 0, 0, len(said) // BYTES_PER_TOKEN + 1)


def _told(request: ModelRequest, asked: Asked, text: str) -> ModelReply:
    """An answer: that a stub gives it comes first, in the language of the question."""
    return _said(request, f"{asked.said(STUB)} {text}")


def _said(request: ModelRequest, text: str) -> ModelReply:
    return ModelReply(Stop.END, text, (), ({"type": "text", "text": text},), _usage(request, text))


def _completed(request: ModelRequest, text: str) -> ModelReply:
    """The text whole, however few tokens the request has for it; it never counts more than those."""
    reply = _said(request, text)
    assert reply.usage is not None
    usage = replace(reply.usage, output_tokens=min(reply.usage.output_tokens, request.max_tokens))
    return replace(reply, usage=usage)


def _called(request: ModelRequest, name: str, arguments: Mapping[str, Any]) -> ModelReply:
    call = ToolCall(f"stub_{len(request.messages)}", name, dict(arguments))
    native = ({"type": "tool_use", "id": call.id, "name": name, "input": dict(arguments)},)
    return ModelReply(Stop.TOOLS, "", (call,), native, _usage(request, name))
