"""A page for each screen of `contracts/screens.yaml`: what an answer opens is there, and says what it was opened with.

The pages are for everybody, as the demo is: they name a thing by its title and show nothing else of it.
"""

import re
from collections.abc import Mapping
from functools import cache
from html import escape
from pathlib import Path
from typing import Any
from uuid import UUID

import yaml
from fastapi import APIRouter, Request
from starlette.responses import HTMLResponse, Response

from examples.reference_lms.request_log import note_of
from examples.reference_lms.school import EntityKind
from examples.reference_lms.store import Store

SCREENS = Path(__file__).resolve().parents[2] / "contracts" / "screens.yaml"

PARAMS = ("tab", "search", "category", "item")

_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
</head>
<body data-screen="{screen}">
<p><a href="/">Reference LMS</a></p>
<h1>{title}</h1>
<dl>
{lines}
</dl>
</body>
</html>
"""


def pages_router(store: Store) -> APIRouter:
    """Reads the catalogue once; a page of an id that names nothing is 404."""
    router = APIRouter()
    for name, screen in _screens().items():
        path = re.sub(r":(\w+)", r"{\1}", screen["pattern"])
        router.add_api_route(path, _page_of(name, screen, store), methods=["GET"], response_class=HTMLResponse)
    return router


@cache
def _screens() -> Mapping[str, Any]:
    screens: Mapping[str, Any] = yaml.safe_load(SCREENS.read_text("utf-8"))["screens"]
    return screens


def _page_of(name: str, screen: Mapping[str, Any], store: Store) -> Any:
    kinds = {id_name: EntityKind(kind) for id_name, kind in screen["ids"].items()}

    async def show(request: Request) -> Response:
        note_of(request.scope).is_page = True
        found = {kind: _title(store, kind, request.path_params[id_name]) for id_name, kind in kinds.items()}
        if None in found.values():
            return HTMLResponse("<!doctype html><title>Not found</title><h1>Not found</h1>", 404)
        given = {param: request.query_params[param] for param in PARAMS if param in request.query_params}
        terms = {**{kind.value: title for kind, title in found.items()}, **given}
        lines = "\n".join(f"<dt>{escape(term)}</dt><dd>{escape(str(value))}</dd>" for term, value in terms.items())
        page = _PAGE.format(title=escape(screen["titles"]["en"]), screen=escape(name), lines=lines)
        return HTMLResponse(page)

    return show


def _title(store: Store, kind: EntityKind, identifier: str) -> str | None:
    """What the school calls it; the table is one of a closed list, never of the address."""
    try:
        row = store.row(f"SELECT title FROM {kind.value} WHERE id = :id", id=str(UUID(identifier)))  # noqa: S608
    except ValueError:
        return None
    return None if row is None else str(row["title"])
