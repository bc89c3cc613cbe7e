"""The stub chooses lookups by plain words, in three languages, and leaves what is the manual's to the manual."""

import re
from typing import Any

import pytest
import yaml

from assist_service.adapters.configuration import FAST_LOADER
from assist_service.adapters.models.stub import StubModel
from assist_service.adapters.models.stub_lookups import lookup_wanted
from assist_service.domain.live.query import OPERATIONS, SEARCH_CHARACTERS, TAKES, Lookup, Query, RecordKind
from assist_service.domain.messages import (
    AssistantTurn,
    Message,
    ModelReply,
    ModelRequest,
    ToolCall,
    ToolResult,
    ToolResults,
    ToolSpec,
    UserText,
)
from assist_service.settings import ROOT

LOOKUPS = frozenset(lookup.value for lookup in Lookup)

SELECTED: dict[str, str] = {kind.value: f"Selected: the selected {kind.value}" for kind in RecordKind}


def chosen(question: str, screen: str = "", offered: frozenset[str] = LOOKUPS) -> tuple[str, dict[str, Any]] | None:
    """The lookup and its arguments, of which each is one that there is."""
    call = lookup_wanted(question, screen, offered)
    if call is None:
        return None
    lookup, given = Lookup(call.tool), dict(call.arguments)
    searches = {kind: given[f"{kind.value}_search"] for kind in RecordKind if f"{kind.value}_search" in given}
    query = Query(lookup=lookup, searches=searches, **{k: v for k, v in given.items() if not k.endswith("_search")})
    assert query.operation in OPERATIONS[lookup]
    assert searches.keys() <= TAKES[lookup]
    return call.tool.removeprefix("query_"), given


def with_placeholders(expected: str) -> str:
    """The same where STUDENT, CLASS and EXAM stand for what is selected."""
    for kind in RecordKind:
        expected = expected.replace(f"={kind.name}", f"=the selected {kind.value}")
    return expected


def told(question: str, screen: str = "") -> str:
    """The same in one line, for a table."""
    found = chosen(question, screen)
    if found is None:
        return "none"
    name, given = found
    kinds = [f"{kind.value}={given[f'{kind.value}_search']}" for kind in RecordKind if f"{kind.value}_search" in given]
    limit = [f"limit={given['limit']}"] if "limit" in given else []
    return " ".join([name, str(given["operation"]), *kinds, *limit])


CHOSEN = {
    # classes
    "Which classes do I have?": "classes list",
    "my classes": "classes list",
    "How many classes do I have?": "classes count",
    "Quelles classes ai-je ?": "classes list",
    "Mes classes, s'il te plaît": "classes list",
    "mga klase ko": "classes list",
    "Ano ang mga klase ko?": "classes list",
    "Ilan ang klase ko?": "classes count",
    # students
    "students of Class 7A": "students list class=Class 7A",
    "Show me the students in the class 7A, please": "students list class=7A",
    "Who are the students of History of Art?": "students list class=History of Art",
    "How many students are in Section Narra?": "students count class=Section Narra",
    "How many students do I have?": "students count",
    "Who is in “Evening group”?": "students list class=Evening group",
    "Combien d'élèves dans Groupe 1B ?": "students count class=Groupe 1B",
    "Quels élèves sont dans la classe Groupe 1B ?": "students list class=Groupe 1B",
    "Sino ang mga mag-aaral sa Section Narra?": "students list class=Section Narra",
    "Ilan ang estudyante ko?": "students count",
    # exams
    "my exams": "exams list",
    "Which exams are there in Class 7A?": "exams list class=Class 7A",
    "How many exams do I have?": "exams count",
    "Mes contrôles ?": "exams list",
    "Ano ang mga pagsusulit sa Section Narra?": "exams list class=Section Narra",
    # class performance
    "How did class 7A do?": "class_performance summary class=7A",
    "How did Class 7A do?": "class_performance summary class=Class 7A",
    "How is the class Section Narra doing by exam?": "class_performance by_exam class=Section Narra",
    "average of the class 7A": "class_performance summary class=7A",
    "Quelle est la moyenne de la classe Groupe 1B ?": "class_performance summary class=Groupe 1B",
    "Kumusta ang klase na Section Narra?": "class_performance summary class=Section Narra",
    # student performance
    "How is Ada Quill doing?": "student_performance summary student=Ada Quill",
    "How is ada quill doing in class 7A?": "student_performance summary class=7A student=ada quill",
    "performance of Imogen O’Fable": "student_performance summary student=Imogen O’Fable",
    "Ada's progress by exam": "student_performance by_exam student=Ada",
    "Quelle est la moyenne de l'élève Anaïs Tournesol ?": "student_performance summary student=Anaïs Tournesol",
    "Kumusta si Bayani Alitaptap?": "student_performance summary student=Bayani Alitaptap",
    # exam results
    "results of Fractions": "exam_results list exam=Fractions",
    "What are the results of the Quarterly exam in Section Sampaguita?": (
        "exam_results list class=Section Sampaguita exam=Quarterly"
    ),
    "marks of quiz 1": "exam_results list exam=quiz 1",
    "Ada Quill's marks in the exam Fractions": "exam_results list student=Quill exam=Fractions",
    "three highest marks of Fractions": "exam_results highest exam=Fractions limit=3",
    "the lowest marks of Fractions": "exam_results lowest exam=Fractions",
    "the average of the results of Fractions": "exam_results summary exam=Fractions",
    "Les résultats de « Contrôle nº 1 » ?": "exam_results list exam=Contrôle nº 1",
    "Mga resulta ng Quarterly exam": "exam_results list exam=Quarterly",
    # rankings
    "Who are the top three?": "rankings top limit=3",
    "top 5 of Section Narra": "rankings top class=Section Narra limit=5",
    "top 999 of Section Narra": "rankings top class=Section Narra limit=200",
    "top 0 of Section Narra": "rankings top class=Section Narra limit=1",
    "The ranking of Class 7A, please": "rankings top class=Class 7A",
    "best students": "rankings top",
    "Show the leaderboard of “Evening group”": "rankings top class=Evening group",
    "bottom two of Class 7A": "rankings bottom class=Class 7A limit=2",
    "Which place is Ada Quill in?": "rankings place student=Ada Quill",
    "What rank does Ada Quill have in Class 7A?": "rankings place class=Class 7A student=Ada Quill",
    "Les trois meilleurs élèves de Groupe 1B": "rankings top class=Groupe 1B limit=3",
    "Le classement de la classe Groupe 2A ?": "rankings top class=Groupe 2A",
    "Sino ang nangungunang tatlo sa Section Narra?": "rankings top class=Section Narra limit=3",
    "Top three of the exam Fractions": "exam_results highest exam=Fractions limit=3",
    # participation
    "Who has not taken Fractions?": "participation missing exam=Fractions",
    "Who hasn't taken the exam Fractions yet?": "participation missing exam=Fractions",
    "who did not take the fractions quiz in class 7A": "participation missing class=7A exam=fractions",
    "Who was absent from Fractions?": "participation missing exam=Fractions",
    "Who missed it?": "participation missing",
    "Qui n'a pas passé « Contrôle nº 1 » ?": "participation missing exam=Contrôle nº 1",
    "Qui était absent à Fractions ?": "participation missing exam=Fractions",
    "Kung sino ang hindi kumuha ng Quiz 1": "participation missing exam=Quiz 1",
    "Sino ang absent sa Quiz 1?": "participation missing exam=Quiz 1",
    "Who took Fractions?": "participation taken exam=Fractions",
    "How many students took Fractions?": "participation rate exam=Fractions",
    "who got the two best marks in the Cells test?": "exam_results highest exam=Cells limit=2",
    "show me everyone's marks in the waves test": "exam_results list exam=waves",
    "ipakita ang mga resulta ng klaseng Narra para sa bawat pagsusulit": "class_performance by_exam class=Narra",
    "sino ang tatlong may pinakamababang marka sa Cells test?": "exam_results lowest exam=Cells limit=3",
    "pang-ilan si Liza sa leaderboard ng Section Narra?": "rankings place class=Section Narra student=Liza",
    "ilang porsiyento ng mga estudyante ang kumuha ng Quiz 1?": "participation rate exam=Quiz 1",
    "participation rate of Fractions": "participation rate exam=Fractions",
}


@pytest.mark.parametrize("question", CHOSEN)
def test_plain_words_choose_a_lookup_and_what_it_is_narrowed_to(question: str) -> None:
    assert told(question) == CHOSEN[question]


SELECTIONS = [
    ("How did the selected student do?", ["student"], "student_performance summary student=STUDENT"),
    ("How is she doing in Class 7A?", ["student"], "student_performance summary class=Class 7A student=STUDENT"),
    ("How is she doing?", ["class", "student"], "student_performance summary class=CLASS student=STUDENT"),
    (
        "How did she do in each exam of Section Narra?",
        ["student"],
        "student_performance by_exam class=Section Narra student=STUDENT",
    ),
    ("How did it go?", ["class"], "class_performance summary class=CLASS"),
    ("How did it go?", ["class", "exam"], "exam_results summary class=CLASS exam=EXAM"),
    ("How did this exam go?", ["class", "exam"], "exam_results summary exam=EXAM"),
    ("The top three?", ["class"], "rankings top class=CLASS limit=3"),
    ("Who has not taken it?", ["exam"], "participation missing exam=EXAM"),
    ("Who has not taken Fractions?", ["class", "exam"], "participation missing exam=Fractions"),
    ("Who has not taken Fractions in this class?", ["class"], "participation missing class=CLASS exam=Fractions"),
    ("Results of Fractions", ["exam"], "exam_results list exam=Fractions"),
    ("Les résultats ?", ["exam"], "exam_results list exam=EXAM"),
    ("How many students are there?", ["class"], "students count class=CLASS"),
    ("Which classes do I have?", ["class"], "classes list"),
    ("How many students do I have?", ["class"], "students count"),
]


@pytest.mark.parametrize(("question", "selected", "expected"), SELECTIONS)
def test_a_placeholder_stands_for_what_is_selected_where_nothing_is_named(
    question: str, selected: list[str], expected: str
) -> None:
    assert told(question, "\n".join(SELECTED[kind] for kind in selected)) == with_placeholders(expected)


@pytest.mark.parametrize(
    "question",
    [
        "How do I see the results?",
        "How can students see the ranking?",
        "How does a class get its exams?",
        "Comment voir les résultats de Fractions ?",
        "Où sont mes résultats ?",
        "Paano ko makikita ang mga resulta?",
        "Where are my results?",
        "Can I export the results of Fractions?",
        "Publish the results of Fractions",
        "What is the leaderboard?",
        "What is a ranking?",
        "What does the participation rate mean?",
        "How did it go?",
        "Kumusta?",
        "Hello!",
        "How do I create a pool?",
        "",
    ],
)
def test_what_is_the_manuals_stays_the_manuals(question: str) -> None:
    assert told(question) == "none"


def test_no_question_to_the_manual_is_taken_for_a_lookup() -> None:
    files = [*ROOT.glob("*/manual*.yaml"), *ROOT.glob("*/idle*.yaml")]
    questions = [each["question"] for file in files for each in yaml.load(file.read_bytes(), FAST_LOADER)]  # noqa: S506 a safe loader by its base
    assert len(questions) > 100
    screen = "\n".join(SELECTED.values())
    assert [question for question in questions if told(question, screen) != "none"] == []


def test_only_what_is_offered_is_chosen() -> None:
    for question, expected in CHOSEN.items():
        assert chosen(question, offered=frozenset()) is None
        without = LOOKUPS - {f"query_{expected.split()[0]}"}
        other = chosen(question, offered=without)
        assert other is None or f"query_{other[0]}" in without


def test_where_there_is_no_ranking_the_best_of_results_are_chosen() -> None:
    found = chosen("top three results of Fractions", offered=LOOKUPS - {"query_rankings"})
    assert found == ("exam_results", {"operation": "highest", "exam_search": "Fractions", "limit": 3})


@pytest.mark.parametrize("length", [1, SEARCH_CHARACTERS, SEARCH_CHARACTERS + 1, 3_000])
def test_a_name_of_any_length_is_one_that_a_lookup_takes(length: int) -> None:
    for question in (
        f"results of {'F' * length}",
        f"results of “{'f' * length}”",
        f"Who has not taken {'f ' * length}",
    ):
        found = chosen(question)
        assert found is not None
        assert len(found[1].get("exam_search", "")) <= SEARCH_CHARACTERS


@pytest.mark.parametrize("question", ["results of 𝔉ractions ß", "results of İzmir", "résultats de ﬁn", "results of é"])
def test_a_letter_that_folds_into_several_moves_nothing(question: str) -> None:
    found = chosen(question)
    assert found is not None
    assert found[1]["exam_search"] == re.split(" (?:of|de) ", question)[1]


async def replied(*messages: Message, tools: frozenset[str] = LOOKUPS) -> ModelReply:
    specs = tuple(ToolSpec(name, "", {}) for name in sorted(tools))
    return await StubModel().send(ModelRequest("", "", specs, messages, True, 4_096), timeout_seconds=1)


async def test_the_model_itself_calls_the_lookup_once_and_says_nothing() -> None:
    reply = await replied(UserText("Who are the top three of Class 7A?"), tools=LOOKUPS | {"search_guide"})
    assert [(call.name, call.arguments) for call in reply.calls] == [
        ("query_rankings", {"operation": "top", "class_search": "Class 7A", "limit": 3})
    ]
    assert reply.text == ""


async def test_where_no_lookup_is_offered_the_question_is_searched_for_as_before() -> None:
    reply = await replied(UserText("Who are the top three of Class 7A?"), tools=frozenset({"search_guide"}))
    assert [call.name for call in reply.calls] == ["search_guide"]


async def test_it_answers_nothing_from_a_lookup() -> None:
    """The loop ends there; were it to go on, what it is shown is not repeated."""
    call = ToolCall("1", "query_classes", {"operation": "list"})
    brought = ToolResults((ToolResult("1", "Class 7A"),))
    reply = await replied(UserText("Which classes do I have?"), AssistantTurn((), "", (call,)), brought)
    assert "7A" not in reply.text
