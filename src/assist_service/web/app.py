"""Puts the routes together over a running service."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from fastapi import FastAPI
from starlette.middleware.cors import CORSMiddleware

from assist_service.bootstrap.assembling import Service
from assist_service.web import asking, completing, conversations, manual, operations, people_data, writes
from assist_service.web.errors import install_error_handlers
from assist_service.web.observing import Observing, Unfailing
from assist_service.web.panel import PATH as PANEL_PATH
from assist_service.web.panel import PanelFiles
from assist_service.web.streaming import Questions

PANEL = Path(__file__).resolve().parents[3] / "panel"
"""The panel's files, beside the sources like the contracts."""


def create_routes(app: FastAPI) -> FastAPI:
    """Gives an application every route, and every way to fail."""
    for router in (
        asking.router,
        completing.router,
        conversations.router,
        manual.router,
        operations.router,
        people_data.router,
        writes.router,
    ):
        app.include_router(router)
    app.mount(PANEL_PATH, PanelFiles(PANEL), name="panel")
    install_error_handlers(app)
    return app


@asynccontextmanager
async def _until_the_end(app: FastAPI) -> AsyncIterator[None]:
    """No question goes on over a stream when what it needs is closed."""
    yield
    await app.state.questions.close()


def create_app(service: Service, *, lms_origin: str, questions: Questions | None = None) -> FastAPI:
    """The HTTP application; browsers may call it from the LMS's own origin only."""
    app = create_routes(
        FastAPI(openapi_url=None, docs_url=None, redoc_url=None, redirect_slashes=False, lifespan=_until_the_end)
    )
    app.state.service = service
    app.state.questions = questions or Questions()
    app.add_middleware(Unfailing)
    app.add_middleware(
        CORSMiddleware,
        allow_origins=[lms_origin],
        allow_methods=["GET", "POST", "DELETE"],
        allow_headers=["Authorization", "Content-Type", "Idempotency-Key"],
        expose_headers=["Retry-After"],
        max_age=600,
    )
    app.add_middleware(Observing, monotonic=service.clock.monotonic)  # the last one added is the outermost
    return app
