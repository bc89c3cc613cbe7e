"""The `/demo` controls: sign anyone in, see what was asked of the LMS, break it. No real LMS has them."""

from fastapi import APIRouter, HTTPException
from pydantic import BaseModel, ConfigDict, StrictBool

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


def demo_router(*, school: School, sessions: SessionIssuer, log: RequestLog, key_service: KeyService) -> APIRouter:
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
        key_service.inject(order.fault)

    return router
