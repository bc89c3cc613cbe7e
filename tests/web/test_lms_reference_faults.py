"""The REST adapter against a reference LMS that fails or changes its mind: each fault told, no token left."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from assist_service.adapters.lms.rest import RestLms, RestOptions
from assist_service.ports import LmsFaultKind
from tests.unit.lms_desk import fault_of
from tests.web.lms_school import TEACHER, School, open_school

pytestmark = pytest.mark.slow

K = LmsFaultKind


@pytest.fixture
async def school() -> AsyncIterator[School]:
    async with open_school() as opened:
        yield opened


@pytest.mark.parametrize(
    "order", [{"audience": "urn:another-client"}, {"age_seconds": 300}], ids=["another client's", "expired"]
)
async def test_a_session_that_is_not_good_any_more_is_told_apart(school: School, order: dict[str, Any]) -> None:
    async with school.rest.reading(await school.session(**order)) as reads:
        assert await fault_of(reads.courses()) is K.SESSION_ENDED
    assert not any(entry["path"].startswith("/api/") for entry in await school.requests())


@pytest.mark.parametrize("event", ["end_account", "end_session"])
async def test_access_that_ends_in_mid_question_ends_for_the_question(school: School, event: str) -> None:
    async with school.rest.reading(await school.session()) as reads:
        await reads.courses()
        await school.inject(event, person=TEACHER)
        assert await fault_of(reads.courses()) is K.SESSION_ENDED
    assert await school.live() == []


async def test_a_seat_that_is_taken_in_mid_question_hides_what_it_opened(school: School) -> None:
    course = await school.owned("course")
    async with school.rest.reading(await school.session()) as reads:
        await reads.course(course)
        await school.inject("revoke_seat", person=TEACHER, course=str(course))
        assert await fault_of(reads.course(course)) is K.NOT_FOUND


async def test_a_token_past_its_lifetime_is_not_exchanged_anew(school: School) -> None:
    async with school.rest.reading(await school.session()) as reads:
        await reads.courses()
        school.clock.move(901)
        assert await fault_of(reads.courses()) is K.SESSION_ENDED
    assert [entry["path"] for entry in await school.requests()].count("/oauth/token") <= 2  # one for the nonce


async def test_nonces_that_are_void_are_replaced(school: School) -> None:
    async with school.rest.reading(await school.session()) as reads:
        await reads.courses()
        await school.inject("renew_nonces")
        await asyncio.gather(*(reads.courses() for _ in range(5)))
    await school.inject("renew_nonces")
    async with school.rest.reading(await school.session()) as reads:
        await reads.courses()
    assert await school.live() == []


FAULTS: list[tuple[dict[str, Any], LmsFaultKind]] = [
    ({"fault": "status", "status": 400}, K.REFUSED),
    ({"fault": "status", "status": 403}, K.NOT_FOUND),
    ({"fault": "status", "status": 429}, K.UNAVAILABLE),
    ({"fault": "status", "status": 500}, K.UNAVAILABLE),
    ({"fault": "delay", "seconds": 30}, K.UNAVAILABLE),
    ({"fault": "trickle", "seconds": 0.05}, K.UNAVAILABLE),
    ({"fault": "reset"}, K.UNAVAILABLE),
    ({"fault": "not_json"}, K.MALFORMED),
    ({"fault": "other_schema"}, K.MALFORMED),
    ({"fault": "html"}, K.MALFORMED),
    ({"fault": "redirect"}, K.MALFORMED),
    ({"fault": "huge"}, K.TOO_LARGE),
]


@pytest.mark.parametrize(("order", "kind"), FAULTS, ids=lambda value: str(value))
async def test_each_fault_is_told_and_its_token_revoked(order: dict[str, Any], kind: LmsFaultKind) -> None:
    async with open_school(RestOptions(seconds=1.0)) as school:
        await school.inject(**order)
        async with school.rest.reading(await school.session()) as reads:
            assert await fault_of(reads.courses()) is kind
            assert len(await school.live()) == 1
        assert await school.live() == []
        await school.inject("none")
        await school.inject(**order, path="/api/assist/standing/")
        expected = {K.NOT_FOUND: K.UNAVAILABLE}.get(kind, kind)  # a 403: this service is refused, not a seat
        assert await fault_of(school.rest.standing(TEACHER)) is expected


@pytest.mark.parametrize(("order", "kind"), FAULTS, ids=lambda value: str(value))
async def test_each_fault_of_the_exchange_is_told(order: dict[str, Any], kind: LmsFaultKind) -> None:
    async with open_school(RestOptions(seconds=1.0)) as school:
        await school.inject(**order, path="/oauth/token")
        async with school.rest.reading(await school.session()) as reads:
            expected = {K.NOT_FOUND: K.REFUSED}.get(kind, kind)
            assert await fault_of(reads.courses()) is expected
        assert await school.live() == []


async def test_an_exchange_later_than_its_read_is_revoked_when_it_comes() -> None:
    async with open_school(RestOptions(seconds=1.0)) as school:
        await school.inject("delay", seconds=0.5, path="/oauth/token")
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.2), school.rest.reading(await school.session()) as reads:
                await reads.courses()
        await school.rest.aclose()
        assert await school.live() == []


async def test_a_revocation_is_tried_again(school: School) -> None:
    await school.inject("reset", path="/oauth/revoke", times=1)
    async with school.rest.reading(await school.session()) as reads:
        await reads.courses()
    assert await school.live() == []


async def test_a_token_that_lives_too_long_is_not_used(school: School) -> None:
    await school.inject("long_lived_tokens")
    async with school.rest.reading(await school.session()) as reads:
        assert await fault_of(reads.courses()) is K.MALFORMED
    assert await school.live() == []


@pytest.mark.parametrize("dpop", [True, False])
@pytest.mark.parametrize("revocation", [True, False])
async def test_an_lms_may_lack_dpop_and_revocation(dpop: bool, revocation: bool) -> None:
    async with open_school(RestOptions(dpop=dpop, revocation=revocation)) as school:
        async with school.rest.reading(await school.session()) as reads:
            assert (await reads.courses()).items
            assert (await reads.similar_questions("acid", pool=None, limit=3)) is not None
        assert len(await school.live()) == (0 if revocation else 1)
        assert "/oauth/revoke" not in [entry["path"] for entry in await school.requests()] or revocation


async def test_cancelled_after_any_turn_of_the_event_loop_no_token_is_live(school: School) -> None:
    course = await school.owned("course")

    async def question(rest: RestLms, session: str) -> None:
        async with rest.reading(session) as reads:
            await reads.courses()
            await asyncio.gather(reads.course(course), reads.pools(), reads.classrooms())

    for turns in range(5_000):
        rest = school.another()
        task = asyncio.create_task(question(rest, await school.session()))
        for _ in range(turns):
            if task.done():
                break
            await asyncio.sleep(0)
        ran_to_its_end = task.done()
        task.cancel()
        await asyncio.wait([task], timeout=20)
        await rest.aclose()
        assert await school.live() == [], f"cancelled at turn {turns}"
        if ran_to_its_end:
            task.result()
            break
    else:
        pytest.fail("a question without end")
    assert turns > 30
