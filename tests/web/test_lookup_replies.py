"""Replies that call lookups, over HTTP: rejected whole, answered whole, told to the model, beside other tools (J7)."""

import pytest
from structlog.testing import capture_logs

from assist_service.domain.messages import JsonObject
from assist_service.domain.screens import Language
from assist_service.services.bench import BESIDE
from tests.fakes.house import running_house
from tests.fakes.models import ScriptedModel, calls, says
from tests.web.choosing import EVERY_LOOKUP, UNBOUND, choose, choosing_house, class_id, classes_of, students_of
from tests.web.live_questions import reads_of_lms, results, screen
from tests.web.school_policy import REFUSALS
from tests.web.streamed import steps, told

BUSY = {"limits": {"questions_per_minute": 1000, "questions_per_day": 10_000}}

pytestmark = pytest.mark.slow

COUNTS = ("query_classes", {"operation": "count"})
LISTS = ("query_students", {"operation": "list", "class_search": classes_of()[class_id()]})
SEARCHES = ("search_guide", {"query": "pools"})

REJECTED: dict[str, tuple[tuple[str, JsonObject], ...]] = {
    "an unknown tool": (("delete_everything", {}),),
    "an unknown tool beside a lookup": (COUNTS, ("run_sql", {"query": "SELECT 1"})),
    "a tool of another policy": (("get_classroom_results", {}),),
    "four lookups": (COUNTS,) * 4,
    "four searches": (SEARCHES,) * 4,
    "a lookup and a search": (COUNTS, SEARCHES),
    "a page and a lookup": (("read_guide", {"page": "teacher/pools"}), COUNTS),
    "all of it": (COUNTS, SEARCHES, ("decline", {}), ("delete_everything", {})),
}


async def test_a_rejected_reply_gets_the_fixed_text_and_nothing_of_it_is_run(database_url: str) -> None:
    model = ScriptedModel(*(calls(*wanted) for wanted in REJECTED.values()))
    async with choosing_house(database_url, provider=model) as house:
        for number, name in enumerate(REJECTED, start=1):
            house.clock.move(1)
            with capture_logs() as logs:
                events = await told(house, "Which classes do I have?", context=screen())
            reply = events[-1].json
            assert (reply["kind"], reply["answer"]) == ("refusal", REFUSALS[Language.ENGLISH]), name
            assert (reply["references"], reply["choices"], reply["citations"], reply["actions"]) == ([], [], [], [])
            assert steps(events) == [{"step": "checking"}]
            assert (reply["receipt"]["requests"], reply["receipt"]["sent"]) == (1, [])
            assert [each["event"] for each in logs if each["log_level"] == "warning"] == ["reply_rejected"]
            assert len(model.requests) == number
        assert await reads_of_lms(house) == []


async def test_a_reply_may_be_rejected_after_one_that_was_not(database_url: str) -> None:
    model = ScriptedModel(calls(SEARCHES), calls(COUNTS, SEARCHES))
    async with choosing_house(database_url, provider=model) as house:
        reply = (await house.ask("Which classes do I have?", context=screen())).json()
        assert (reply["kind"], reply["answer"]) == ("refusal", REFUSALS[Language.ENGLISH])
        assert reply["receipt"]["sent"] == [{"tool": "search_guide", "disclosure": "open"}]
        assert await reads_of_lms(house) == []
    assert len(model.requests) == 2


@pytest.mark.parametrize("policy", ["default", "school-manuals"])
async def test_without_lookups_the_same_replies_are_answered_call_by_call(database_url: str, policy: str) -> None:
    replies = [step for wanted in REJECTED.values() for step in (calls(*wanted), says("So it is."))]
    del replies[-1]  # the last one declines
    model = ScriptedModel(*replies)
    known = {"search_guide", "read_guide"} | ({"get_classroom_results"} if policy == "default" else set())
    without = {**UNBOUND, "switches": {"manual": True, "live": False}}
    async with running_house(
        database_url, provider=model, policy=policy, moderation="words", ruled=without if policy != "default" else BUSY
    ) as house:
        for wanted in list(REJECTED.values())[:-1]:
            house.clock.move(1)
            before = len(model.requests)
            answer = await house.ask("Which classes do I have?", context=screen())
            assert answer.status_code == 200, answer.text
            assert len(model.requests) == before + 2
            ran = dict(zip((name for name, _ in wanted), results(model.requests[-1]), strict=False))
            for name, result in ran.items():
                is_known = name in known
                assert ("There is no such tool" in result.content) is not is_known, (name, result)
                assert BESIDE not in result.content
        declined = (await house.ask("Which classes do I have?", context=screen())).json()
        assert declined["answer"] == house.configuration.policy.texts.decline[Language.ENGLISH]


async def test_three_lookups_of_one_reply_are_all_answered(database_url: str) -> None:
    model = ScriptedModel(calls(COUNTS, LISTS, ("query_exams", {"operation": "list"})))
    async with choosing_house(database_url, provider=model) as house:
        reply = (await house.ask("What do I have?", context=screen())).json()
        assert reply["kind"] == "live"
        assert all(name in reply["answer"] for name in students_of(house))
        assert {each["kind"] for each in reply["references"]} == {"class", "student", "exam"}
        sent = [{"tool": tool, "disclosure": "sealed"} for tool in ("query_classes", "query_students", "query_exams")]
        assert (reply["receipt"]["requests"], reply["receipt"]["sent"]) == (1, sent)
    assert len(model.requests) == 1


async def test_of_lookups_that_ask_back_the_first_waits_and_the_others_are_answered_beside_it(
    database_url: str,
) -> None:
    asks = ("query_class_performance", {"operation": "summary"})
    model = ScriptedModel(calls(asks, LISTS, ("query_rankings", {"operation": "top"})))
    async with choosing_house(database_url, provider=model) as house:
        reply = (await house.ask("What do I have?", context=screen())).json()
        assert reply["kind"] == "choice"
        assert all(name in reply["answer"] for name in students_of(house))
        assert classes_of()[class_id()] in [each["label"].split(" · ")[0] for each in reply["choices"]]
        assert len(reply["choices"]) > 1
        assert reply["answer"].count("Which class do you mean?") == 1
        assert reply["answer"].count("Another lookup needs a choice too: ask for it again afterwards.") == 1
        chosen = await choose(house, reply["conversation_id"], reply["choices"][0]["token"])
        assert chosen.json()["receipt"]["sent"] == [{"tool": "query_class_performance", "disclosure": "sealed"}]
    assert len(model.requests) == 1


UNFIT: dict[str, JsonObject] = {
    "an operation of another": {"operation": "rate"},
    "an id": {"operation": "list", "class_id": "7"},
    "words too long": {"operation": "list", "class_search": "x" * 101},
    "a column": {"operation": "list", "columns": ["email"]},
    "no operation": {"operation": None},
}


async def test_a_lookup_that_does_not_fit_is_told_to_the_model_which_may_try_again(database_url: str) -> None:
    model = ScriptedModel(
        *(step for unfit in UNFIT.values() for step in (calls(("query_classes", unfit)), calls(COUNTS)))
    )
    async with choosing_house(database_url, provider=model) as house:
        for name in UNFIT:
            house.clock.move(1)
            asked = len(model.requests)
            reply = (await house.ask("How many?", context=screen())).json()
            assert reply["kind"] == "live", name
            assert reply["receipt"]["requests"] == 2
            assert house.configuration.policy.texts.not_looked_up[Language.ENGLISH] not in reply["answer"]
            assert len(model.requests) == asked + 2
            [told_of] = results(model.requests[-1])
            assert told_of.is_error
            assert not any(title in told_of.content for title in classes_of().values())


async def test_a_lookup_beside_one_that_does_not_fit_is_answered_and_the_other_is_said_to_be_missing(
    database_url: str,
) -> None:
    model = ScriptedModel(calls(COUNTS, ("query_exams", {"operation": "rate"})))
    async with choosing_house(database_url, provider=model) as house:
        reply = (await house.ask("How many?", context=screen())).json()
        assert reply["kind"] == "live"
        assert house.configuration.policy.texts.not_looked_up[Language.ENGLISH] in reply["answer"]
        assert reply["receipt"]["sent"] == [{"tool": "query_classes", "disclosure": "sealed"}]
    assert len(model.requests) == 1


async def test_what_ends_the_question_or_opens_a_screen_may_stand_beside_a_lookup(database_url: str) -> None:
    opens = ("open_screen", {"screen": "pools", "ids": {}, "params": {}})
    model = ScriptedModel(
        calls(LISTS, ("decline", {})), calls(("ask_back", {"text": "Which one?"}), LISTS), calls(opens, LISTS)
    )
    with_screens = {
        "roles": {"teacher": {"tools": {**EVERY_LOOKUP["roles"]["teacher"]["tools"], "open_screen": "open"}}}
    }
    async with choosing_house(database_url, provider=model, ruled={**UNBOUND, **with_screens}) as house:
        names, texts = students_of(house), house.configuration.policy.texts
        declined, asked_back, opened = [(await house.ask("Who?", context=screen())).json() for _ in range(3)]
        assert (declined["kind"], declined["answer"]) == ("refusal", texts.decline[Language.ENGLISH])
        assert asked_back["kind"] == "question"
        assert asked_back["answer"].startswith("Which one?")
        for reply in (declined, asked_back):
            assert not any(name in str(reply) for name in names)
            assert (reply["references"], reply["receipt"]["sent"]) == ([], [])
        assert opened["kind"] == "live"
        assert [each["type"] for each in opened["actions"]] == ["open_screen"]
        assert all(name in opened["answer"] for name in names)
    assert len(model.requests) == 3
