"""What of an answer is judged, and in which form: all that a model wrote, masked, and nothing that the service did."""

from collections.abc import Callable
from typing import Any

import asyncpg
import pytest

from assist_service.domain.messages import ModelReply, ModelRequest
from assist_service.domain.screens import Language
from examples.reference_lms.school import SCHOOL
from tests.fakes.house import House
from tests.fakes.models import calls, says
from tests.fakes.moderation_wire import FLAGGED, ModerationWire, judged
from tests.web.editing import CANARY
from tests.web.live_questions import ActingModel, screen
from tests.web.moderated import moderated_house, refuse_traces
from tests.web.placeholders import LEARNS, ask, students, tag_of
from tests.web.writing import CONFIG, COURSE, POOL, QUESTION_CALL, SEARCHED, new_category, unlink, written

Step = ModelReply | Callable[[ModelRequest], ModelReply]

NEW_QUESTION: dict[str, Any] = QUESTION_CALL[1]


def edit(text: str) -> ModelReply:
    return calls(("propose_question_edit", {"rewrites": [{"path": "/explanation", "text": text}]}))


def question_with(**config: Any) -> ModelReply:
    """A new question, some of its texts replaced."""
    return calls(("create_question", {**NEW_QUESTION, "config": {**CONFIG, **config}}))


FLAGGED_PARTS: dict[str, list[Step]] = {
    "the words": [LEARNS, says(f"All well, {FLAGGED}.")],
    "a question back": [calls(("ask_back", {"text": f"Which {FLAGGED}?"}))],
    "an edit": [edit(f"It is {FLAGGED}."), says("It waits.")],
    "an edit with markup in a word": [edit("It is fl**ag**word."), says("It waits.")],
    "a card with markup in a word": [calls(new_category("fl[a](/x)gword")), says("It waits.")],
    "a category": [calls(new_category(f"The {FLAGGED}")), says("It waits.")],
    "a question's statement": [SEARCHED, question_with(statement=f"Is it {FLAGGED}?"), says("It waits.")],
    "a choice": [
        SEARCHED,
        question_with(choices=[{"text": "No", "correct": True}, {"text": FLAGGED, "correct": False}]),
        says("It waits."),
    ],
    "an explanation": [
        SEARCHED,
        calls(("create_question", {**NEW_QUESTION, "explanation": f"By {FLAGGED}."})),
        says("It waits."),
    ],
    "a search of a screen": [
        calls(("open_screen", {"screen": "pool", "ids": {"id": POOL}, "params": {"search": FLAGGED}})),
        says("There."),
    ],
}


@pytest.mark.slow
@pytest.mark.parametrize("part", FLAGGED_PARTS.values(), ids=FLAGGED_PARTS)
async def test_whatever_a_model_wrote_is_judged(
    database_url: str, pool: asyncpg.Pool, monkeypatch: pytest.MonkeyPatch, part: list[Step]
) -> None:
    wire = ModerationWire()
    async with moderated_house(database_url, wire, monkeypatch, provider=ActingModel(*part)) as house:
        answer = await ask(house)
        reply = answer.json()
        fixed = house.configuration.policy.texts.not_found[Language.ENGLISH]
        assert (answer.status_code, reply["kind"], reply["answer"]) == (200, "refusal", fixed), answer.text
        assert (reply["actions"], reply["writes"], reply["citations"]) == ([], [], [])
        assert reply["statement"] == {"opened": [], "prepared": [], "changed": False}
        assert FLAGGED not in answer.text
        assert await pool.fetchval("SELECT count(*) FROM pending_writes") == 0
        assert await written(house) == []
        await refuse_traces(house, pool)
        later = await house.ask("And now?", conversation_id=reply["conversation_id"], context=screen())
        assert later.status_code == 500, "the model has no more to say, so it was asked: the conversation is free"


async def test_a_write_whose_answer_cannot_be_judged_is_dropped(
    database_url: str, pool: asyncpg.Pool, monkeypatch: pytest.MonkeyPatch
) -> None:
    wire = ModerationWire(lambda text: judged(flagged="no" if "Loops" in text else False))
    model = ActingModel(calls(new_category("Loops")), says("It waits."))
    async with moderated_house(database_url, wire, monkeypatch, provider=model) as house:
        answer = await ask(house)
        assert (answer.status_code, answer.json()["code"]) == (503, "moderation_unavailable")
        assert await pool.fetchval("SELECT count(*) FROM pending_writes") == 0
        assert await pool.fetchval("SELECT count(*) FROM exchanges") == 0
        await refuse_traces(house, pool)


def _named(request: ModelRequest, numbers: int = 3) -> list[str]:
    return [f"Person-{tag_of(request)}-{number}" for number in range(1, numbers + 1)]


def answers_with_names(request: ModelRequest) -> ModelReply:
    return says(f"Best are {', '.join(_named(request))}.")


def edits_with_names(request: ModelRequest) -> ModelReply:
    return edit(f"Found by {' and '.join(_named(request))}.")


def prepares_with_names(request: ModelRequest) -> ModelReply:
    return calls(new_category(f"For {_named(request)[0]}"))


def asks_for_names(request: ModelRequest) -> ModelReply:
    return question_with(statement=f"Who helped {_named(request)[1]}?")


MASKED: dict[str, list[Step]] = {
    "an answer": [LEARNS, answers_with_names],
    "an edit": [LEARNS, edits_with_names, says("It waits.")],
    "a card": [LEARNS, prepares_with_names, says("It waits.")],
    "a question": [LEARNS, SEARCHED, asks_for_names, says("It waits.")],
}


def service_words(house: House, reply: dict[str, Any]) -> list[str]:
    """Sentences and titles that the service has from the policy, its own words and the LMS."""
    texts = house.configuration.policy.texts
    fixed = [texts.decline, texts.not_found, texts.not_found_there, texts.not_looked_up]
    titles = [each.title for each in SCHOOL.entities]
    return [*(text[Language.ENGLISH] for text in fixed), *reply["statement"]["prepared"], "Prepared:", *titles]


@pytest.mark.slow
@pytest.mark.parametrize("part", MASKED.values(), ids=MASKED)
async def test_no_name_of_a_masked_result_reaches_the_moderation(
    database_url: str, monkeypatch: pytest.MonkeyPatch, part: list[Step]
) -> None:
    wire, model = ModerationWire(), ActingModel(*part, says("Nothing else."))
    async with moderated_house(database_url, wire, monkeypatch, provider=model) as house:
        names = students(house)
        answer = await ask(house)
        reply = answer.json()
        assert answer.status_code == 200, answer.text
        assert any(name in answer.text for name in names), "they are put back for the person"
        judged_texts = "\n".join(wire.texts)
        assert "Person-" in judged_texts
        assert [name for name in names if name in judged_texts] == []
        assert [word for word in service_words(house, reply) if word in judged_texts] == []
        assert CANARY not in judged_texts, "the draft goes to the model, not to its moderation"


@pytest.mark.slow
async def test_a_cards_people_and_titles_are_the_lmss_and_go_to_nobody(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    wire = ModerationWire()
    link = calls(("link_pool_to_course", {"pool": POOL, "course": COURSE}))
    async with moderated_house(database_url, wire, monkeypatch, provider=ActingModel(link, says("It waits."))) as house:
        await unlink(house)
        reply = (await ask(house)).json()
        [card] = reply["writes"]
        shown = [line["value"] for line in card["lines"]]
        assert any(line["label"] == "gains_access" for line in card["lines"])
        assert [value for value in shown if value in "\n".join(wire.texts)] == []


@pytest.mark.slow
async def test_an_answer_of_the_service_alone_goes_to_no_provider(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    wire = ModerationWire()
    endings = [calls(("decline", {})), says("It rests on nothing.")]
    async with moderated_house(database_url, wire, monkeypatch, provider=ActingModel(*endings)) as house:
        for _ in endings:
            assert (await house.ask("What is a pool?")).json()["kind"] == "refusal"
    assert wire.texts == ["What is a pool?"] * len(endings)


@pytest.mark.slow
async def test_a_model_that_is_flagged_every_time_never_gets_through(
    database_url: str, pool: asyncpg.Pool, monkeypatch: pytest.MonkeyPatch
) -> None:
    disguises = [FLAGGED, f"**{FLAGGED}**", f"[{FLAGGED}](https://lms.example/x)", f"# {FLAGGED}", f"`{FLAGGED}`"]
    disguises += [f"{FLAGGED[:4]}\u200b{FLAGGED[4:]}", f"<b>{FLAGGED}</b>", f"| a |\n|---|\n| {FLAGGED} |"]
    disguises += [
        "fl[a](https://lms.example/courses)gword",
        "**fla**gword",
        "fl&#97;gword",
        "fl![](x)agword",
        "flag[]()word",
    ]
    steps = [step for each in disguises for step in (LEARNS, says(f"So: {each}"))]
    wire = ModerationWire()
    async with moderated_house(database_url, wire, monkeypatch, provider=ActingModel(*steps)) as house:
        for _ in disguises:
            house.clock.move(61)
            answer = await ask(house)
            assert (answer.status_code, answer.json()["kind"]) == (200, "refusal")
            assert FLAGGED not in answer.text
    assert await pool.fetchval("SELECT count(*) FROM exchanges WHERE kind = 'refusal'") == len(disguises)
