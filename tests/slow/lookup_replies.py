"""An answer, sentence by sentence and cell by cell, held against what it must say."""

import datetime as dt
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from tests.slow.lookup_english import COLUMNS, english
from tests.slow.lookup_expected import Ask, Cell, Choice, Expected, Found, Word
from tests.slow.lookup_pages import Page, Read, is_read, line, page, parted
from tests.slow.lookup_sentences import Told, counted, told

_SENTENCE_ENDS = re.compile(r"(?<=[.?!]) ")

TITLES = 3
"""Classes that a heading names."""


class Noted(NamedTuple):
    """What was read for a key, by the number of the lookup."""

    number: int
    language: str
    space: str
    """Sentence, heading, column or word."""
    key: str
    plural: str
    words: str


def unlike(noted: Iterable[Noted]) -> dict[int, str]:
    """The lookups in which a key is worded otherwise than in the first that has it, or like another key."""
    worded: dict[tuple[str, ...], str] = {}
    meant: dict[tuple[str, ...], str] = {}
    wrong = {}
    for number, language, space, key, plural, words in sorted(noted):
        first = worded.setdefault((language, space, key, plural), words)
        other = meant.setdefault((language, space, words), key)
        if (first, other) != (words, key):
            wrong[number] = f"lookup {number}, {language}: {words} for {key}, first: {first}, and for {other}"
    return wrong


@dataclass
class Comparing:
    """Holds one person's answers against what was expected. English must read as it is written down here; what the
    other languages say for each sentence is noted, to be held against all that they say for it (`unlike`)."""

    zone: dt.tzinfo
    number: int = 0
    """Of the lookup at hand."""
    noted: list["Noted"] = field(default_factory=list)

    def compare(
        self, reply: Mapping[str, Any], expected: Expected, ask: Ask, *, between: tuple[dt.datetime, dt.datetime]
    ) -> None:
        """Raises AssertionError for anything that is read otherwise. It was answered `between` these moments."""
        read, language = page(reply["html"]), reply["language"]
        sent = [{"tool": ask.query.lookup, "disclosure": "sealed"}]
        _same(reply["receipt"]["sent"], sent)
        if isinstance(expected, Choice):
            self._choice(reply, read, expected, language)
            return
        _same((reply["kind"], reply["choices"]), ("live", []))
        about = f"{ask.query.lookup} {ask.query.operation}"
        self._heading(read.head, expected, about, language, between)
        self._table(read, expected, ask.query.lookup, language)
        self._sentences(" ".join(read.lines), told(about, ask.query.limit, expected), language)
        shown = [(each["kind"], line(each["label"])) for each in reply["references"]]
        _same(shown, [(each.kind, line(each.label)) for each in expected.handles])

    def _choice(self, reply: Mapping[str, Any], read: Page, expected: Choice, language: str) -> None:
        _same((reply["kind"], reply["references"], read.head, read.rows), ("choice", [], "", []))
        labels = [line(each.label) for each in expected.options]
        _same([line(each["label"]) for each in reply["choices"]], labels)
        which, *listed = read.lines
        _same(listed[: len(labels)], labels)
        more = [counted("more options", expected.more)] if expected.more else []
        text = " ".join((which, *listed[len(labels) :]))
        self._sentences(text, [Told(f"which {expected.kind}"), *more], language)

    def _sentences(self, text: str, wanted: Sequence[Told], language: str) -> None:
        names = [value for each in wanted for value in each.values if isinstance(value, str)]
        words, found = parted(text, names, language)
        pieces = _SENTENCE_ENDS.split(words) if words else []
        for each in wanted:
            written = english(each.key, each.count)
            long = len(_SENTENCE_ENDS.split(written))
            sentence, pieces = " ".join(pieces[:long]), pieces[long:]
            plural = None if each.count is None else min(each.count, 2)
            self._worded(language, "sentence", each.key, plural, sentence, written)
            marks = len(re.findall("[…#@]", sentence))
            _same_values(found[:marks], each.values)
            found = found[marks:]
        _same((pieces, found), ([], []))

    def _heading(
        self, text: str, found: Found, about: str, language: str, between: tuple[dt.datetime, dt.datetime]
    ) -> None:
        """What was looked up, of whom, in which classes, and as of when."""
        titles, more = found.classes[:TITLES], len(found.classes[TITLES:])
        words, values = parted(text, [*found.about, *titles], language)
        about = about if found.topic is None else f"topic {found.topic}"
        parts = [english(f"heading {about}", None)]
        if found.about:
            parts = [f"{parts[0]}: {'; '.join('…' for _ in found.about)}"]
        if titles:
            named = "; ".join((*("…" for _ in titles), *(["# more"] if more else [])))
            parts.append(f"class{'es' if len(found.classes) > 1 else ''}: {named}")
        written = " · ".join((*parts, "as of @"))
        shape = (len(found.about), len(titles), min(more, 2))
        self._worded(language, "heading", about, shape, words, written)
        *named_values, at = values
        _same_values(named_values, (*found.about, *titles, *((more,) if more else ())))
        first, last = (each.astimezone(self.zone).replace(second=0, microsecond=0, tzinfo=None) for each in between)
        assert isinstance(at, dt.datetime), at
        assert first <= at <= last, (at, first, last)

    def _table(self, read: Page, expected: Found, lookup: str, language: str) -> None:
        wanted = expected.rows or ()
        _same((len(read.heads), len(read.rows)), (1 if wanted else 0, len(wanted)))
        if wanted:
            keys = [each for each in COLUMNS[lookup] if each != "class" or len(wanted[0]) == len(COLUMNS[lookup])]
            for text, key in zip(read.heads[0], keys, strict=True):
                self._worded(language, "column", key, None, text, english(f"column {key}", None))
        for row, cells in zip(read.rows, wanted, strict=True):
            for text, cell in zip(row, cells, strict=True):
                self._cell(text, cell, language)

    def _cell(self, text: str, cell: Cell, language: str) -> None:
        match cell:
            case str():
                _same(text, line(cell))
            case Word(key):
                self._worded(language, "word", key, None, text, english(f"word {key}", None))
            case None:
                raise AssertionError("no cell is empty")
            case dt.datetime():
                words, values = parted(text, (), language)
                _same(words, "@")
                _same_values(values, (cell.astimezone(self.zone).replace(second=0, microsecond=0, tzinfo=None),))
            case _:
                words, values = parted(text, (), language)
                _same(words, "#")
                _same_values(values, (cell,))

    def _worded(self, language: str, space: str, key: str, plural: object, words: str, written: str) -> None:
        if language == "en":
            _same(words, written)
        _same(sorted(re.findall("[…#@]", words)), sorted(re.findall("[…#@]", written)))
        self.noted.append(Noted(self.number, language, space, key, str(plural), words))


def _same(read: object, wanted: object) -> None:
    assert read == wanted, f"{read} is not {wanted}"


def _same_values(read: Sequence[Read], wanted: Sequence[Any]) -> None:
    """The names and figures of a text, in the order in which they stand there: all languages have the same one."""
    is_same = len(read) == len(wanted) and all(is_read(value, each) for value, each in zip(wanted, read, strict=True))
    assert is_same, f"{read} is not {wanted}"
