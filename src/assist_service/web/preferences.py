"""What a caller would rather have, read from `Accept` and `Accept-Language` as RFC 9110 says, and never refused.

An element counts by its first `q`, wherever that stands; one whose `q` is no weight (`abc`, `2`, `-1`, `nan`) is as if
it were not there. Other parameters say nothing here.
"""

import re
from collections.abc import Iterator, Mapping

from assist_service.domain.screens import Language
from assist_service.web.streaming import MEDIA_TYPE

READ_CHARACTERS = 500
"""How much of a header is read, whole elements only; the rest is ignored."""

JSON_RANGES = ("application/json", "application/*", "*/*")
"""What names JSON, the more precise before the wider (RFC 9110, section 12.5.1)."""

_WEIGHT = re.compile(r"0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?")
"""A weight as RFC 9110 writes it (section 12.4.2): `float` would take `inf`, `1e0` and `1_0` for one."""

_QUOTED = r'"(?:[^"\\]|\\.?)*(?:"|$)'
"""A quoted string, in which a comma or a semicolon parts nothing; one without an end goes on to the end."""

_BY_COMMA, _BY_SEMICOLON = (re.compile(rf'(?:[^"{mark}]|{_QUOTED})+', re.DOTALL) for mark in ",;")

_TAGS: Mapping[Language, tuple[str, ...]] = {
    Language.ENGLISH: ("en",),
    Language.FRENCH: ("fr",),
    Language.FILIPINO: ("fil", "tl"),
}


def prefers_events(accept: str) -> bool:
    """Whether an Accept header names event streams, and JSON not before them: whoever names neither gets JSON."""
    weights = dict(reversed(list(_weighted(accept))))  # of what is named twice the first counts
    json = next((weights[each] for each in JSON_RANGES if each in weights), 0.0)
    return weights.get(MEDIA_TYPE, 0.0) > 0 and weights[MEDIA_TYPE] >= json


def preferred_language(accept_language: str) -> Language:
    """The first of our languages in an Accept-Language header, by its weights; English where it names none."""
    weights: dict[str, float] = {}
    for tag, weight in _weighted(accept_language):
        weights.setdefault(tag.split("-")[0], weight)
    ours: Mapping[Language, float] = {
        language: weights[name] for language in Language for name in _TAGS[language] if weights.get(name, 0) > 0
    }
    return max(ours, key=lambda language: ours[language], default=Language.ENGLISH)


def _weighted(header: str) -> Iterator[tuple[str, float]]:
    """What a header names, in its order, each with its weight."""
    if len(header) > READ_CHARACTERS:  # half an element would say something else than the whole
        header = header[:READ_CHARACTERS].rpartition(",")[0]
    for element in _BY_COMMA.findall(header):
        name, *parameters = _BY_SEMICOLON.findall(element) or [""]
        weight = _weight_of(parameters)
        if weight is not None:
            yield name.strip().lower(), weight


def _weight_of(parameters: list[str]) -> float | None:
    """The weight they give, 1 where they give none; None for one that is none."""
    for parameter in parameters:
        name, _, value = (part.strip() for part in parameter.partition("="))
        if name.lower() == "q":
            return float(value) if _WEIGHT.fullmatch(value) else None
    return 1.0
