"""An answer from a lookup that the list of words refuses says so in the service's words, and nothing of it is kept."""

from typing import Any

import asyncpg
import pytest

from assist_service.domain.answer import HOLDS_A_WORD
from assist_service.domain.conversation import LOOKED_UP
from assist_service.domain.messages import AssistantText
from assist_service.domain.screens import Language
from tests.fakes.house import TEACHER
from tests.fakes.models import ScriptedModel, calls
from tests.web.choosing import choosing_house, class_id, classes_of, students_of
from tests.web.live_questions import screen

pytestmark = pytest.mark.slow

REFUSED = "Pute"
"""A surname that is on the shipped list."""

OF_CLASS = classes_of()[class_id()]
STUDENTS = ("query_students", {"operation": "list", "class_search": OF_CLASS})
CLASSES = ("query_classes", {"operation": "list"})
WHOSE = ("query_student_performance", {"operation": "summary", "class_search": OF_CLASS})


def refused(reply: dict[str, Any], language: Language) -> bool:
    return (reply["kind"], reply["answer"], reply["html"].strip(), reply["references"], reply["choices"]) == (
        "refusal",
        HOLDS_A_WORD[language],
        f"<p>{HOLDS_A_WORD[language]}</p>",
        [],
        [],
    )


async def test_a_name_on_the_list_is_why_and_the_rest_of_the_answer_goes_with_it(
    database_url: str, pool: asyncpg.Pool
) -> None:
    model = ScriptedModel(calls(STUDENTS), calls(STUDENTS), calls(STUDENTS), calls(WHOSE), calls(CLASSES))
    async with choosing_house(database_url, provider=model) as house:
        first, *others = students_of(house)
        house.school.run("UPDATE person SET name = :name WHERE name = :first", name=f"Ana {REFUSED}", first=first)
        conversation = None
        for language in Language:
            house.clock.move(1)
            asked = screen() | {"language": language.value}
            reply = (await house.ask("?", context=asked, conversation_id=conversation)).json()
            conversation = reply["conversation_id"]
            assert refused(reply, language), reply
        house.clock.move(1)
        choosing = (await house.ask("?", context=screen(), conversation_id=conversation)).json()
        assert refused(choosing, Language.ENGLISH), choosing
        house.clock.move(1)
        fine = (await house.ask("?", context=screen(), conversation_id=conversation)).json()
        assert (fine["kind"], OF_CLASS in fine["answer"]) == ("live", True)
        path = f"/assist/conversations/{conversation}"
        kept = (await house.service.get(path, headers=await house.bearer(TEACHER))).json()
        assert [each["answer"] for each in kept["items"][:3]] == [HOLDS_A_WORD[language] for language in Language]
        for name in (REFUSED, *others):
            assert name not in str(kept)
    read = [each.text for each in model.requests[-1].messages if isinstance(each, AssistantText)]
    assert read == [LOOKED_UP] * 4, "that there is such a name no model reads either"
