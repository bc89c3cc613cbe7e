"""`POST /oauth/token` (RFC 8693) and `POST /oauth/revoke` (RFC 7009), for one client that signs for itself."""

from django.http import HttpRequest, JsonResponse
from django.utils.datastructures import MultiValueDictKeyError
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from kolibri_assist_exchange import store
from kolibri_assist_exchange.clients import ASSERTION_TYPE, is_our_client
from kolibri_assist_exchange.configuration import configuration
from kolibri_assist_exchange.people import READERS, active_user, is_signed_in, role_of
from kolibri_assist_exchange.sessions import subject_of

EXCHANGE = "urn:ietf:params:oauth:grant-type:token-exchange"
JWT_TYPE = "urn:ietf:params:oauth:token-type:jwt"
ACCESS_TOKEN_TYPE = "urn:ietf:params:oauth:token-type:access_token"  # noqa: S105 a name of RFC 8693
AUDIENCE = "urn:lms:assist"
SCOPE = "assist:read"
"""There is no other: this plugin lets nothing be written."""


class Refused(Exception):
    """An answer of RFC 6749, section 5.2."""

    def __init__(self, error: str, *, status: int = 400) -> None:
        super().__init__(error)
        self.error = error
        self.status = status


def _oauth(view):
    """A view of the token endpoint's kind: by POST, without cookies, for the client alone, never kept by anybody."""

    @csrf_exempt
    @require_POST
    def answering(request: HttpRequest) -> JsonResponse:
        try:
            _require_client(request)
            answer = JsonResponse(view(request))
        except Refused as refused:
            answer = JsonResponse({"error": refused.error}, status=refused.status)
        answer["Cache-Control"] = "no-store"
        return answer

    return answering


@_oauth
def token(request: HttpRequest) -> dict[str, object]:
    """A token to read as the coach of a session JWT. DPoP is not done: a proof that is sent binds nothing."""
    if _field(request, "grant_type") != EXCHANGE:
        raise Refused("unsupported_grant_type")
    if _field(request, "subject_token_type") != JWT_TYPE:
        raise Refused("invalid_request")
    if _field(request, "audience") != AUDIENCE:
        raise Refused("invalid_target")
    if _field(request, "scope") != SCOPE:
        raise Refused("invalid_scope")
    subject = subject_of(_field(request, "subject_token"))
    user = active_user(subject.user_id) if subject else None
    if subject is None or user is None or not is_signed_in(subject.user_id, subject.session_key):
        raise Refused("invalid_grant")
    if role_of(user) not in READERS:
        raise Refused("invalid_request")  # as RFC 8693, section 2.2.2, names what a policy does not accept
    return {
        "access_token": store.grant(user.id, subject.session_key),
        "issued_token_type": ACCESS_TOKEN_TYPE,
        "token_type": "Bearer",
        "expires_in": store.TOKEN_SECONDS,
        "scope": SCOPE,
    }


@_oauth
def revoke(request: HttpRequest) -> dict[str, object]:
    """Done for a token nobody knows, too (RFC 7009, section 2.2)."""
    store.revoke(_field(request, "token"))
    return {}


def _require_client(request: HttpRequest) -> None:
    if _field(request, "client_assertion_type") != ASSERTION_TYPE:
        raise Refused("invalid_client", status=401)
    if not is_our_client(_field(request, "client_assertion"), audience=configuration().token_url):
        raise Refused("invalid_client", status=401)


def _field(request: HttpRequest, name: str) -> str:
    """A field that is there once (RFC 6749, section 3.2)."""
    try:
        (value,) = request.POST.getlist(name)
    except (ValueError, MultiValueDictKeyError):
        raise Refused("invalid_request") from None
    return value
