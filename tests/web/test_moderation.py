"""A question or an answer that cannot be judged, or may not pass: nothing answered, nothing stored, nothing held."""

import json
from collections.abc import Callable, Iterator
from typing import Any

import asyncpg
import pytest

from assist_service.domain.messages import ModelReply, ModelRequest, ToolResults
from assist_service.domain.screens import Language
from tests.fakes.broken_wire import Breakage, BrokenWire, http_bytes
from tests.fakes.house import House, running_house
from tests.fakes.models import ScriptedModel, reads, says
from tests.fakes.moderation_wire import FLAGGED, ModerationWire, by_word, judged, judgement
from tests.fakes.openai_wire import error_reply
from tests.fakes.scripted_wire import RawReply
from tests.web.live_questions import ActingModel
from tests.web.moderated import (
    checks_of,
    counted,
    house_moderated_at,
    moderated_house,
    problem,
    refuse_traces,
    rows_but_rates,
)
from tests.web.streamed import EVENTS, steps, told

QUESTION = "How do I create a pool, askword?"
POLICIES = ("default", pytest.param("school-manuals", marks=pytest.mark.slow))
UNAVAILABLE = (503, "moderation_unavailable")
ONE_SECOND = {"effort": {"deadline_seconds": 1}}
KEY = {"Idempotency-Key": "one"}

Judge = Callable[[str], RawReply]

WRONG: dict[str, Judge] = {
    "slow": lambda _: RawReply(b"{}", after_seconds=2.0),
    "a server error": lambda _: error_reply(500),
    "the key refused": lambda _: error_reply(401),
    "a wait of an hour": lambda _: error_reply(429, headers={"retry-after": "3600"}),
    "no result": lambda _: judged(flagged=False, results=[]),
    "two results": lambda _: judged(flagged=False, results=judgement(flagged=False)["results"] * 2),
    "flagged as a text": lambda _: judged(flagged="false"),
    "flagged missing": lambda _: judged(flagged=False, results=[{}]),
    "no JSON": lambda _: RawReply(b"<html>"),
    "half a body": lambda _: RawReply(json.dumps(judgement(flagged=False)).encode()[:-9]),
}

ANSWERS: list[Any] = [reads("teacher/pools"), says("Press **New pool** answerword [s1].")]


def from_the_manual(request: ModelRequest) -> ModelReply:
    """The same, as often as it is asked."""
    return ANSWERS[isinstance(request.messages[-1], ToolResults)]  # type: ignore[no-any-return]


def answering() -> ActingModel:
    """Answers twice, from the manual."""
    return ActingModel(*ANSWERS, *ANSWERS, *ANSWERS)


def only(word: str, judge: Judge) -> Judge:
    """Judges so what holds this word, and lets everything else by."""
    return lambda text: judge(text) if word in text else judged(flagged=False)


async def _begun(house: House) -> dict[str, Any]:
    """A conversation with one exchange, in which the next question is asked."""
    first = await house.ask("How do I create a pool?")
    assert first.status_code == 200, first.text
    house.clock.move(1)
    return {"conversation_id": first.json()["conversation_id"]}


@pytest.mark.slow
@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("word", ["askword", "answerword"])
async def test_what_cannot_be_judged_is_not_answered(
    database_url: str, pool: asyncpg.Pool, monkeypatch: pytest.MonkeyPatch, policy: str, word: str
) -> None:
    wire, model = ModerationWire(), ScriptedModel(from_the_manual)
    is_question = word == "askword"
    async with moderated_house(
        database_url, wire, monkeypatch, provider=model, policy=policy, ruled=ONE_SECOND
    ) as house:
        begun = await _begun(house)
        for number, (name, wrong) in enumerate(WRONG.items(), start=1):
            house.clock.move(61)  # past the minute's limit
            before, requests = await rows_but_rates(pool, paid=not is_question), len(model.requests)
            wire.judge = only(word, wrong)
            answer = await house.ask(QUESTION, headers=KEY, **begun)
            assert problem(answer) == UNAVAILABLE, name
            assert "word" not in answer.text
            assert await rows_but_rates(pool, paid=not is_question) == before, name
            assert await counted(pool) == number + 1
            assert len(model.requests) == requests + (0 if is_question else 2), "unjudged it reaches no model"
            await refuse_traces(house, pool)
        wire.judge = by_word
        assert (await house.ask(QUESTION, headers=KEY, **begun)).status_code == 200


async def test_a_moderation_that_is_not_there(
    database_url: str, pool: asyncpg.Pool, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = answering()
    async with house_moderated_at("http://127.0.0.1:9/v1", database_url, monkeypatch, provider=model) as house:
        before = await rows_but_rates(pool)
        assert problem(await house.ask(QUESTION)) == UNAVAILABLE
        assert await rows_but_rates(pool) == before
        assert (model.requests, await counted(pool)) == ([], 1)
        await refuse_traces(house, pool)


@pytest.mark.slow
async def test_an_answer_that_is_miscounted_on_the_way(database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    body = json.dumps(judgement(flagged=False)).encode()
    server, model = BrokenWire(Breakage([http_bytes(body, content_length=len(body) + 9)])), answering()
    async with (
        server.serve() as url,
        house_moderated_at(f"{url}/v1", database_url, monkeypatch, provider=model) as house,
    ):
        assert problem(await house.ask(QUESTION)) == UNAVAILABLE
        assert model.requests == []


@pytest.mark.parametrize("policy", POLICIES)
async def test_a_question_that_is_refused(
    database_url: str, pool: asyncpg.Pool, monkeypatch: pytest.MonkeyPatch, policy: str
) -> None:
    wire, model = ModerationWire(), answering()
    async with moderated_house(database_url, wire, monkeypatch, provider=model, policy=policy) as house:
        begun = await _begun(house)
        before = await rows_but_rates(pool)
        for _ in range(2):  # a failure is not kept
            answer = await house.ask(f"{FLAGGED}, say it", headers=KEY, **begun)
            assert problem(answer) == (422, "question_refused")
            assert FLAGGED not in answer.text
        assert await rows_but_rates(pool) == before
        assert (len(model.requests), await counted(pool)) == (2, 3)
        await refuse_traces(house, pool)
        assert (await house.ask("Another?", **begun)).status_code == 200


@pytest.mark.parametrize("policy", POLICIES)
async def test_an_answer_that_is_refused_is_the_fixed_refusal(
    database_url: str, pool: asyncpg.Pool, monkeypatch: pytest.MonkeyPatch, policy: str
) -> None:
    wire = ModerationWire()
    model = ActingModel(reads("teacher/pools"), says(f"Press it, {FLAGGED} [s1]."))
    async with moderated_house(database_url, wire, monkeypatch, provider=model, policy=policy) as house:
        answer = await house.ask(QUESTION)
        reply = answer.json()
        fixed = house.configuration.policy.texts.not_found[Language.ENGLISH]
        assert (answer.status_code, reply["kind"], reply["answer"]) == (200, "refusal", fixed)
        assert (reply["citations"], reply["actions"], reply["writes"]) == ([], [], [])
        assert reply["statement"] == {"opened": [], "prepared": [], "changed": False}
        assert FLAGGED not in answer.text
        assert "<p>" in reply["html"]
        assert reply["receipt"]["also_sent"] == ["question", "moderation"]
        [row] = await pool.fetch("SELECT kind FROM exchanges")
        assert row["kind"] == "refusal"
        assert FLAGGED not in str(await rows_but_rates(pool))
    assert fixed not in "".join(wire.texts), "what the service says goes to no provider"


async def test_what_is_judged_is_what_is_sent(database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    wire, model = ModerationWire(), answering()
    async with moderated_house(database_url, wire, monkeypatch, provider=model) as house:
        reply = (await house.ask("How do I cre\u200bate a p\U000e0041ool?\r\nPlease.")).json()
    assert wire.texts == ["How do I create a pool?\nPlease.", "Press New pool answerword ."]
    assert model.requests[0].messages[-1].text == wire.texts[0]  # type: ignore[union-attr]
    assert reply["receipt"]["also_sent"] == ["question", "moderation"]


@pytest.mark.slow
@pytest.mark.parametrize("wrong", [error_reply(500), judged(flagged=True)], ids=["a fault", "a refusal"])
async def test_on_the_stream_a_question_is_refused_plainly(
    database_url: str, monkeypatch: pytest.MonkeyPatch, wrong: RawReply
) -> None:
    wire = ModerationWire(lambda _: wrong)
    async with moderated_house(database_url, wire, monkeypatch, provider=answering()) as house:
        answer = await house.ask(QUESTION, headers=EVENTS)
        assert answer.headers["content-type"] == "application/problem+json"
        assert answer.status_code in (422, 503)


async def test_on_the_stream_an_answer_that_cannot_be_judged_is_an_error_event(
    database_url: str, pool: asyncpg.Pool, monkeypatch: pytest.MonkeyPatch
) -> None:
    wire = ModerationWire(only("answerword", WRONG["a server error"]))
    async with moderated_house(database_url, wire, monkeypatch, provider=answering()) as house:
        events = await told(house, QUESTION)
        assert steps(events)[-1] == {"step": "checking"}
        assert (events[-1].name, events[-1].json["code"], events[-1].json["status"]) == (
            "error",
            UNAVAILABLE[1],
            503,
        )
        assert "answerword" not in str(events)
        await refuse_traces(house, pool)


@pytest.mark.slow
async def test_the_list_of_words_moderates_without_a_provider(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    model = ActingModel(reads("teacher/pools"), says("Press fuck [s1]."), *ANSWERS)
    async with running_house(database_url, provider=model, policy="school-manuals", moderation="words") as house:
        assert problem(await house.ask("What the fuck is a pool?")) == (422, "question_refused")
        assert (await house.ask("What is a pool?")).json()["kind"] == "refusal"
        reply = (await house.ask("What is a pool?")).json()
        assert (reply["kind"], reply["receipt"]["also_sent"]) == ("manual", ["question"])
        assert checks_of(await house.service.get("/readyz"))["moderation"] == "ok"
        availability = await house.service.get("/assist/availability", headers=await house.bearer())
        assert "OpenAI" not in availability.json()["notice"]


@pytest.mark.slow
async def test_switched_off_nobody_reads_anything(database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    wire = ModerationWire()
    async with moderated_house(
        database_url, wire, monkeypatch, provider=answering(), policy="teacher-assistant"
    ) as house:
        assert (await house.ask(f"{FLAGGED}?")).status_code == 200
        assert checks_of(await house.service.get("/readyz"))["moderation"] == "not_set"
        availability = await house.service.get("/assist/availability", headers=await house.bearer())
        assert "OpenAI" not in availability.json()["notice"]
    assert wire.requests == []


@pytest.mark.slow
async def test_the_probe_says_how_it_was_last_and_asks_nobody(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    wire = ModerationWire()
    async with moderated_house(database_url, wire, monkeypatch, provider=ScriptedModel(from_the_manual)) as house:

        async def found() -> str:
            ready = await house.service.get("/readyz")
            assert ready.status_code == 200, "it is reported only"
            return checks_of(ready)["moderation"]

        seen: list[str] = [await found()]
        for judge in (by_word, lambda _: error_reply(500), by_word):
            wire.judge = judge
            await house.ask(QUESTION)
            seen.append(await found())
        house.clock.move(301)
        assert [*seen, await found()] == ["unknown", "ok", "failed", "ok", "unknown"]
        assert len(wire.requests) == 2 + 2 + 2, "a question, its answer, two tries, and again"
        availability = await house.service.get("/assist/availability", headers=await house.bearer())
        assert "an OpenAI-compatible server" in availability.json()["notice"]


def _lines(text: str, name: str) -> Iterator[str]:
    return (line for line in text.splitlines() if line.startswith(name))


@pytest.mark.slow
async def test_metrics_count_texts_and_requests_and_hold_no_word_of_them(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    wire = ModerationWire()
    async with moderated_house(database_url, wire, monkeypatch, provider=answering()) as house:
        before = set(_lines((await house.service.get("/metrics")).text, "assist_moderation"))
        await house.ask(QUESTION)
        after = (await house.service.get("/metrics")).text
        changed = {line.rpartition(" ")[0] for line in set(_lines(after, "assist_moderation")) - before}
        assert {
            'assist_moderations_total{judged="question",moderator="openai",verdict="passed"}',
            'assist_moderations_total{judged="answer",moderator="openai",verdict="passed"}',
            'assist_moderation_requests_total{outcome="ok"}',
            'assist_moderation_seconds_count{moderator="openai"}',
        } <= changed
        assert "askword" not in after
