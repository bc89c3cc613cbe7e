"""What an answer is worth, in words that hold none of its content."""

from collections.abc import Iterable, Sequence
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from assist_service.adapters.lms.checking.probe import Response
from assist_service.adapters.lms.faults import OK
from assist_service.adapters.lms.wire import Answer
from assist_service.domain import school
from assist_service.domain.lms_check import KEPT, WORKS, Outcome, Verdict, broken, missing, wrong
from assist_service.domain.school import Known
from assist_service.domain.strict_json import foreign, parse
from assist_service.ports import LmsFaultKind

Model = TypeVar("Model", bound=BaseModel)

ABSENT = frozenset({404, 405, 501})
"""Nobody answers at this address in this way."""

API_REFUSALS = frozenset({401, 403})
TOKENLESS_REFUSALS = frozenset({401})
"""Of a request that shows nothing: 403 would say that someone is known, and may not."""
OAUTH_REFUSALS = frozenset({400, 401})

FAULTS_TOLD = 3

NO_ANSWER = {
    LmsFaultKind.UNAVAILABLE: "no answer in time, or none at all",
    LmsFaultKind.MALFORMED: "an answer that cannot be read, or a packed one",
    LmsFaultKind.TOO_LARGE: "an answer above 2 MiB",
    LmsFaultKind.REFUSED: "an address that cannot be asked",
}

OAUTH_ERRORS = frozenset(
    "invalid_request invalid_client invalid_grant invalid_scope invalid_target unauthorized_client"
    " unsupported_grant_type invalid_dpop_proof use_dpop_nonce temporarily_unavailable server_error".split()
)
"""Those that are told; any other text of an answer could hold anything."""


def told(answer: Response) -> str:
    """How an answer begins, and no more of it."""
    if isinstance(answer, LmsFaultKind):
        return NO_ANSWER[answer]
    error = answer.oauth_error() or answer.challenge_error()
    return f"status {answer.status}" + (f" {error}" if error in OAUTH_ERRORS else "")


def undue(answer: Response, *, due: int = OK) -> Outcome:
    """The verdict on an answer that does not even have the status that is due."""
    if isinstance(answer, LmsFaultKind):
        return wrong(told(answer))
    return (missing if answer.status in ABSENT else wrong)(f"{told(answer)}, {due} was due")


def judge(answer: Response, model: type[Model], *, due: int = OK) -> tuple[Outcome, Model | None]:
    """The verdict on an endpoint's answer, and the answer where it is one."""
    if isinstance(answer, LmsFaultKind) or answer.status != due:
        return undue(answer, due=due), None
    if not_json := _why_no_json(answer):
        return wrong(not_json), None
    try:
        return WORKS, model.model_validate_json(answer.body)
    except ValidationError as error:
        faults = error.errors(include_url=False, include_input=False, include_context=False)
        return wrong(_fields([(fault["loc"], fault["type"]) for fault in faults], model)), None


def _why_no_json(answer: Answer) -> str | None:
    media_type = answer.headers.get("content-type", "").partition(";")[0].strip().lower()
    if media_type != "application/json":
        return "not JSON: another content-type than application/json"
    try:
        value: object = parse(answer.body.decode())
    except ValueError:
        return "not JSON, or not strictly: see docs/adding-an-lms.md"
    found = foreign(value)
    return f"the JSON {found}" if found else None


def _fields(faults: Sequence[tuple[tuple[int | str, ...], str]], model: type[BaseModel]) -> str:
    named = [f"{field_path(loc) or 'the whole'} ({kind})" for loc, kind in faults[:FAULTS_TOLD]]
    more = [f"{len(faults) - FAULTS_TOLD} more"] if len(faults) > FAULTS_TOLD else []
    return f"another shape than {model.__name__}: {', '.join([*named, *more])}"


def field_path(loc: Iterable[int | str]) -> str:
    """`items.0.title`; a key that is not the contract's own is the LMS's content, and told as `*`."""
    return ".".join(str(part) if isinstance(part, int) or part in FIELDS else "*" for part in loc)


def _known_fields() -> frozenset[str]:
    models = (each for each in vars(school).values() if isinstance(each, type) and issubclass(each, Known))
    return frozenset(name for model in models for name in model.model_fields)


FIELDS = _known_fields() | frozenset(
    "access_token issued_token_type token_type expires_in scope error message fields"
    " iss aud sub sid jti iat exp kind elevated".split()
)
"""Every field of the contract."""


def refusal(what: str, answer: Response, statuses: frozenset[int]) -> Outcome:
    """Kept where this was refused."""
    if isinstance(answer, Answer) and answer.status in statuses:
        return KEPT
    taken = isinstance(answer, Answer) and answer.status // 100 == 2
    due = " or ".join(map(str, sorted(statuses)))
    return broken(f"{what} was taken ({told(answer)})" if taken else f"{what}: {told(answer)}, {due} was due")


def worst(outcomes: Iterable[Outcome]) -> Outcome:
    """The first that is broken, else the first that is not kept."""
    found = sorted(outcomes, key=lambda outcome: (outcome.verdict is not Verdict.BROKEN, outcome is KEPT))
    return found[0]
