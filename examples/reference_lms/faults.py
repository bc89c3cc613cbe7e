"""The published keys misbehave on request, in a closed list of ways, and stop when told."""

from collections.abc import Callable, Mapping
from enum import StrEnum

from fastapi import Response
from fastapi.responses import JSONResponse, PlainTextResponse

from examples.reference_lms.keys import KeyRing


class Fault(StrEnum):
    """What can be wrong with the keys. `rotate_keys` is an event, the others are states that last."""

    NONE = "none"
    JWKS_DOWN = "jwks_down"
    JWKS_GARBAGE = "jwks_garbage"
    ROTATE_KEYS = "rotate_keys"


class KeyService:
    """The published key set as callers meet it: sound, down or garbage."""

    def __init__(self, keys: KeyRing) -> None:
        self._keys = keys
        self._fault = Fault.NONE

    def inject(self, fault: Fault) -> None:
        """A rotation leaves the state as it is, so that keys may change unseen behind an outage."""
        if fault is Fault.ROTATE_KEYS:
            self._keys.rotate()
        else:
            self._fault = fault

    def answer(self) -> Response:
        return JWKS_ANSWERS[self._fault](self._keys)


JWKS_ANSWERS: Mapping[Fault, Callable[[KeyRing], Response]] = {
    Fault.NONE: lambda keys: JSONResponse(keys.jwks()),
    Fault.JWKS_DOWN: lambda _: JSONResponse({"detail": "down on request"}, status_code=503),
    # Under the right status and type: only reading the body tells.
    Fault.JWKS_GARBAGE: lambda _: PlainTextResponse("{keys: <garbage>", media_type="application/json"),
}
