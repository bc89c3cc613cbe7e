"""A change is taken from a page of the session that its cookie stands for: another tab may have signed in since."""

from hmac import compare_digest

from starlette.requests import Request

from examples.reference_lms.face.cookie_sessions import SignedIn
from examples.reference_lms.face.forms import Form

FIELD = "session"
"""By which forms say of which session their page is."""

HEADER = "x-lms-session"
"""The same, of what scripts send."""

OTHER_SESSION = "other_session"
"""Why not: the key of what a person is told, and the error a script gets."""


def is_of(session: SignedIn, request: Request, form: Form | None = None) -> bool:
    """Whether the page that asks was made for this session; one that does not say was not."""
    sent = form.one(FIELD) if form is not None else request.headers.get(HEADER, "")
    return compare_digest(sent.encode(), session.marker.encode())
