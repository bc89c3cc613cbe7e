"""Whether a change was asked for by a page of this LMS: the cookie alone does not tell."""

from starlette.requests import Request

from examples.reference_lms.identity.origins import urls_of


def is_from_here(request: Request, *, public: str) -> bool:
    """As the browser says; who says nothing is taken for somebody else."""
    site = request.headers.get("sec-fetch-site")
    if site is not None:
        return site == "same-origin"
    origin = request.headers.get("origin", "")
    raw = request.scope.get("raw_path") or request.url.path.encode()
    return origin + raw.decode("latin-1") in urls_of(request.scope, public=public)
