"""What a question costs the service beside the bare loop of the SDK: processor time, wall time, memory in flight."""

import asyncio
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import httpx2

from bench.sessions import token
from bench.world import ROOT, World, processor_seconds, resident_kb, world

PAIRS = 7
QUESTIONS = 100
WIDTH = 10
"""In flight while processor time is measured: enough that no side waits for the other."""

WIDTHS = (1, 50, 500)
WAITING = 2_000
WAITING_SECONDS = 2.0

BODY = {
    "conversation_id": None,
    "question": "How do I create a pool and share it with a colleague?",
    "context": {"route": "/pools/:id", "topic": "pool", "language": "en", "entities": {}, "commands": []},
    "editor": None,
    "reference": None,
}


@dataclass(frozen=True)
class Ran:
    """What a number of questions took: processor and wall seconds in all, wall seconds of each, and failures."""

    cpu_s: float
    wall_s: float
    taken_s: list[float]
    failed: int = 0


class Bare:
    """The bare loop, in a process of its own."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self._process = process

    def run(self, questions: int, width: int) -> Ran:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(f"{questions} {width}\n")
        self._process.stdin.flush()
        return Ran(**json.loads(self._process.stdout.readline()))


@contextmanager
def bare_loop(provider_url: str) -> Iterator[Bare]:
    command = [sys.executable, "-m", "bench.bare", provider_url]
    with subprocess.Popen(  # noqa: S603
        command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        yield Bare(process)
        assert process.stdin is not None
        process.stdin.close()


async def asked(client: httpx2.AsyncClient, questions: int, width: int) -> tuple[list[float], int]:
    """Asks so many questions, so many at once; the seconds of each, and how many were not answered."""
    left = iter(range(questions))
    taken: list[float] = []
    failed = 0

    async def one_after_another() -> None:
        nonlocal failed
        for _ in left:
            headers = {"Authorization": f"Bearer {token()}"}
            began = time.perf_counter()
            answer = await client.post("/assist/ask", json=BODY, headers=headers)
            taken.append(time.perf_counter() - began)
            if answer.status_code != 200:
                failed += 1
                print(f"a question failed: {answer.status_code} {answer.text[:200]}", file=sys.stderr)

    await asyncio.gather(*(one_after_another() for _ in range(width)))
    return taken, failed


async def run_service(here: World, client: httpx2.AsyncClient, questions: int, width: int) -> Ran:
    process = here.service.process.pid
    cpu, wall = processor_seconds(process), time.perf_counter()
    taken, failed = await asked(client, questions, width)
    return Ran(processor_seconds(process) - cpu, time.perf_counter() - wall, taken, failed)


async def memory(here: World, client: httpx2.AsyncClient) -> dict[str, float]:
    """Memory of each question while all of them wait for the provider."""
    process = here.service.process.pid
    here.wait_before_replies(WAITING_SECONDS)
    before, peak = resident_kb(process), 0
    asking = asyncio.create_task(asked(client, WAITING, WAITING))
    while not asking.done():
        peak = max(peak, resident_kb(process))
        await asyncio.sleep(0.05)
    _, failed = await asking
    here.wait_before_replies(0)
    return {"inflight_kb_each": round((peak - before) / WAITING, 1), "inflight_failed": failed}


async def measure() -> dict[str, float]:
    """All figures of a question."""
    limits = httpx2.Limits(max_connections=None, max_keepalive_connections=WAITING)
    with world() as here:
        async with httpx2.AsyncClient(base_url=here.service_url, timeout=120, limits=limits, trust_env=False) as client:
            await asked(client, 20, 4)
            with bare_loop(here.provider_url) as bare:
                bare.run(20, 4)
                figures = await _processor(here, client, bare)
                for width in WIDTHS:
                    figures |= await _wall(here, client, bare, width)
            return figures | await memory(here, client)


async def _processor(here: World, client: httpx2.AsyncClient, bare: Bare) -> dict[str, float]:
    ratios, ours, theirs = [], [], []
    for _ in range(PAIRS):
        service = await run_service(here, client, QUESTIONS, WIDTH)
        loop = await asyncio.to_thread(bare.run, QUESTIONS, WIDTH)
        assert service.failed == 0
        ratios.append(service.cpu_s / loop.cpu_s)
        ours.append(service.cpu_s / QUESTIONS * 1_000)
        theirs.append(loop.cpu_s / QUESTIONS * 1_000)
    return {
        "cpu_ratio_to_bare_sdk": round(statistics.median(ratios), 2),
        "cpu_ms_each": round(statistics.median(ours), 2),
        "cpu_ms_each_bare_sdk": round(statistics.median(theirs), 2),
    }


async def _wall(here: World, client: httpx2.AsyncClient, bare: Bare, width: int) -> dict[str, float]:
    questions = max(2 * width, 50)
    service = await run_service(here, client, questions, width)
    loop = await asyncio.to_thread(bare.run, questions, width)
    assert service.failed == 0
    ours, theirs = (statistics.median(ran.taken_s) * 1_000 for ran in (service, loop))
    return {
        f"wall_ms_at_{width}": round(ours, 1),
        f"wall_ms_at_{width}_bare_sdk": round(theirs, 1),
        f"wall_ratio_at_{width}": round(ours / theirs, 2),
    }


if __name__ == "__main__":
    for name, figure in asyncio.run(measure()).items():
        print(f"{name:32} {figure:>10}")
