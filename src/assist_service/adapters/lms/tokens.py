"""The person's token: exchanged for the session at the first request, revoked however the question or write ends.

Both are done by tasks of their own. An exchange that was cancelled half way would leave a token that nobody knows of
and nobody revokes, so it is let finish, and what it brought is revoked. Where a token may live on, the log says so.
"""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated
from urllib.parse import urlencode

from pydantic import BaseModel, ConfigDict, Field, SecretStr, StringConstraints

from assist_service import telemetry
from assist_service.adapters.lms.background import Background
from assist_service.adapters.lms.client import ClientKey
from assist_service.adapters.lms.dpop import Place, Proofs
from assist_service.adapters.lms.faults import OF_EXCHANGE, OK, fault_of_status
from assist_service.adapters.lms.wire import Answer, Sending, Unanswered, Wire, within
from assist_service.domain.writes import WriteTool
from assist_service.ports import Clock, LmsFault, LmsFaultKind

SCOPE = "assist:read"
"""Of a question; a write's own is `write_scope`. A token has one and no other."""

AUDIENCE = "urn:lms:assist"
MAX_TOKEN_SECONDS = 900

TRIES = 2
"""Of an exchange, where the first answer asks for a nonce; and of a revocation that failed."""

ASSERTION_TYPE = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
EXCHANGE: Mapping[str, str] = {
    "grant_type": "urn:ietf:params:oauth:grant-type:token-exchange",
    "subject_token_type": "urn:ietf:params:oauth:token-type:jwt",
    "audience": AUDIENCE,
    "scope": SCOPE,
}
"""The form of RFC 8693 for a question, but for the session and the assertion."""

ISSUED = frozenset(range(200, 300))
"""Statuses of an answer that may hold a token. RFC 6749 has 200 alone, but a token is not worth less for another."""

ANSWER_BODIES = ISSUED | {400, 401}

NOTHING_ISSUED = frozenset({401, 403, 404, 405, 429})
"""Refusals by their status alone, whoever answers. What else an LMS or a proxy before it says may come after a token
was issued, unless its body names the error."""

FAULT_OF_ERROR: Mapping[str, LmsFaultKind] = {
    "invalid_grant": LmsFaultKind.SESSION_ENDED,
    "invalid_token": LmsFaultKind.SESSION_ENDED,
    "invalid_client": LmsFaultKind.UNAVAILABLE,
    "use_dpop_nonce": LmsFaultKind.UNAVAILABLE,
    "invalid_dpop_proof": LmsFaultKind.UNAVAILABLE,
    "temporarily_unavailable": LmsFaultKind.UNAVAILABLE,
}
"""What an error of the token endpoint means. Where this service itself is refused, the person's session is not over:
signing in again would change nothing."""

REFUSALS_OF_US = frozenset({"invalid_client", "invalid_dpop_proof"})
"""Errors that an operator has to know of: a key the LMS does not have, a clock that is wrong."""


def write_scope(tool: WriteTool) -> str:
    """Of a token for this write and no other."""
    return f"assist:write:{tool.value}"


REVOCABLE_CHARACTERS = 8_192
"""Twice what a token may have that is used; what is longer is nothing that an LMS would know again."""

Opaque = Annotated[str, StringConstraints(pattern=r"^[\x21-\x7e]{1,4096}$")]


class Named(BaseModel):
    """What an answer must hold for its token to be revocable: a form carries any text, a header does not."""

    model_config = ConfigDict(extra="ignore", strict=True, frozen=True, hide_input_in_errors=True)

    access_token: Annotated[str, Field(repr=False, min_length=1, max_length=REVOCABLE_CHARACTERS)]


class Brought(BaseModel):
    """What an answer must hold for its token to be one that can be shown."""

    model_config = ConfigDict(extra="ignore", strict=True, frozen=True, hide_input_in_errors=True)

    access_token: Annotated[Opaque, Field(repr=False)]


class Issued(Brought):
    """What an answer must hold for its token to be used."""

    token_type: str
    expires_in: Annotated[int, Field(ge=1, le=MAX_TOKEN_SECONDS)]
    scope: str = ""
    """Left out where it is what was asked for (RFC 8693, section 2.2.1)."""

    def is_for(self, scope: str) -> bool:
        """A token that could do more is one nobody asked for, and so is one that could do something else."""
        return self.scope == scope or "scope" not in self.model_fields_set


@dataclass(frozen=True)
class Exchanged:
    """What an exchange brought. A token beside a fault is one that may not be used, and is revoked all the same."""

    token: SecretStr | None = None
    fault: LmsFaultKind | None = None


@dataclass(frozen=True)
class TokenEndpoint:
    """The OAuth endpoints of one LMS."""

    url: str
    """The LMS's, without a slash at the end."""
    client_id: str
    key: ClientKey
    wire: Wire
    proofs: Proofs
    clock: Clock
    seconds: float
    revoke_seconds: float | None
    """How long one try to revoke may take; None where the LMS revokes nothing."""

    @property
    def token_url(self) -> str:
        """Where tokens are exchanged; also how this LMS is named to itself in an assertion."""
        return f"{self.url}/oauth/token"

    async def exchange(self, session: SecretStr, *, scope: str) -> Exchanged:
        """One token for this session, with this scope and no other."""
        try:
            answer = await within(self.seconds, self._answer(session, scope))
        except asyncio.CancelledError:  # at closing, where nobody waits for it any more
            _warn_of_unknown("cancelled")
            raise
        if isinstance(answer, LmsFaultKind):  # the time is over
            answer = Unanswered(answer)
        if isinstance(answer, Unanswered):
            if answer.may_be_taken:
                _warn_of_unknown(answer.fault)
            return Exchanged(fault=answer.fault)
        return self._judged(answer, scope)

    async def revoke(self, token: SecretStr) -> None:
        """Ends a token (RFC 7009), or says in the log that it could not: then the token dies of its lifetime."""
        if self.revoke_seconds is None:
            return
        form = {"token": token.get_secret_value(), "token_type_hint": "access_token"}
        seen: int | str | None = "cancelled"  # at closing, where nobody waits for it any more
        try:
            for _ in range(TRIES):
                sending = self._form(f"{self.url}/oauth/revoke", form)
                seen = _doubt_of(await within(self.revoke_seconds, self.wire.send(sending)))
                if seen is None:
                    return
        finally:
            if seen is not None:
                telemetry.log.warning("lms_token_not_revoked", seen=seen)

    async def _answer(self, session: SecretStr, scope: str) -> Answer | Unanswered:
        """The last answer; each request has an assertion and a proof of its own, for each is good once."""
        form = {**EXCHANGE, "scope": scope, "subject_token": session.get_secret_value()}
        for _ in range(TRIES):
            proof = self.proofs.headers(Place.TOKEN_ENDPOINT, "POST", self.token_url)
            answer = await self.wire.attempt(self._form(self.token_url, form, proof))
            if isinstance(answer, Unanswered) or not self.proofs.wants_another(Place.TOKEN_ENDPOINT, answer):
                break
        return answer

    def _form(self, url: str, form: Mapping[str, str], headers: Mapping[str, str] | None = None) -> Sending:
        # The token endpoint stands for the server at its other endpoints too (RFC 7523, section 3).
        assertion = self.key.assertion(self.client_id, audience=self.token_url, now=self.clock.now())
        fields = {**form, "client_assertion_type": ASSERTION_TYPE, "client_assertion": assertion}
        return Sending(
            "POST",
            url,
            headers={**(headers or {}), "Content-Type": "application/x-www-form-urlencoded"},
            content=urlencode(fields).encode("ascii"),
            bodies=ANSWER_BODIES,
        )

    def _judged(self, answer: Answer, scope: str) -> Exchanged:
        if answer.status not in ISSUED:
            return Exchanged(fault=_refusal_of(answer))
        issued = answer.read_as(Issued)
        if (
            issued is not None
            and issued.token_type.lower() == self.proofs.token_type.lower()
            and issued.is_for(scope)  # a token that could do more is one nobody asked for
        ):
            return Exchanged(SecretStr(issued.access_token))
        named = answer.read_as(Named)
        is_revocable = named is not None and self.revoke_seconds is not None
        telemetry.log.warning("lms_token_unusable", revocable=is_revocable)
        return Exchanged(SecretStr(named.access_token) if named else None, LmsFaultKind.MALFORMED)


def _doubt_of(answer: Answer | LmsFaultKind) -> int | LmsFaultKind | None:
    """What speaks against a token's end: a fault, another status; an error or a page, as of a sign-in, beside 200."""
    if isinstance(answer, LmsFaultKind):
        return answer
    if answer.status != OK:
        return answer.status
    if answer.has_error():
        return LmsFaultKind.REFUSED
    return None if answer.is_empty_or_json() else LmsFaultKind.MALFORMED


def _warn_of_unknown(seen: int | str) -> None:
    """An exchange was sent, and nobody knows whether there is a token now: it would die of its lifetime."""
    telemetry.log.warning("lms_token_unknown", seen=seen)


def _refusal_of(answer: Answer) -> LmsFaultKind:
    error = answer.oauth_error()
    if error is None and answer.status not in NOTHING_ISSUED:
        _warn_of_unknown(answer.status)
    if error in REFUSALS_OF_US:
        telemetry.log.error("lms_refused_client", endpoint="token", error=error)
    return FAULT_OF_ERROR.get(error or "") or fault_of_status(answer.status, OF_EXCHANGE) or LmsFaultKind.MALFORMED


class QuestionToken:
    """The token of one question or write: none before it is needed, one however many need it, none after the end."""

    def __init__(self, endpoint: TokenEndpoint, session: str, background: Background, *, scope: str = SCOPE) -> None:
        self._endpoint = endpoint
        self._scope = scope
        self._session = SecretStr(session)
        self._background = background
        self._exchange: asyncio.Task[Exchanged] | None = None
        self._is_over = False

    async def get(self) -> SecretStr:
        """The token. Raises LmsFault; a failed exchange is not tried again within the question."""
        self.refuse_if_over()
        if self._exchange is None:
            self._exchange = self._background.start(self._endpoint.exchange(self._session, scope=self._scope))
        exchanged = await asyncio.shield(self._exchange)
        if exchanged.token is None or exchanged.fault is not None:
            raise LmsFault(exchanged.fault or LmsFaultKind.MALFORMED)
        return exchanged.token

    def refuse_if_over(self) -> None:
        """Raises RuntimeError once the end was: whoever asks then has kept what is not theirs."""
        if self._is_over:
            raise RuntimeError("a request after the end of its token")

    def end(self) -> asyncio.Task[None] | None:
        """Lets nothing more be sent, and starts to revoke what there is; None where there is nothing. Never waits."""
        if self._is_over or self._exchange is None:
            self._is_over = True
            return None
        self._is_over = True
        return self._background.start(self._revoke(self._exchange))

    async def _revoke(self, exchange: asyncio.Task[Exchanged]) -> None:
        await asyncio.wait([exchange])
        token = None if exchange.cancelled() or exchange.exception() else exchange.result().token
        if token is not None:
            await self._endpoint.revoke(token)
