"""Kolibri's adapter beside a Kolibri of a few lines: what it asks, how often, and what it makes of odd answers."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID, uuid4

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from assist_service.adapters.lms.client import ClientKey
from assist_service.adapters.lms.kolibri import KolibriLms
from assist_service.adapters.lms.kolibri_reads import OFFERS, KolibriReads
from assist_service.adapters.lms.refusing import RefusedReads
from assist_service.ports import LmsFault, LmsFaultKind, SchoolReads
from tests.fakes.clocks import HandClock
from tests.fakes.serving import serve

FACILITY, CLASS, OTHERS = UUID(int=1), UUID(int=2), UUID(int=3)
KEY = ClientKey(ec.generate_private_key(ec.SECP256R1()))
LEARNERS = 450


@dataclass
class SmallKolibri:
    """Answers by path; everybody who has a token teaches one class."""

    summary_of: UUID = CLASS
    question_sources: list[dict[str, Any]] = field(default_factory=list)
    asked: Counter[str] = field(default_factory=Counter)

    def app(self) -> Starlette:
        routes = [Route(path, self.answer, methods=["GET", "POST"]) for path in ("/{rest:path}",)]
        return Starlette(routes=routes)

    async def answer(self, request: Request) -> JSONResponse:
        path = request.url.path
        self.asked[path] += 1
        return JSONResponse(self._answers()[path])

    def _answers(self) -> dict[str, Any]:
        learners = [{"id": UUID(int=100 + n).hex, "name": f"Learner {n:03}"} for n in range(LEARNERS)]
        state = {"active": True, "archive": False, "question_count": 1, "data_model_version": 3}
        quizzes = [
            {"id": UUID(int=10 + n).hex, "title": "Quiz", "collection": owner.hex, **state}
            for n, owner in enumerate((CLASS, OTHERS))
        ]
        quizzes[0]["question_sources"] = self.question_sources
        token = {"access_token": "t", "token_type": "Bearer", "expires_in": 600, "scope": "assist:read"}
        return {
            "/oauth/token": token,
            "/oauth/revoke": {},
            "/api/auth/classroom/": [
                {"id": CLASS.hex, "name": "7A", "parent": FACILITY.hex, "learner_count": LEARNERS, "coaches": []}
            ],
            f"/api/public/v1/facility/{FACILITY.hex}/": {"id": FACILITY.hex, "name": "Riverside"},
            f"/coach/api/classsummary/{CLASS.hex}/": {"id": self.summary_of.hex, "learners": learners},
            "/api/exams/exam/": quizzes,
        }


@asynccontextmanager
async def reading(kolibri: SmallKolibri) -> AsyncIterator[SchoolReads]:
    async with serve(kolibri.app()) as url:
        lms = KolibriLms(url, client_id="assist-service", key=KEY, clock=HandClock())
        try:
            async with lms.reading("a session") as reads:
                yield reads
        finally:
            await lms.aclose()


def test_what_is_offered_is_what_is_not_refused() -> None:
    own = {name for name in vars(KolibriReads) if not name.startswith("_")} - {"for_tool"}
    assert own == OFFERS
    assert {name for name in vars(SchoolReads) if not name.startswith("_")} - {"for_tool"} == {
        name for name in vars(RefusedReads) if not name.startswith("_")
    }


async def test_long_lists_come_in_pages() -> None:
    async with reading(SmallKolibri()) as reads:
        seen, cursor = 0, None
        for expected in (200, 200, 50):
            page = await reads.students(CLASS, cursor=cursor)
            assert len(page.items) == expected
            seen, cursor = seen + len(page.items), page.next
        assert (seen, cursor) == (LEARNERS, None)
        assert (await reads.students(CLASS, cursor="999999")).items == ()
        for odd in ("-1", "0", "1e3", "²", " 1", "", "99999999"):
            with pytest.raises(LmsFault) as refused:
                await reads.students(CLASS, cursor=odd)
            assert refused.value.kind is LmsFaultKind.REFUSED


async def test_tools_that_run_at_once_ask_for_the_classes_once() -> None:
    kolibri = SmallKolibri()
    async with reading(kolibri) as reads:
        others = [reads.for_tool(f"tool_{n}").classroom(CLASS) for n in range(5)]
        await asyncio.gather(reads.classrooms(), *others)
    assert kolibri.asked["/api/auth/classroom/"] == 1
    assert kolibri.asked[f"/api/public/v1/facility/{FACILITY.hex}/"] == 1
    assert kolibri.asked["/oauth/token"] == kolibri.asked["/oauth/revoke"] == 1


async def test_quizzes_of_other_classes_are_left_out_though_kolibri_lists_them() -> None:
    async with reading(SmallKolibri()) as reads:
        assert [one.id for one in (await reads.evaluations()).items] == [UUID(int=10)]
        for foreign in (UUID(int=11), uuid4()):
            with pytest.raises(LmsFault) as refused:
                await reads.evaluation(foreign)
            assert refused.value.kind is LmsFaultKind.NOT_FOUND


async def test_the_summary_of_another_class_is_no_answer() -> None:
    async with reading(SmallKolibri(summary_of=OTHERS)) as reads:
        with pytest.raises(LmsFault) as refused:
            await reads.gradebook(CLASS)
    assert refused.value.kind is LmsFaultKind.MALFORMED


async def test_questions_in_another_shape_are_no_answer() -> None:
    async with reading(SmallKolibri(question_sources=[{"questions": "none"}])) as reads:
        with pytest.raises(LmsFault) as refused:
            await reads.evaluation(UUID(int=10))
    assert refused.value.kind is LmsFaultKind.MALFORMED
    assert refused.value.__context__ is None
