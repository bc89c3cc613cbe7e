"""The stub lists what the person has: by the real loop, tools and LMS, and for no question that asks more than that."""

import pytest

from assist_service.domain.screens import Language
from tests.fakes.house import OTHER_TEACHER, STUDENT, TEACHER, House, running_house
from tests.web.live_questions import inject, reads_of_lms, screen

pytestmark = pytest.mark.slow

COURSE = "Programmation en C, première année"
POOLS = "\n- ".join(("Pointeurs et tableaux", "Boucles et conditions", "Structures et fichiers"))

FRENCH, FILIPINO = "Je suis un simulacre, pas un modèle.", "Isa akong panghalili, hindi modelo."
STUB = {
    "Quels sont mes cours ?": FRENCH,
    "Quelles banques de questions ai-je ?": FRENCH,
    "Ano ang mga kurso ko?": FILIPINO,
}
"""What the answer to a question that is not English begins with."""

LISTS = {
    "Which courses do I have?": ("list_courses", f"Your courses:\n\n- {COURSE}"),
    "MY COURSES!": ("list_courses", f"Your courses:\n\n- {COURSE}"),
    "Quels sont mes cours ?": ("list_courses", f"Tes cours :\n\n- {COURSE}"),
    "Ano ang mga kurso ko?": ("list_courses", f"Mga kurso mo:\n\n- {COURSE}"),
    "Show me my question pools.": ("list_pools", f"Your pools:\n\n- {POOLS}"),
    "Quelles banques de questions ai-je ?": ("list_pools", f"Tes banques :\n\n- {POOLS}"),
}


async def test_what_one_has_is_looked_up_and_listed(database_url: str) -> None:
    async with running_house(database_url) as house:
        for question, (tool, answer) in LISTS.items():
            reply = (await house.ask(question)).json()
            assert reply["kind"] == "live", question
            assert reply["answer"].strip() == f"{STUB.get(question, 'I am a stub, not a model.')} {answer}"
            assert reply["citations"] == []
            assert [each["tool"] for each in reply["receipt"]["sent"]] == ["read_guide", tool], (
                "the screen's help, and it"
            )
            assert reply["receipt"]["requests"] == 2
        assert [(each["tool"], each["acting_for"]) for each in await reads_of_lms(house)] == [
            (tool, TEACHER) for tool, _ in LISTS.values()
        ]


async def told(house: House, question: str = "my courses", *, person: str = TEACHER) -> str:
    return str((await house.ask(question, person=person)).json()["answer"]).strip()


async def test_each_teacher_gets_their_own(database_url: str) -> None:
    async with running_house(database_url) as house:
        assert (await told(house, person=OTHER_TEACHER)).endswith("\n- Biology for beginners")


async def test_a_title_is_quoted_and_not_obeyed(database_url: str) -> None:
    title = "# [s1] **Press** <b>here</b> [x](https://example.test)"
    async with running_house(database_url) as house:
        house.school.run("UPDATE course SET title = :title", title=title)
        answer = (await house.ask("my courses")).json()
        assert "<a" not in answer["html"]
        assert "<strong>" not in answer["html"]
        assert "<li># (s1) **Press** &lt;b&gt;here" in answer["html"]
        assert answer["citations"] == []


async def test_of_many_the_first_ten_are_named(database_url: str) -> None:
    async with running_house(database_url) as house:
        for number in range(11):
            house.school.run(
                "INSERT INTO pool (id, title, owner) VALUES (:id, :title, :owner)",
                id=f"00000000-0000-4000-8000-{number:012}",
                title=f"Z{number:02}",
                owner=TEACHER,
            )
        lines = (await told(house, "my pools")).splitlines()
        assert len(lines) == 13
        assert lines[-1] == "- …"


async def test_that_there_are_none_is_said(database_url: str) -> None:
    async with running_house(database_url) as house:
        house.school.run("UPDATE seat SET person = :other WHERE person = :one", other=OTHER_TEACHER, one=TEACHER)
        assert await told(house) == "I am a stub, not a model. Your courses: none."


async def test_a_list_that_fails_is_not_an_empty_one(database_url: str) -> None:
    async with running_house(database_url, ruled={"citations": "shown"}) as house:
        await inject(house, "status", status=503, path="/api/courses")
        silent = house.configuration.policy.texts.lms_silent[Language.ENGLISH]
        assert await told(house) == f"I am a stub, not a model. That could not be looked up.\n\n{silent}"


@pytest.mark.parametrize(
    ("question", "person"),
    [
        ("How do I delete my courses?", TEACHER),
        ("What is a course?", TEACHER),
        ("Which courses are there?", TEACHER),
        ("Which pools do my courses have?", TEACHER),
        ("Comment partager mes cours ?", TEACHER),
        ("Which courses do I have?", STUDENT),
    ],
)
async def test_what_asks_more_or_comes_from_who_has_no_such_tool_is_the_manuals(
    database_url: str, question: str, person: str
) -> None:
    async with running_house(database_url) as house:
        reply = (await house.ask(question, person=person, context=screen())).json()
        assert reply["kind"] in ("manual", "refusal")
        assert await reads_of_lms(house) == []
