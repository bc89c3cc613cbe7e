"""`/assist/panel/…`: the panel's modules and styles, for whoever's page embeds it; they hold nothing about anybody.

Handed out without their comments, which a third of them is, and packed: a page waits for every byte of it.
"""

import gzip
import re
from functools import lru_cache
from pathlib import Path

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.responses import FileResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

PATH = "/assist/panel"

SERVED = {".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8"}
"""What is handed out, by its ending; whatever else lies there is not."""

HEADERS = {
    # Asked for anew each time and answered with 304: modules of two releases never meet in one page.
    "Cache-Control": "no-cache",
    # A page of another origin may load them; what they can do there, its own policy says.
    "Cross-Origin-Resource-Policy": "cross-origin",
    "Vary": "Accept-Encoding",
}

_COMMENT = re.compile(r"^[ \t]*(?:/\*(?:(?!\*/).)*\*/|//[^\n]*)[ \t]*$", re.MULTILINE | re.DOTALL)
"""One that has its lines to itself; what stands beside code, such as a cast of a type, stays."""


class PanelFiles(StaticFiles):
    """The panel's folder, read only. 404 for every other kind of file."""

    def __init__(self, folder: Path) -> None:
        super().__init__(directory=folder)

    async def get_response(self, path: str, scope: Scope) -> Response:
        ending = Path(path).suffix
        if ending not in SERVED:
            raise HTTPException(404)
        response = await super().get_response(path, scope)
        if isinstance(response, FileResponse):
            text = _without_comments(Path(response.path), response.headers["etag"])
            packs = "gzip" in Headers(scope=scope).get("accept-encoding", "")
            kept = {"ETag": response.headers["etag"]} | ({"Content-Encoding": "gzip"} if packs else {})
            response = Response(_packed(text) if packs else text, headers=kept)
        response.headers.update({**HEADERS, "Content-Type": SERVED[ending]})
        return response


@lru_cache(maxsize=256)
def _without_comments(file: Path, _etag: str) -> bytes:
    """A line stays on its number: what goes wrong in a browser is found in the file."""
    return _COMMENT.sub(lambda found: "\n" * found[0].count("\n"), file.read_text(encoding="utf-8")).encode()


@lru_cache(maxsize=256)
def _packed(text: bytes) -> bytes:
    return gzip.compress(text, 9, mtime=0)
