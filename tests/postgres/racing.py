"""Starts racers as processes of their own, tells them to go, and reads what became of their race."""

import asyncio
import dataclasses
import json
import os
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from tests.postgres.racer import Asked, Race
from tests.postgres.taker import Takes


@dataclass
class Racer:
    """The process, seen from the test."""

    process: Process

    async def _line(self) -> str:
        assert self.process.stdout is not None
        line = await self.process.stdout.readline()
        assert line, "the racer ended without a word"
        return line.decode()

    async def ready(self) -> None:
        await self._line()

    def go(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(b"go\n")

    async def told(self) -> list[Any]:
        told = json.loads(await self._line())
        assert isinstance(told, list)
        return told

    async def asked(self) -> list[Asked]:
        return [Asked(**asked) for asked in await self.told()]


@asynccontextmanager
async def racing(*races: Race | Takes) -> AsyncIterator[list[Racer]]:
    """A process for each race, all of them ready; none outlives the block."""
    racers: list[Racer] = []
    try:
        for race in races:
            racers.append(await _start(race))
        for racer in racers:
            await racer.ready()
        yield racers
    finally:
        for racer in racers:
            if racer.process.returncode is None:
                racer.process.kill()
            await racer.process.wait()


async def _start(race: Race | Takes) -> Racer:
    """The module that describes a race is the program that runs it."""
    code_of_this_process = {"PYTHONPATH": os.pathsep.join(sys.path)}
    told = json.dumps(dataclasses.asdict(race))
    return Racer(
        await asyncio.create_subprocess_exec(
            sys.executable, "-m", type(race).__module__, told, stdin=PIPE, stdout=PIPE, env=code_of_this_process
        )
    )
