"""A change that could not be prepared is told with its reason, in the service's own words (rows A16, B7)."""

from collections.abc import Mapping
from typing import Any

import pytest

from assist_service.domain.cards import VALUE_CHARACTERS
from assist_service.domain.messages import ModelReply
from assist_service.domain.screens import Language
from assist_service.domain.statement import unprepared_of
from assist_service.domain.unprepared import Unprepared
from tests.fakes.house import running_house
from tests.fakes.models import calls, says
from tests.unit.test_unprepared import of
from tests.web.editing import ask_in_editor
from tests.web.live_questions import ActingModel, inject
from tests.web.writing import (
    CONFIG,
    QUESTION,
    QUESTION_CALL,
    SEARCHED,
    ask,
    new_category,
    written,
)

pytestmark = pytest.mark.slow

LONG = {**CONFIG, "statement": "x" * (VALUE_CHARACTERS + 1)}

EXPLAINS = says("This question is a draft: publish it in the editor first, then ask me again.")

STRANGE = "00000000-0000-4000-8000-000000000000"


def question(**changes: Any) -> ModelReply:
    return calls((QUESTION_CALL[0], {**QUESTION_CALL[1], **changes}))


TEMPLATE_OF_IT = calls(("create_template", {"title": "T", "questions": [QUESTION]}))

REFUSED: Mapping[str, tuple[ModelReply, Unprepared]] = {
    "a draft for a template": (TEMPLATE_OF_IT, Unprepared.UNPUBLISHED),
    "an id that nobody gave": (calls(new_category(pool=STRANGE)), Unprepared.NO_SEAT),
    "no title": (calls(new_category(title="")), Unprepared.UNFIT),
    "a question nobody searched for": (question(), Unprepared.SEARCH_FIRST),
}


@pytest.mark.parametrize(("step", "reason"), REFUSED.values(), ids=REFUSED)
async def test_where_nothing_was_found_or_prepared_the_refusal_says_why(
    database_url: str, step: ModelReply, reason: Unprepared
) -> None:
    async with running_house(database_url, provider=ActingModel(step, EXPLAINS)) as house:
        house.school.run("UPDATE question SET status = 'draft' WHERE id = :id", id=QUESTION)
        reply = (await ask(house)).json()
        sentence = unprepared_of(of(reason), Language(reply["language"]), is_any_prepared=False)
        assert (reply["kind"], reply["answer"], reply["writes"]) == ("refusal", sentence, [])
        assert await written(house) == []


SEARCHED_AND_REFUSED: Mapping[str, tuple[ModelReply, Unprepared]] = {
    "longer than a card": (question(config=LONG), Unprepared.TOO_LONG),
    "of an unknown type": (question(type="riddle"), Unprepared.UNFIT),
    "no config of its type": (question(config={}), Unprepared.UNFIT),
}


@pytest.mark.parametrize(("step", "reason"), SEARCHED_AND_REFUSED.values(), ids=SEARCHED_AND_REFUSED)
async def test_under_an_answer_about_records_it_stands_too(
    database_url: str, step: ModelReply, reason: Unprepared
) -> None:
    async with running_house(database_url, provider=ActingModel(SEARCHED, step, EXPLAINS)) as house:
        reply = (await ask(house)).json()
        sentence = unprepared_of(of(reason), Language(reply["language"]), is_any_prepared=False)
        assert reply["kind"] == "live"
        assert reply["answer"].endswith(f"\n\n{sentence}")


async def test_a_platform_that_is_silent_is_named(database_url: str) -> None:
    async with running_house(database_url, provider=ActingModel(calls(new_category()), EXPLAINS)) as house:
        await inject(house, "status", path="/api/pools", status=503)
        reply = (await ask(house)).json()
        sentence = unprepared_of(of(Unprepared.SILENT), Language(reply["language"]), is_any_prepared=False)
        assert (reply["kind"], reply["answer"]) == ("refusal", sentence)


async def test_what_is_prepared_after_all_is_no_more_told_as_refused(database_url: str) -> None:
    model = ActingModel(question(), SEARCHED, question(), says("It waits for you."))
    async with running_house(database_url, provider=model) as house:
        reply = (await ask(house)).json()
        assert reply["kind"] == "proposal"
        assert "prepared:" not in reply["answer"].casefold()


async def test_an_edit_that_does_not_fit_is_told(database_url: str) -> None:
    rewrites = [{"path": "/config/no-such", "text": "x"}]
    model = ActingModel(calls(("propose_question_edit", {"rewrites": rewrites})), EXPLAINS)
    async with running_house(database_url, provider=model) as house:
        reply = (await ask_in_editor(house)).json()
        sentence = unprepared_of(of(Unprepared.UNFIT), Language(reply["language"]), is_any_prepared=False)
        assert (reply["kind"], reply["answer"]) == ("refusal", sentence)
