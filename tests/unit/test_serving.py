"""How the tests serve an application: its lifespan runs, signals are left alone, it stops at once."""

import asyncio
import signal
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx2
import pytest
from fastapi import FastAPI
from starlette.types import Receive, Scope, Send

from tests.fakes.serving import connect, serve


async def test_serving_runs_the_lifespan_and_leaves_signals_alone() -> None:
    events = []

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        events.append("start")
        yield
        events.append("stop")

    handlers = (signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM))
    async with serve(FastAPI(lifespan=lifespan)) as base:
        assert base.startswith("http://127.0.0.1:")
        assert events == ["start"]
        assert (signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)) == handlers
    assert events == ["start", "stop"]
    async with connect(base) as client:
        with pytest.raises(httpx2.ConnectError):
            await client.get("/")


async def test_serving_stops_within_a_second_whatever_still_runs() -> None:
    running, ended = asyncio.Event(), asyncio.Event()

    async def hang(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        running.set()
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    async with connect() as client:
        async with serve(hang) as base:
            question = asyncio.create_task(client.get(base))
            await running.wait()
            began = time.monotonic()
        assert time.monotonic() - began < 1
        assert ended.is_set()
        await asyncio.gather(question, return_exceptions=True)


async def test_serving_lets_a_short_request_finish() -> None:
    app, running = FastAPI(), asyncio.Event()

    @app.get("/")
    async def dawdle() -> str:
        running.set()
        await asyncio.sleep(0.2)
        return "done"

    async with connect() as client:
        async with serve(app) as base:
            question = asyncio.create_task(client.get(base))
            await running.wait()
        assert (await question).json() == "done"


async def test_serving_says_so_when_the_app_does_not_start() -> None:
    async def fail() -> None:
        raise LookupError("no school today")

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        await fail()
        yield

    with pytest.raises(RuntimeError, match="lifespan failed to start"):
        async with serve(FastAPI(lifespan=lifespan)):
            pass
