"""A citation marker stands in a text because a resolver gave its number, never because the model wrote it.

Works on the inline tokens of one paragraph, after links and images are settled. A handle is found whatever
emphasis stands between its characters (`[**s1**]`), and a marker that only comes about when another one is taken
out (`[[12]1]`) is found too.
"""

import re
from collections.abc import Callable

from markdown_it.token import Token

OPEN, CLOSE = "\ufdd0", "\ufdd1"
"""Enclose a marker's number inside text tokens. Noncharacters: `visible` took them out of every input."""

MARKER = re.compile(f"{OPEN}([0-9]+){CLOSE}")

BREAKS = frozenset({"softbreak", "hardbreak"})
_TRANSPARENT = frozenset({"em", "strong", "s", "link"})
_OPAQUE = "\ufffc"  # stands for code, which is never part of a handle

Resolve = Callable[[str], list[int] | None]
"""Bracketed text to the numbers that replace it (none: it is dropped), or None where it is no citation."""

_ITEM = r"\^?[sS]?\d+"
_LIST = re.compile(rf"\s*{_ITEM}(?:[\s,;]+{_ITEM})*[\s,;]*")
_LONGEST_LIST = 200
_LOOK_BACK = 16  # pieces searched for the same marker; bounds the work for a text of nothing but markers


def citation_items(inner: str) -> list[str] | None:
    """The handles and numbers between two brackets, lower case, or None where something else stands there."""
    if len(inner) > _LONGEST_LIST or not _LIST.fullmatch(inner):
        return None
    return [item.removeprefix("^").lower() for item in re.split(r"[\s,;]+", inner) if item]


class _Text:
    """The paragraph as pieces, each with the token that holds it; brackets are resolved as they close."""

    def __init__(self, resolve: Resolve) -> None:
        self.resolve = resolve
        self.pieces: list[tuple[str, int]] = []
        self.brackets: list[int] = []

    def add(self, character: str, owner: int) -> None:
        if character == "[":
            self.brackets.append(len(self.pieces))
        elif character == "]" and self.brackets:
            start = self.brackets.pop()
            numbers = self._resolved(start)
            if numbers is not None:
                owner = self.pieces[start][1]
                del self.pieces[start:]
                self._mark(numbers, owner)
                return
        self.pieces.append((character, owner))

    def _resolved(self, start: int) -> list[int] | None:
        if len(self.pieces) - start > _LONGEST_LIST:
            return None
        return self.resolve("".join(piece for piece, _ in self.pieces[start + 1 :]))

    def _mark(self, numbers: list[int], owner: int) -> None:
        near = self._markers_before()
        new = [f"{OPEN}{number}{CLOSE}" for number in dict.fromkeys(numbers)]
        new = [marker for marker in new if marker not in near]
        if not new:
            while self.pieces and self.pieces[-1][0].isspace():
                self.pieces.pop()
        self.pieces.extend((marker, owner) for marker in new)

    def _markers_before(self) -> set[str]:
        """The markers that only white space parts from what comes next."""
        near = set()
        for piece, _ in reversed(self.pieces[-_LOOK_BACK:]):
            if piece.startswith(OPEN):
                near.add(piece)
            elif not piece.isspace():
                break
        return near


def place_markers(tokens: list[Token], resolve: Resolve) -> list[Token]:
    """The tokens with each citation replaced by markers or dropped, with the white space before it."""
    if not any("[" in token.content for token in tokens):
        return tokens
    text = _Text(resolve)
    for owner, token in enumerate(tokens):
        for character in _characters(token):
            text.add(character, owner)
    held: dict[int, list[str]] = {}
    for piece, owner in text.pieces:
        held.setdefault(owner, []).append(piece)
    kept = []
    for owner, token in enumerate(tokens):
        if token.type == "text":
            token.content = "".join(held.get(owner, ()))
        if token.type not in BREAKS or owner in held:
            kept.append(token)
    return kept


def _characters(token: Token) -> str:
    if token.type == "text":
        return token.content
    if token.type in BREAKS:
        return "\n"
    return "" if token.type.rpartition("_")[0] in _TRANSPARENT else _OPAQUE
