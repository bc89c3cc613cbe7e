"""The least page that can embed the panel: strict headers, a host that a test steers, and nothing else."""

from collections.abc import Callable

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

CSP = (
    "default-src 'none'; script-src 'self' {service}; style-src 'self' {service}; connect-src 'self' {service}; "
    "img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types assist-panel"
)

PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>A page</title>
<link rel="icon" href="data:,">
<script type="module" src="{service}/assist/panel/assist-panel.js"></script>
<script type="module" src="/host.js"></script>
</head>
<body>
<main><h1>A page</h1><p>What stands here is none of the panel's.</p></main>
<assist-panel></assist-panel>
</body>
</html>
"""

HOST = """
const screen = {route: "/pools/:id", topic: "pool", language: "en", entities: {}, commands: []};
window.page = {screen, moves: [], ran: [], answer: "moved", editor: null};
const panel = document.querySelector("assist-panel");
await customElements.whenDefined("assist-panel");
panel.host = {
  token: async () => (await (await fetch("/token", {method: "POST"})).json()).token,
  screen: () => window.page.screen,
  navigate: async (path) => { window.page.moves.push(path); return window.page.answer; },
  runCommand: async (id) => { window.page.ran.push(id); },
  editor: () => window.page.editor,
};
"""
"""`window.page` is the test's: what is on screen, what `navigate` answers, where the panel went and what it ran."""


def plain_host(service: str, mint: Callable[[], str]) -> Starlette:
    """The page at `/`, for one person, whose tokens `mint` makes."""

    async def page(_: Request) -> Response:
        headers = {"Content-Security-Policy": CSP.format(service=service), "Referrer-Policy": "no-referrer"}
        return HTMLResponse(PAGE.format(service=service), headers=headers)

    async def host(_: Request) -> Response:
        return Response(HOST, media_type="text/javascript")

    async def token(_: Request) -> Response:
        return JSONResponse({"token": mint()})

    return Starlette(
        routes=[Route("/", page), Route("/host.js", host), Route("/token", token, methods=["POST"])],
    )
