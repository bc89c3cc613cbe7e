"""The event stream of a question: its steps in order by closed keys, then the very reply, or the error."""

import asyncio
import json

import pytest

from assist_service.domain.messages import ModelReply, ModelRequest, ProviderFault, ProviderFaultKind
from tests.fakes.house import TEACHER, House, question_body, running_house
from tests.fakes.models import ScriptedModel, calls, reads, says
from tests.web.data_questions import reads_guide_and_data
from tests.web.streamed import steps, streaming, told

pytestmark = pytest.mark.slow

HELP = {"step": "reading", "page": "teacher/help/pool"}
"""The help of the screen that the question is asked on is read before the model is asked."""

CHECKING = {"step": "checking"}
KEY = {"Idempotency-Key": "one"}
DOWN = ProviderFault(ProviderFaultKind.PERMANENT, billed=False, reason="status_400")


async def test_the_steps_come_in_their_order_and_then_the_very_reply(database_url: str) -> None:
    async with running_house(database_url, provider=ScriptedModel(reads_guide_and_data)) as house:
        async with streaming(house, headers=KEY) as stream:
            assert stream.response.status_code == 200
            assert stream.response.headers["content-type"].partition(";")[0] == "text/event-stream"
            assert stream.response.headers.get_list("cache-control") == ["no-store"]
            assert stream.response.headers["x-accel-buffering"] == "no"
            assert "content-length" not in stream.response.headers
            events = [event async for event in stream.events()]
        assert steps(events) == [
            HELP,
            {"step": "reading", "page": "teacher/pools"},
            {"step": "looking_up", "tool": "list_courses"},
            {"step": "looking_up", "tool": "get_course"},
            CHECKING,
        ]
        assert events[-1].name == "reply"
        assert stream.comments == []
        kept = await house.ask(headers=KEY)
        assert kept.text == events[-1].data
        assert kept.json()["kind"] == "live"


async def test_a_step_is_told_when_it_begins(database_url: str) -> None:
    model = ScriptedModel(reads_guide_and_data)
    async with running_house(database_url, provider=model) as house:
        model.hold()
        async with streaming(house) as stream:
            events = stream.events()
            assert (await anext(events)).json == HELP
            assert len(model.requests) == 1
            model.let_go()
            assert [event.name async for event in events][-1] == "reply"


async def test_a_reply_that_is_kept_is_one_event(database_url: str) -> None:
    model = ScriptedModel(reads("teacher/pools"), says("So it is [s1]."))
    async with running_house(database_url, provider=model) as house:
        plain = await house.ask(headers=KEY)
        assert [(event.name, event.data) for event in await told(house, headers=KEY)] == [("reply", plain.text)]
        assert len(model.requests) == 2


async def test_a_lost_connection_of_the_json_form_stops_nothing_and_the_reply_is_streamed(database_url: str) -> None:
    model = ScriptedModel(reads("teacher/pools"), says("So it is [s1]."))
    async with running_house(database_url, provider=model) as house:
        model.hold()
        lost = asyncio.create_task(house.ask(headers=KEY))
        await model.asked(1)
        lost.cancel()
        await asyncio.gather(lost, return_exceptions=True)
        async with streaming(house, headers=KEY) as stream:
            assert stream.response.status_code == 409
        model.let_go()
        async with asyncio.timeout(10):
            while (kept := await _streamed_text(house)) is None:  # noqa: ASYNC110 nothing tells of it
                await asyncio.sleep(0.01)
        assert kept.startswith("event: reply\n")
        assert len(model.requests) == 2


async def _streamed_text(house: House) -> str | None:
    async with streaming(house, headers=KEY) as stream:
        await stream.response.aread()
        return stream.response.text if stream.response.status_code == 200 else None


async def test_no_word_of_the_model_is_told(database_url: str) -> None:
    def hostile(request: ModelRequest) -> ModelReply:
        if len(request.messages) > 1:
            return says("The canary [s1].")
        return calls(
            ("read_guide", {"page": "canary/of the model"}),
            ("read_guide", {"page": "teacher/pools\n\nevent: reply\ndata: canary"}),
            ("read_guide", {"page": "administrator/people"}),  # a page, of other people
            ("read_guide", {"page": "teacher/pools", "section": "canary"}),
            ("read_guide", {"page": 7, "canary": "canary"}),
            ("canary_tool\n\nevent: canary", {}),
            ("list_courses", {"canary": "canary"}),
            ("search_guide", {"query": "canary"}),
        )

    async with running_house(database_url, provider=ScriptedModel(hostile)) as house:
        events = await told(house)
        assert any(page.path == "administrator/people" for page in house.publication.pages)
        assert steps(events) == [
            HELP,
            {"step": "reading", "page": "teacher/pools"},
            {"step": "looking_up", "tool": "search_guide"},
            CHECKING,
        ]


async def test_what_ends_a_question_is_no_step(database_url: str) -> None:
    for name, arguments in (("decline", {}), ("ask_back", {"text": "Which canary?"})):
        async with running_house(database_url, provider=ScriptedModel(calls((name, arguments)))) as house:
            events = await told(house)
            assert steps(events) == [HELP, CHECKING]
            assert events[-1].name == "reply"


@pytest.mark.parametrize("failing", [1, 2])
async def test_a_failure_after_the_first_request_is_the_last_event(database_url: str, failing: int) -> None:
    model = ScriptedModel(*[reads("teacher/pools")] * (failing - 1), DOWN)
    async with running_house(database_url, provider=model) as house:
        events = await told(house)
        assert len(model.requests) == failing
        assert steps(events)[:1] == [HELP]
        assert (events[-1].name, events[-1].json["status"]) == ("error", 503)
        assert events[-1].json["code"] == "llm_unavailable"
        plain = await house.ask()
        assert (plain.status_code, plain.text) == (503, events[-1].data)


async def test_a_session_that_ends_in_mid_question_is_told_as_an_error(database_url: str) -> None:
    model = ScriptedModel(reads_guide_and_data)
    async with running_house(database_url, provider=model) as house:
        model.hold()
        async with streaming(house) as stream:
            events = stream.events()
            await model.asked(1)
            await house.lms.post("/demo/faults", json={"fault": "end_session", "person": TEACHER})
            model.let_go()
            last = [event async for event in events][-1]
        assert (last.name, last.json["status"], last.json["code"]) == ("error", 401, "unauthenticated")


async def test_what_nobody_expected_is_one_plain_problem(database_url: str) -> None:
    def broken(_: ModelRequest) -> ModelReply:
        raise KeyError("canary")

    async with running_house(database_url, provider=ScriptedModel(broken)) as house:
        last = (await told(house))[-1]
        assert (last.name, last.json["status"], last.json["code"]) == ("error", 500, "internal_error")
        assert "canary" not in last.data


async def test_a_comment_comes_while_nothing_else_does(database_url: str) -> None:
    model = ScriptedModel(reads("teacher/pools"), says("So it is [s1]."))
    async with running_house(database_url, provider=model, comment_seconds=0.05) as house:
        model.hold()
        async with streaming(house) as stream:
            letting_go = asyncio.get_running_loop().call_later(0.4, model.let_go)
            events = [event async for event in stream.events()]
            letting_go.cancel()
        assert 3 <= len(stream.comments) <= 9
        assert set(stream.comments) == {": still at it"}
        assert steps(events) == [HELP, {"step": "reading", "page": "teacher/pools"}, CHECKING]
        assert json.loads(events[-1].data)["kind"] == "manual"


ODD: dict[bytes, str] = {
    b'text/event-stream; charset="a,b"': "text/event-stream",
    b"TEXT/EVENT-STREAM;Q=1.0, */*": "text/event-stream",
    b"text/event-stream;q=abc": "application/json",
    b"text/event-stream;q=\xff\xb2, ,;": "application/json",
    b", ".join([b"text/plain"] * 1_000): "application/json",
}


async def test_an_odd_accept_header_gets_an_answer_in_one_of_the_two_forms(database_url: str) -> None:
    model = ScriptedModel(*(says("So it is [s1].") for _ in ODD))
    async with running_house(database_url, provider=model) as house:
        for accept, form in ODD.items():
            headers = {key.encode(): value.encode() for key, value in (await house.bearer()).items()}
            answer = await house.service.post(
                "/assist/ask", json=question_body(), headers={**headers, b"Accept": accept}
            )
            assert (answer.status_code, answer.headers["content-type"].partition(";")[0]) == (200, form), accept
