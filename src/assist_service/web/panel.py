"""`/assist/panel/…`: the panel's modules and styles, for whoever's page embeds it; they hold nothing about anybody."""

from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.responses import Response
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
}


class PanelFiles(StaticFiles):
    """The panel's folder, read only. 404 for every other kind of file."""

    def __init__(self, folder: Path) -> None:
        super().__init__(directory=folder)

    async def get_response(self, path: str, scope: Scope) -> Response:
        ending = Path(path).suffix
        if ending not in SERVED:
            raise HTTPException(404)
        response = await super().get_response(path, scope)
        response.headers.update({**HEADERS, "Content-Type": SERVED[ending]})
        return response
