"""The face's routes: its pages, its files, and what people do on them."""

import re
from collections.abc import Awaitable, Callable
from pathlib import Path

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from examples.reference_lms.campus import Campus
from examples.reference_lms.face.changes import changes_router
from examples.reference_lms.face.cookie_sessions import CookieSessions
from examples.reference_lms.face.draft_routes import draft_router
from examples.reference_lms.face.face import Face
from examples.reference_lms.face.rendering import open_renderer, security_headers
from examples.reference_lms.face.screens import OTHERS
from examples.reference_lms.face.signing_in import signing_in_router
from examples.reference_lms.request_log import note_of

STATIC = Path(__file__).with_name("static")

MEDIA_TYPES = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}


def open_face(campus: Campus, *, assist_url: str | None) -> Face:
    return Face(campus, CookieSessions(campus), open_renderer(assist_url))


def face_router(face: Face) -> APIRouter:
    """All but the catalogue's screens and `/`, which have a page for people who are not signed in too."""
    router = APIRouter()
    for screen in OTHERS:
        if screen.pattern != "/":
            path = re.sub(r":(\w+)", r"{\1}", screen.pattern)
            router.add_route(path, _page_of(face, screen.name), methods=["GET"])
    router.include_router(changes_router(face))
    router.include_router(signing_in_router(face))
    router.include_router(draft_router(face))
    _static(router)
    return router


def _page_of(face: Face, name: str) -> Callable[[Request], Awaitable[Response]]:
    async def show(request: Request) -> Response:
        return face.answer(name, request)

    return show


def _static(router: APIRouter) -> None:
    files = {path.name: path for path in STATIC.iterdir() if path.suffix in MEDIA_TYPES}

    @router.get("/static/{name}")
    async def send_file(request: Request, name: str) -> Response:
        note_of(request.scope).is_page = True
        path = files.get(name)
        if path is None:
            return Response(status_code=404)
        headers = {"Cache-Control": "no-cache", **security_headers(None)}
        return Response(path.read_bytes(), media_type=MEDIA_TYPES[path.suffix], headers=headers)
