"""One way through for every endpoint: token, scope, shape, seat, and only then the handler."""

import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeVar
from uuid import UUID

from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse
from pydantic import ValidationError

from examples.reference_lms.api.bodies import Body, Query
from examples.reference_lms.api.door import let_in, look_as
from examples.reference_lms.api.endpoints import ENDPOINTS, Endpoint
from examples.reference_lms.api.kept_answers import find_answer, keep_answer
from examples.reference_lms.api.look import EXISTING, REACHABLE, Answer, Look
from examples.reference_lms.api.refusals import Refusal, refuse
from examples.reference_lms.campus import Campus
from examples.reference_lms.identity.tokens import Grant
from examples.reference_lms.request_log import note_of
from examples.reference_lms.rules import Break

ACTOR = "assistant"
"""Who the log says has acted: whatever comes by an exchanged token comes from the assistant."""

BODY_BYTES = 1_000_000

Parsed = TypeVar("Parsed")

_KEY = re.compile(r"[\x21-\x7e]{1,255}")


def api_router(campus: Campus) -> APIRouter:
    router = APIRouter()
    for endpoint in ENDPOINTS:
        router.add_api_route(endpoint.path, _route(campus, endpoint), methods=[endpoint.method], name=endpoint.name)
    return router


def _route(campus: Campus, endpoint: Endpoint) -> Callable[[Request], Awaitable[Response]]:
    async def route(request: Request) -> Response:
        grant = let_in(campus, request)
        note = note_of(request.scope)
        if isinstance(grant, Response):
            note.asked_again = "use_dpop_nonce" in grant.headers["WWW-Authenticate"]
            return grant
        note.actor, note.acting_for = ACTOR, grant.person
        body = await request.body()
        try:
            return _Call(campus, endpoint, grant, request).answer(body)
        except Refusal as refusal:
            return refuse(refusal.error, fields=refusal.fields, headers=_nonce(campus))

    return route


@dataclass(frozen=True)
class _Call:
    """One request of a person who was let in. Nothing in here awaits: see `Store.ask_as`."""

    campus: Campus
    endpoint: Endpoint
    grant: Grant
    request: Request

    def answer(self, raw_body: bytes) -> Response:
        tool = self.endpoint.tool
        if tool and self.grant.scope != f"assist:write:{tool}":
            self._check(Break.WRITE_WITH_READ_TOKEN, otherwise="insufficient_scope")
        look_as(self.campus, self.grant)
        look = Look(
            store=self.campus.store,
            me=self.grant.person,
            id=_canonical(self.request.path_params.get("id", "")),
            query=self._query(),
            body=self._body(raw_body),
            list_name=f"{self.request.url.path}?{self._filters()}",
        )
        answer = self._write(look) if tool else self._handle(look)
        headers = {"Cache-Control": "no-store", **_nonce(self.campus)}
        return JSONResponse(answer, status_code=201 if tool else 200, headers=headers)

    def _handle(self, look: Look) -> Answer:
        kind = self.endpoint.kind
        if kind and look.store.row(REACHABLE[kind], id=look.id) is None:
            exists = look.store.row(EXISTING[kind], id=look.id) is not None
            raise Refusal("no_seat" if exists and self.campus.rules.broken(Break.TELL_NO_SEAT) else "not_found")
        return self.endpoint.handler(look)

    def _write(self, look: Look) -> Answer:
        """Once per Idempotency-Key, looked up before anything that the write itself may have changed."""
        key = self.request.headers.get("idempotency-key", "")
        if not _KEY.fullmatch(key):
            raise Refusal("idempotency_key_needed")
        assert look.body is not None
        request = f"{self.endpoint.method} {self.request.url.path} {look.body.model_dump_json()}"
        person = self.grant.person
        with look.store.transaction():
            forgets = self.campus.rules.broken(Break.FORGET_IDEMPOTENCY_KEYS)
            kept = None if forgets else find_answer(look.store, person=person, key=key, request=request)
            if kept is not None:
                note_of(self.request.scope).replayed = True
                return kept
            answer = self._handle(look)
            keep_answer(look.store, answer, person=person, key=key, request=request, at=self.campus.now())
        return answer

    def _query(self) -> Query:
        given = self.request.query_params.multi_items()
        if len(dict(given)) != len(given):
            raise Refusal("invalid", fields=["query"])
        return _parsed(lambda: self.endpoint.query.model_validate(dict(given)))

    def _filters(self) -> str:
        return "&".join(
            f"{name}={value}"
            for name, value in sorted(self.request.query_params.items())
            if name not in {"cursor", "limit"}
        )

    def _body(self, raw: bytes) -> Body | None:
        model = self.endpoint.body
        if model is None:
            return None
        if len(raw) > BODY_BYTES:
            raise Refusal("invalid", fields=["body"])
        return _parsed(lambda: model.model_validate_json(raw))

    def _check(self, rule: Break, *, otherwise: str) -> None:
        if not self.campus.rules.broken(rule):
            raise Refusal(otherwise)


def _parsed(parse: Callable[[], Parsed]) -> Parsed:
    """Names the fields that are wrong, never their values."""
    try:
        return parse()
    except ValidationError as error:
        fields = [".".join(str(part) for part in found["loc"]) or "body" for found in error.errors()]
        raise Refusal("invalid", fields=[_ascii(field) for field in fields]) from None


def _ascii(text: str) -> str:
    """A field's name may be the sender's own, with letters no answer can hold."""
    return text.encode("ascii", "backslashreplace").decode()


def _canonical(id_: str) -> str:
    """The one way an id is written; what is no UUID stays as it is, and is not found."""
    try:
        return id_.lower() if str(UUID(id_)) == id_.lower() else ""
    except ValueError:
        return ""


def _nonce(campus: Campus) -> dict[str, str]:
    return {"DPoP-Nonce": campus.proofs.nonces.current()} if campus.options.dpop else {}
