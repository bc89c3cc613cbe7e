"""Pages as HTML: every value escaped, and a policy under which no script but ours and the panel's runs."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.responses import HTMLResponse

from examples.reference_lms.face.cookie_sessions import LANGUAGES
from examples.reference_lms.face.words import script_words, words_in

TEMPLATES = Path(__file__).with_name("templates")

NAV: Mapping[str, tuple[str, ...]] = {
    "teacher": ("courses", "pools", "evaluations", "templates"),
    "admin": ("courses", "pools", "evaluations", "templates", "admin"),
    "trainer_admin": ("admin",),
    "student": ("my-courses", "my-results"),
}
"""What stands in the head of each page, by role."""


@dataclass(frozen=True)
class Renderer:
    """Makes pages of one LMS; `assist_url` is the service as browsers reach it, or None where there is none."""

    environment: Environment
    assist_url: str | None

    def page(self, template: str, values: Mapping[str, Any], *, language: str, status: int = 200) -> HTMLResponse:
        context = {
            "w": words_in(language),
            "language": language,
            "languages": LANGUAGES,
            "script_words": json.dumps(script_words(language)),
            "assist_url": self.assist_url,
            "nav": NAV,
        }
        html = self.environment.get_template(template).render({**context, **values})
        return HTMLResponse(html, status, headers={**security_headers(self.assist_url), "Cache-Control": "no-store"})


def open_renderer(assist_url: str | None) -> Renderer:
    return Renderer(_environment(), assist_url.rstrip("/") if assist_url else None)


@cache
def _environment() -> Environment:
    """One for all: compiling the templates takes longer than filling them."""
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["when"] = _when
    return environment


def _when(moment: str | None) -> str:
    """The school keeps moments as ISO 8601 in UTC."""
    return moment[:16].replace("T", " ") + " UTC" if moment else "—"


def security_headers(assist_url: str | None) -> dict[str, str]:
    """For every page there is, the panel's rules with them."""
    service = f" {assist_url.rstrip('/')}" if assist_url else ""
    policy = (
        "default-src 'none'",
        f"script-src 'self'{service}",
        f"style-src 'self'{service}",
        f"connect-src 'self'{service}",
        "img-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types assist-panel lms-pages",
    )
    return {
        "Content-Security-Policy": "; ".join(policy),
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "same-origin",
    }
