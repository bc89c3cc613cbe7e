"""What the stub makes of a question beside reading: the call it begins with, by plain words in three languages.

How each goes on, over HTTP and against the LMS, is in tests/web/test_stub_walk.py.
"""

from typing import Any

import pytest

from assist_service.adapters.models.stub_acts import next_act, next_read
from assist_service.adapters.models.stub_asked import Asked, Call, Step
from assist_service.domain.messages import ToolResult
from assist_service.tools.catalog import TOOLS

POOL, QUESTION, CLASSROOM, EVALUATION, COURSE = "po-1", "qu-1", "cl-1", "ev-1", "co-1"

OFFERED = frozenset(name for name in TOOLS if not name.startswith("query_"))

PREVIEW = "Command on screen: preview | Preview | runs after your answer"
COMMANDS = "\n".join(
    (
        PREVIEW,
        "Command on screen: try-it | Try it | offered as a button that the person clicks",
        "Command on screen: publish | Publish | changes something: the person confirms it on a card",
        "Command on screen: question.new | New question | runs after your answer",
        "Command on screen: pool.delete | Delete pool | changes something: the person confirms it on a card",
    )
)
FRENCH_COMMANDS = (
    "Command on screen: preview | Aperçu | runs after your answer\n"
    "Command on screen: publish | Publier | changes something: the person confirms it on a card"
)

DRAFT = (
    "On screen: question qu-1\n"
    '/config/other (statement): "No text of the draft"\n'
    "In the editor: a question of type mcq, as a draft.\n"
    '/config/statement (statement): "Pick one."\n'
    '/config/choices/0/text (choice): "Another choice 1"'
)

SCREENS = {
    "pool": f"On screen: pool {POOL}\n{COMMANDS}",
    "french": f"On screen: question {QUESTION}\n{FRENCH_COMMANDS}",
    "class": f"On screen: classroom {CLASSROOM}",
    "evaluation": f"On screen: evaluation {EVALUATION}",
    "course": f"On screen: course {COURSE}",
    "editor": DRAFT,
    "question": f"On screen: question {QUESTION}\n{COMMANDS}",
    "selected class": f"Selected: the selected class, classroom {CLASSROOM}",
    "selected exam": f"Selected: the selected class, classroom {CLASSROOM}\n"
    f"Selected: the selected exam, evaluation {EVALUATION}",
    "selected student": f"Selected: the selected class, classroom {CLASSROOM}\nSelected: the selected student",
    "nothing": "",
}


def begun(question: str, on: str, *steps: Step, offered: frozenset[str] = OFFERED) -> Call | str | None:
    asked = Asked(question, f"Screen: /\n{SCREENS[on]}", offered, steps)
    return next_act(asked) or next_read(asked)


def opens(screen: str, id_: str, **params: str) -> Call:
    return Call("open_screen", {"screen": screen, "ids": {"id": id_}, "params": params})


def runs(command: str) -> Call:
    return Call("run_screen_command", {"id": command})


def calls(tool: str, **arguments: Any) -> Call:
    return Call(tool, arguments)


def edits(**arguments: Any) -> Call:
    return Call("propose_question_edit", arguments)


def text(path: str, written: str) -> dict[str, str]:
    return {"path": path, "text": written}


BEGUN: list[tuple[str, str, Call]] = [
    # opens what is named, after a look at what there is
    ("Show me the pool Loops", "nothing", calls("list_pools")),
    ("Montre-moi la banque « Boucles »", "pool", calls("list_pools")),
    ("Ipakita ang pool Loops", "nothing", calls("list_pools")),
    ("Open the evaluation Quiz 1", "nothing", calls("list_evaluations")),
    ("Show me the gradebook of Groupe 2A", "class", calls("list_evaluations")),
    ("Ouvre le modèle Examen final", "nothing", calls("list_templates")),
    ("Open the course Biology", "nothing", calls("list_courses")),
    ("Open the question “What is a cell?”", "pool", calls("find_similar_questions", text="What is a cell?")),
    # opens what is at hand, on a tab, searched
    ("Show me the pool", "pool", opens("pool", POOL, tab="questions")),
    ("Show the stats tab of this pool", "pool", opens("pool", POOL, tab="stats")),
    ("Montre l'onglet statistiques de cette banque", "pool", opens("pool", POOL, tab="stats")),
    ("Open the settings tab", "evaluation", opens("evaluation", EVALUATION, tab="settings")),
    ("Show the results tab of this evaluation", "evaluation", opens("evaluation", EVALUATION, tab="results")),
    ("Show me the gradebook of this classroom", "class", opens("classroom", CLASSROOM, tab="gradebook")),
    ("Montre le carnet de notes de cette classe", "class", opens("classroom", CLASSROOM, tab="gradebook")),
    ("Show the figures of this pool", "pool", opens("pool", POOL, tab="stats")),
    ("Affiche le classement", "class", opens("classroom", CLASSROOM, tab="leaderboard")),
    ("Show the staff tab", "course", opens("course", COURSE, tab="staff")),
    ("only the malloc ones", "pool", opens("pool", POOL, tab="questions", search="malloc")),
    ("Only questions about “double pointers”.", "pool", opens("pool", POOL, tab="questions", search="double pointers")),
    ("Can you show me only the malloc ones, please?", "pool", opens("pool", POOL, tab="questions", search="malloc")),
    ("Search this pool for malloc", "pool", opens("pool", POOL, tab="questions", search="malloc")),
    ("Seulement les malloc", "pool", opens("pool", POOL, tab="questions", search="malloc")),
    ("Cherche malloc dans cette banque", "pool", opens("pool", POOL, tab="questions", search="malloc")),
    ("Ipakita ang mga tanong tungkol sa malloc lang", "pool", opens("pool", POOL, tab="questions", search="malloc")),
    ("Show me this one", "selected exam", opens("evaluation", EVALUATION)),
    ("Open it", "selected class", opens("classroom", CLASSROOM)),
    # names a command of the screen
    ("Run Preview", "question", runs("preview")),
    ("run pool.delete", "pool", runs("pool.delete")),
    ("Please run “Try it”", "question", runs("try-it")),
    ("publish this question", "question", runs("publish")),
    ("Preview", "question", runs("preview")),
    ("Try it, please", "question", runs("try-it")),
    ("New question", "pool", runs("question.new")),
    ("Delete this pool", "pool", runs("pool.delete")),
    ("Publie cette question", "french", runs("publish")),
    ("Lance « Aperçu »", "french", runs("preview")),
    ("Patakbuhin ang Preview", "question", runs("preview")),
    # edits the draft in the editor
    ("Rewrite this question", "editor", edits(rewrites=[text("/config/statement", "**Pick one.**")])),
    ("Réécris cette question", "editor", edits(rewrites=[text("/config/statement", "**Pick one.**")])),
    ("Rewrite the statement as “Pick two.”", "editor", edits(rewrites=[text("/config/statement", "Pick two.")])),
    ("Reword the explanation: “It is so.”", "editor", edits(rewrites=[text("/explanation", "It is so.")])),
    ("Add two choices", "editor", edits(additions=["Another choice 2", "Another choice 3"])),
    ("Rewrite this one and add a choice", "editor",
     edits(rewrites=[text("/config/statement", "**Pick one.**")], additions=["Another choice 2"])),
    ("Rewrite the statement as “Pick two.” and add two choices", "editor",
     edits(rewrites=[text("/config/statement", "Pick two.")], additions=["Another choice 2", "Another choice 3"])),
    ("Add the choice “Yes” and rewrite it: “Pick two.”", "editor",
     edits(rewrites=[text("/config/statement", "Pick two.")], additions=["Yes"])),
    ("Ajoute 2 choix", "editor", edits(additions=["Un autre choix 1", "Un autre choix 2"])),
    ("Magdagdag ng dalawang pagpipilian", "editor",
     edits(additions=["Isa pang pagpipilian 1", "Isa pang pagpipilian 2"])),
    ("Add the choices “Yes” and “No”", "editor", edits(additions=["Yes", "No"])),
    # prepares a change
    ("Create the category “Revision” in this pool", "pool", calls("create_category", pool=POOL, title="Revision")),
    ("Crée la catégorie « Révision »", "pool", calls("create_category", pool=POOL, title="Révision")),
    ("Create a template “Short test”", "nothing", calls("create_template", title="Short test")),
    ("Crée le modèle « Contrôle »", "course", calls("create_template", title="Contrôle", course=COURSE)),
    ("Add this question to the template “Short”", "question", calls("list_templates")),
    ("Link this pool to my course", "pool", calls("list_pools")),
    ("Lie cette banque à mon cours", "pool", calls("list_pools")),
    ("Create the question “What is it?” in this pool", "pool",
     calls("find_similar_questions", text="What is it?", pool=POOL)),
    # looks up results
    ("Show the results of this classroom", "class", calls("get_classroom_results", classroom=CLASSROOM)),
    ("How did this class do?", "class", calls("get_classroom_results", classroom=CLASSROOM)),
    ("Montre les résultats de cette classe", "class", calls("get_classroom_results", classroom=CLASSROOM)),
    ("Show me the results of Groupe 1B", "nothing", calls("list_evaluations")),
    ("What are the results?", "evaluation", calls("list_evaluations")),
    ("How did this one do?", "selected student", calls("get_classroom_results", classroom=CLASSROOM)),
    ("Et celui-ci ?", "selected exam", calls("get_classroom_results", classroom=CLASSROOM)),
    ("Kumusta ito?", "selected class", calls("get_classroom_results", classroom=CLASSROOM)),
]  # fmt: skip


@pytest.mark.parametrize(("question", "on", "expected"), BEGUN)
def test_what_is_asked_for_is_begun(question: str, on: str, expected: Call) -> None:
    assert begun(question, on) == expected


@pytest.mark.parametrize(("question", "on", "expected"), BEGUN)
def test_what_is_not_offered_is_not_called(question: str, on: str, expected: Call) -> None:
    other = begun(question, on, offered=OFFERED - {expected.tool})
    assert not isinstance(other, Call) or other.tool != expected.tool


MANUALS = [
    "How do I create a pool?",
    "How do I publish this question?",
    "How can I rewrite this question?",
    "How do I run Preview?",
    "How does a student see the results?",
    "Comment créer la catégorie « x » ?",
    "Comment ajouter deux choix ?",
    "Paano magdagdag ng pagpipilian?",
    "What is the gradebook?",
    "What does Publish do?",
    "What do students see of an evaluation?",
    "Where are my results?",
    "Who can open this pool?",
    "Can students open an evaluation twice?",
    "What do the results mean?",
    "What does pool.delete do?",
    "I read about try-it",
    "When are the results released?",
    "Is there a command that deletes a pool?",
    "Questions with two answers only",
    "A template for the course",
    "I pressed Publish and nothing happened",
    "Why can I not delete this pool?",
    "Qui voit les résultats de cette classe ?",
    "Où sont les résultats ?",
    "Ano ang template?",
    "Hello",
    "",
]
"""None of these asks for anything to be done or looked up."""


@pytest.mark.parametrize("question", MANUALS)
@pytest.mark.parametrize("on", ["pool", "question", "editor", "class", "evaluation"])
def test_what_does_not_ask_for_it_does_nothing(question: str, on: str) -> None:
    assert begun(question, on) is None


def brought(tool: str, *lines: str, is_error: bool = False) -> Step:
    return Step(tool, ToolResult("1", "\n".join(lines), is_error))


POOLS = brought("list_pools", '{"id":"a","title":"Groupe 1B"}', '{"id":"b","title":"Groupe 2A"}', "[Cut here: …]")


@pytest.mark.parametrize(
    ("title", "found"), [("Groupe 2A", "b"), ("“Groupe 1B”", "a"), ("“Groupe 2A”, and not 1B", "b")]
)
def test_of_several_titles_the_closest_is_opened(title: str, found: str) -> None:
    assert begun(f"Show me the pool {title}", "nothing", POOLS) == opens("pool", found, tab="questions")


def test_where_no_title_shares_a_word_nothing_is_opened() -> None:
    assert begun("Show me the pool of sharks", "nothing", POOLS) is None
    templates = brought("list_templates", '{"id":"a","title":"Short test"}')
    assert begun("Open the template Ocean", "nothing", templates) == "I found nothing of yours that is called so."


@pytest.mark.parametrize(("question", "on", "tool"), [
    ("Show me the pool Loops", "nothing", "list_pools"),
    ("Show the results of this classroom", "class", "get_classroom_results"),
    ("Show me the results of Groupe 1B", "nothing", "list_evaluations"),
    ("How did this one do?", "selected exam", "get_classroom_results"),
])  # fmt: skip
def test_a_look_up_that_fails_is_said_and_not_tried_again(question: str, on: str, tool: str) -> None:
    failed = brought(tool, "The platform did not answer.", is_error=True)
    assert begun(question, on, failed) == "That could not be looked up."


RESULTS = brought(
    "get_classroom_results",
    '{"column":"e1","evaluation":"ev-1","title":"Quiz [1]","best_mark":20.0,"mean":11.594}',
    '{"student":"Person-bcd-2","marks":{"e1":"absent"}}',
    '{"student":"Person-bcd-1","marks":{"e1":12.0},"selected":true}',
    '{"student":"Person-bcd-3","marks":{"e1":0}}',
    '{"student":"Person-bcd-4"}',
)


def test_results_are_told_as_the_lms_has_them() -> None:
    told = begun("Show the results of this classroom", "class", RESULTS)
    assert told == (
        "Final marks, of released columns only:\n\n"
        "- Quiz (1): mean 11.59 of 20; Person-bcd-1 12, Person-bcd-3 0, Person-bcd-2 absent"
    )


def test_the_selected_student_is_the_one_of_whom_it_is_told() -> None:
    told = begun("Et lui ?", "selected student", RESULTS)
    assert told == "Person-bcd-1:\n\n- Quiz (1) : 12 sur 20, pour une moyenne de 11.59"


def test_how_something_is_done_is_the_manuals_beside_a_reference_too() -> None:
    assert begun("How do I publish its marks?", "selected class") is None


def test_only_what_the_prompt_says_of_the_draft_is_a_text_of_it() -> None:
    assert list(Asked("", f"Screen: /\n{DRAFT}").texts) == ["/config/statement", "/config/choices/0/text"]


def test_a_template_that_is_added_is_a_new_one() -> None:
    assert begun("Add a template “Short test”", "nothing") == calls("create_template", title="Short test")


def test_an_evaluation_without_released_marks_is_described() -> None:
    others = brought("get_classroom_results", '{"column":"e1","evaluation":"ev-9","title":"Other"}')
    question = "How did this one do?"
    assert begun(question, "selected exam", others) == calls("get_evaluation", evaluation=EVALUATION)
    described = brought("get_evaluation", '{"id":"ev-1","title":"Quiz","state":"running","minutes":30,"items":[1,2]}')
    told = begun(question, "selected exam", others, described)
    assert told == "Quiz stands at “running”: it has no released marks yet. Minutes: 30, questions: 2."


def test_where_lookups_are_offered_results_are_theirs() -> None:
    offered = OFFERED | {"query_exam_results"}
    assert begun("Show the results of this classroom", "class", offered=offered) is None
