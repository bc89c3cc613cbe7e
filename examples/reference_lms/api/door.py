"""Who calls the API, for whom and with what right: a live token, the proof of its key, and the seats of now."""

from datetime import UTC, datetime

from fastapi import Request, Response

from examples.reference_lms.api.refusals import refuse
from examples.reference_lms.campus import Campus
from examples.reference_lms.identity.dpop import Asked, BadProof
from examples.reference_lms.identity.exchange import READ_SCOPE
from examples.reference_lms.identity.origins import urls_of
from examples.reference_lms.identity.tokens import Grant
from examples.reference_lms.rules import Break
from examples.reference_lms.school import Role

READING_ROLES = frozenset({Role.TEACHER, Role.ADMIN})
"""Whose seats open anything; all other roles see empty lists and 404."""

ANYONE = Grant(
    person="",
    sid="",
    role=Role.STUDENT,
    elevated=False,
    client="",
    scope=READ_SCOPE,
    thumbprint=None,
    expires_at=datetime.max.replace(tzinfo=UTC),
)
"""Whoever shows no token, while that rule is broken."""


def let_in(campus: Campus, request: Request) -> Grant | Response:
    """The grant of the token that came with the request, or the 401 that says what is missing."""
    if "authorization" not in request.headers and campus.rules.broken(Break.ACCEPT_WITHOUT_TOKEN):
        return ANYONE
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    grant = campus.tokens.find(token)
    if grant is None or not _is_active(campus, grant):
        return _unauthenticated(campus, "invalid_token" if token else None)
    if grant.thumbprint is None:
        return grant if scheme.lower() == "bearer" else _unauthenticated(campus, "invalid_token")
    proofs = request.headers.getlist("dpop")
    if not proofs and campus.rules.broken(Break.ACCEPT_WITHOUT_PROOF):
        return grant
    # A bound token sent as a plain bearer is refused, or stealing it would be worth while (RFC 9449, section 7.2).
    if scheme.lower() != "dpop" or len(proofs) != 1:
        return _unauthenticated(campus, "invalid_token")
    asked = Asked(request.method, urls_of(request.scope, public=campus.url), access_token=token)
    try:
        key = campus.proofs.check(proofs[0], asked)
    except BadProof as error:
        return _unauthenticated(campus, error.error)
    return grant if key == grant.thumbprint else _unauthenticated(campus, "invalid_token")


def look_as(campus: Campus, grant: Grant) -> None:
    """Sets whose seats count from here on, by the narrower of the signed role and that of now."""
    person = campus.person(grant.person)
    reads = person is not None and {person.role, grant.role} <= READING_ROLES
    powers = grant.elevated and grant.role is Role.ADMIN and campus.rules.broken(Break.HONOUR_ELEVATED)
    everything = powers or grant is ANYONE or campus.rules.broken(Break.LEAK_OTHER_PEOPLE)
    campus.store.ask_as(grant.person if reads else None, everything=everything)


def _is_active(campus: Campus, grant: Grant) -> bool:
    row = campus.store.row("SELECT active FROM person WHERE id = :sub", sub=grant.person)
    return row is not None and bool(row["active"]) and grant.sid not in campus.sessions.ended


def _unauthenticated(campus: Campus, error: str | None) -> Response:
    scheme = "DPoP" if campus.options.dpop else "Bearer"
    details = [f'error="{error}"'] if error else []
    headers = {}
    if campus.options.dpop:
        details.append('algs="ES256"')
        headers["DPoP-Nonce"] = campus.proofs.nonces.current()
    headers["WWW-Authenticate"] = f"{scheme} {', '.join(details)}".strip()
    return refuse("unauthenticated", headers=headers)
