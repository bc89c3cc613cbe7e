"""The bare loop of the official SDK: three requests a question and nothing else. `python -m bench.bare BASE_URL`.

Reads a line `QUESTIONS IN_FLIGHT` at a time and answers each with the processor and wall time it took.
"""

import asyncio
import json
import sys
import time
import urllib.request
from typing import Any

import anthropic


async def _ask(client: anthropic.AsyncAnthropic, requests: list[dict[str, Any]]) -> None:
    for request in requests:
        await client.messages.create(**request)


async def _run(
    client: anthropic.AsyncAnthropic, requests: list[dict[str, Any]], questions: int, width: int
) -> list[float]:
    left = iter(range(questions))
    taken: list[float] = []

    async def one_after_another() -> None:
        for _ in left:
            began = time.perf_counter()
            await _ask(client, requests)
            taken.append(time.perf_counter() - began)

    await asyncio.gather(*(one_after_another() for _ in range(width)))
    return taken


async def main(base_url: str) -> None:
    """Until standard input ends."""
    requests = await asyncio.to_thread(_last_requests, base_url)
    async with anthropic.AsyncAnthropic(api_key="bench", base_url=base_url, max_retries=0) as client:
        while line := await asyncio.to_thread(sys.stdin.readline):
            questions, width = map(int, line.split())
            cpu, wall = time.process_time(), time.perf_counter()
            taken = await _run(client, requests, questions, width)
            cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
            print(json.dumps({"cpu_s": cpu, "wall_s": wall, "taken_s": taken}), flush=True)


def _last_requests(base_url: str) -> list[dict[str, Any]]:
    """The three requests that the service sent last."""
    with urllib.request.urlopen(f"{base_url}/last") as answer:  # noqa: S310 loopback, given by the bench
        requests: list[dict[str, Any]] = json.load(answer)
        return requests


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
