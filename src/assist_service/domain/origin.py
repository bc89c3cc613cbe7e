"""The LMS's own origin, and which addresses stay on it; whatever is unusual does not.

The rule is an allow-list over the address as a browser will read it. An address that two readers could take for
two things (a backslash, an encoded slash, an entity, a look-alike) is refused instead of repaired.
"""

import re
import unicodedata
from dataclasses import dataclass
from typing import Self
from urllib.parse import quote, unquote

from assist_service.domain.text import visible

DEFAULT_PORTS = {"http": 80, "https": 443}

_ABSOLUTE = re.compile(
    r"(?P<scheme>https?)://(?P<host>[a-z0-9.-]+|\[[0-9a-f:.]+\])(?::(?P<port>[0-9]{1,5}))?(?P<rest>[/?#].*)?",
    re.IGNORECASE | re.ASCII,
)
"""No user info, no empty port, no third slash, no percent sign before the path."""

_AMBIGUOUS = re.compile(r"[\s\\\x00-\x20\x7f-\x9f]|&#?\w+;")
"""White space, controls and backslashes, which browsers drop or turn; character references, which a second
parser would decode."""

_KEPT_IN_URLS = "/?#:@!$&+,;=-._~%"
"""What `quote` leaves alone: no bracket, quote, backtick or pipe, which end a destination or a table cell."""

_SEPARATORS = frozenset("/\\.:@%?#")
_MOST_DECODINGS = 3


@dataclass(frozen=True, slots=True)
class Origin:
    """One scheme, host and port, compared exactly."""

    scheme: str
    host: str
    port: int
    without: str = ""
    """A word, in lower case, that no address may hold: a tag of names, which would be put back into it."""

    @classmethod
    def parse(cls, origin: str) -> Self:
        """The origin as settings write it, `https://lms.example` or with a port; else a ValueError."""
        match = _ABSOLUTE.fullmatch(origin.removesuffix("/"))
        if match is None or match["rest"]:
            raise ValueError("not an origin (scheme://host or scheme://host:port)")
        return cls(*_origin_of(match))

    def __str__(self) -> str:
        port = "" if self.port == DEFAULT_PORTS[self.scheme] else f":{self.port}"
        return f"{self.scheme}://{self.host}{port}"

    def resolve(self, href: str) -> str | None:
        """The address normalised, absolute where it was absolute, or None where it may leave this origin."""
        if _AMBIGUOUS.search(href) or visible(href) != href:
            return None
        if self.without and self.without in _decoded(href).casefold():
            return None
        if href.startswith("/"):
            return quote(href, safe=_KEPT_IN_URLS) if _is_plain_path(href) else None
        match = _ABSOLUTE.fullmatch(href)
        if match is None or _origin_of(match) != (self.scheme, self.host, self.port):
            return None
        rest = match["rest"] or "/"
        path = rest if rest.startswith("/") else f"/{rest}"
        return f"{self}{quote(path, safe=_KEPT_IN_URLS)}" if _is_plain_path(path) else None


def _origin_of(match: re.Match[str]) -> tuple[str, str, int]:
    scheme = match["scheme"].lower()
    return scheme, match["host"].lower(), int(match["port"] or DEFAULT_PORTS[scheme])


def _hides_separators(text: str) -> bool:
    """Whether a character outside ASCII turns into a separator under NFKC, as a fullwidth slash does."""
    return any(not c.isascii() and _SEPARATORS & set(unicodedata.normalize("NFKC", c)) for c in text)


def _decoded(href: str) -> str:
    for _ in range(_MOST_DECODINGS):
        href = unquote(href)
    return href


def _is_plain_path(href: str) -> bool:
    """Whether the path reads the same however often it is decoded: no hidden slash, no empty or dot segment."""
    path = re.split(r"[?#]", href, maxsplit=1)[0]
    decoded = _decoded(path)
    return (
        unquote(decoded) == decoded
        and decoded.count("/") == path.count("/")
        and "//" not in path
        and not {".", ".."} & set(decoded.split("/"))
        and not re.search(r"[\\\x00-\x1f\x7f-\x9f]", decoded)
        and not _hides_separators(decoded)
    )
