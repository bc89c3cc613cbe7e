"""The `/demo` controls: sign anyone in, see what was asked of the LMS, break it. No real LMS has them."""

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, HTTPException, Query
from pydantic import BaseModel, ConfigDict, Field, StrictBool

from examples.reference_lms.campus import Campus
from examples.reference_lms.clients import LLM_AUDIENCE, ClientIssuer
from examples.reference_lms.directory import read_school
from examples.reference_lms.fault_control import FaultControl
from examples.reference_lms.fault_orders import FaultOrder
from examples.reference_lms.people_changes import NoSuchThing
from examples.reference_lms.request_log import LogEntry, RequestLog
from examples.reference_lms.school import School
from examples.reference_lms.sessions import SessionKind


class Closed(BaseModel):
    """A body with no other keys than those named."""

    model_config = ConfigDict(extra="forbid")


class SessionOrder(Closed):
    """`audience`: another client's; `age_seconds`: signed so long ago, over after 300."""

    person: str
    kind: SessionKind = SessionKind.PORTAL
    elevated: StrictBool = False
    audience: Annotated[str, Field(min_length=1, max_length=200, pattern=r"^[\x21-\x7e]+$")] | None = None
    age_seconds: Annotated[int, Field(ge=0, le=86_400)] = 0


class Session(Closed):
    token: str


class LiveToken(Closed):
    """An access token that is worth something; never the token itself."""

    person: str
    scope: str
    expires_at: datetime


class LiveTokens(Closed):
    tokens: Sequence[LiveToken]


class Log(Closed):
    entries: list[LogEntry]


Audience = Annotated[str, Query(min_length=1, max_length=200)]


def demo_router(*, campus: Campus, clients: ClientIssuer, log: RequestLog, faults: FaultControl) -> APIRouter:
    """The controls over one running LMS."""
    router = APIRouter(prefix="/demo")
    _sign_in(router, campus, clients)
    _look(router, campus, log)

    @router.post("/faults", status_code=204)
    async def inject_fault(order: FaultOrder) -> None:
        try:
            faults.inject(order.root)
        except NoSuchThing:
            raise HTTPException(404, "no such person, seat or thing") from None

    return router


def _sign_in(router: APIRouter, campus: Campus, clients: ClientIssuer) -> None:
    """Tokens for anyone."""

    @router.post("/session")
    async def open_session(order: SessionOrder) -> Session:
        person = campus.person(order.person)
        if person is None:
            raise HTTPException(404, "no such person")
        token = campus.sessions.mint(
            person,
            kind=order.kind,
            elevated=order.elevated,
            audience=order.audience,
            age_seconds=order.age_seconds,
        )
        return Session(token=token)

    @router.get("/client-token")
    async def mint_client_token(audience: Audience = LLM_AUDIENCE) -> Session:
        return Session(token=clients.mint(audience))


def _look(router: APIRouter, campus: Campus, log: RequestLog) -> None:
    """What there is in the school, and what was asked of it."""

    @router.get("/school")
    async def show_school() -> School:
        return read_school(campus.store)

    @router.get("/tokens")
    async def list_live_tokens() -> LiveTokens:
        grants = campus.tokens.live()
        return LiveTokens(
            tokens=[LiveToken(person=each.person, scope=each.scope, expires_at=each.expires_at) for each in grants]
        )

    @router.get("/requests")
    async def list_requests() -> Log:
        return Log(entries=log.requests())

    @router.get("/audit")
    async def list_writes() -> Log:
        return Log(entries=log.writes())
