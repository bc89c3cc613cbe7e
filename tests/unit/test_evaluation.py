"""The evaluation asks each question as its role would, and tells how far down the right page stands."""

from pathlib import Path

import pytest

from assist_service.adapters.search import build_index
from assist_service.adapters.search.questions import read_questions
from assist_service.domain.errors import ConfigurationError
from assist_service.domain.evaluation import Expected, Ranked, recalls, table
from assist_service.domain.manual import Audience
from assist_service.domain.people import Role
from assist_service.domain.screens import Language
from assist_service.ports import Edition
from assist_service.services.evaluate import evaluate
from tests.unit.small_manual import publication, section

ASKED = Expected(role=Role.TEACHER, language=Language.ENGLISH, question="how to add a question", page="teacher/pools")
UNREADABLE = Expected(role=Role.STUDENT, language=Language.FRENCH, question="question", page="teacher/pools")


def test_each_question_is_asked_as_its_role_would() -> None:
    made = publication(section(text="Add a question to a pool."))
    manual = Edition(made, build_index(made))
    readers = {Role.TEACHER: frozenset({Audience.TEACHER}), Role.STUDENT: frozenset({Audience.STUDENT})}
    ranked = evaluate(manual, [ASKED, UNREADABLE], readers)
    assert [one.rank for one in ranked] == [1, None]
    assert evaluate(manual, [ASKED], {}) == (Ranked(ASKED, None, ("teacher/pools",)),)


def test_a_page_that_its_role_may_not_read_is_said() -> None:
    made = publication(section(text="Add a question to a pool."))
    readers = {Role.TEACHER: frozenset({Audience.TEACHER}), Role.STUDENT: frozenset({Audience.STUDENT})}
    ranked = evaluate(Edition(made, build_index(made)), [ASKED, UNREADABLE], readers)
    assert [one.closed for one in ranked] == [(), ("teacher/pools",)]
    [told] = [line for line in table({"": ranked}).splitlines() if "closed" in line]
    assert told.endswith("question  (closed to student: teacher/pools)")


def test_any_page_that_answers_counts() -> None:
    made = publication(section(page="teacher/pools", text="Add a question."), section(page="teacher/b", text="Books."))
    readers = {Role.TEACHER: frozenset({Audience.TEACHER})}
    either = ASKED.model_copy(update={"page": "teacher/b", "also": ("teacher/pools",)})
    other = ASKED.model_copy(update={"page": "teacher/b"})
    ranked = evaluate(Edition(made, build_index(made)), [either, other], readers)
    assert [one.rank for one in ranked] == [1, 2]


def test_recall_is_told_by_role_and_by_language() -> None:
    ranked = (Ranked(ASKED, 1), Ranked(ASKED, 4), Ranked(UNREADABLE, None))
    told = {recall.group: (recall.questions, dict(recall.at)) for recall in recalls(ranked)}
    assert told["teacher"] == told["en"] == (2, {1: 0.5, 3: 0.5, 5: 1.0})
    assert told["student"] == told["fr"] == (1, {1: 0.0, 3: 0.0, 5: 0.0})
    assert told["all"][0] == 3
    assert "how to add a question" in table({"": ranked})
    assert "recall@5" in table({"": ranked})


def test_two_ways_of_searching_stand_side_by_side() -> None:
    told = table(
        {"words": (Ranked(ASKED, 1), Ranked(UNREADABLE, None)), "joined": (Ranked(ASKED, 12), Ranked(UNREADABLE, 2))}
    )
    lines = told.splitlines()
    assert lines[0].split()[:3] == ["words", "joined", "role"]
    assert [line.split()[:3] for line in lines[1:3]] == [["1", "12", "teacher"], ["-", "2", "student"]]
    assert [line.split()[2:] for line in lines if line.startswith("all")] == [["0.50"] * 3, ["0.00", "0.50", "0.50"]]


QUESTION = "[{role: teacher, language: en, question: where, page: teacher/pools}]"


def test_questions_are_read_from_yaml_and_json(tmp_path: Path) -> None:
    file = tmp_path / "questions"
    file.write_text(QUESTION)
    (yaml,) = read_questions(file)
    assert yaml.pages == ("teacher/pools",)
    file.write_text(f"[{yaml.model_dump_json()}]")
    assert read_questions(file) == (yaml,)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("[]", "the list: "),
        ("x", "the list: "),
        ("[", "neither JSON nor YAML"),
        ("[" * 1_000, "neither JSON nor YAML"),
        (QUESTION.replace("teacher,", "techer,"), "question 1, role: "),
        (QUESTION.replace("page", "path"), "question 1, page: "),
        (QUESTION.replace("}]", ", also: teacher/b}]"), "question 1, also: "),
        (f"{QUESTION[:-1]}, {QUESTION[1:]}", "question 2 stands there already, as question 1"),
        (f"{QUESTION[:-1]}, {QUESTION[1:]}".replace("where", "' Where '", 1), "question 2 stands there already"),
    ],
)
def test_a_wrong_file_of_questions_is_named(tmp_path: Path, text: str, fault: str) -> None:
    file = tmp_path / "questions.yaml"
    file.write_text(text)
    with pytest.raises(ConfigurationError, match=r"questions\.yaml: ") as refused:
        read_questions(file)
    assert fault in str(refused.value)
    with pytest.raises(ConfigurationError, match="cannot be read"):
        read_questions(tmp_path / "nowhere")
