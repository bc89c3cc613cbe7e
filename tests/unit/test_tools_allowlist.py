"""The closed list of what a model may call (rows A10, A16): what joins it is added here too, and on purpose."""

from typing import get_type_hints

import pytest

from assist_service.adapters.configuration import load_policy
from assist_service.domain.policy import Disclosure
from assist_service.domain.screens import EntityKind
from assist_service.ports import SchoolReads
from assist_service.tools.catalog import TOOLS
from assist_service.tools.tool import Effect, Family

READS = {
    "list_courses": "courses",
    "get_course": "course",
    "list_pools": "pools",
    "get_pool": "pool",
    "get_pool_question_stats": "pool_stats",
    "list_questions": "questions",
    "find_similar_questions": "similar_questions",
    "get_question": "question",
    "describe_question_types": "question_types",
    "list_evaluations": "evaluations",
    "get_evaluation": "evaluation",
    "list_templates": "templates",
    "get_classroom_results": "gradebook",
}
"""The tools of row A10 that read the LMS, each with the one thing it reads there."""

OTHERS = {"read_guide", "search_guide", "decline", "ask_back"}

EXCLUDED = {
    "update_question",
    "update_evaluation",
    "add_questions_to_evaluation",
    "create_evaluation",
    "instantiate_template",
    "create_pool",
    "create_classroom",
    "create_poll",
    "create_course",
    "create_project",
}
"""Never a tool (row A16)."""

IDS = {kind.value for kind in EntityKind}


def test_the_tools_are_these_and_no_others() -> None:
    assert set(TOOLS) == OTHERS | set(READS)
    assert not set(TOOLS) & EXCLUDED
    assert all(name == tool.name for name, tool in TOOLS.items())


def test_no_tool_writes() -> None:
    assert {tool.effect for tool in TOOLS.values()} == {Effect.READ, Effect.END}


@pytest.mark.parametrize("name", sorted(READS))
def test_a_data_tool_needs_one_read_of_the_lms_and_stands_behind_the_switch(name: str) -> None:
    tool = TOOLS[name]
    assert tool.family is Family.DATA
    assert tool.needs == {READS[name]}
    assert READS[name] in vars(SchoolReads)
    assert tool.disclosures == {Disclosure.OPEN, Disclosure.MASKED}


@pytest.mark.parametrize("name", sorted(READS))
def test_an_argument_is_an_id_or_a_few_words_and_all_else_is_refused(name: str) -> None:
    arguments = TOOLS[name].arguments
    assert arguments.model_config["extra"] == "forbid"
    for argument, hint in get_type_hints(arguments).items():
        if argument != "model_config":
            assert ("UUID" in str(hint)) == (argument in IDS)
            assert argument in IDS | {"search", "status", "state", "text"}


@pytest.mark.parametrize("name", sorted(set(READS) | OTHERS))
def test_a_description_says_what_it_does_and_when_to_use_it(name: str) -> None:
    described = TOOLS[name].description
    assert "Use it" in described or name == "ask_back"
    assert 40 < len(described) < 400


@pytest.mark.parametrize("policy", ["default", "teacher-assistant"])
@pytest.mark.parametrize("role", ["teacher", "admin"])
def test_who_teaches_has_all_of_them_structure_open_and_results_as_the_policy_says(policy: str, role: str) -> None:
    tools = {str(each): ruled.tools for each, ruled in load_policy(policy).roles.items()}[role]
    assert set(tools) == set(TOOLS)
    results = Disclosure.MASKED if policy == "default" else Disclosure.OPEN
    assert {name: form for name, form in tools.items() if form is not Disclosure.OPEN or name in READS} == {
        **dict.fromkeys(READS, Disclosure.OPEN),
        "get_classroom_results": results,
    }


@pytest.mark.parametrize("policy", ["default", "teacher-assistant"])
@pytest.mark.parametrize("role", ["student", "trainer_admin"])
def test_nobody_else_has_any(policy: str, role: str) -> None:
    tools = {str(each): ruled.tools for each, ruled in load_policy(policy).roles.items()}[role]
    assert not set(tools) & set(READS)
