"""Who is at the door: the session is verified, then the table and the policy are asked, before any body is read."""

import re
import uuid
from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends, Path, Query, Request, Security
from fastapi.security import HTTPBearer

from assist_service.bootstrap.assembling import Service
from assist_service.domain.errors import AssistError, Code, FieldFault
from assist_service.domain.people import Admission, Person, Session, admission, person_of
from assist_service.services.complete import Complete
from assist_service.services.privacy import Privacy

_REFUSED: dict[Admission, Code] = {
    Admission.NOT_OFFERED: Code.NOT_OFFERED,
    Admission.UNAUTHENTICATED: Code.UNAUTHENTICATED,
}

PAGE_ITEMS = 50
MAX_PAGE_ITEMS = 100
CURSOR_CHARACTERS = 200

_KEY = re.compile(r"[\x21-\x7e]{1,255}")


# Every dependency is a coroutine: FastAPI would hand each plain function to a thread, which costs more than it does.
async def service_of(request: Request) -> Service:
    service: Service = request.app.state.service
    return service


ServiceDep = Annotated[Service, Depends(service_of)]


BEARER = HTTPBearer(auto_error=False, bearerFormat="JWT", description="A session JWT that the LMS signed.")
"""Named in the OpenAPI document; the header itself is read below."""


def _token_of(request: Request) -> str:
    """What stands behind the scheme of the Authorization header."""
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not token.strip():
        raise AssistError(Code.UNAUTHENTICATED)
    return token.strip()


async def session_of(request: Request, service: ServiceDep, _: Annotated[object, Security(BEARER)]) -> Session:
    """The verified session; one that could never be at these routes is unauthenticated."""
    session = await service.sessions.verify(_token_of(request))
    if admission(session.role, session.kind) is Admission.UNAUTHENTICATED:
        raise AssistError(Code.UNAUTHENTICATED)
    return session


SessionDep = Annotated[Session, Depends(session_of)]


async def admitted(session: SessionDep, service: ServiceDep) -> Person:
    """The person, if role, kind of session and policy let them use the assistant."""
    refused = _REFUSED.get(admission(session.role, session.kind))
    if refused is not None:
        raise AssistError(refused)
    if not service.policy.of_role(session.role).offered:
        raise AssistError(Code.NOT_OFFERED)
    return person_of(session)


PersonDep = Annotated[Person, Depends(admitted)]


async def reader(person: PersonDep, service: ServiceDep) -> Person:
    """The person, if they may read now what is kept: a student in an exam may not."""
    await service.standing.reading(person)
    return person


ReaderDep = Annotated[Person, Depends(reader)]


async def _session_token(request: Request) -> str:
    return _token_of(request)


SessionToken = Annotated[str, Depends(_session_token)]
"""The session JWT itself, which goes to the LMS's token endpoint and nowhere else (I3)."""


CLIENT_BEARER = HTTPBearer(
    auto_error=False,
    scheme_name="LmsClient",
    bearerFormat="JWT",
    description="A client JWT that the LMS's own back end signed: for `urn:assist-service:llm` where it asks for"
    " completions, for `urn:assist-service:privacy` where it exports or erases a person.",
)


@dataclass(frozen=True)
class Caller:
    """A back end that may ask for completions, by its name, and the use case it may use."""

    name: str
    complete: Complete


async def caller_of(request: Request, service: ServiceDep, _: Annotated[object, Security(CLIENT_BEARER)]) -> Caller:
    """The verified caller; nobody is one where completions are not open."""
    token = _token_of(request)
    if service.back_end is None:
        raise AssistError(Code.UNAUTHENTICATED)
    completions = service.back_end.completions
    return Caller(await completions.clients.verify(token), completions.complete)


CallerDep = Annotated[Caller, Depends(caller_of)]


@dataclass(frozen=True)
class Controller:
    """A back end that may export and erase people, by its name, and the use case it may use."""

    name: str
    privacy: Privacy


async def controller_of(
    request: Request, service: ServiceDep, _: Annotated[object, Security(CLIENT_BEARER)]
) -> Controller:
    """The verified controller; nobody is one where the back end's keys are not set."""
    token = _token_of(request)
    if service.back_end is None:
        raise AssistError(Code.UNAUTHENTICATED)
    people_data = service.back_end.people_data
    return Controller(await people_data.clients.verify(token), people_data.privacy)


ControllerDep = Annotated[Controller, Depends(controller_of)]


async def _conversation_id(
    conversation_id: Annotated[str, Path(json_schema_extra={"format": "uuid"})],
) -> uuid.UUID:
    """The id of a path; one that is no id names a conversation that is not there."""
    try:
        return uuid.UUID(conversation_id)
    except ValueError:
        raise AssistError(Code.CONVERSATION_NOT_FOUND) from None


ConversationId = Annotated[uuid.UUID, Depends(_conversation_id)]


@dataclass(frozen=True)
class PageOf:
    """Which part of a list is asked for."""

    cursor: str | None
    limit: int


async def _page_of(
    cursor: Annotated[str | None, Query(max_length=CURSOR_CHARACTERS)] = None,
    limit: Annotated[int, Query(ge=1, le=MAX_PAGE_ITEMS)] = PAGE_ITEMS,
) -> PageOf:
    return PageOf(cursor, limit)


PageDep = Annotated[PageOf, Depends(_page_of)]


async def _idempotency_key(request: Request) -> str | None:
    """The key of the request. Raises `invalid_request` for one that is no line of visible ASCII."""
    key = request.headers.get("idempotency-key")
    if key is not None and not _KEY.fullmatch(key):
        raise AssistError(
            Code.INVALID_REQUEST,
            faults=(FieldFault("Idempotency-Key", "is not 1 to 255 visible ASCII characters"),),
        )
    return key


IdempotencyKey = Annotated[str | None, Depends(_idempotency_key)]
