"""Sessions from the `/demo` controls of the reference LMS. No real LMS has them."""

from collections.abc import Mapping
from typing import Any

import httpx2

from assist_service.adapters.lms.checking.sessions import Given
from assist_service.domain.errors import ConfigurationError

UNLIKE = (httpx2.HTTPError, httpx2.InvalidURL, ValueError, LookupError, TypeError)

ANOTHER_AUDIENCE = "urn:another-client"
HOUR_SECONDS = 3_600


async def demo_sessions(client: httpx2.AsyncClient, url: str) -> Given:
    """One session of each kind that a check wants. Raises ConfigurationError where there are no such controls."""
    try:
        return await _sessions(client, url)
    except UNLIKE:
        raise ConfigurationError("--demo is for the reference LMS: there is no /demo/session at this address") from None


async def _sessions(client: httpx2.AsyncClient, url: str) -> Given:
    school = (await client.get(f"{url}/demo/school")).raise_for_status().json()
    teacher, other = [each["sub"] for each in school["people"] if each["role"] == "teacher"][:2]
    admin = next(each["sub"] for each in school["people"] if each["role"] == "admin")

    async def session(order: Mapping[str, Any]) -> str:
        answer = await client.post(f"{url}/demo/session", json=dict(order))
        return str(answer.raise_for_status().json()["token"])

    return Given(
        session=await session({"person": teacher}),
        other=await session({"person": other}),
        foreign=await session({"person": teacher, "audience": ANOTHER_AUDIENCE}),
        expired=await session({"person": teacher, "age_seconds": HOUR_SECONDS}),
        elevated=await session({"person": admin, "elevated": True}),
        plain=await session({"person": admin}),
    )
