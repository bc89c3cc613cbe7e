"""A refusal of this LMS's OAuth endpoints, as RFC 6749 (section 5.2), 8693, 9449 and 6750 word them."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from fastapi.responses import JSONResponse

NO_STORE = {"Cache-Control": "no-store", "Pragma": "no-cache"}


@dataclass(frozen=True)
class Refused(Exception):
    """Why a request to the token endpoint brings no token."""

    error: str
    description: str
    status: int = 400
    headers: Mapping[str, str] = field(default_factory=dict)

    def answer(self) -> JSONResponse:
        body = {"error": self.error, "error_description": self.description}
        return JSONResponse(body, status_code=self.status, headers={**NO_STORE, **self.headers})


def invalid_client(description: str) -> Refused:
    return Refused("invalid_client", description, status=401)


def invalid_grant(description: str) -> Refused:
    return Refused("invalid_grant", description)


def invalid_request(description: str) -> Refused:
    return Refused("invalid_request", description)
