"""The person's token: none without a read, one for a question, revoked however the question ends (I3, I5, I6)."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from assist_service.adapters.lms.rest import RestLms, RestOptions
from assist_service.ports import LmsFault, LmsFaultKind, SchoolReads
from tests.fakes.scripted_lms import Seen, json_reply
from tests.fakes.scripted_wire import RawReply
from tests.unit.lms_desk import SESSION, Desk, answering, fault_of, open_desk, until

EXCHANGE, REVOKE, COURSES = "POST /oauth/token", "POST /oauth/revoke", "GET /api/courses"


@pytest.fixture
async def desk() -> AsyncIterator[Desk]:
    async with open_desk() as opened:
        yield opened


async def test_no_read_no_token(desk: Desk) -> None:
    async with desk.rest.reading(SESSION):
        pass
    assert desk.lms.requests == []


async def test_one_exchange_for_a_question_and_its_token_is_revoked_at_the_end(desk: Desk) -> None:
    async with desk.rest.reading(SESSION) as reads:
        await asyncio.gather(*(reads.courses() for _ in range(10)))
        await reads.for_tool("list_pools").pools()
        assert len(desk.lms.live) == 1
    assert desk.lms.live == set()
    assert len(desk.lms.issued) == 1
    assert desk.lms.paths()[0] == EXCHANGE
    assert desk.lms.paths()[-1] == REVOKE
    assert desk.lms.requests[-1].form["token"] == desk.lms.issued[0]


async def test_each_question_has_a_token_of_its_own(desk: Desk) -> None:
    async with desk.rest.reading(SESSION) as one, desk.rest.reading(SESSION) as other:
        await asyncio.gather(one.courses(), other.courses())
        assert len(desk.lms.live) == 2
    assert desk.lms.live == set()


async def test_the_session_goes_to_the_token_endpoint_and_nowhere_else(desk: Desk) -> None:
    async with desk.rest.reading(SESSION) as reads:
        await reads.courses()
    assert await fault_of(desk.rest.standing("somebody")) is LmsFaultKind.MALFORMED  # the LMS answers with a page
    holders = {seen.path for seen in desk.lms.requests if SESSION in f"{seen.target} {seen.headers} {seen.body!r}"}
    assert holders == {"/oauth/token"}


async def test_an_error_ends_the_token_too(desk: Desk) -> None:
    async def question() -> None:
        async with desk.rest.reading(SESSION) as reads:
            await reads.courses()
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await question()
    assert desk.lms.live == set()


async def test_a_deadline_ends_the_token_too(desk: Desk) -> None:
    async def question() -> None:
        async with desk.rest.reading(SESSION) as reads:
            await reads.courses()
            await asyncio.sleep(60)

    with pytest.raises(TimeoutError):
        await asyncio.wait_for(question(), timeout=0.3)
    await until(lambda: not desk.lms.live)


async def test_after_its_question_nothing_is_sent(desk: Desk) -> None:
    async with desk.rest.reading(SESSION) as reads:
        await reads.courses()
    before = len(desk.lms.requests)
    for kept in (reads, reads.for_tool("list_courses")):
        with pytest.raises(RuntimeError):
            await kept.courses()
    assert len(desk.lms.requests) == before


async def test_after_a_question_without_reads_nothing_is_exchanged(desk: Desk) -> None:
    async with desk.rest.reading(SESSION) as reads:
        pass
    with pytest.raises(RuntimeError):
        await reads.courses()
    assert desk.lms.requests == []


async def test_a_read_that_waits_for_the_token_when_its_question_ends_is_not_sent(desk: Desk) -> None:
    exchanging, go_on = asyncio.Event(), asyncio.Event()

    async def hook(seen: Seen) -> None:
        if seen.path == "/oauth/token":
            exchanging.set()
            await go_on.wait()

    desk.lms.hook = hook
    async with desk.rest.reading(SESSION) as reads:
        straggler = asyncio.create_task(fault_of(reads.courses()))
        await exchanging.wait()
        asyncio.get_running_loop().call_later(0.05, go_on.set)
    with pytest.raises(RuntimeError):
        await straggler
    assert desk.lms.paths() == [EXCHANGE, REVOKE]
    assert desk.lms.live == set()


async def test_cancelled_while_the_exchange_is_under_way_what_it_brings_is_revoked(desk: Desk) -> None:
    exchanging, go_on = asyncio.Event(), asyncio.Event()

    async def hook(seen: Seen) -> None:
        if seen.path == "/oauth/token":
            exchanging.set()
            await go_on.wait()

    async def question() -> None:
        async with desk.rest.reading(SESSION) as reads:
            await reads.courses()

    desk.lms.hook = hook
    asking = asyncio.create_task(question())
    await exchanging.wait()
    asking.cancel()
    await asyncio.wait([asking], timeout=1)
    assert asking.cancelled()
    go_on.set()
    await desk.rest.aclose()
    assert desk.lms.paths() == [EXCHANGE, REVOKE]
    assert len(desk.lms.issued) == 1
    assert desk.lms.live == set()


async def test_a_revocation_goes_on_though_its_question_is_cancelled_meanwhile(desk: Desk) -> None:
    revoking, go_on = asyncio.Event(), asyncio.Event()

    async def hook(seen: Seen) -> None:
        if seen.path == "/oauth/revoke":
            revoking.set()
            await go_on.wait()

    async def question() -> None:
        async with desk.rest.reading(SESSION) as reads:
            await reads.courses()

    desk.lms.hook = hook
    asking = asyncio.create_task(question())
    await revoking.wait()
    asking.cancel()
    await asyncio.wait([asking], timeout=1)
    assert asking.cancelled()
    go_on.set()
    await desk.rest.aclose()
    assert desk.lms.live == set()


async def test_an_lms_without_dpop_gets_bearer_tokens_and_no_proof() -> None:
    async with open_desk(RestOptions(dpop=False)) as desk:
        async with desk.rest.reading(SESSION) as reads:
            await reads.courses()
        assert [seen.header("dpop") for seen in desk.lms.requests] == [None, None, None]
        assert desk.lms.requests[1].header("authorization") == f"Bearer {desk.lms.issued[0]}"
        assert desk.lms.live == set()


async def test_a_token_that_has_expired_is_not_exchanged_anew(desk: Desk) -> None:
    async with desk.rest.reading(SESSION) as reads:
        await reads.courses()
        desk.lms.live.clear()
        assert await fault_of(reads.courses()) is LmsFaultKind.SESSION_ENDED
    assert desk.lms.paths().count(EXCHANGE) == 1


async def test_reads_that_wait_do_not_keep_a_token_from_being_revoked() -> None:
    async with open_desk(RestOptions(connections=1, close_seconds=0.5)) as desk:
        answering(desk, "/api/pools", RawReply(b"", after_seconds=30))
        async with desk.rest.reading(SESSION) as slow:
            waiting = asyncio.create_task(fault_of(slow.pools()))
            await until(lambda: "GET /api/pools" in desk.lms.paths())
            async with desk.rest.reading(SESSION) as reads:
                asking = asyncio.create_task(fault_of(reads.courses()))
                async with asyncio.timeout(4):
                    await until(lambda: len(desk.lms.issued) == 2)
                asking.cancel()
            assert len(desk.lms.live) == 1
            waiting.cancel()
        assert desk.lms.live == set()


async def test_nothing_secret_is_in_a_fault_or_a_repr(desk: Desk) -> None:
    held: list[SchoolReads | RestLms] = [desk.rest]
    async with desk.rest.reading(SESSION) as reads:
        held.append(reads)
        await reads.courses()
        desk.lms.replies["/api/courses"] = json_reply({"items": "a-name-canary"})
        with pytest.raises(LmsFault) as raised:
            await reads.courses()
    fault = raised.value
    shown = " ".join([repr(fault), str(fault), *(f"{thing!r} {vars(thing)!r}" for thing in held)])
    assert fault.__context__ is None
    assert fault.__cause__ is None
    assert not any(canary in shown for canary in (SESSION, desk.lms.issued[0], "a-name-canary"))
