"""Lookups over HTTP against an LMS that says anything: bounded requests and time, and what is told and kept of it."""

import asyncio
import json
import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field

import asyncpg
import pytest
from starlette.types import ASGIApp, Receive, Scope, Send

from assist_service.domain.conversation import LOOKED_UP, WAITS
from assist_service.domain.live.query import Lookup, Operation, Query
from assist_service.domain.screens import Language
from assist_service.tools.shared_reads import MOST_READS
from tests.fakes.house import TEACHER, running_house
from tests.fakes.models import ScriptedModel, calls, says
from tests.web.choosing import EVERY_LOOKUP, UNBOUND, begun, choice, choose, choosing_house, class_id, classes_of
from tests.web.kept_rows import all_kept
from tests.web.live_questions import owned, screen, spoken
from tests.web.streamed import steps, streaming

pytestmark = pytest.mark.slow

CLASSES, A_PAGE = 24, 200
COURSE = {"id": str(uuid.UUID(int=8)), "title": "Course"}
LOOKS_UP = calls(("query_classes", {"operation": "list"}))


@dataclass
class SaysAnything:
    """Stands before the LMS: answers what paths end with, after a while, and counts what it was asked."""

    answers: dict[str, Callable[[int], str]] = field(default_factory=dict)
    """By the end of a path: how often it was asked for anything, to a body."""
    seconds: float = 0.0
    status: int = 200
    asked: int = 0

    def __call__(self, lms: ASGIApp) -> ASGIApp:
        async def app(scope: Scope, receive: Receive, send: Send) -> None:
            path = str(scope.get("path", ""))
            if not path.startswith("/api/") or "standing" in path:
                await lms(scope, receive, send)
                return
            self.asked += 1
            await asyncio.sleep(self.seconds)
            body = next((make(self.asked) for end, make in self.answers.items() if path.endswith(end)), None)
            if body is None and self.status == 200:
                await lms(scope, receive, send)
                return
            headers = [(b"content-type", b"application/json")]
            await send({"type": "http.response.start", "status": self.status, "headers": headers})
            await send({"type": "http.response.body", "body": (body or "{}").encode()})

        return app


def page(*items: object, more: bool = False) -> str:
    return json.dumps({"items": items, "next": "more" if more else None})


def classrooms(many: int) -> str:
    return page(
        *(
            {"id": str(uuid.UUID(int=50 + at)), "title": f"K{at}", "course": COURSE, "student_count": 1}
            for at in range(many)
        )
    )


def roster(asked: int, *, name: str = "Jean-Luc O'Neil De la Cruz", more: bool = False) -> str:
    students = ({"id": str(uuid.UUID(int=10**6 * asked + at)), "name": f"{name[:480]} {at}"} for at in range(A_PAGE))
    return page(*students, more=more)


async def test_three_lookups_of_hostile_rosters_ask_little_and_let_others_be_answered(database_url: str) -> None:
    search = ("query_students", {"student_search": "x-y'z a-b'c d-e " * 6})
    ranking = ("query_rankings", {"operation": "place", "student_search": "zzyzx"})
    lms = SaysAnything({"/api/classrooms": lambda _: classrooms(CLASSES)})
    model = ScriptedModel(calls(search, search, ranking), calls(search, search, ranking), calls(search, ranking))
    async with choosing_house(database_url, provider=model, before_lms=lms) as house:
        for students, is_cut in (
            (lambda asked: roster(asked, name="a-b'c d-e " * 49), False),
            (lambda asked: roster(asked, more=True), True),
        ):
            lms.answers["/students"], lms.asked, waited = students, 0, [0.0]
            asking, started = asyncio.create_task(house.ask("Who?", context=screen())), time.perf_counter()
            while not asking.done():
                began = time.perf_counter()
                await asyncio.sleep(0.005)
                waited.append(time.perf_counter() - began)
            reply = (await asking).json()
            assert reply["kind"] in {"live", "choice"}
            assert lms.asked == MOST_READS if is_cut else lms.asked == 1 + CLASSES
            # A share of it, as a busy machine holds up everybody: compared in one go it is nearly all of it.
            taken = time.perf_counter() - started
            assert max(waited) < max(1.0, taken / 3), "the process answers others meanwhile"
            house.clock.move(5)
        lms.answers["/api/classrooms"] = lambda _: page(more=True)
        lms.asked = 0
        assert (await house.ask("Who?", context=screen())).status_code == 200
        assert lms.asked <= MOST_READS


@pytest.mark.parametrize("zone", ["Asia/Manila", "America/New_York"])
async def test_an_exam_that_never_ends_is_listed(database_url: str, zone: str) -> None:
    exam = {"id": str(uuid.UUID(int=9)), "title": "Open end", "state": "running"}
    exam |= {"classroom": {"id": str(uuid.UUID(int=50)), "title": "K0"}}  # type: ignore[dict-item]
    exam |= {"opens_at": "0001-01-01T00:00:00", "closes_at": "9999-12-31T23:59:59Z"}
    lms = SaysAnything({"/api/classrooms": lambda _: classrooms(1), "/api/evaluations": lambda _: page(exam)})
    model = ScriptedModel(calls(("query_exams", {"operation": "list"})))
    async with choosing_house(database_url, provider=model, before_lms=lms, timezone=zone) as house:
        answer = await house.ask("Which exams?", context=screen())
        assert answer.status_code == 200
        assert "Open end" in answer.json()["answer"]
        assert "9999" not in answer.text


async def test_marks_that_nobody_gave_are_no_answer(database_url: str) -> None:
    column = {"id": str(uuid.UUID(int=9)), "title": "Quiz", "state": "released", "best_mark": 20.0}
    grade = {"column": column["id"], "mark": 1.7e308, "final": True}
    book = {
        "columns": [column],
        "rows": [{"student": {"id": str(uuid.UUID(int=3)), "name": "S"}, "grades": [grade] * 2}],
    }
    lms = SaysAnything({"/api/classrooms": lambda _: classrooms(1), "/gradebook": lambda _: json.dumps(book)})
    model = ScriptedModel(calls(("query_class_performance", {"operation": "summary"})))
    async with choosing_house(database_url, provider=model, before_lms=lms) as house:
        answer = await house.ask("How did they do?", context=screen())
        assert (answer.status_code, answer.json()["kind"]) == (200, "refusal")
        assert answer.json()["answer"] == house.configuration.policy.texts.lms_silent[Language.ENGLISH]


async def test_a_choice_over_the_stream_tells_its_step_while_it_is_looked_up(database_url: str) -> None:
    lms, model = SaysAnything(), ScriptedModel(LOOKS_UP)
    async with choosing_house(database_url, provider=model, before_lms=lms, comment_seconds=0.05) as house:
        mine = await begun(house)
        lms.seconds = 0.5
        house.clock.move(1)
        began = time.perf_counter()
        async with streaming(house, "", conversation_id=mine, reference=choice(house, mine)) as stream:
            events = stream.events()
            assert (await anext(events)).json == {"step": "looking_up", "tool": "query_students"}
            assert time.perf_counter() - began < lms.seconds
            assert [event.name async for event in events] == ["progress", "reply"]
        assert stream.comments
        lms.status = 401
        house.clock.move(1)
        async with streaming(house, "", conversation_id=mine, reference=choice(house, mine)) as stream:
            assert stream.response.status_code == 200
            told = [event async for event in stream.events()]
        assert [each["step"] for each in steps(told)] == ["looking_up"]
        assert (told[-1].name, told[-1].json["status"], told[-1].json["code"]) == ("error", 401, "unauthenticated")


async def test_a_choice_that_the_lms_does_not_answer_is_worded_over_the_stream(database_url: str) -> None:
    lms, model = SaysAnything(), ScriptedModel(LOOKS_UP)
    async with choosing_house(database_url, provider=model, before_lms=lms) as house:
        mine = await begun(house)
        lms.status = 500
        house.clock.move(1)
        async with streaming(house, "", conversation_id=mine, reference=choice(house, mine)) as stream:
            last = [event async for event in stream.events()][-1]
        assert (last.name, last.json["kind"]) == ("reply", "refusal")
        assert last.json["answer"] == house.configuration.policy.texts.lms_silent[Language.ENGLISH]


async def test_of_a_choice_whose_answer_may_not_be_shown_its_label_is_not_kept(
    database_url: str, pool: asyncpg.Pool
) -> None:
    listing = Query(lookup=Lookup.CLASSES, operation=Operation.LIST)
    async with choosing_house(database_url, provider=ScriptedModel(LOOKS_UP)) as house:
        mine = await begun(house)
        house.school.run("UPDATE classroom SET title = 'Pipe bombs' WHERE id = :id", id=class_id())
        token = choice(house, mine, waiting=listing, label="Pipe bombs")
        reply = (await choose(house, mine, token, headers={"Idempotency-Key": "one"})).json()
        assert reply["kind"] == "refusal"
        assert "pipe" not in (await all_kept(pool)).lower()
        house.school.run("UPDATE classroom SET title = 'Biology' WHERE id = :id", id=class_id())
        await choose(house, mine, choice(house, mine, waiting=listing, label="Canary label"))
        assert "Canary label" in await all_kept(pool), "an answer that is shown keeps what was chosen for it"


async def test_a_later_question_tells_the_model_that_something_waits_beside_what_was_looked_up(
    database_url: str,
) -> None:
    pool_id = owned("pool", TEACHER)
    prepares = ("create_category", {"pool": pool_id, "title": "Canary"})
    model = ScriptedModel(calls(("query_classes", {"operation": "list"}), prepares), says("Hello."))
    ruled = {**UNBOUND, "roles": {"teacher": {"tools": EVERY_LOOKUP["roles"]["teacher"]["tools"]}}}
    async with running_house(database_url, provider=model, policy="default", ruled=ruled) as house:
        reply = (await house.ask("Make a category, and list my classes", context=screen(pool=pool_id))).json()
        assert [each["tool"] for each in reply["writes"]] == ["create_category"]
        house.clock.move(5)
        await house.ask("And now?", conversation_id=reply["conversation_id"], context=screen())
    said = spoken(model.requests[-1])
    assert f"{LOOKED_UP} {WAITS}" in said
    assert not any(each in said for each in ("Canary", *classes_of().values()))
