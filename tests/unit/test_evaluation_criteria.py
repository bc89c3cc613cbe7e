"""Each criterion of an evaluation passes what is right and fails what is wrong, with the reason."""

from collections.abc import Mapping

import pytest

from assist_service.domain.conversation import Kind
from assist_service.domain.evaluating.criteria import CallMade, Criterion, Transcript, judged
from assist_service.domain.evaluating.questions import Question
from assist_service.domain.screens import Language
from tests.unit.evaluated import OF_LIVE, OF_MANUAL, looked_up, of_live, of_manual

RIGHT: Mapping[str, tuple[Question, Transcript]] = {
    "a manual answer": (OF_MANUAL, of_manual()),
    "a lookup": (OF_LIVE, of_live()),
    "another operation that will do, what is selected by its placeholder": (
        OF_LIVE,
        of_live(looked_up(operation="list", exam_search="Éclipse test", class_search="The selected class", limit=3)),
    ),
    "the manual read before": (
        OF_LIVE,
        of_live(CallMade(tool="search_guide", arguments={"query": "x"}), looked_up()),
    ),
    "a language that nobody can tell": (OF_MANUAL, of_manual(language=None)),
}

WRONG: Mapping[str, tuple[Criterion, Question, Transcript, str]] = {
    "another kind": (Criterion.KIND, OF_MANUAL, of_manual(kind=Kind.REFUSAL), "refusal instead of manual"),
    "a page that does not answer": (
        Criterion.CITATION,
        OF_MANUAL,
        of_manual(cited=("shared/languages",)),
        "shared/languages instead of teacher/pools or teacher/questions",
    ),
    "no page": (Criterion.CITATION, OF_MANUAL, of_manual(cited=()), "nothing instead of"),
    "a lookup where none was meant": (
        Criterion.TOOL,
        OF_MANUAL,
        of_manual(calls=(looked_up(),)),
        "query_exam_results instead of no lookup",
    ),
    "another language": (Criterion.LANGUAGE, OF_MANUAL, of_manual(language=Language.ENGLISH), "en instead of fr"),
    "what was not to be said": (Criterion.UNSAID, OF_MANUAL, of_manual(answer="Bien: Banana\nsplit"), "says"),
    "another lookup": (
        Criterion.TOOL,
        OF_LIVE,
        of_live(looked_up("query_rankings", operation="top")),
        "query_rankings instead of query_exam_results",
    ),
    "one lookup too many": (
        Criterion.TOOL,
        OF_LIVE,
        of_live(looked_up(), looked_up("query_classes", operation="list")),
        "query_exam_results, query_classes instead of",
    ),
    "another operation": (
        Criterion.OPERATION,
        OF_LIVE,
        of_live(looked_up(operation="lowest", exam_search="Éclipse test", limit=3)),
        "lowest instead of highest or list",
    ),
    "words of another exam": (
        Criterion.ARGUMENTS,
        OF_LIVE,
        of_live(looked_up(operation="list", exam_search="eclipse tests", limit=3)),
        "exam_search 'eclipse tests' does not hold",
    ),
    "words that are left out": (
        Criterion.ARGUMENTS,
        OF_LIVE,
        of_live(looked_up(operation="list", limit=3)),
        "exam_search '' does not hold",
    ),
    "words for what was selected": (
        Criterion.ARGUMENTS,
        OF_LIVE,
        of_live(looked_up(operation="list", exam_search="Éclipse test", class_search="Physics 10A", limit=3)),
        "class_search 'Physics 10A', which nobody named",
    ),
    "a placeholder for what was not selected": (
        Criterion.ARGUMENTS,
        OF_LIVE,
        of_live(
            looked_up(operation="list", exam_search="Éclipse test", student_search="the selected student", limit=3)
        ),
        "student_search",
    ),
    "another limit": (
        Criterion.ARGUMENTS,
        OF_LIVE,
        of_live(looked_up(operation="list", exam_search="Éclipse test")),
        "limit left out instead of 3",
    ),
}


@pytest.mark.parametrize("name", RIGHT)
def test_what_is_right_passes(name: str) -> None:
    assert [verdict for verdict in judged(*RIGHT[name]) if not verdict.passed] == []


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_fails_by_its_criterion_and_says_why(name: str) -> None:
    criterion, question, came, why = WRONG[name]
    failed = {verdict.criterion: verdict.why for verdict in judged(question, came) if not verdict.passed}
    assert why in failed[criterion]
    others = set(failed) - {criterion}
    # Where another lookup was chosen, there is nothing of the right one to judge.
    assert others <= ({Criterion.OPERATION, Criterion.ARGUMENTS} if criterion is Criterion.TOOL else set())


def test_every_criterion_is_seen_to_pass_and_to_fail() -> None:
    passed = {verdict.criterion for question, came in RIGHT.values() for verdict in judged(question, came)}
    assert passed == {criterion for criterion, *_ in WRONG.values()} == set(Criterion)
