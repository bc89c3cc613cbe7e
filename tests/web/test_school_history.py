"""Of a conversation under the school's policy six pairs go along, and 12,000 characters, each pair whole (row J12)."""

import pytest

from assist_service.domain.messages import AssistantText, ModelRequest, UserText
from assist_service.domain.screens import Language
from tests.fakes.house import House
from tests.fakes.models import ScriptedModel, says
from tests.web.live_questions import screen
from tests.web.school_policy import REFUSALS, school_house

pytestmark = pytest.mark.slow

REFUSAL = REFUSALS[Language.ENGLISH]
"""What each of these questions is answered: its pair has so many characters more."""


def question(characters: int) -> str:
    return ("How do I create a pool of questions? " * characters)[: characters - 1] + "?"


async def ask_all(house: House, questions: list[str]) -> None:
    """One after the other in one conversation."""
    conversation = None
    for each in questions:
        house.clock.move(10)
        reply = (await house.ask(each, conversation_id=conversation, context=screen())).json()
        assert reply["answer"] == REFUSAL
        conversation = reply["conversation_id"]


def sent(request: ModelRequest) -> list[str]:
    """The words of a request, oldest first."""
    assert all(isinstance(message, UserText | AssistantText) for message in request.messages)
    return [message.text for message in request.messages if isinstance(message, UserText | AssistantText)]


async def test_six_pairs_go_along_and_the_seventh_does_not(database_url: str) -> None:
    model = ScriptedModel(says("Nothing is cited here."))
    questions = [f"How do I create pool number {number}?" for number in range(9)]
    async with school_house(database_url, provider=model) as house:
        await ask_all(house, questions)
    for number, request in enumerate(model.requests):
        earlier = questions[max(0, number - 6) : number]
        assert sent(request) == [text for each in earlier for text in (each, REFUSAL)] + [questions[number]]


@pytest.mark.parametrize(("too_many", "pairs"), [(0, 6), (1, 5)])
async def test_12000_characters_go_along_and_a_pair_that_passes_them_does_not_go_at_all(
    database_url: str, too_many: int, pairs: int
) -> None:
    model = ScriptedModel(says("Nothing is cited here."))
    newer = [question(2_000)] * 5
    oldest = question(12_000 - 5 * 2_000 - 6 * len(REFUSAL) + too_many)
    async with school_house(database_url, provider=model) as house:
        await ask_all(house, [oldest, *newer, "And now?"])
    told = sent(model.requests[-1])
    assert len(told) == 2 * pairs + 1
    assert sum(map(len, told[:-1])) == (12_000 if pairs == 6 else 5 * (2_000 + len(REFUSAL)))
