"""The conversation that lost its student: an exam, its best student, how they do, in which class; and both survive."""

from typing import Any

import pytest

from assist_service.domain.messages import ModelRequest
from examples.reference_lms.school import FRENCH_TEACHER
from examples.reference_lms.store import Store
from tests.fakes.house import ADMINISTRATOR, House, question_body
from tests.fakes.models import ScriptedModel, calls
from tests.web.live_questions import ActingModel, reads_of_lms, spoken
from tests.web.school_policy import school_house

pytestmark = pytest.mark.slow

ME = FRENCH_TEACHER.sub

ASKED = {
    "en": (
        "Which exams do my classes have this term?",
        "Who has the highest mark in this exam?",
        "How is this student doing in my class, all exams together?",
    ),
    "fil": (
        "Ano-ano ang mga pagsusulit ng mga klase ko ngayong taon?",
        "Sino ang may pinakamataas na marka sa pagsusulit na ito?",
        "Kumusta ang marka ng estudyanteng ito sa lahat ng pagsusulit?",
    ),
}

CHOSEN = (
    calls(("query_exams", {"operation": "list"})),
    calls(("query_exam_results", {"operation": "highest", "limit": 1, "exam_search": "the selected exam"})),
    calls(("query_student_performance", {"operation": "summary"})),
)


class Talk:
    """A conversation of one person, under a reference now and then."""

    def __init__(self, house: House, language: str) -> None:
        self._house = house
        self.language = language
        self._context = {**question_body()["context"], "topic": None, "language": language}
        self._conversation: str | None = None

    async def ask(self, question: str, reference: str | None = None) -> dict[str, Any]:
        self._house.clock.move(1)
        answer = await self._house.ask(
            question, conversation_id=self._conversation, reference=reference, context=self._context
        )
        assert answer.status_code == 200, answer.text
        reply: dict[str, Any] = answer.json()
        self._conversation = reply["conversation_id"]
        return reply


def best_of(store: Store, exam: str) -> dict[str, Any]:
    """The student with the highest final mark, one alone; somebody else in the class has the same name."""
    rows = store.rows(
        "SELECT person.id, person.name, mark FROM grade JOIN person ON person.id = person"
        " JOIN evaluation v ON v.id = evaluation WHERE v.title = :exam AND final AND NOT absent ORDER BY mark DESC",
        exam=exam,
    )
    assert rows[0]["mark"] > rows[1]["mark"]
    return rows[0]


def seat_in_second_class(store: Store, student: str) -> str:
    """The teacher's other class has the student too, with a mark of its own there; returns that class's title."""
    [other] = store.rows("SELECT id, title FROM classroom WHERE title LIKE 'Groupe 2A%'")
    store.run("INSERT INTO enrolment VALUES (:classroom, :student)", classroom=other["id"], student=student)
    [exam] = store.rows("SELECT id FROM evaluation WHERE classroom = :id AND state = 'released'", id=other["id"])
    store.run("INSERT INTO grade VALUES (:exam, :student, 5.0, 1, 0, NULL)", exam=exam["id"], student=student)
    return str(other["title"])


@pytest.mark.parametrize("language", ASKED)
async def test_the_student_and_the_question_survive_the_choice_of_a_class(database_url: str, language: str) -> None:
    exam = "Contrôle nº 1 : les pointeurs"
    named: list[str] = []
    model = ScriptedModel(*CHOSEN, lambda _: calls(("query_student_performance", {"student_search": named[0]})))
    async with school_house(database_url, provider=model) as house:
        store = house.school
        best = best_of(store, exam)
        named.append(best["name"])
        second = seat_in_second_class(store, best["id"])
        [first] = [row["title"] for row in store.rows("SELECT title FROM classroom WHERE title LIKE 'Groupe 1B%'")]
        talk = Talk(house, language)

        asked_back = await _asked_back(talk, exam, best["name"])
        assert [_class_of(choice) for choice in asked_back["choices"]] == [first, second]
        assert len(model.requests) == 3
        answers = {_class_of(choice): await _chosen(talk, choice, best["name"]) for choice in asked_back["choices"]}
        assert len(model.requests) == 3, "a choice asks no provider"
        share_there = store.rows("SELECT best_mark FROM evaluation WHERE title = :exam", exam=exam)[0]["best_mark"]
        assert first in answers[first]
        assert _percent(best["mark"] / share_there) in answers[first]
        assert second in answers[second]
        assert "25%" in answers[second].replace(" ", "")
        for request in model.requests:
            _check_sent(request, exam, best["name"], first, second)
        await _survives_two_choices(talk, best["name"], second, asked_back, answers)


async def _asked_back(talk: Talk, exam: str, best: str) -> dict[str, Any]:
    """The exams, the best of one of them, and how they do: which of their classes is meant is asked back."""
    exams, highest, doing = ASKED[talk.language]
    listed = await talk.ask(exams)
    chosen_exam = next(each["token"] for each in listed["references"] if each["label"] == exam)
    top = await talk.ask(highest, chosen_exam)
    [chosen_student] = [each["token"] for each in top["references"] if each["label"].startswith(best)]
    asked_back = await talk.ask(doing, chosen_student)
    assert asked_back["kind"] == "choice"
    return asked_back


async def _chosen(talk: Talk, choice: dict[str, Any], best: str) -> str:
    """What is answered to a choice: how they do in the class that was chosen."""
    reply = await talk.ask("", choice["token"])
    assert (reply["kind"], reply["language"]) == ("live", talk.language)
    assert reply["receipt"]["requests"] == 0
    assert reply["receipt"]["sent"] == [{"tool": "query_student_performance", "disclosure": "sealed"}]
    assert best in reply["answer"]
    return str(reply["answer"])


async def _survives_two_choices(
    talk: Talk, best: str, second: str, asked_back: dict[str, Any], answers: dict[str, str]
) -> None:
    """Asked about by name, which of two of that name is chosen first, then the class."""
    namesakes = await talk.ask(f"{ASKED[talk.language][2]} ({best})")
    [chosen] = [each["token"] for each in namesakes["choices"] if second in each["label"]]
    asked_by_name = await talk.ask("", chosen)
    assert [each["label"] for each in asked_by_name["choices"]] == [each["label"] for each in asked_back["choices"]]
    for choice in asked_by_name["choices"]:
        reply = await talk.ask("", choice["token"])
        assert _below_heading(reply) == answers[_class_of(choice)].partition("\n\n")[2]
        assert best in reply["answer"], "who was named survives too"


def _class_of(choice: dict[str, Any]) -> str:
    return str(choice["label"].partition(" · ")[0])


def _below_heading(reply: dict[str, Any]) -> str:
    """Above it stands when it was looked up."""
    return str(reply["answer"]).partition("\n\n")[2]


def _percent(share: float) -> str:
    return f"{share:.1%}".replace(".0%", "%")


def _check_sent(request: ModelRequest, *canaries: str) -> None:
    assert [each for each in canaries if each in spoken(request)] == []


BY_CLASS = {
    "query_classes": "list",
    "query_students": "list",
    "query_exams": "list",
    "query_class_performance": "summary",
    "query_student_performance": "summary",
    "query_exam_results": "summary",
    "query_rankings": "top",
    "query_participation": "rate",
}


async def test_another_teachers_class_reads_like_one_that_does_not_exist(database_url: str) -> None:
    model = ScriptedModel(
        *(
            calls((lookup, {"operation": operation, "class_search": words}))
            for lookup, operation in BY_CLASS.items()
            for words in ("Section Sampaguita", "Section Nowhere At All")
        )
    )
    ruled = {"limits": {"questions_per_minute": 1_000, "questions_per_day": None}}
    async with school_house(database_url, provider=model, ruled=ruled) as house:
        for lookup in BY_CLASS:
            theirs, nobodys = [(await house.ask("How is that class doing?")).json() for _ in range(2)]
            assert (theirs["kind"], theirs["references"], theirs["choices"]) == ("live", [], []), lookup
            assert "Sampaguita" not in theirs["answer"]
            for key in ("kind", "answer", "html", "references", "choices", "statement", "language"):
                assert theirs[key] == nobodys[key], (lookup, key)


CLASSES = 500

PAGES = 5
"""Pages of a list that are followed."""

MOST_READS = 2 * PAGES + 2
"""Of a lookup over hundreds of classes: the lists of classes and of exams, as far as they go, and one sheet."""

READ_ONE_BY_ONE = 24
"""Classes whose students are read for one lookup, at most."""


async def test_a_lookup_of_an_administrator_of_500_classes_asks_the_lms_little(database_url: str) -> None:
    async def reads_of(house: House, lookup: str, **arguments: str) -> int:
        before = len(await reads_of_lms(house))
        model.steps = [calls((lookup, arguments))]
        reply = await house.ask("How are they doing?", person=ADMINISTRATOR)
        assert reply.json()["kind"] in {"live", "choice"}, reply.text
        return len(await reads_of_lms(house)) - before

    model = ActingModel()
    ruled = {"limits": {"questions_per_minute": 1_000, "questions_per_day": None}}
    async with school_house(database_url, provider=model, ruled=ruled) as house:
        _add_classes(house.school, range(READ_ONE_BY_ONE - 2))  # beside the two that the administrator has
        assert await reads_of(house, "query_students", operation="count") == 1 + READ_ONE_BY_ONE
        _add_classes(house.school, range(READ_ONE_BY_ONE, READ_ONE_BY_ONE + 1))
        assert await reads_of(house, "query_students", operation="count") == 1
        _add_classes(house.school, range(READ_ONE_BY_ONE + 1, CLASSES))
        for lookup, operation in BY_CLASS.items():
            asked = await reads_of(house, lookup, operation=operation)
            assert 0 < asked <= MOST_READS, (lookup, asked)
        for lookup in WITH_STUDENTS:
            asked = await reads_of(house, lookup, student_search="Mei Chen")
            assert 0 < asked <= MOST_READS, (lookup, asked)
        assert await reads_of(house, "query_students", class_search="Row 3", student_search="P 3") <= MOST_READS


WITH_STUDENTS = frozenset({"query_students", "query_student_performance", "query_exam_results", "query_rankings"})


def _add_classes(store: Store, numbers: range) -> None:
    """So many more, each with a student of its own and a released exam."""
    [course] = store.rows("SELECT course FROM seat WHERE person = :me", me=ADMINISTRATOR)
    with store.transaction():
        for number in numbers:
            id_, exam = f"00000000-0000-4000-8000-{number:012}", f"00000000-0000-4000-9000-{number:012}"
            student = f"00000000-0000-4000-a000-{number:012}"
            store.run("INSERT INTO classroom VALUES (:id, :title, :course)", id=id_, title=f"Row {number}", **course)
            store.run(
                "INSERT INTO person (id, name, role) VALUES (:id, :name, 'student')", id=student, name=f"P {number}"
            )
            store.run("INSERT INTO enrolment VALUES (:classroom, :student)", classroom=id_, student=student)
            store.run(
                "INSERT INTO evaluation VALUES (:exam, :title, 'released', :id, NULL, NULL, 30, 0, 1, 10.0)",
                exam=exam,
                title=f"Sheet {number}",
                id=id_,
            )
            store.run("INSERT INTO grade VALUES (:exam, :student, 5.0, 1, 0, NULL)", exam=exam, student=student)
