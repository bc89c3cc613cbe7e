"""A small LMS that signs sessions, publishes its keys and logs what is asked of it; for demo and tests only.

`uvicorn examples.reference_lms.app:create_app --factory --port 8081`
"""

import os
from collections.abc import Callable
from datetime import UTC, datetime

from fastapi import APIRouter, FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, JSONResponse
from starlette.exceptions import HTTPException

from examples.reference_lms.api.refusals import not_found
from examples.reference_lms.api.routes import api_router
from examples.reference_lms.campus import Campus, Options, open_campus
from examples.reference_lms.clients import ClientIssuer
from examples.reference_lms.demo import demo_router
from examples.reference_lms.face.face import Face
from examples.reference_lms.face.rendering import security_headers
from examples.reference_lms.face.routes import face_router, open_face
from examples.reference_lms.fault_control import FaultControl
from examples.reference_lms.faults import KeyService
from examples.reference_lms.headers import SecureHeaders
from examples.reference_lms.home import render_home
from examples.reference_lms.identity.client_keys import ClientKeys, FetchedKeys, GivenKeys, JwksSource, NoKeys
from examples.reference_lms.identity.exchange import oauth_router
from examples.reference_lms.identity.standing import standing_router
from examples.reference_lms.keys import KeyRing
from examples.reference_lms.misbehaving import Misbehave, Misbehaviour
from examples.reference_lms.pages import pages_router
from examples.reference_lms.people_changes import PeopleChanges
from examples.reference_lms.request_log import LogRequests, RequestLog
from examples.reference_lms.sessions import SessionIssuer
from examples.reference_lms.sockets import FastAPIOnSockets
from examples.reference_lms.store import open_store

DEFAULT_URL = "http://127.0.0.1:8081"
"""Issuer and public origin where `REFERENCE_LMS_URL` names none."""

DEFAULT_AUDIENCE = "urn:assist-service"
"""Whom sessions are for where `REFERENCE_LMS_AUDIENCE` names none: the service's own default."""

DEFAULT_CLIENT = "assist-service"
"""The one client that may exchange sessions, where `REFERENCE_LMS_CLIENT_ID` names none."""


def utc_now() -> datetime:
    return datetime.now(UTC)


def create_app(
    *,
    url: str | None = None,
    audience: str | None = None,
    now: Callable[[], datetime] = utc_now,
    client: str | None = None,
    client_jwks_url: str | None = None,
    client_jwks: JwksSource | None = None,
    options: Options | None = None,
    database: str | None = None,
    assist_url: str | None = None,
) -> FastAPI:
    """One LMS with keys, a log and a school of its own; what is not given comes from the environment.

    The service's keys come from `client_jwks`, a key set or a function that makes one, or else from a URL. `assist_url`
    is the service as browsers reach it: without it no page has the panel.
    """
    url = url or os.environ.get("REFERENCE_LMS_URL") or DEFAULT_URL
    audience = audience or os.environ.get("REFERENCE_LMS_AUDIENCE") or DEFAULT_AUDIENCE
    keys, client_keys, log = KeyRing(), KeyRing(), RequestLog()
    sessions = SessionIssuer(url=url, audience=audience, keys=keys, now=now)
    campus = open_campus(
        url=url,
        sessions=sessions,
        keys=keys,
        client=client or os.environ.get("REFERENCE_LMS_CLIENT_ID") or DEFAULT_CLIENT,
        client_keys=_client_keys(client_jwks, client_jwks_url, now=now),
        store=open_store(database or os.environ.get("REFERENCE_LMS_DATABASE") or None),
        options=options or _options(),
    )
    faults = FaultControl(
        campus=campus,
        key_services=(KeyService(keys), KeyService(client_keys)),
        misbehaviour=Misbehaviour(),
        people=PeopleChanges(campus),
    )
    face = open_face(campus, assist_url=assist_url or os.environ.get("REFERENCE_LMS_ASSIST_URL") or None)
    clients = ClientIssuer(url=url, keys=client_keys, now=now)
    return _assemble(campus, clients=clients, log=log, faults=faults, face=face)


def _assemble(campus: Campus, *, clients: ClientIssuer, log: RequestLog, faults: FaultControl, face: Face) -> FastAPI:
    # No generated documentation: its pages load scripts from elsewhere.
    app = FastAPIOnSockets(title="Reference LMS", openapi_url=None)
    app.state.campus = campus
    app.state.sessions = campus.sessions  # for tests that need more people than a school has
    app.state.face = face  # for the page that is not there
    app.state.clients = clients  # for tests that sign what no back end would
    # The later one is the outer one: a request that goes wrong is logged too.
    app.add_middleware(SecureHeaders)
    app.add_middleware(Misbehave, misbehaviour=faults.misbehaviour)
    app.add_middleware(LogRequests, log=log, now=campus.now)
    app.add_exception_handler(RequestValidationError, _refuse)
    app.add_exception_handler(404, _not_found)
    app.include_router(demo_router(campus=campus, clients=clients, log=log, faults=faults))
    app.include_router(oauth_router(campus))
    app.include_router(standing_router(campus))
    app.include_router(api_router(campus))
    app.include_router(pages_router(campus.store, face))
    app.include_router(face_router(face))
    app.include_router(_public_router(campus.url, face, *faults.key_services))
    return app


def _public_router(url: str, face: Face, key_service: KeyService, client_key_service: KeyService) -> APIRouter:
    """What anyone may read."""
    router = APIRouter()

    @router.get("/", response_class=HTMLResponse)
    async def show_home(request: Request) -> Response:
        if face.is_signed_in(request):
            return face.answer("home", request)
        return HTMLResponse(render_home(url=url), headers=security_headers(None))

    @router.get("/healthz")
    async def report_health() -> dict[str, str]:
        return {"status": "ok"}

    @router.get("/.well-known/jwks.json")
    async def publish_keys() -> Response:
        return key_service.answer()

    @router.get("/.well-known/client-jwks.json")
    async def publish_client_keys() -> Response:
        return client_key_service.answer()

    return router


def _client_keys(jwks: JwksSource | None, url: str | None, *, now: Callable[[], datetime]) -> ClientKeys:
    if jwks is not None:
        return GivenKeys(jwks)
    url = url or os.environ.get("REFERENCE_LMS_CLIENT_JWKS_URL")
    return FetchedKeys(url, now=now) if url else NoKeys()


def _options() -> Options:
    return Options(
        dpop=os.environ.get("REFERENCE_LMS_DPOP") != "off",
        revocation=os.environ.get("REFERENCE_LMS_REVOCATION") != "off",
    )


async def _not_found(request: Request, error: Exception) -> Response:
    """Under `/api` an unknown path reads like an unknown id; who is signed in sees a page."""
    if request.url.path.startswith("/api/"):
        return not_found()
    assert isinstance(error, HTTPException)
    face: Face = request.app.state.face
    page = face.not_found_for(request) if request.method == "GET" else None
    if page is not None:
        return page
    return JSONResponse({"detail": error.detail}, status_code=404)


async def _refuse(_: Request, error: Exception) -> Response:
    """422 naming the fields but not their values: echoing a lone surrogate would end in a 500."""
    assert isinstance(error, RequestValidationError)
    problems = [{"loc": list(found["loc"]), "type": found["type"]} for found in error.errors()]
    return JSONResponse({"detail": problems}, status_code=422)
