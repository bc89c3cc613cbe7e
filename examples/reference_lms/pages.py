"""A page for each screen of `contracts/screens.yaml`: what an answer opens is there, and says what it was opened with.

Who is signed in gets the page of the face. The ones made here are for everybody, as the demo is: they name a thing by
its title and show nothing else of it.
"""

import re
from collections.abc import Mapping
from html import escape
from typing import Any
from uuid import UUID

from fastapi import APIRouter, Request
from starlette.responses import HTMLResponse, Response

from examples.reference_lms.face.face import PARAMS, Face
from examples.reference_lms.face.rendering import security_headers
from examples.reference_lms.face.screens import catalogue
from examples.reference_lms.request_log import note_of
from examples.reference_lms.school import EntityKind
from examples.reference_lms.store import Store

_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<link rel="icon" href="/static/mark.svg" type="image/svg+xml">
<link rel="stylesheet" href="/static/lms.css">
<link rel="stylesheet" href="/static/page.css">
<script src="/static/theme.js"></script>
</head>
<body data-screen="{screen}">
<header class="head">
<a class="brand" href="/"><img src="/static/mark.svg" alt="" width="24" height="24"> Reference LMS</a>
</header>
<main>
<h1>{title}</h1>
<dl class="facts-list">
{lines}
</dl>
<p>What is on this page depends on who looks at it, and nobody is signed in here.</p>
<p class="sign-in"><a href="/sign-in">Sign in</a></p>
</main>
</body>
</html>
"""

_NOT_FOUND = "<!doctype html><title>Not found</title><h1>Not found</h1>"


def pages_router(store: Store, face: Face) -> APIRouter:
    """Reads the catalogue once; a page of an id that names nothing is 404."""
    router = APIRouter()
    for name, screen in catalogue().items():
        path = re.sub(r":(\w+)", r"{\1}", screen["pattern"])
        router.add_route(path, _page_of(name, screen, store, face), methods=["GET"])
    return router


def _page_of(name: str, screen: Mapping[str, Any], store: Store, face: Face) -> Any:
    kinds = {id_name: EntityKind(kind) for id_name, kind in screen["ids"].items()}

    async def show(request: Request) -> Response:
        note_of(request.scope).is_page = True
        if face.is_signed_in(request):
            return face.answer(name, request)
        found = {kind: _title(store, kind, request.path_params[id_name]) for id_name, kind in kinds.items()}
        if None in found.values():
            return HTMLResponse(_NOT_FOUND, 404, headers=security_headers(None))
        given = {param: request.query_params[param] for param in PARAMS if param in request.query_params}
        terms = {**{kind.value: title for kind, title in found.items()}, **given}
        lines = "\n".join(f"<dt>{escape(term)}</dt><dd>{escape(str(value))}</dd>" for term, value in terms.items())
        page = _PAGE.format(title=escape(screen["titles"]["en"]), screen=escape(name), lines=lines)
        return HTMLResponse(page, headers=security_headers(None))

    return show


def _title(store: Store, kind: EntityKind, identifier: str) -> str | None:
    """What the school calls it; the table is one of a closed list, never of the address."""
    try:
        row = store.row(f"SELECT title FROM {kind.value} WHERE id = :id", id=str(UUID(identifier)))  # noqa: S608
    except ValueError:
        return None
    return None if row is None else str(row["title"])
