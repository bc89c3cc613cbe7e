"""An LMS that speaks `contracts/lms.openapi.yaml`."""

import asyncio
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from types import TracebackType
from typing import Generic, TypeVar
from urllib.parse import quote

import httpx2

from assist_service import telemetry
from assist_service.adapters.lms.background import Background
from assist_service.adapters.lms.client import ClientKey
from assist_service.adapters.lms.dpop import DpopProofs, NoProofs
from assist_service.adapters.lms.faults import OF_STANDING, fault_of_status
from assist_service.adapters.lms.reading import Reading, model_of
from assist_service.adapters.lms.school_reads import RestReads
from assist_service.adapters.lms.tokens import SCOPE, QuestionToken, TokenEndpoint, write_scope
from assist_service.adapters.lms.wire import Sending, Wire, within
from assist_service.adapters.lms.writing import WRITES, RestWriter
from assist_service.domain.people import is_subject
from assist_service.domain.school import Standing
from assist_service.domain.writes import WriteTool
from assist_service.ports import Clock, LmsFault, LmsFaultKind, SchoolReads, SchoolWriter

STANDING_AUDIENCE = "urn:lms:standing"
"""Of the client JWTs that ask how a person stands, and of no others."""

CLIENT_REFUSED = frozenset({401, 403})
"""Statuses that an operator has to know of: the LMS does not take this service for its client."""

READS = frozenset(name for name in vars(SchoolReads) if not name.startswith("_")) - {"for_tool"}
OFFERS = READS | {tool.value for tool in WRITES}

Given = TypeVar("Given")


@dataclass(frozen=True)
class RestOptions:
    """What an LMS has, and how long it may take."""

    dpop: bool = True
    """Whether tokens are bound to a key of this process; without it they are bearer tokens."""
    revocation: bool = True
    """Whether tokens can be revoked; without it they die of their lifetime."""
    connections: int = 100
    """Reads and writes of one replica at once, and as many exchanges and the like; more wait, within deadlines."""
    connect_seconds: float = 3.0
    seconds: float = 10.0
    """For a whole read or write, the exchange before it included; for an exchange; for a standing."""
    revoke_seconds: float = 3.0
    """For one try to revoke, of two; and how long the end of a question waits for it."""
    close_seconds: float = 5.0
    """How long closing waits for tokens still to be revoked."""


class RestLms:
    """Implements ports.Lms."""

    def __init__(
        self, url: str, *, client_id: str, key: ClientKey, clock: Clock, options: RestOptions | None = None
    ) -> None:
        self._options = options = options or RestOptions()
        self._url = str(httpx2.URL(url)).rstrip("/")  # written the one way that it is sent, for proofs name it
        self._client_id = client_id
        self._key = key
        self._clock = clock
        self._background = Background()
        # Two, so that tokens are revoked and standings asked for while reads take every connection they have.
        self._api, self._identity = (_wire(options) for _ in range(2))
        self._proofs = DpopProofs(clock) if options.dpop else NoProofs()
        self._endpoint = TokenEndpoint(
            url=self._url,
            client_id=client_id,
            key=key,
            wire=self._identity,
            proofs=self._proofs,
            clock=clock,
            seconds=options.seconds,
            revoke_seconds=options.revoke_seconds if options.revocation else None,
        )

    @property
    def offers(self) -> frozenset[str]:
        return OFFERS

    def reading(self, session: str) -> AbstractAsyncContextManager[SchoolReads]:
        reading = self._reading_for(session, scope=SCOPE)
        return self._with_token(self.reads(reading), reading.token)

    def writing(self, session: str, tool: WriteTool) -> AbstractAsyncContextManager[SchoolWriter]:
        reading = self._reading_for(session, scope=write_scope(tool)).for_tool(tool.value)
        writer = RestWriter(
            tool=tool,
            url=self._url,
            wire=self._api,
            proofs=self._proofs,
            token=reading.token,
            seconds=self._options.seconds,
            reads=self.reads(reading),
        )
        return self._with_token(writer, reading.token)

    def _reading_for(self, session: str, *, scope: str) -> Reading:
        token = QuestionToken(self._endpoint, session, self._background, scope=scope)
        return Reading(self._url, self._api, self._proofs, token, seconds=self._options.seconds)

    def _with_token(self, given: Given, token: QuestionToken) -> "_WithToken[Given]":
        return _WithToken(given, token, patience_seconds=self._options.revoke_seconds)

    def reads(self, reading: Reading) -> SchoolReads:
        """The reads of this LMS's own endpoints."""
        return RestReads(reading)

    async def standing(self, sub: str) -> Standing:
        # A segment of one or two dots would be taken out of the path, encoded or not (RFC 3986, section 5.2.4).
        if not is_subject(sub) or sub in (".", ".."):
            raise LmsFault(LmsFaultKind.NOT_FOUND)
        assertion = self._key.assertion(self._client_id, audience=STANDING_AUDIENCE, now=self._clock.now())
        sending = Sending(
            "GET",
            f"{self._url}/api/assist/standing/{quote(sub, safe='')}",
            headers={"Authorization": f"Bearer {assertion}"},
        )
        answer = await within(self._options.seconds, self._identity.send(sending))
        if isinstance(answer, LmsFaultKind):
            raise LmsFault(answer)
        if answer.status in CLIENT_REFUSED:
            telemetry.log.error("lms_refused_client", endpoint="standing", error=str(answer.status))
        return model_of(answer, Standing, fault_of_status(answer.status, OF_STANDING))

    async def aclose(self) -> None:
        """Waits a while for tokens still to be revoked, then closes the connections."""
        await self._background.settle(seconds=self._options.close_seconds)
        await self._api.aclose()
        await self._identity.aclose()


def _wire(options: RestOptions) -> Wire:
    return Wire(connections=options.connections, connect_seconds=options.connect_seconds, seconds=options.seconds)


class _WithToken(Generic[Given]):
    """The `with` block of one question or write; on its way out its token is worth nothing any more."""

    def __init__(self, given: Given, token: QuestionToken, *, patience_seconds: float) -> None:
        self._given = given
        self._token = token
        self._patience_seconds = patience_seconds

    async def __aenter__(self) -> Given:
        return self._given

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        ending = self._token.end()  # before any await: from here on it goes on by itself
        was_cancelled = kind is not None and not issubclass(kind, Exception)
        if ending is not None and not was_cancelled:  # who was cancelled has no time to wait
            await asyncio.wait([ending], timeout=self._patience_seconds)
