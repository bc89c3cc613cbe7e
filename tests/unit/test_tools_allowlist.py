"""The closed list of what a model may call (rows A10, A16): what joins it is added here too, and on purpose."""

from typing import get_type_hints

import pytest

from assist_service.adapters.configuration import load_policy
from assist_service.domain.people import Role
from assist_service.domain.policy import Disclosure, Policy, policy_faults
from assist_service.domain.screens import EntityKind
from assist_service.domain.writes import WriteTool
from assist_service.ports import SchoolReads
from assist_service.tools.catalog import TOOLS
from assist_service.tools.tool import FOR_EVERYONE, OPEN_ONLY, Effect, Family

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

LOOKUPS: dict[str, tuple[set[str], set[str]]] = {
    "query_classes": ({"class_search"}, {"classrooms"}),
    "query_students": ({"class_search", "student_search"}, {"classrooms", "students"}),
    "query_exams": ({"class_search", "exam_search"}, {"classrooms", "evaluations"}),
    "query_class_performance": ({"class_search"}, {"classrooms", "gradebook"}),
    "query_student_performance": ({"class_search", "student_search"}, {"classrooms", "students", "gradebook"}),
    "query_exam_results": (
        {"class_search", "exam_search", "student_search"},
        {"classrooms", "evaluations", "gradebook", "students"},
    ),
    "query_rankings": ({"class_search", "student_search"}, {"classrooms", "leaderboard", "students"}),
    "query_participation": ({"class_search", "exam_search"}, {"classrooms", "evaluations", "gradebook"}),
}
"""The eight of row J6: by which search words each is narrowed, and what it reads of the LMS."""

SEALED = frozenset({Disclosure.SEALED})

INTERFACE = {"open_screen", "run_screen_command"}
"""The two of row A13: the browser acts, after the answer."""

OTHERS = {"read_guide", "search_guide", "decline", "ask_back"}

PROPOSING = {"propose_question_edit"}
"""The tool of row A15: what it proposes waits for the person."""

WRITING = set(WriteTool)
"""The five of row A16, each a card that the person confirms."""

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
    assert set(TOOLS) == OTHERS | INTERFACE | PROPOSING | WRITING | set(READS) | set(LOOKUPS)
    assert not set(TOOLS) & EXCLUDED
    assert all(name == tool.name for name, tool in TOOLS.items())


def test_what_a_tool_is_about_says_what_a_call_of_it_does() -> None:
    assert {(tool.family, tool.effect) for tool in TOOLS.values()} == {
        (Family.MANUAL, Effect.READ),
        (Family.DATA, Effect.READ),
        (Family.LIVE, Effect.READ),
        (Family.INTERFACE, Effect.ACT),
        (Family.EDITING, Effect.PREPARE),
        (Family.WRITING, Effect.PREPARE),
        (Family.CONVERSING, Effect.END),
    }


@pytest.mark.parametrize("name", sorted(INTERFACE))
def test_a_tool_of_the_interface_acts_and_asks_nothing_of_the_lms(name: str) -> None:
    tool = TOOLS[name]
    assert (tool.family, tool.effect, tool.disclosures) == (Family.INTERFACE, Effect.ACT, OPEN_ONLY)
    assert tool.needs == frozenset()


@pytest.mark.parametrize("name", sorted(WRITING))
def test_a_write_is_prepared_where_the_lms_has_it_and_all_its_card_is_read_from(name: str) -> None:
    tool = TOOLS[name]
    assert (tool.family, tool.effect, tool.disclosures) == (Family.WRITING, Effect.PREPARE, OPEN_ONLY)
    assert tool.needs >= {name}
    assert tool.needs - {name} <= vars(SchoolReads).keys()
    assert tool.arguments.model_config["extra"] == "forbid"
    assert not {"status", "publish", "published"} & set(tool.arguments.model_fields)


@pytest.mark.parametrize("name", sorted(PROPOSING))
def test_a_proposal_is_prepared_of_open_texts_and_needs_the_question_as_the_person_reads_it(name: str) -> None:
    tool = TOOLS[name]
    assert (tool.family, tool.effect) == (Family.EDITING, Effect.PREPARE)
    assert tool.disclosures == {Disclosure.OPEN}
    assert tool.needs == {"question", "question_types"}
    assert tool.arguments.model_config["extra"] == "forbid"
    assert set(tool.arguments.model_fields) == {"rewrites", "additions"}


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


@pytest.mark.parametrize("name", sorted(LOOKUPS))
def test_a_lookup_is_sealed_and_nothing_else_and_stands_behind_the_switch_of_live_data(name: str) -> None:
    tool, (_, needs) = TOOLS[name], LOOKUPS[name]
    assert (tool.family, tool.effect, tool.disclosures) == (Family.LIVE, Effect.READ, SEALED)
    assert tool.needs == needs
    assert needs <= vars(SchoolReads).keys()


@pytest.mark.parametrize("name", sorted(LOOKUPS))
def test_a_lookup_takes_an_operation_of_a_list_a_few_words_and_a_limit_no_id_and_no_column(name: str) -> None:
    schema, (searches, _) = TOOLS[name].arguments.model_json_schema(), LOOKUPS[name]
    assert schema["additionalProperties"] is False
    fields = schema["properties"]
    assert set(fields) == {"operation", "limit", *searches}
    assert set(fields["operation"]["enum"]) >= {fields["operation"]["default"]}
    assert (fields["limit"]["type"], fields["limit"]["minimum"], fields["limit"]["maximum"]) == ("integer", 1, 200)
    for search in searches:
        words, none = fields[search]["anyOf"]
        assert (words, none) == ({"type": "string", "minLength": 1, "maxLength": 100}, {"type": "null"})


@pytest.mark.parametrize("name", sorted(TOOLS))
def test_a_description_says_what_it_does_and_when_to_use_it(name: str) -> None:
    described = TOOLS[name].description
    assert "Use it" in described or name == "ask_back" or name in LOOKUPS, "one rule says when, for all eight"
    assert 40 < len(described) < 400


@pytest.mark.parametrize("policy", ["default", "teacher-assistant"])
@pytest.mark.parametrize("role", ["teacher", "admin"])
def test_who_teaches_has_all_of_them_structure_open_and_results_as_the_policy_says(policy: str, role: str) -> None:
    tools = {str(each): ruled.tools for each, ruled in load_policy(policy).roles.items()}[role]
    assert set(tools) == set(TOOLS) - set(LOOKUPS)
    results = Disclosure.MASKED if policy == "default" else Disclosure.OPEN
    assert {name: form for name, form in tools.items() if form is not Disclosure.OPEN or name in READS} == {
        **dict.fromkeys(READS, Disclosure.OPEN),
        "get_classroom_results": results,
    }


@pytest.mark.parametrize("role", ["student", "teacher", "trainer_admin", "admin"])
def test_under_the_schools_policy_all_have_the_manual_and_who_teaches_the_lookups_beside(role: str) -> None:
    tools = {str(each): ruled.tools for each, ruled in load_policy("school-manuals").roles.items()}[role]
    lookups = dict.fromkeys(LOOKUPS if role in ("teacher", "admin") else (), Disclosure.SEALED)
    assert tools == dict.fromkeys(OTHERS, Disclosure.OPEN) | lookups


@pytest.mark.parametrize("role", Role)
def test_nobody_but_who_teaches_may_have_a_lookup_under_any_policy_nor_anybody_one_unsealed(role: Role) -> None:
    for form in Disclosure:
        roles = {role: {"offered": True, "tools": dict.fromkeys(LOOKUPS, form)}}
        policy = Policy.model_validate({**load_policy("school-manuals").model_dump(), "roles": roles})
        faults = policy_faults(
            policy,
            {name: tool.disclosures for name, tool in TOOLS.items()},
            for_everyone={name for name, tool in TOOLS.items() if tool.family in FOR_EVERYONE},
        )
        why = "not for this role" if role in (Role.STUDENT, Role.TRAINER_ADMIN) else None
        why = why if form is Disclosure.SEALED else f"cannot be {form}"
        assert faults == ([f"roles.{role}.tools.{name}: {why}" for name in sorted(LOOKUPS)] if why else [])


@pytest.mark.parametrize("policy", ["default", "teacher-assistant"])
@pytest.mark.parametrize("role", ["student", "trainer_admin"])
def test_nobody_else_has_any(policy: str, role: str) -> None:
    tools = {str(each): ruled.tools for each, ruled in load_policy(policy).roles.items()}[role]
    assert set(tools) == (OTHERS | INTERFACE if policy == "default" else set())
