"""The REST adapter beside the reference LMS, over real HTTP."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import httpx2
from cryptography.hazmat.primitives.asymmetric import ec

from assist_service.adapters.lms.client import ClientKey
from assist_service.adapters.lms.rest import RestLms, RestOptions
from examples.reference_lms.app import create_app
from examples.reference_lms.campus import Options
from examples.reference_lms.school import FILIPINO_TEACHER, FRENCH_TEACHER
from tests.fakes.clocks import HandClock
from tests.fakes.serving import connect, serve

KEY = ClientKey(ec.generate_private_key(ec.SECP256R1()))
TEACHER, OTHER = FRENCH_TEACHER.sub, FILIPINO_TEACHER.sub


@dataclass
class School:
    """The LMS, and the adapter that reads it."""

    http: httpx2.AsyncClient
    rest: RestLms
    clock: HandClock
    options: RestOptions

    async def session(self, person: str = TEACHER, **order: Any) -> str:
        answer = await self.http.post("/demo/session", json={"person": person, **order})
        return str(answer.raise_for_status().json()["token"])

    async def inject(self, fault: str, **parameters: Any) -> None:
        (await self.http.post("/demo/faults", json={"fault": fault, **parameters})).raise_for_status()

    async def live(self) -> list[dict[str, str]]:
        return list((await self.http.get("/demo/tokens")).json()["tokens"])

    async def requests(self) -> list[dict[str, Any]]:
        return list((await self.http.get("/demo/requests")).json()["entries"])

    async def owned(self, kind: str, owner: str = TEACHER) -> UUID:
        """Something of this kind that belongs to this teacher."""
        entities = (await self.http.get("/demo/school")).json()["entities"]
        return UUID(next(each["id"] for each in entities if each["kind"] == kind and each["owner"] == owner))

    def another(self) -> RestLms:
        """One more adapter to the same LMS, as of another replica; its user closes it."""
        return rest_to(self.http, self.clock, self.options)


def rest_to(http: httpx2.AsyncClient, clock: HandClock, options: RestOptions) -> RestLms:
    return RestLms(str(http.base_url), client_id="assist-service", key=KEY, clock=clock, options=options)


@asynccontextmanager
async def open_school(options: RestOptions | None = None) -> AsyncIterator[School]:
    options = options or RestOptions()
    clock = HandClock()
    has = Options(dpop=options.dpop, revocation=options.revocation)
    app = create_app(url="http://lms.test", now=clock.now, client_jwks=KEY.public_jwks(), options=has)
    async with AsyncExitStack() as stack:
        http = await stack.enter_async_context(connect(await stack.enter_async_context(serve(app))))
        rest = rest_to(http, clock, options)
        stack.push_async_callback(rest.aclose)
        yield School(http, rest, clock, options)
