"""A token acts as its coach, for reads of a few paths and for nothing else that this Kolibri has.

The list is of what the service reads and not one path more. `/api/auth/facilityuser/`, with its birth years, genders
and id numbers, is not on it: names come with a class's summary.
"""

import re

from kolibri.utils.conf import OPTIONS
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import AuthenticationFailed, PermissionDenied

from kolibri_assist_exchange import store
from kolibri_assist_exchange.people import READERS, active_user, is_signed_in, role_of

_ID = "[0-9a-f]{32}"

PATHS = re.compile(
    "|".join(
        (
            "/api/auth/classroom/",
            "/api/exams/exam/",  # the list: what a single quiz answers is filtered for nobody
            f"/api/public/v1/facility/{_ID}/",
            f"/coach/api/classsummary/{_ID}/",
        )
    )
)

SCHEME = "bearer"


class AssistTokenAuthentication(BaseAuthentication):
    """Decides alone wherever a bearer token is sent; without one it leaves the request to Kolibri's own classes."""

    def authenticate(self, request):
        token = _token_of(request)
        if token is None:
            return None
        if request.method != "GET" or not PATHS.fullmatch(_path_of(request)):
            raise PermissionDenied
        granted = store.granted(token)
        user = active_user(granted.user_id) if granted and is_signed_in(granted.user_id, granted.session_key) else None
        if user is None or role_of(user) not in READERS:
            raise AuthenticationFailed
        return user, None

    def authenticate_header(self, request):
        """None without a token: Kolibri's own front end goes on to get the 403 it knows, not a 401."""
        return None if _token_of(request) is None else 'Bearer error="invalid_token"'


def _token_of(request) -> str | None:
    scheme, _, token = request.META.get("HTTP_AUTHORIZATION", "").partition(" ")
    return token.strip() if scheme.lower() == SCHEME else None


def _path_of(request) -> str:
    prefix = OPTIONS["Deployment"]["URL_PATH_PREFIX"].strip("/")
    return request.path_info.removeprefix(f"/{prefix}") if prefix else request.path_info
