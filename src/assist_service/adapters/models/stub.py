"""A deterministic stand-in for a model: no key, no network, the same loop and tools as the real ones.

It reads the page of the index that shares most words with the question, or what a search finds where the index shows
none, and answers with the words it read. It says that it is a stub. Production refuses it.
"""

import re
import unicodedata
from dataclasses import dataclass

from assist_service.domain.messages import (
    AssistantTurn,
    ModelReply,
    ModelRequest,
    Stop,
    ToolCall,
    ToolResults,
    Usage,
    UserText,
)
from assist_service.domain.search import QUERY_CHARACTERS

NAME = "stub"

BYTES_PER_TOKEN = 4
"""Roughly what English text has; the stub counts its tokens by it."""

_INDEX = re.compile(r"^Index of the manual.*\n((?:.+\n)*)", re.MULTILINE)
_INDEX_PAGE = re.compile(r"^- (.+?) \| (.+)$")
_INDEX_SECTION = re.compile(r"^  - (\S+) \| (.+)$")
_FOUND = re.compile(r"^- (.+?) \| (\S+) \| (.+)$", re.MULTILINE)
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
        question = next(m.text for m in reversed(request.messages) if isinstance(m, UserText))
        words = _words(question)
        if isinstance(request.messages[-1], UserText) and request.may_call:
            return _first(request, question)
        found = _found(request)
        if found is not None and request.may_call:
            return _opened(request, words, found)
        return _answered(request, words) or _said(request, "I am a stub and found no section about that.")

    async def close(self) -> None:
        """Holds nothing open."""


def _first(request: ModelRequest, question: str) -> ModelReply:
    """The first reply: a courtesy, a page to read, what the screen's help says, a search, or a refusal."""
    words = _words(question)
    if words and words <= GREETINGS:
        return _called(request, "ask_back", {"text": "Hello, I am a stub. What would you like to know?"})
    page = _closest_page(request.prefix, words)
    if page is not None:
        return _called(request, "read_guide", {"page": page})
    answer = _answered(request, words)
    if answer is not None:
        return answer
    if words and any(tool.name == "search_guide" for tool in request.tools):
        return _called(request, "search_guide", {"query": _query(question)})
    return _called(request, "decline", {})


def _opened(request: ModelRequest, words: frozenset[str], found: str) -> ModelReply:
    """The reply to a search: the section to read that shares most words with the question, the first of several."""
    best = max(_FOUND.finditer(found), key=lambda line: len(words & _words(line[3])), default=None)
    if best is None or not words & _words(best[3]):
        return _called(request, "decline", {})
    return _called(request, "read_guide", {"page": best[1], "section": best[2]})


def _answered(request: ModelRequest, words: frozenset[str]) -> ModelReply | None:
    """The words of the section closest to the question; None where no section shares a word with it."""
    blocks = [block for block in _blocks(request) if words & block.words]
    if not blocks:
        return None
    best = max(blocks, key=lambda block: _closeness(words, block))
    return _said(request, f"I am a stub, not a model. “{best.title}” says: {_opening(best.text)} [{best.handle}]")


def _telling(text: str) -> list[str]:
    """The words that carry meaning, folded, in their order."""
    folded = unicodedata.normalize("NFKD", text.casefold())
    plain = "".join(character for character in folded if not unicodedata.combining(character))
    return [word for word in re.findall(r"[a-z]{2,}", plain) if word not in _STOP_WORDS]


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


def _found(request: ModelRequest) -> str | None:
    """What a search just found; None where the last calls were others."""
    results, turn = request.messages[-1], request.messages[-2] if len(request.messages) > 1 else None
    if not isinstance(results, ToolResults) or not isinstance(turn, AssistantTurn):
        return None
    names = {call.id: call.name for call in turn.calls}
    texts = [result.content for result in results.results if names.get(result.call_id) == "search_guide"]
    return "\n".join(texts) if texts else None


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
    """The first paragraph that is prose or a list, on one line."""
    paragraph = next((part for part in text.split("\n\n") if part.strip()), text)
    return " ".join(re.sub(r"[*_#>|`]|^\s*(?:[-+]|\d+\.)\s+", "", paragraph, flags=re.MULTILINE).split())


def _usage(request: ModelRequest, said: str) -> Usage:
    size = len(request.prefix) + len(request.screen) + sum(len(repr(message)) for message in request.messages)
    return Usage(size // BYTES_PER_TOKEN, 0, 0, len(said) // BYTES_PER_TOKEN + 1)


def _said(request: ModelRequest, text: str) -> ModelReply:
    return ModelReply(Stop.END, text, (), ({"type": "text", "text": text},), _usage(request, text))


def _called(request: ModelRequest, name: str, arguments: dict[str, str]) -> ModelReply:
    call = ToolCall(f"stub_{len(request.messages)}", name, dict(arguments))
    native = ({"type": "tool_use", "id": call.id, "name": name, "input": dict(arguments)},)
    return ModelReply(Stop.TOOLS, "", (call,), native, _usage(request, name))
