"""`/assist/`: a page that embeds the assistant's panel, for whoever is signed in; nothing else is on it."""

from importlib.resources import files

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.middleware.csrf import get_token
from django.utils.html import escape
from django.utils.translation import get_language
from django.views.decorators.http import require_GET
from kolibri.core.auth.models import FacilityUser

from kolibri_assist_exchange.configuration import configuration

PATH = "assist/"

LANGUAGES = {"fr": "fr", "fil": "fil", "tl": "fil"}
"""Kolibri's languages, by what their tags begin with, that the panel speaks; in all others it speaks English."""

POLICY = (
    "default-src 'none'; script-src 'self' {service}; style-src 'self' {service}; connect-src 'self' {service}; "
    "img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types assist-panel"
)
"""Stricter than Kolibri's own, which this page needs nothing of."""


@require_GET
def page(request: HttpRequest) -> HttpResponse:
    service = configuration().service_url
    if not service:
        raise Http404
    if not isinstance(request.user, FacilityUser):
        return HttpResponseRedirect(_root_of(request))
    get_token(request)  # the cookie that the page's script shows when it asks for a session
    language = LANGUAGES.get((get_language() or "en").split("-")[0], "en")
    html = _file("assist.html").format(service=escape(service), root=escape(_root_of(request)), language=language)
    headers = {"Content-Security-Policy": POLICY.format(service=service), "Cache-Control": "no-store"}
    return HttpResponse(html, headers=headers)


@require_GET
def host(_request: HttpRequest) -> HttpResponse:
    return HttpResponse(_file("host.js"), content_type="text/javascript; charset=utf-8")


def _root_of(request: HttpRequest) -> str:
    """Where Kolibri begins: its own pages may be under a path, `URL_PATH_PREFIX`."""
    return request.path.removesuffix(PATH)


def _file(name: str) -> str:
    return files("kolibri_assist_exchange").joinpath("page", name).read_text("utf-8")
