"""`/assist/panel/…`: the panel's modules and styles, for whoever's page embeds it; they hold nothing about anybody.

They are served as they are written, but for their comments, which are half of their size, and their indentation. Both
are left out line for line, so that a line has the same number in a browser as in the source.
"""

import gzip
import re
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from pathlib import Path

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from assist_service.domain.errors import ConfigurationError

PATH = "/assist/panel"

KINDS = {".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8"}
"""What is handed out, by its ending; whatever else lies there is not."""

HEADERS = {
    # Asked for anew each time and answered with 304: modules of two releases never meet in one page.
    "Cache-Control": "no-cache",
    # A page of another origin may load them; what they can do there, its own policy says.
    "Cross-Origin-Resource-Policy": "cross-origin",
    "Vary": "Accept-Encoding",
}

METHODS = frozenset({"GET", "HEAD"})

FILES_KEPT = 256
"""Of files made ready; there are fewer, and each is made anew only when it was written to."""

_COMMENT_LINES = re.compile(r"^[ \t]*(?://[^\n]*|/\*(?:[^*]|\*(?!/))*\*/)[ \t]*$", re.MULTILINE)
"""Comments that have their lines to themselves."""

_TYPES_BESIDE_CODE = re.compile(r"/\*\* @[^*\n]*\*/ ?")
"""What tells a type within a line of code. Any other comment there stays."""

_INDENTATION = re.compile(r"^[ \t]+", re.MULTILINE)
"""No text of JavaScript and no string of a style spans lines here, so that none is changed by this."""

_ACCEPTED = re.compile(r"([\w*-]+)[ \t]*(?:;[ \t]*q=[ \t]*(\d(?:\.\d{0,3})?))?", re.IGNORECASE)
"""A coding of an Accept-Encoding with its weight."""

ENTRANCE = "assist-panel.js"


@dataclass(frozen=True)
class _Route:
    """What a request is counted and logged under."""

    path: str


_ROUTE = _Route(PATH)


@dataclass(frozen=True)
class Ready:
    """A file as it is sent, plain and compressed; `digest` changes with its content."""

    plain: bytes
    compressed: bytes
    digest: str


class PanelFiles:
    """ASGI application: the files of one folder, read only. 404 for what is none of them, 405 for another method."""

    def __init__(self, folder: Path) -> None:
        """Raises ConfigurationError where the panel is not in that folder."""
        # A closed list, made at start: no address is ever put together from a request.
        found = (path for path in folder.rglob("*") if path.suffix in KINDS)
        self._files = {path.relative_to(folder).as_posix(): path for path in found}
        if ENTRANCE not in self._files:
            raise ConfigurationError(f"the panel's files are not there: {folder / ENTRANCE} is missing")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        scope["route"] = _ROUTE
        name = scope["path"].removeprefix(f"{scope['root_path']}/")
        file = self._files.get(name)
        if file is None:
            raise HTTPException(404)
        if scope["method"] not in METHODS:
            raise HTTPException(405, headers={"Allow": ", ".join(sorted(METHODS))})
        stat = file.stat()
        response = _response(ready(file, stat.st_mtime_ns, stat.st_size), file.suffix, Headers(scope=scope))
        await response(scope, receive, send)


@lru_cache(FILES_KEPT)
def ready(file: Path, _changed_ns: int, _size: int) -> Ready:
    """A file made ready to be sent, once for each time it was written."""
    plain = as_served(file.read_text("utf-8")).encode()
    return Ready(plain, gzip.compress(plain, 9, mtime=0), sha256(plain).hexdigest()[:32])


def as_served(text: str) -> str:
    """The code alone, each line where it was and without its indentation."""
    code = _COMMENT_LINES.sub(lambda found: "\n" * found[0].count("\n"), text)
    return _INDENTATION.sub("", _TYPES_BESIDE_CODE.sub("", code))


def _response(file: Ready, ending: str, asked: Headers) -> Response:
    is_packed = _takes_gzip(asked.get("accept-encoding", ""))
    tag = f'"{file.digest}-gzip"' if is_packed else f'"{file.digest}"'
    headers = {**HEADERS, "ETag": tag}
    if _has(asked.get("if-none-match", ""), tag):
        return Response(status_code=304, headers=headers)
    if not is_packed:
        return Response(file.plain, headers=headers, media_type=KINDS[ending])
    return Response(file.compressed, headers={**headers, "Content-Encoding": "gzip"}, media_type=KINDS[ending])


def _takes_gzip(accepted: str) -> bool:
    """Whether an Accept-Encoding names gzip, or anything, and not with a weight of 0."""
    weights = {name.lower(): weight for name, weight in _ACCEPTED.findall(accepted)}
    weight = weights.get("gzip", weights.get("*"))
    return weight is not None and (weight == "" or float(weight) > 0)


def _has(known: str, tag: str) -> bool:
    """Whether an If-None-Match names this tag; compared as the header is, without regard to weakness."""
    return known.strip() == "*" or tag in (each.strip().removeprefix("W/") for each in known.split(","))
