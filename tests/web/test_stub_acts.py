"""The stub opens, prepares and tidies by the same tools and checks as a model: the demo shows no more than holds."""

from typing import Any

import pytest

from tests.fakes.house import TEACHER, House, running_house
from tests.web.live_questions import owned, screen
from tests.web.writing import POOL, card_of, confirm, titled, written

pytestmark = pytest.mark.slow

QUESTION = owned("question", TEACHER)
TITLE = titled("pool", POOL)


async def asked(house: House, question: str, **changes: Any) -> dict[str, Any]:
    answer = await house.ask(question, **{"context": screen(pool=POOL), **changes})
    assert answer.status_code == 200, answer.text
    reply: dict[str, Any] = answer.json()
    return reply


@pytest.mark.parametrize("words", ["Show me the pool {}", "Montre la banque {}", "Ipakita ang pool {}"])
async def test_it_opens_the_pool_that_a_question_names(database_url: str, words: str) -> None:
    async with running_house(database_url) as house:
        (action,) = (await asked(house, words.format(TITLE)))["actions"]
        assert action["path"] == f"/pools/{POOL}?tab=questions"
        (searched,) = (await asked(house, f"{words.format(TITLE)} #printf"))["actions"]
        assert searched["params"] == {"tab": "questions", "search": "tag:printf"}


@pytest.mark.parametrize("words", ["Create the category “{}”", "Crée la catégorie « {} »", 'Gumawa ng kategorya "{}"'])
async def test_it_prepares_a_quoted_category_on_the_pool_of_the_screen(database_url: str, words: str) -> None:
    async with running_house(database_url) as house:
        reply = await asked(house, words.format("Révision"))
        assert [line["value"] for line in card_of(reply)["lines"]] == [TITLE, "Révision"]
        assert await written(house) == []
        assert (await confirm(house, reply)).status_code == 200
        assert len(await written(house)) == 1


async def test_it_tidies_the_statement_in_the_editor(database_url: str) -> None:
    async with running_house(database_url) as house:
        row = house.school.row("SELECT type FROM question WHERE id = :id", id=QUESTION)
        assert row is not None
        config = {"statement": "que  vaut [[x]]"}
        draft = {"question_id": QUESTION, "type": row["type"], "base": "v1", "config": config, "explanation": ""}
        context = {**screen(question=QUESTION), "route": "/questions/:id"}
        reply = await asked(house, "Rewrite this question", context=context, editor=draft)
        (action,) = reply["actions"]
        assert [(change["path"], change["after"]) for change in action["changes"]] == [
            ("/config/statement", "Que vaut [[x]]")
        ]
        assert reply["kind"] == "proposal"


@pytest.mark.parametrize("question", ["How do I open a pool?", "Comment créer la catégorie « x » ?"])
async def test_how_to_is_the_manuals(database_url: str, question: str) -> None:
    async with running_house(database_url) as house:
        reply = await asked(house, question)
        assert (reply["actions"], reply["writes"]) == ([], [])
