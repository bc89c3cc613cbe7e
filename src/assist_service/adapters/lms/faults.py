"""What a status means, by who is asked: the API for a person, the token endpoint, or for the service itself."""

from collections.abc import Mapping

from assist_service.domain.errors import WriteFailure
from assist_service.ports import LmsFaultKind

OK = 200
CREATED = 201

Faults = Mapping[int, LmsFaultKind]

OF_READ: Faults = {
    400: LmsFaultKind.REFUSED,
    401: LmsFaultKind.SESSION_ENDED,
    # No seat and no such thing read the same, whatever the LMS makes of it (invariant J2).
    403: LmsFaultKind.NOT_FOUND,
    404: LmsFaultKind.NOT_FOUND,
    422: LmsFaultKind.REFUSED,
    429: LmsFaultKind.UNAVAILABLE,
}

OF_EXCHANGE: Faults = {
    401: LmsFaultKind.SESSION_ENDED,
    404: LmsFaultKind.UNAVAILABLE,
    429: LmsFaultKind.UNAVAILABLE,
}

OF_STANDING: Faults = {
    # No person's session is in such a request: this service itself is refused, and signing in again mends nothing.
    **OF_READ,
    401: LmsFaultKind.UNAVAILABLE,
    403: LmsFaultKind.UNAVAILABLE,
}

OF_WRITE: Mapping[int, WriteFailure | LmsFaultKind] = {
    400: WriteFailure.INVALID,
    # The write was not made for want of a right to ask at all: nothing is known against the write itself.
    401: LmsFaultKind.SESSION_ENDED,
    403: WriteFailure.REFUSED,
    404: WriteFailure.NOT_FOUND,
    409: WriteFailure.REFUSED,
    413: WriteFailure.INVALID,
    422: WriteFailure.INVALID,
    429: LmsFaultKind.UNAVAILABLE,
}
"""Statuses that say that nothing was written. A fault among them may be over by the next try."""

_OF_CLASS: Faults = {4: LmsFaultKind.REFUSED, 5: LmsFaultKind.UNAVAILABLE}
"""By the first digit, where a table does not name the status."""


def fault_of_status(status: int, table: Faults) -> LmsFaultKind | None:
    """None for 200; MALFORMED for a redirect and whatever else no table knows."""
    if status == OK:
        return None
    return table.get(status) or _OF_CLASS.get(status // 100, LmsFaultKind.MALFORMED)


def refusal_of_status(status: int) -> WriteFailure | LmsFaultKind | None:
    """Why a write was not made; None where this status does not say that it was not."""
    return OF_WRITE.get(status) or (WriteFailure.FAILED if status // 100 == 4 else None)
