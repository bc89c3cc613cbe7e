"""The page of docs/adding-the-panel.md, taken from there as it stands: what a team copies is what is tested."""

import re
from collections.abc import Callable
from textwrap import dedent

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from assist_service.settings import ROOT

WRITTEN_SERVICE = "https://assist.example"
"""What stands in the document for the service's address."""


def blocks() -> list[str]:
    """The indented blocks of the document, in order."""
    text = (ROOT / "docs" / "adding-the-panel.md").read_text("utf-8")
    return [dedent(block) for block in re.findall(r"(?:^    .*\n(?:\n(?=    ))*)+", text, re.MULTILINE)]


def block(beginning: str) -> str:
    """The one block that begins so."""
    [found] = [each for each in blocks() if each.startswith(beginning)]
    return found


def documented_host(service: str, mint: Callable[[], str]) -> Starlette:
    """The documented page at each address, under the documented policy, for one person, whose tokens `mint` makes."""
    header = " ".join(block("Content-Security-Policy:").split())
    policy = header.removeprefix("Content-Security-Policy: ").replace("{service}", service)
    html = block("<!doctype html>").replace(WRITTEN_SERVICE, service)
    client = block("import { AssistClient").replace(WRITTEN_SERVICE, service) + "\nexport { ask };\n"
    scripts = {"host.js": block("const panel ="), "client.js": client}

    async def page(_: Request) -> Response:
        return HTMLResponse(html, headers={"Content-Security-Policy": policy})

    async def script(request: Request) -> Response:
        return Response(scripts[request.url.path.removeprefix("/")], media_type="text/javascript")

    async def session(_: Request) -> Response:
        return JSONResponse({"token": mint()})

    return Starlette(
        routes=[
            *(Route(f"/{name}", script) for name in scripts),
            Route("/assist-session", session, methods=["POST"]),
            Route("/{path:path}", page),
        ]
    )
