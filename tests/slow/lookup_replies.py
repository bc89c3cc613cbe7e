"""What a person reads of an answer, taken out of its HTML, held against what they must read."""

import datetime as dt
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any

from assist_service.domain.text import visible
from tests.slow.lookup_expected import Cell, Choice, Expected, Found, Handle, Share, Word

_NUMBER = re.compile(r"(?<![\w.,])\d[\d.,\u202f\u00a0]*(?<=\d)(\s?%)?(?!\w)")

Shown = tuple[float, int, bool]
"""A number as it is shown: its value, its decimals, and whether it is a percentage."""


MOST: Shown = (200, 0, False)
"""How many rows may be asked for: said where some are left out."""


CLOSEST = {
    "en": "No name is exactly as it was written: this is what comes closest.",
    "fr": "Aucun nom n'est exactement comme tu l'as écrit : voici ce qui s'en approche le plus.",
    "fil": "Walang pangalang eksaktong tulad ng isinulat mo: ito na ang pinakamalapit.",
}
"""Said under what is called otherwise."""


@dataclass
class Page(HTMLParser):
    """The rows of the tables of an HTML text, their heads left out, and the text around them."""

    rows: list[list[str]] = field(default_factory=list)
    tables: int = 0
    head: str = ""
    """What is in bold above all else."""
    text: str = ""
    _in_head: bool = False
    _cell: str | None = None

    def __post_init__(self) -> None:
        super().__init__(convert_charrefs=True)

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag == "table":
            self.tables += 1
        elif tag == "tr":
            self.rows.append([])
        elif tag in {"td", "th"}:
            self._cell = ""
            self._is_head = tag == "th"
        elif tag == "strong" and not self.text.strip():
            self._in_head = True
        elif tag in {"p", "li", "br", "h2", "h3", "h4"}:
            self.text += "\n"

    def handle_endtag(self, tag: str) -> None:
        if tag in {"td", "th"} and self._cell is not None:
            if not self._is_head:
                self.rows[-1].append(line(self._cell))
            self._cell = None
        elif tag == "tr" and not self.rows[-1]:
            self.rows.pop()
        elif tag == "strong":
            self._in_head = False

    def handle_data(self, data: str) -> None:
        if self._cell is not None:
            self._cell += data
        elif self._in_head:
            self.head += data
        else:
            self.text += data


def page(html: str) -> Page:
    read = Page()
    read.feed(html)
    read.close()
    return read


def line(text: str) -> str:
    """As it is read on one line."""
    return " ".join(visible(text).split())


def numbers_in(text: str, language: str) -> list[Shown]:
    return [_shown(match[0], language) for match in _NUMBER.finditer(text)]


def _shown(written: str, language: str) -> Shown:
    bare = re.sub(r"[\s%\u202f\u00a0]", "", written)
    bare = bare.replace(".", "").replace(",", ".") if language == "fr" else bare.replace(",", "")
    decimals = len(bare.partition(".")[2])
    return float(bare), decimals, "%" in written


def is_shown(value: float | int | Share, shown: Shown) -> bool:
    """Whether this number is what is shown of the value: the value rounded to the decimals that are shown."""
    number, decimals, is_percent = shown
    if isinstance(value, Share) != is_percent:
        return False
    exact = value.of_one * 100 if isinstance(value, Share) else value
    if isinstance(exact, int):
        return decimals == 0 and number == exact
    is_whole = abs(exact - round(exact)) <= (0.05 if is_percent else 0.005)  # as it is once it is rounded
    least = 0 if is_whole else 1
    return decimals >= least and abs(number - exact) <= 0.5 * 10**-decimals + 1e-9


@dataclass
class Comparing:
    """Holds answers against what was expected; what each closed word is in a language is learned from the first."""

    words: dict[str, dict[str, set[str]]] = field(default_factory=lambda: defaultdict(lambda: defaultdict(set)))
    """By language and key."""

    def compare(
        self, reply: Mapping[str, Any], expected: Expected, *, about: str, known: Iterable[str]
    ) -> list[Handle]:
        """The handles that the answer's references stand for. `about` is the lookup and its operation,
        `known` are titles and names whose numbers are none of the answer's."""
        read, language = page(reply["html"]), reply["language"]
        is_closest = isinstance(expected, Found) and expected.is_closest
        _same(CLOSEST[language] in line(read.text), is_closest)
        read.text = line(read.text).replace(CLOSEST[language], "") if is_closest else read.text
        assert reply["receipt"]["sent"] == [{"tool": about.split()[0], "disclosure": "sealed"}], reply["receipt"]
        names = expected.names if isinstance(expected, Found) else ()
        told = numbers_in(_without(read.text, [*known, *names]), language)
        if isinstance(expected, Choice):
            assert reply["kind"] == "choice", "a choice"
            _same([line(each["label"]) for each in reply["choices"]], [line(each.label) for each in expected.options])
            _same(read.rows, [])
            if expected.more:
                _take(told, expected.more)
            labels = [each.label for each in expected.options]
            question = read.text.replace("\n", " ")
            _same([label for label in labels if line(label) not in line(question)], [])
            self._learn(
                language, f"choice {expected.kind} {bool(expected.more)}", _without(question, labels).rstrip("… "), ()
            )
            return []
        _same((reply["kind"], reply["choices"]), ("live", []))
        self._rows(read, expected, language)
        for number in (*expected.numbers, *((expected.more,) if expected.more else ())):
            if number != 0 or (0.0, 0, False) in told:  # that there is none may be said in words
                _take(told, number)
        _same(told, [MOST] * (len(told) if expected.more else 0))
        for name in expected.names:
            assert line(name) in line(read.head + read.text), name
        if expected.say:
            plurals = [min(number, 2) for number in (*expected.numbers, expected.more) if isinstance(number, int)]
            self._learn(language, f"{about} {expected.say} {plurals}", read.text, [*known, *expected.names])
        return _handles(reply["references"], expected)

    def _rows(self, read: Page, expected: Found, language: str) -> None:
        assert (read.tables > 0) == bool(expected.rows), "a table where there are rows, and nowhere else"
        wanted = expected.rows or ()
        _same(len(read.rows), len(wanted))
        for row, cells in zip(read.rows, wanted, strict=True):
            for text, cell in zip(row, cells, strict=True):
                self._cell(text, cell, language)

    def _cell(self, text: str, cell: Cell, language: str) -> None:
        match cell:
            case str():
                _same(text, line(cell))
            case Word(key):
                self._learn(language, key, text, ())
            case dt.datetime():
                shown = [int(number) for number, _, _ in numbers_in(text.replace(":", " "), language)]
                assert {cell.day, cell.minute} <= set(shown), (text, cell)
            case None:
                raise AssertionError("no cell is empty")
            case _:
                [shown_number] = numbers_in(text, language)
                assert is_shown(cell, shown_number), (text, cell)

    def _learn(self, language: str, key: str, text: str, known: Iterable[str]) -> None:
        """One key is worded in one way, in each language."""
        worded = re.sub(r"\d+", "#", _without(text, known))
        self.words[language][key].add(line(worded))
        assert len(self.words[language][key]) == 1, (key, self.words[language][key])


def _same(read: object, wanted: object) -> None:
    assert read == wanted, f"{read} is not {wanted}"


def _without(text: str, known: Iterable[str]) -> str:
    left = line(text)
    for title in sorted({line(each) for each in known}, key=len, reverse=True):
        left = left.replace(title, "…")
    return left


def _take(told: list[Shown], number: float | int | Share) -> None:
    """Takes one such number away: each that is expected is told by one of its own."""
    at = next((place for place, shown in enumerate(told) if is_shown(number, shown)), None)
    assert at is not None, (number, told)
    del told[at]


def _handles(references: Sequence[Mapping[str, str]], expected: Found) -> list[Handle]:
    """What it is about stands first, then the rows."""
    _same([line(each["label"]) for each in references], [line(each.label) for each in expected.handles])
    return list(expected.handles)
