"""The `/demo` controls: sign anyone in, see what was asked of the LMS, break it. No real LMS has them."""

from collections.abc import Sequence
from typing import Annotated

from fastapi import APIRouter, HTTPException, Query
from pydantic import BaseModel, ConfigDict, StrictBool

from examples.reference_lms.clients import LLM_AUDIENCE, ClientIssuer
from examples.reference_lms.faults import Fault, KeyService
from examples.reference_lms.request_log import LogEntry, RequestLog
from examples.reference_lms.school import School
from examples.reference_lms.sessions import SessionIssuer, SessionKind


class Closed(BaseModel):
    """A body with no other keys than those named."""

    model_config = ConfigDict(extra="forbid")


class SessionOrder(Closed):
    person: str
    kind: SessionKind = SessionKind.PORTAL
    elevated: StrictBool = False


class Session(Closed):
    token: str


class LiveTokens(Closed):
    """Access tokens still worth something: none can be, until this LMS exchanges sessions for them."""

    tokens: tuple[()] = ()


class Log(Closed):
    entries: list[LogEntry]


class FaultOrder(Closed):
    fault: Fault


Audience = Annotated[str, Query(min_length=1, max_length=200)]


def demo_router(
    *,
    school: School,
    sessions: SessionIssuer,
    clients: ClientIssuer,
    log: RequestLog,
    key_services: Sequence[KeyService],
) -> APIRouter:
    """The controls over one running LMS."""
    router = APIRouter(prefix="/demo")

    @router.get("/school")
    async def read_school() -> School:
        return school

    @router.post("/session")
    async def open_session(order: SessionOrder) -> Session:
        person = school.person(order.person)
        if person is None:
            raise HTTPException(404, "no such person")
        return Session(token=sessions.mint(person, kind=order.kind, elevated=order.elevated))

    @router.get("/client-token")
    async def mint_client_token(audience: Audience = LLM_AUDIENCE) -> Session:
        return Session(token=clients.mint(audience))

    @router.get("/tokens")
    async def list_live_tokens() -> LiveTokens:
        return LiveTokens()

    @router.get("/requests")
    async def list_requests() -> Log:
        return Log(entries=log.requests())

    @router.get("/audit")
    async def list_writes() -> Log:
        return Log(entries=log.writes())

    @router.post("/faults", status_code=204)
    async def inject_fault(order: FaultOrder) -> None:
        for key_service in key_services:
            key_service.inject(order.fault)

    return router
