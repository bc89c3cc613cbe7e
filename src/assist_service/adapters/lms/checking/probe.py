"""Sends what a check wants sent, the forbidden too; nothing of it is judged here.

The service's own classes refuse to send most of this, so only their parts are used.
"""

import datetime as dt
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote, urlencode
from uuid import uuid4

from pydantic import SecretStr

from assist_service.adapters.lms.client import ClientKey
from assist_service.adapters.lms.dpop import Place, Proofs
from assist_service.adapters.lms.faults import OK
from assist_service.adapters.lms.tokens import ASSERTION_TYPE, EXCHANGE, TRIES, Brought
from assist_service.adapters.lms.wire import Answer, Sending, Wire, within
from assist_service.ports import Clock, LmsFaultKind

Response = Answer | LmsFaultKind

Sign = Callable[[], str | None]
"""Makes a client assertion, or leaves it out; anew for each request, for one is good once."""

LONG_AGO_SECONDS = 3_600
"""Past the lifetime of anything that is signed."""

EVERY_BODY = frozenset(range(200, 600))
"""Refusals are compared byte by byte."""

STANDING = "/api/assist/standing/{sub}"
TOKEN, REVOKE = "/oauth/token", "/oauth/revoke"

FORM = {"Content-Type": "application/x-www-form-urlencoded"}


@dataclass(frozen=True)
class Asking:
    """One request to the API, but for the token."""

    method: str
    path: str
    query: Mapping[str, str] = field(default_factory=dict)
    body: Mapping[str, Any] | None = None
    key: str | None = field(default_factory=lambda: str(uuid4()))
    """The Idempotency-Key of one with a body."""

    @property
    def headers(self) -> Mapping[str, str]:
        given = {"Content-Type": "application/json", "Idempotency-Key": self.key}
        return {name: value for name, value in given.items() if value and self.body is not None}

    @property
    def content(self) -> bytes | None:
        return None if self.body is None else json.dumps(self.body).encode("ascii")


@dataclass(frozen=True)
class FixedProof:
    """Sends these headers and no others, however often."""

    sent: Mapping[str, str]
    token_type: str

    def headers(self, place: Place, method: str, url: str, *, token: SecretStr | None = None) -> Mapping[str, str]:
        return self.sent

    def wants_another(self, place: Place, answer: Answer) -> bool:
        return False


@dataclass(frozen=True)
class Probe:
    """This service as a client of one LMS."""

    url: str
    """Without a slash at the end."""
    client_id: str
    key: ClientKey
    wire: Wire
    proofs: Proofs
    clock: Clock
    seconds: float
    _given: list[SecretStr] = field(default_factory=list, repr=False)

    @property
    def token_url(self) -> str:
        return self.url + TOKEN

    def assertion(self, *, audience: str | None = None, age_seconds: int = 0) -> str:
        """A client JWT; for the token endpoint, and of now, unless it says otherwise."""
        now = self.clock.now() - dt.timedelta(seconds=age_seconds)
        return self.key.assertion(self.client_id, audience=audience or self.token_url, now=now)

    async def exchange(
        self, session: str, *, sign: Sign | None = None, proofs: Proofs | None = None, **form: str
    ) -> Response:
        """Asks for a token; whatever comes is revoked at the end."""
        fields = {**EXCHANGE, "subject_token": session, **form}
        answer = await self._form(TOKEN, fields, sign=sign or self.assertion, proofs=proofs or self.proofs)
        if (token := token_of(answer)) is not None:
            self._given.append(token)
        return answer

    async def revoke(self, token: SecretStr, *, sign: Sign | None = None, **form: str) -> Response:
        fields = {"token": token.get_secret_value(), "token_type_hint": "access_token", **form}
        bare = FixedProof({}, self.proofs.token_type)
        return await self._form(REVOKE, fields, sign=sign or self.assertion, proofs=bare)

    async def revoke_all(self) -> None:
        """Ends every token that a check was given; what cannot be ended dies of its lifetime."""
        while self._given:
            await self.revoke(self._given.pop())

    async def standing(self, sub: str, assertion: str | None) -> Response:
        """Asks for someone's standing with this client JWT, or with none."""
        url = self.url + STANDING.replace("{sub}", quote(sub, safe=""))
        headers = {} if assertion is None else {"Authorization": f"Bearer {assertion}"}
        return await self._send(Sending("GET", url, headers=headers, bodies=EVERY_BODY))

    async def call(self, asking: Asking, token: SecretStr | None, *, proofs: Proofs | None = None) -> Response:
        """Asks the API with this token, or with none and no proof; again where a nonce is wanted."""
        proofs = proofs or self.proofs
        url = self.url + asking.path
        for _ in range(TRIES):
            shown = {} if token is None else _shown(token, proofs, asking.method, url)
            sending = Sending(asking.method, url, {**shown, **asking.headers}, asking.query, asking.content, EVERY_BODY)
            answer = await self._send(sending)
            if isinstance(answer, LmsFaultKind) or not proofs.wants_another(Place.API, answer):
                break
        return answer

    async def _form(self, path: str, fields: Mapping[str, str], *, sign: Sign, proofs: Proofs) -> Response:
        url = self.url + path
        for _ in range(TRIES):
            assertion = sign()
            by = {} if assertion is None else {"client_assertion_type": ASSERTION_TYPE, "client_assertion": assertion}
            headers = {**FORM, **proofs.headers(Place.TOKEN_ENDPOINT, "POST", url)}
            content = urlencode({**fields, **by}).encode("ascii")
            answer = await self._send(Sending("POST", url, headers, content=content, bodies=EVERY_BODY))
            if isinstance(answer, LmsFaultKind) or not proofs.wants_another(Place.TOKEN_ENDPOINT, answer):
                break
        return answer

    async def _send(self, sending: Sending) -> Response:
        return await within(self.seconds, self.wire.send(sending))

    def fixed(self, place: Place, method: str, path: str, *, token: SecretStr | None = None) -> FixedProof:
        """A good proof for one request, that can be sent twice."""
        headers = self.proofs.headers(place, method, self.url + path, token=token)
        return FixedProof(headers, self.proofs.token_type)


def _shown(token: SecretStr, proofs: Proofs, method: str, url: str) -> Mapping[str, str]:
    """A token, and that it is this client's."""
    return {
        "Authorization": f"{proofs.token_type} {token.get_secret_value()}",
        **proofs.headers(Place.API, method, url, token=token),
    }


def token_of(answer: Response) -> SecretStr | None:
    """The token of an answer that holds one, however wrong the rest of it is."""
    brought = answer.read_as(Brought) if isinstance(answer, Answer) and answer.status == OK else None
    return SecretStr(brought.access_token) if brought else None
