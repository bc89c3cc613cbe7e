"""The REST adapter beside a scripted LMS, over real HTTP."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass

from cryptography.hazmat.primitives.asymmetric import ec

from assist_service.adapters.lms.client import ClientKey
from assist_service.adapters.lms.rest import RestLms, RestOptions
from assist_service.ports import LmsFault, LmsFaultKind
from tests.fakes.clocks import HandClock
from tests.fakes.scripted_lms import CLIENT, ScriptedLms, Seen
from tests.fakes.scripted_wire import RawReply
from tests.fakes.serving import serve

SESSION = "session-jwt-canary.of.a-person"

KEY = ClientKey(ec.generate_private_key(ec.SECP256R1()))


@dataclass
class Desk:
    """An LMS, and the adapter that asks it."""

    lms: ScriptedLms
    rest: RestLms
    clock: HandClock
    options: RestOptions

    def another(self) -> RestLms:
        """One more adapter to the same LMS, as of another replica; its user closes it."""
        return RestLms(self.lms.base_url, client_id=CLIENT, key=KEY, clock=self.clock, options=self.options)


@asynccontextmanager
async def open_desk(options: RestOptions | None = None) -> AsyncIterator[Desk]:
    """Fails the test where the LMS has seen anything that breaks a rule."""
    options = options or RestOptions()
    clock = HandClock()
    lms = ScriptedLms(clock, KEY.public_jwks(), dpop=options.dpop, revocation=options.revocation)
    async with serve(lms) as base_url:
        lms.base_url = base_url
        rest = RestLms(base_url, client_id=CLIENT, key=KEY, clock=clock, options=options)
        try:
            yield Desk(lms, rest, clock, options)
        finally:
            await rest.aclose()
    assert lms.violations == []


async def fault_of(work: Awaitable[object]) -> LmsFaultKind | None:
    """What the work raises of it; None where it brings something."""
    try:
        await work
    except LmsFault as fault:
        return fault.kind
    return None


async def until(holds: Callable[[], bool]) -> None:
    """Waits for what another task does."""
    async with asyncio.timeout(10):
        while not holds():  # noqa: ASYNC110 there is no event to wait for
            await asyncio.sleep(0.002)


def answering(desk: Desk, path: str, *replies: RawReply | None) -> None:
    """The LMS answers requests to this path so, one after the other; None and what comes after: as it would."""
    left = list(replies)

    async def hook(seen: Seen) -> RawReply | None:
        return left.pop(0) if seen.path == path and left else None

    desk.lms.hook = hook
