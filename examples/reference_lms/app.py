"""A small LMS that signs sessions, publishes its keys and logs what is asked of it; for demo and tests only.

`uvicorn examples.reference_lms.app:create_app --factory --port 8081`
"""

import os
from collections.abc import Callable
from datetime import UTC, datetime

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, JSONResponse

from examples.reference_lms.clients import ClientIssuer
from examples.reference_lms.demo import demo_router
from examples.reference_lms.faults import KeyService
from examples.reference_lms.home import render_home
from examples.reference_lms.keys import KeyRing
from examples.reference_lms.request_log import LogRequests, RequestLog
from examples.reference_lms.school import SCHOOL
from examples.reference_lms.sessions import SessionIssuer

DEFAULT_URL = "http://127.0.0.1:8081"
"""Issuer and public origin where `REFERENCE_LMS_URL` names none."""

DEFAULT_AUDIENCE = "urn:assist-service"
"""Whom sessions are for where `REFERENCE_LMS_AUDIENCE` names none: the service's own default."""


def utc_now() -> datetime:
    return datetime.now(UTC)


def create_app(
    *, url: str | None = None, audience: str | None = None, now: Callable[[], datetime] = utc_now
) -> FastAPI:
    """One LMS with keys and a log of its own; what is not given comes from the environment."""
    url = url or os.environ.get("REFERENCE_LMS_URL") or DEFAULT_URL
    audience = audience or os.environ.get("REFERENCE_LMS_AUDIENCE") or DEFAULT_AUDIENCE
    keys, client_keys, log = KeyRing(), KeyRing(), RequestLog()
    key_service, client_key_service = KeyService(keys), KeyService(client_keys)
    sessions = SessionIssuer(url=url, audience=audience, keys=keys, now=now)
    clients = ClientIssuer(url=url, keys=client_keys, now=now)

    # No generated documentation: its pages load scripts from elsewhere.
    app = FastAPI(title="Reference LMS", openapi_url=None)
    app.state.sessions = sessions  # for tests that need more people than a school has
    app.state.clients = clients  # for tests that sign what no back end would
    app.add_middleware(LogRequests, log=log, now=now)
    app.add_exception_handler(RequestValidationError, _refuse)
    app.include_router(
        demo_router(
            school=SCHOOL,
            sessions=sessions,
            clients=clients,
            log=log,
            key_services=(key_service, client_key_service),
        )
    )

    @app.get("/", response_class=HTMLResponse)
    async def show_home() -> str:
        return render_home(url=url)

    @app.get("/healthz")
    async def report_health() -> dict[str, str]:
        return {"status": "ok"}

    @app.get("/.well-known/jwks.json")
    async def publish_keys() -> Response:
        return key_service.answer()

    @app.get("/.well-known/client-jwks.json")
    async def publish_client_keys() -> Response:
        return client_key_service.answer()

    return app


async def _refuse(_: Request, error: Exception) -> Response:
    """422 naming the fields but not their values: echoing a lone surrogate would end in a 500."""
    assert isinstance(error, RequestValidationError)
    problems = [{"loc": list(found["loc"]), "type": found["type"]} for found in error.errors()]
    return JSONResponse({"detail": problems}, status_code=422)
