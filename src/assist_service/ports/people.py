"""Who is at the door."""

from typing import Protocol

from assist_service.domain.people import Session


class Sessions(Protocol):
    """Verifies the JWT a front end sends."""

    async def verify(self, token: str) -> Session:
        """Raises AssistError: `unauthenticated`, or `lms_unavailable` while no key was ever had."""
        ...


class Clients(Protocol):
    """Verifies the JWT that the LMS's own back end sends."""

    async def verify(self, token: str) -> str:
        """The name of the caller, its `sub`. Raises AssistError as a session's does."""
        ...
