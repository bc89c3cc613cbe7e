"""What a front end and the service ask beside tokens: a session, the keys it is signed with, how somebody stands."""

from django.http import Http404, HttpRequest, JsonResponse
from django.views.decorators.http import require_GET
from kolibri.core.auth.models import FacilityUser
from rest_framework.authentication import SessionAuthentication
from rest_framework.permissions import BasePermission
from rest_framework.response import Response
from rest_framework.views import APIView

from kolibri_assist_exchange import sessions
from kolibri_assist_exchange.clients import STANDING_AUDIENCE, is_our_client
from kolibri_assist_exchange.keys import session_key
from kolibri_assist_exchange.people import standing_of


class _IsSignedIn(BasePermission):
    def has_permission(self, request, view) -> bool:
        """A guest is no FacilityUser, and has nothing to ask as."""
        return isinstance(request.user, FacilityUser)


class SessionView(APIView):
    """`POST /api/assist/session`: a session JWT for whoever is signed in here, with Kolibri's cookie and CSRF token."""

    authentication_classes = (SessionAuthentication,)  # a token of the service's makes no session
    permission_classes = (_IsSignedIn,)

    def post(self, request) -> Response:
        token = sessions.issue(request.user, request.session.session_key)
        return Response({"token": token, "expires_in": sessions.SECONDS}, headers={"Cache-Control": "no-store"})


@require_GET
def jwks(request: HttpRequest) -> JsonResponse:
    """The public half of the key that sessions are signed with."""
    return JsonResponse({"keys": [session_key().public_jwk]})


@require_GET
def standing(request: HttpRequest, sub: str) -> JsonResponse:
    """How somebody stands now, for the service alone."""
    scheme, _, assertion = request.META.get("HTTP_AUTHORIZATION", "").partition(" ")
    if scheme.lower() != "bearer" or not is_our_client(assertion.strip(), audience=STANDING_AUDIENCE):
        return JsonResponse({"error": "invalid_client"}, status=401)
    found = standing_of(sub)
    if found is None:
        raise Http404
    return JsonResponse(found, headers={"Cache-Control": "no-store"})
