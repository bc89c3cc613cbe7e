"""The reference LMS, checked as an operator would check it."""

from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import Any

import httpx2
from pydantic import SecretStr
from starlette.types import ASGIApp

from assist_service.bootstrap.checking import Given, check_lms
from assist_service.domain.lms_check import RED, Report, Verdict
from assist_service.settings import LmsCheckSettings
from examples.reference_lms.app import create_app
from examples.reference_lms.campus import Options
from examples.reference_lms.school import FILIPINO_TEACHER, FRENCH_TEACHER
from tests.fakes.clocks import HandClock
from tests.fakes.house import CLIENT_KEY, CLIENT_KEY_PEM
from tests.fakes.serving import connect, serve

TEACHER, OTHER = FRENCH_TEACHER.sub, FILIPINO_TEACHER.sub


@dataclass
class Checked:
    """The LMS, and the check of it."""

    http: httpx2.AsyncClient
    clock: HandClock
    settings: LmsCheckSettings

    async def inject(self, fault: str, **parameters: Any) -> None:
        (await self.http.post("/demo/faults", json={"fault": fault, **parameters})).raise_for_status()

    async def session(self, person: str, **order: Any) -> str:
        answer = await self.http.post("/demo/session", json={"person": person, **order})
        return str(answer.raise_for_status().json()["token"])

    async def live(self) -> list[Any]:
        return list((await self.http.get("/demo/tokens")).json()["tokens"])

    async def writes(self) -> list[tuple[str, int]]:
        entries = (await self.http.get("/demo/audit")).json()["entries"]
        return [(entry["path"], entry["status"]) for entry in entries]

    async def given(self) -> Given:
        """All but the elevated one, of which the check takes longest."""
        return Given(
            session=await self.session(TEACHER),
            other=await self.session(OTHER),
            foreign=await self.session(TEACHER, audience="urn:another-client"),
            expired=await self.session(TEACHER, age_seconds=3_600),
        )

    async def check(self, *, given: Given | None = None, writes: bool = True) -> Report:
        url = str(self.http.base_url)
        return await check_lms(url, self.settings, given=given, writes=writes, clock=self.clock)


@asynccontextmanager
async def open_checked(
    *,
    dpop: bool = True,
    revocation: bool = True,
    before: Callable[[ASGIApp], ASGIApp] = lambda app: app,
    **settings: Any,
) -> AsyncIterator[Checked]:
    """`before` stands before the LMS and may answer in its place."""
    clock = HandClock()
    has = Options(dpop=dpop, revocation=revocation)
    app = create_app(url="http://lms.test", now=clock.now, client_jwks=CLIENT_KEY.public_jwks(), options=has)
    of = LmsCheckSettings(
        client_key=SecretStr(CLIENT_KEY_PEM), **{"lms_dpop": dpop, "lms_revocation": revocation, **settings}
    )
    async with AsyncExitStack() as stack:
        http = await stack.enter_async_context(connect(await stack.enter_async_context(serve(before(app)))))
        yield Checked(http, clock, of)


def red(report: Report) -> dict[str, str]:
    """What is wrong, and why."""
    return _of(report, *RED)


def unchecked(report: Report) -> dict[str, str]:
    return _of(report, Verdict.NOT_CHECKED)


def _of(report: Report, *verdicts: Verdict) -> dict[str, str]:
    rows = {**report.endpoints, **{rule.value: outcome for rule, outcome in report.rules.items()}}
    return {name: outcome.why for name, outcome in rows.items() if outcome.verdict in verdicts}
