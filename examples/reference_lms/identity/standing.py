"""`GET /api/assist/standing/{sub}`: what a person is now, for the service itself and nobody else."""

from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse

from examples.reference_lms.api.refusals import not_found, refuse
from examples.reference_lms.campus import Campus
from examples.reference_lms.identity.jws import BadToken
from examples.reference_lms.request_log import note_of
from examples.reference_lms.rules import Break

STANDING_AUDIENCE = "urn:lms:standing"
"""Of client JWTs for this one endpoint; they may be used again until they expire."""

PATH = "/api/assist/standing/{sub}"


def standing_router(campus: Campus) -> APIRouter:
    router = APIRouter()

    @router.get(PATH)
    async def read_standing(sub: str, request: Request) -> Response:
        if not await _is_client(campus, request):
            return refuse("unauthenticated", headers={"WWW-Authenticate": 'Bearer error="invalid_token"'})
        note_of(request.scope).actor = "assistant"
        row = campus.store.row("SELECT role, active, exam FROM person WHERE id = :sub", sub=sub)
        if row is None:
            return not_found()
        body = {"role": row["role"], "active": bool(row["active"]), "exam_in_progress": bool(row["exam"])}
        return JSONResponse(body, headers={"Cache-Control": "no-store"})

    return router


async def _is_client(campus: Campus, request: Request) -> bool:
    if "authorization" not in request.headers and campus.rules.broken(Break.ACCEPT_WITHOUT_TOKEN):
        return True
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() != "bearer":
        return False
    try:
        await campus.client_auth.check(token, audiences={STANDING_AUDIENCE}, once=False)
    except (BadToken, ValueError):
        return False
    return True
