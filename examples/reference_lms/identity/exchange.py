"""`POST /oauth/token` (RFC 8693) gives the service a token of the person's, `/oauth/revoke` (RFC 7009) ends it."""

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import parse_qsl

from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse

from examples.reference_lms.campus import Campus
from examples.reference_lms.identity.dpop import Asked, BadProof
from examples.reference_lms.identity.jws import BadToken
from examples.reference_lms.identity.origins import urls_of
from examples.reference_lms.identity.refusals import (
    NO_STORE,
    Refused,
    invalid_client,
    invalid_grant,
    invalid_request,
)
from examples.reference_lms.identity.subjects import Subject
from examples.reference_lms.identity.tokens import Grant
from examples.reference_lms.request_log import note_of
from examples.reference_lms.rules import Break

GRANT_TYPE = "urn:ietf:params:oauth:grant-type:token-exchange"
JWT_TYPE = "urn:ietf:params:oauth:token-type:jwt"
ACCESS_TOKEN_TYPE = "urn:ietf:params:oauth:token-type:access_token"  # noqa: S105 - the name of a type
ASSERTION_TYPE = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
API_AUDIENCE = "urn:lms:assist"

READ_SCOPE = "assist:read"
WRITE_TOOLS = (
    "create_question",
    "create_category",
    "create_template",
    "add_questions_to_template",
    "link_pool_to_course",
)
SCOPES = frozenset({READ_SCOPE, *(f"assist:write:{tool}" for tool in WRITE_TOOLS)})

FORM_TYPE = "application/x-www-form-urlencoded"
FORM_BYTES = 64_000

Form = Mapping[str, str]


def oauth_router(campus: Campus) -> APIRouter:
    router = APIRouter(prefix="/oauth")

    @router.post("/token")
    async def exchange(request: Request) -> Response:
        try:
            return await _Exchange(campus, request).answer()
        except Refused as refused:
            return refused.answer()

    if campus.options.revocation:

        @router.post("/revoke")
        async def revoke(request: Request) -> Response:
            try:
                form = await _read_form(request)
                client = await _authenticate(campus, request, form)
                campus.tokens.revoke(_needed(form, "token"), client=client)
            except Refused as refused:
                return refused.answer()
            return Response(status_code=200, headers=NO_STORE)

    return router


@dataclass(frozen=True)
class _Exchange:
    """One request to the token endpoint."""

    campus: Campus
    request: Request

    async def answer(self) -> Response:
        form = await _read_form(self.request)
        key = self._key()  # first: a client that lacks a nonce has not spent its assertion
        client = await _authenticate(self.campus, self.request, form)
        scope = self._check_order(form)
        subject = self._subject(_needed(form, "subject_token"))
        token = self.campus.tokens.issue(
            Grant(
                person=subject.person,
                sid=subject.sid,
                role=subject.role,
                elevated=subject.elevated,
                client=client,
                scope=scope,
                thumbprint=key,
                expires_at=self.campus.tokens.expiry(),
            )
        )
        note = note_of(self.request.scope)
        note.actor, note.acting_for = "assistant", subject.person
        body = {
            "access_token": token,
            "issued_token_type": ACCESS_TOKEN_TYPE,
            "token_type": "DPoP" if key else "Bearer",
            "expires_in": self.campus.tokens.lifetime_seconds(),
            "scope": scope,
        }
        nonce = {"DPoP-Nonce": self.campus.proofs.nonces.current()} if key else {}
        return JSONResponse(body, headers={**NO_STORE, **nonce})

    def _key(self) -> str | None:
        """The thumbprint of the key the token will be bound to."""
        if not self.campus.options.dpop:
            return None
        proofs = self.request.headers.getlist("dpop")
        if not proofs and self.campus.rules.broken(Break.ACCEPT_WITHOUT_PROOF):
            return None
        nonce = {"DPoP-Nonce": self.campus.proofs.nonces.current()}
        if len(proofs) != 1:
            raise Refused("invalid_dpop_proof", "one DPoP proof is needed", headers=nonce)
        urls = urls_of(self.request.scope, public=self.campus.url)
        try:
            return self.campus.proofs.check(proofs[0], Asked("POST", urls))
        except BadProof as error:
            raise Refused(error.error, str(error), headers=nonce) from None

    def _check_order(self, form: Form) -> str:
        """The scope, of an order this endpoint takes."""
        if _needed(form, "grant_type") != GRANT_TYPE:
            raise Refused("unsupported_grant_type", "only token exchange")
        if _needed(form, "subject_token_type") != JWT_TYPE:
            raise invalid_request("subject_token_type must be that of a JWT")
        if form.get("requested_token_type", ACCESS_TOKEN_TYPE) != ACCESS_TOKEN_TYPE:
            raise invalid_request("only access tokens are issued")
        audience = _needed(form, "audience")
        if audience != API_AUDIENCE and not self.campus.rules.broken(Break.ACCEPT_WRONG_AUDIENCE):
            raise Refused("invalid_target", "unknown audience")
        if form.get("scope") not in SCOPES:
            raise Refused("invalid_scope", "exactly one known scope is needed")
        return form["scope"]

    def _subject(self, token: str) -> Subject:
        try:
            subject = self.campus.subjects.read(token)
        except (BadToken, ValueError) as error:
            reason = str(error) if isinstance(error, BadToken) else "unknown role"
            raise invalid_grant(f"subject_token: {reason}") from None
        row = self.campus.store.row("SELECT active FROM person WHERE id = :sub", sub=subject.person)
        if row is None or not row["active"]:
            raise invalid_grant("subject_token: no such account")
        if subject.sid in self.campus.sessions.ended:
            raise invalid_grant("subject_token: the session is over")
        return subject


async def _read_form(request: Request) -> Form:
    """The parameters of the body, none of them twice (RFC 6749, section 3.2)."""
    if request.headers.get("content-type", "").split(";")[0].strip().lower() != FORM_TYPE:
        raise invalid_request("a form is needed")
    body = await request.body()
    try:
        pairs = parse_qsl(body[: FORM_BYTES + 1].decode("ascii"), keep_blank_values=True, errors="strict")
    except ValueError:
        raise invalid_request("not a form") from None
    form = dict(pairs)
    if len(body) > FORM_BYTES or len(form) != len(pairs):
        raise invalid_request("a parameter is repeated, or the form is too long")
    return form


def _needed(form: Form, name: str) -> str:
    if not form.get(name):
        raise invalid_request(f"{name} is needed")
    return form[name]


async def _authenticate(campus: Campus, request: Request, form: Form) -> str:
    """The client that asks. Raises Refused."""
    if "client_assertion" not in form and campus.rules.broken(Break.ACCEPT_WITHOUT_CLIENT):
        return campus.client_auth.client
    if form.get("client_assertion_type") != ASSERTION_TYPE or not form.get("client_assertion"):
        raise invalid_client("a client assertion is needed")
    # An assertion for revoking may name either endpoint: RFC 7523 has the token endpoint stand for the server.
    urls = urls_of(request.scope, public=campus.url)
    token_urls = {url.removesuffix("/revoke") + "/token" if url.endswith("/revoke") else url for url in urls}
    try:
        client = await campus.client_auth.check(form["client_assertion"], audiences=urls | token_urls, once=True)
    except (BadToken, ValueError) as error:
        reason = str(error) if isinstance(error, BadToken) else "not readable"
        raise invalid_client(f"client_assertion: {reason}") from None
    if form.get("client_id", client) != client:
        raise invalid_client("client_id is another client's")
    return client
