"""A question or a write cancelled at any moment leaves no live token behind (I5)."""

import asyncio
from collections.abc import Callable, Coroutine, Generator
from types import coroutine
from typing import Any
from uuid import UUID

import pytest

from assist_service.adapters.lms.rest import RestLms, RestOptions
from assist_service.domain.writes import WriteRequest, WriteTool
from tests.fakes.scripted_lms import json_reply
from tests.unit.lms_desk import SESSION, Desk, open_desk

pytestmark = pytest.mark.slow

MOST = 3_000
"""Far above the moments any of this has: work that never ends fails the test."""


async def question(rest: RestLms) -> None:
    """Some reads in a row, some side by side."""
    async with rest.reading(SESSION) as reads:
        await reads.courses()
        await asyncio.gather(reads.for_tool("list_pools").pools(), reads.classrooms())
        await reads.similar_questions("text", pool=None, limit=3)


async def write(rest: RestLms) -> None:
    """A card read again, and its write."""
    async with rest.writing(SESSION, WriteTool.CREATE_TEMPLATE) as writer:
        await writer.reads.courses()
        await writer.reads.pools()
        await writer.write(REQUEST, key=UUID(int=1))


REQUEST = WriteRequest.of(WriteTool.CREATE_TEMPLATE, None, {"title": "A template"})
WRITTEN = json_reply({"id": str(UUID(int=7)), "title": "A template"}, 201)

Work = Callable[[RestLms], Coroutine[Any, Any, None]]
each_work = pytest.mark.parametrize("work", [question, write])


@coroutine
def cancelled_at(work: Coroutine[Any, Any, None], moment: int) -> Generator[Any, Any, bool]:
    """Runs the work and cancels its task where it waits for the n-th time; whether it got that far."""
    waits = 0
    steps = work.__await__()
    thrown: BaseException | None = None
    while True:
        try:
            waited_for = steps.send(None) if thrown is None else steps.throw(thrown)
        except StopIteration:
            return waits > moment
        thrown = None
        task = asyncio.current_task()
        if waits == moment and task is not None:
            task.cancel()
        waits += 1
        try:
            yield waited_for
        except BaseException as error:  # noqa: BLE001 handed on to the work, as a task would
            thrown = error


async def outcome(task: "asyncio.Task[Any]") -> bool:
    """Whether it ended by being cancelled."""
    await asyncio.wait([task], timeout=20)
    assert task.done()
    return task.cancelled()


async def settled(desk: Desk, rest: RestLms, moment: int) -> None:
    await rest.aclose()
    assert desk.lms.live == set(), f"cancelled at moment {moment}"


@each_work
@pytest.mark.parametrize("nonces", [{}, {"token": "one", "api": "two"}], ids=["no nonces", "nonces"])
async def test_cancelled_at_every_await(nonces: dict[str, str], work: Work) -> None:
    async with open_desk() as desk:
        desk.lms.replies["/api/templates"] = WRITTEN
        desk.lms.nonces = nonces
        for moment in range(MOST):
            rest = desk.another()
            task = asyncio.create_task(run(cancelled_at(work(rest), moment)))
            await outcome(task)
            await settled(desk, rest, moment)
            if not task.cancelled() and not task.result():
                break
        else:
            pytest.fail("work without end")
        assert moment > 5
        assert len(desk.lms.issued) >= moment


async def run(work: Any) -> bool:
    return bool(await work)


@each_work
async def test_cancelled_after_any_turn_of_the_event_loop(work: Work) -> None:
    async with open_desk(RestOptions()) as desk:
        desk.lms.replies["/api/templates"] = WRITTEN
        desk.lms.nonces = {"token": "one", "api": "two"}
        moments = 0
        for moment in range(MOST):
            rest = desk.another()
            task = asyncio.create_task(work(rest))
            for _ in range(moment):
                if task.done():
                    break
                await asyncio.sleep(0)
            ran_to_its_end = task.done()
            task.cancel()
            await outcome(task)
            await settled(desk, rest, moment)
            moments += 1
            if ran_to_its_end:
                break
        else:
            pytest.fail("work without end")
        assert moments > 20


@each_work
async def test_cancelled_again_and_again_it_revokes_all_the_same(work: Work) -> None:
    async with open_desk() as desk:
        desk.lms.replies["/api/templates"] = WRITTEN
        for turns in range(0, 200, 10):
            rest = desk.another()
            task = asyncio.create_task(work(rest))
            for _ in range(turns):
                await asyncio.sleep(0)
            while not task.done():  # as anyio does: every wait on the way out is cancelled anew
                task.cancel()
                await asyncio.sleep(0)
            await settled(desk, rest, turns)
