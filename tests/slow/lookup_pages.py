"""What a person reads of an answer, taken out of its HTML, with the names, figures and moments that stand in it."""

import datetime as dt
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from decimal import ROUND_HALF_UP, Decimal
from functools import lru_cache
from html.parser import HTMLParser

from assist_service.domain.text import visible
from tests.slow.lookup_expected import Share

_NUMBER = r"(?<![\w.,])\d[\d.,]*(?<=\d)(?:\s?%)?(?!\w)"

_MONTHS = {
    "en": "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec",
    "fr": "janv. févr. mars avr. mai juin juil. août sept. oct. nov. déc.",
    "fil": "Ene Peb Mar Abr May Hun Hul Ago Set Okt Nob Dis",
}

_MONTH_FIRST = (
    r"(?P<month>[A-Z]\w\w) (?P<day>\d{1,2}), (?P<year>\d{4}), (?P<hour>\d{1,2}):(?P<minute>\d\d) (?P<half>[AP]M)"
)

_MOMENTS = {
    "en": _MONTH_FIRST,
    "fil": _MONTH_FIRST,
    "fr": r"(?P<day>\d{1,2}) (?P<month>[a-zéû]+\.?) (?P<year>\d{4}), (?P<hour>\d\d):(?P<minute>\d\d)",
}


@dataclass(frozen=True)
class Shown:
    """A number as it is shown."""

    number: Decimal
    is_percent: bool = False


Read = str | Shown | dt.datetime
"""What stands in a text: a name, a figure, or a moment on the school's clock, without a zone."""


@dataclass
class Page(HTMLParser):
    """The tables of an HTML text by rows, their heads apart, and the lines around them."""

    heads: list[list[str]] = field(default_factory=list)
    rows: list[list[str]] = field(default_factory=list)
    head: str = ""
    """What is in bold above all else."""
    text: str = ""
    _in_head: bool = False
    _cell: str | None = None

    def __post_init__(self) -> None:
        super().__init__(convert_charrefs=True)

    @property
    def lines(self) -> list[str]:
        return [read for each in self.text.splitlines() if (read := line(each))]

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag == "thead":
            self.heads.append([])
        elif tag == "tr":
            self.rows.append([])
        elif tag in {"td", "th"}:
            self._cell = ""
        elif tag == "strong" and not self.text.strip():
            self._in_head = True
        elif tag in {"p", "li", "br", "h2", "h3", "h4"}:
            self.text += "\n"

    def handle_endtag(self, tag: str) -> None:
        if tag in {"td", "th"} and self._cell is not None:
            (self.rows if tag == "td" else self.heads)[-1].append(line(self._cell))
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


@lru_cache(50_000)
def line(text: str) -> str:
    """As it is read on one line."""
    return " ".join(visible(re.sub(r"(?<=\d)[\u202f\u00a0](?=\d)", "", text)).split())


def parted(text: str, names: Iterable[str], language: str) -> tuple[str, list[Read]]:
    """The words of a text with marks for what stands in it, … a name, # a figure, @ a moment; and what does stand
    there, in order."""
    called = sorted({line(each) for each in names} - {""}, key=len, reverse=True)
    some = [rf"(?P<name>(?<!\w)(?:{'|'.join(map(re.escape, called))})(?!\w))"] if called else []
    pattern = "|".join((*some, f"(?P<moment>{_MOMENTS[language]})", f"(?P<number>{_NUMBER})"))
    found: list[Read] = []

    def mark(match: re.Match[str]) -> str:
        groups = match.groupdict()
        if groups.get("name") is not None:
            found.append(groups["name"])
            return "…"
        if groups["moment"] is not None:
            found.append(_moment(groups, language))
            return "@"
        found.append(_shown(match[0], language))
        return "#"

    return re.sub(pattern, mark, line(text)), found


def _moment(groups: dict[str, str], language: str) -> dt.datetime:
    month = 1 + _MONTHS[language].split().index(groups["month"])
    hour = int(groups["hour"])
    if half := groups.get("half"):
        assert 1 <= hour <= 12, groups
        hour = hour % 12 + (12 if half == "PM" else 0)
    return dt.datetime(int(groups["year"]), month, int(groups["day"]), hour, int(groups["minute"]))  # noqa: DTZ001 as on a clock


def _shown(written: str, language: str) -> Shown:
    bare = re.sub(r"[\s%]", "", written)
    bare = bare.replace(".", "").replace(",", ".") if language == "fr" else bare.replace(",", "")
    return Shown(Decimal(bare), "%" in written)


def is_read(value: str | Share | float | dt.datetime, read: Read) -> bool:
    """Whether this is what is read of the value: a number at two decimals at most, a share at one of its percents."""
    match value:
        case str():
            return read == line(value)
        case dt.datetime():
            return read == value
        case Share(of_one):
            percent = Decimal(repr(of_one)).quantize(Decimal("0.001"), ROUND_HALF_UP) * 100
            return read == Shown(percent, is_percent=True)
        case _:
            return read == Shown(Decimal(repr(value)).quantize(Decimal("0.01"), ROUND_HALF_UP))
