"""Under the school's policy what no citation carries is one fixed refusal and nothing else, whatever the model says."""

import asyncio
import html
from dataclasses import replace
from typing import Any

import asyncpg
import pytest

from assist_service.domain.messages import JsonObject, ModelReply, Stop
from assist_service.domain.own_words import NOTHING_CHANGED, NOTHING_PREPARED
from assist_service.domain.people import Role
from assist_service.domain.screens import Language
from assist_service.domain.withdrawals import Withdrawal
from tests.fakes.house import PERSON_OF_ROLE, STUDENT, TEACHER, TRAINER, question_body
from tests.fakes.models import ScriptedModel, calls, reads, says
from tests.web.live_questions import results
from tests.web.school_policy import QUESTIONS, REFUSALS, school_house
from tests.web.test_publications import POOLS, publishing_of, write_manual

pytestmark = pytest.mark.slow

SHARED = "shared/signing-in"


def screen(language: Language) -> dict[str, Any]:
    """No help on it, so that nothing is given but what the model reads."""
    return {**question_body()["context"], "topic": None, "language": language.value}


def beside(text: str, name: str, arguments: JsonObject | None = None) -> ModelReply:
    """Words, and a call beside them."""
    called = calls((name, arguments or {}))
    return replace(called, text=text, native=({"type": "text", "text": text}, *called.native))


NOBODYS = calls(("create_category", {"title": "X"}), ("open_screen", {"screen": "pool"}), ("list_courses", {}))

DONE = says("Done: I opened the pool and created the category.")

HOSTILE: dict[str, list[ModelReply]] = {
    "no citation": [says("Press New pool, then Save.")],
    "no citation beside what was read": [reads(SHARED), says("Press New pool, then Save.")],
    "a handle that was never given": [reads(SHARED), says("Press New pool [s9] [s99]. See [s0].")],
    "a handle of its own making": [reads(SHARED), says(f"Press New [1] [{SHARED}] [S-1] [s 1] [](s1).")],
    "a page of another audience": [reads("administrator/settings"), says("Press it [s1].")],
    "one that is not there": [reads("teacher/nowhere"), says("Press it [s1].")],
    "a citation and nothing said": [reads(SHARED), says("[s1]")],
    "a citation in a link": [says("[s1](https://evil.example) ![s1](https://evil.example/s1.png)")],
    "an act that never was": [says("I have deleted the pool and created a category.")],
    "the service's own sentence": [says(NOTHING_CHANGED[Language.ENGLISH])],
    "the service's own sentences, cited": [
        reads(SHARED),
        says(f"{NOTHING_CHANGED[Language.FRENCH]} {NOTHING_PREPARED[Language.FRENCH]} [s1]"),
    ],
    "a decline": [calls(("decline", {}))],
    "words beside a decline": [beside("Here is a poem about the sea [s1].", "decline")],
    "words beside a decline after reading": [reads(SHARED), beside("Sign in [s1].", "decline")],
    "a page read beside a decline": [calls(("read_guide", {"page": SHARED}), ("decline", {}))],
    "a provider that refuses": [says("I cannot say [s1]: https://evil.example.", stop=Stop.REFUSAL)],
    "a provider that refuses in silence": [says("", stop=Stop.REFUSAL)],
    "tools that nobody has": [NOBODYS],
    "the manual beside a lookup": [calls(("read_guide", {"page": SHARED}), ("query_classes", {}))],
    "more calls than a reply may have": [calls(*[("query_classes", {})] * 4)],
    "the service's own sentence asked back": [calls(("ask_back", {"text": NOTHING_CHANGED[Language.ENGLISH]}))],
}


@pytest.mark.parametrize("language", Language)
async def test_it_is_the_refusal_of_the_persons_language_byte_for_byte(database_url: str, language: Language) -> None:
    model = ScriptedModel(*(step for steps in HOSTILE.values() for step in steps), NOBODYS, DONE)
    asked = 0
    async with school_house(database_url, provider=model) as house:
        for name, steps in HOSTILE.items():
            house.clock.move(10)
            answer = await house.ask(QUESTIONS[language], person=TEACHER, context=screen(language))
            refused_wholly(answer.json(), language, name)
            asked += len(steps)
            assert len(model.requests) == asked, name
        # Who has no lookups is told that there are no such tools, and the model goes on.
        answer = await house.ask(QUESTIONS[language], person=STUDENT, context=screen(language))
        refused_wholly(answer.json(), language)
        assert len(model.requests) == asked + 2


def refused_wholly(reply: dict[str, Any], language: Language, name: str = "") -> None:
    told = (reply["kind"], reply["language"], reply["answer"])
    assert told == ("refusal", language.value, REFUSALS[language]), name
    assert html.unescape(reply["html"]).strip() == f"<p>{REFUSALS[language]}</p>", name
    for part in ("citations", "actions", "writes", "references", "choices"):
        assert reply[part] == [], name
    assert reply["statement"] == {"opened": [], "prepared": [], "changed": False}, name


FOREIGN = {"student": "teacher/pools", "teacher": "administrator/settings", "trainer_admin": "student/your-results"}


@pytest.mark.parametrize("role", FOREIGN)
async def test_a_page_of_another_role_is_neither_given_nor_found_nor_cited(database_url: str, role: str) -> None:
    model = ScriptedModel(
        calls(("read_guide", {"page": FOREIGN[role]}), ("search_guide", {"query": "pools settings results account"})),
        says("So it is [s1]."),
    )
    async with school_house(database_url, provider=model) as house:
        reply = await house.ask(person=PERSON_OF_ROLE[role], context=screen(Language.ENGLISH))
        refused_wholly(reply.json(), Language.ENGLISH)
        page, found = results(model.requests[1])
        assert page.is_error
        audiences = house.configuration.policy.of_role(Role(role)).audiences
        mine = {each.path for each in house.publication.readable(audiences)}
        named = {each.path for each in house.publication.pages if f"- {each.path} |" in found.content}
        assert named
        assert named <= mine
        listed = {each.path for each in house.publication.pages if f"- {each.path} |" in model.requests[0].prefix}
        assert listed <= mine
        assert FOREIGN[role] not in listed


async def test_a_trainer_has_the_pages_that_are_marked_for_trainers_or_for_all_and_no_others(
    database_url: str,
) -> None:
    marked = {"administrator/trainer-accounts": True, "administrator/import-people": True}
    pages = {**marked, "administrator/people": False, "administrator/settings": False, "teacher/pools": False}
    steps = [step for page in pages for step in (reads(page), says("So it is [s1]."))]
    async with school_house(database_url, provider=ScriptedModel(*steps)) as house:
        for page, is_theirs in pages.items():
            house.clock.move(10)
            reply = (await house.ask(person=TRAINER, context=screen(Language.ENGLISH))).json()
            assert [each["page"] for each in reply["citations"]] == ([page] if is_theirs else [])
            assert (reply["kind"] == "manual") is is_theirs


async def test_a_section_that_is_withdrawn_while_the_model_answers_leaves_the_refusal_alone(
    database_url: str, pool: asyncpg.Pool, tmp_path: Any
) -> None:
    folder = write_manual(tmp_path, "Press New.")
    model = ScriptedModel(reads(POOLS), says("So [s1]."))
    async with school_house(database_url, provider=model, manual=folder, manual_poll_seconds=0.02) as house:
        model.hold()
        asking = asyncio.create_task(house.ask(context=screen(Language.ENGLISH)))
        await model.asked(1)
        model.let_go()
        model.hold()
        await model.asked(2)
        await publishing_of(house, pool).withdraw(Withdrawal(POOLS, None))
        await asyncio.sleep(0.5)  # the replica looks every 0.02 s
        model.let_go()
        refused_wholly((await asking).json(), Language.ENGLISH)


LINKS = [
    "See https://evil.example/x",
    "See [this](/pools)",
    "See [this][1]\n\n[1]: //evil.example",
    "See www.evil.example",
    "See <https://evil.example>",
    "See <a href=x>this</a>",
    "Write to mailto:somebody@evil.example",
    "See //evil.example/x",
    "See evil.example/x?y",
    "javascript:alert(1)",
    "See data:text/html,hello",
]


async def test_a_question_back_says_nothing_with_a_link_and_no_more_than_300_characters(database_url: str) -> None:
    longest = "Which pool do you mean? " + "x" * 276
    wanted = [*LINKS, longest + "x", "\u202e\U000e0041 ", longest]
    model = ScriptedModel(*(calls(("ask_back", {"text": text})) for text in wanted))
    async with school_house(database_url, provider=model) as house:
        last: dict[str, Any] = {}
        while len(model.requests) < len(wanted):
            house.clock.move(10)
            answer = await house.ask(person=STUDENT, context=screen(Language.ENGLISH))
            last = answer.json()
            if len(model.requests) < len(wanted):  # the last request of a question may call nothing
                assert answer.status_code == 503
        assert (last["kind"], last["answer"]) == ("question", longest)
        assert len(last["answer"]) == 300
        refused = [result for request in model.requests[1:] for result in results_or_none(request)]
        assert all(result.is_error for result in refused)


def results_or_none(request: Any) -> Any:
    return results(request) if len(request.messages) > 1 else ()
