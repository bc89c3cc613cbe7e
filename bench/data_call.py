"""What a look-up in the LMS costs beside a bare request to the same endpoint: the processor time of the caller.

The look-up is what a tool does, with its token there already: a proof of its own (RFC 9449) for each request, the
answer bounded, strictly read and made into values. The bare one sends a bearer token and parses the JSON.
"""

import asyncio
import statistics
import time
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack

import httpx2

from assist_service.adapters.clock import SystemClock
from assist_service.adapters.lms.client import ClientKey
from assist_service.adapters.lms.rest import RestLms, RestOptions
from assist_service.adapters.lms.tokens import ASSERTION_TYPE, EXCHANGE
from assist_service.ports import SchoolReads
from bench.lms import running_lms, served_keys
from examples.reference_lms.school import FRENCH_TEACHER

PAIRS = 7
CALLS = 200
CLIENT = "assist-service"
KEY = ClientKey.generate()

Call = Callable[[], Awaitable[object]]


async def _session(client: httpx2.AsyncClient, url: str) -> str:
    answer = await client.post(f"{url}/demo/session", json={"person": FRENCH_TEACHER.sub})
    return str(answer.raise_for_status().json()["token"])


async def _bearer(client: httpx2.AsyncClient, url: str) -> dict[str, str]:
    form = {
        **EXCHANGE,
        "subject_token": await _session(client, url),
        "client_assertion_type": ASSERTION_TYPE,
        "client_assertion": KEY.assertion(CLIENT, audience=f"{url}/oauth/token", now=SystemClock().now()),
    }
    answer = await client.post(f"{url}/oauth/token", data=form)
    return {"Authorization": f"Bearer {answer.raise_for_status().json()['access_token']}"}


async def _reads(stack: AsyncExitStack, client: httpx2.AsyncClient, url: str, *, dpop: bool) -> SchoolReads:
    lms = RestLms(url, client_id=CLIENT, key=KEY, clock=SystemClock(), options=RestOptions(dpop=dpop))
    stack.push_async_callback(lms.aclose)
    reads = await stack.enter_async_context(lms.reading(await _session(client, url)))
    return reads.for_tool("list_pools")


async def _cpu_ms(call: Call) -> float:
    """Processor milliseconds of this process for each call."""
    began = time.process_time()
    for _ in range(CALLS):
        await call()
    return (time.process_time() - began) * 1_000 / CALLS


async def _compare(calls: dict[str, Call]) -> dict[str, list[float]]:
    """The milliseconds of each, one after the other, in as many rounds as there are pairs."""
    for call in calls.values():
        await call()
    taken: dict[str, list[float]] = {name: [] for name in calls}
    for _ in range(PAIRS):
        for name, call in calls.items():
            taken[name].append(await _cpu_ms(call))
    return taken


async def _measure(bound_url: str, plain_url: str) -> dict[str, float]:
    async with AsyncExitStack() as stack:
        client = await stack.enter_async_context(httpx2.AsyncClient(trust_env=False))
        headers = await _bearer(client, plain_url)
        bound = await _reads(stack, client, bound_url, dpop=True)
        plain = await _reads(stack, client, plain_url, dpop=False)

        async def bare() -> object:
            answer = await client.get(f"{plain_url}/api/pools", headers=headers)
            return answer.raise_for_status().json()

        taken = await _compare({"bare": bare, "bound": bound.pools, "plain": plain.pools})
    ratios = {
        name: statistics.median(ours / theirs for ours, theirs in zip(taken[name], taken["bare"], strict=True))
        for name in ("bound", "plain")
    }
    return {
        "data_call_ratio_to_bare": round(ratios["bound"], 2),
        "data_call_ratio_without_dpop": round(ratios["plain"], 2),
        "data_call_cpu_ms": round(statistics.median(taken["bound"]), 3),
        "data_call_cpu_ms_bare": round(statistics.median(taken["bare"]), 3),
    }


def measure() -> dict[str, float]:
    """All figures of a look-up."""
    with (
        served_keys(KEY.public_jwks()) as keys_url,
        running_lms(keys_url) as bound_url,
        running_lms(keys_url, REFERENCE_LMS_DPOP="off") as plain_url,
    ):
        return asyncio.run(_measure(bound_url, plain_url))


if __name__ == "__main__":
    for name, figure in measure().items():
        print(f"{name:32} {figure:>10}")
