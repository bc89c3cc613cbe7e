"""The prompt's prefix is one and the same for everybody of a role; what is of this question stands behind it."""

import json
import random
import uuid
from typing import Any

import pytest

from assist_service.adapters.configuration import load_catalogue, load_policy
from assist_service.adapters.manual.files import read_manual
from assist_service.domain.citations import Given
from assist_service.domain.context import AssistContext
from assist_service.domain.people import Role
from assist_service.domain.policy import Policy
from assist_service.domain.prompt import (
    CHOOSING,
    CITING,
    HELP_CHARACTERS,
    LOOKING_UP,
    PREPARING,
    SHOWING,
    screen_part,
    section_block,
    stable_prefix,
)
from assist_service.domain.screens import EntityKind
from assist_service.services.toolbox import Toolbox, toolbox_of
from assist_service.settings import ROOT
from assist_service.tools.catalog import TOOLS
from tests.unit.small_manual import publication, section

CATALOGUE = load_catalogue(ROOT / "contracts" / "screens.yaml")
SHIPPED = read_manual(ROOT / "corpus")
POLICIES = {name: load_policy(name) for name in ("default", "school-manuals", "teacher-assistant")}
OFFERED = [(name, role) for name, policy in POLICIES.items() for role in Role if policy.of_role(role).offered]


def prefix(policy: Policy, role: Role) -> str:
    return stable_prefix(policy, [role], SHIPPED, CATALOGUE, abilities=_toolbox(policy, role).abilities)


def specs(policy: Policy, role: Role) -> str:
    """The tools as a provider gets them, byte for byte."""
    return json.dumps([(spec.name, spec.description, spec.schema) for spec in _toolbox(policy, role).specs()])


def _toolbox(policy: Policy, role: Role) -> Toolbox:
    return toolbox_of(policy, [role], TOOLS, frozenset().union(*(tool.needs for tool in TOOLS.values())))


def context(**changes: Any) -> AssistContext:
    return AssistContext.model_validate_json(json.dumps({"route": "/", "language": "en", **changes}))


def some_context(chance: random.Random) -> AssistContext:
    """A context with ids and labels that no other has."""
    kinds = chance.sample([kind.value for kind in EntityKind], chance.randint(1, 6))
    return context(
        route=chance.choice(sorted(CATALOGUE.routes)),
        topic=chance.choice(sorted(CATALOGUE.topics)),
        language=chance.choice(("en", "fr", "fil")),
        entities={kind: str(uuid.UUID(int=chance.getrandbits(128))) for kind in kinds},
        commands=[
            {
                "id": f"canary-{number}-{chance.getrandbits(32)}",
                "label": f"Label {chance.getrandbits(32)}",
                "effect": "none",
            }
            for number in range(chance.randint(1, 5))
        ],
    )


@pytest.mark.parametrize(("name", "role"), OFFERED)
def test_prefix_and_tools_are_byte_identical_over_a_hundred_questions_of_a_role(name: str, role: Role) -> None:
    chance = random.Random(name + role)
    prefixes, tools = set(), set()
    for _ in range(100):
        # Each question with values of its own, read anew: neither sets nor dicts may leak their order.
        policy = load_policy(name) if chance.random() < 0.1 else POLICIES[name]
        asked = some_context(chance)
        of_role = prefix(policy, role)
        prefixes.add(of_role.encode())
        tools.add(specs(policy, role))
        screen = screen_part(asked, None, Given(SHIPPED))
        told = [str(found) for found in asked.entities.present().values()] + [c.label for c in asked.commands]
        for value in told:
            assert value in screen
            assert value not in of_role
        assert screen not in of_role
    assert len(prefixes) == 1
    assert len(tools) == 1


def test_the_prefixes_of_two_roles_differ() -> None:
    assert len({prefix(POLICIES["default"], role) for role in Role}) == len(Role)


def test_the_prefixes_of_two_policies_differ_where_their_rules_do() -> None:
    assert len({prefix(policy, Role.TEACHER) for policy in POLICIES.values()}) == len(POLICIES)
    for policy in POLICIES.values():
        assert CITING[policy.citations] in prefix(policy, Role.TEACHER)


@pytest.mark.parametrize("role", Role)
def test_the_index_names_the_pages_of_the_role_and_no_others(role: Role) -> None:
    audiences = POLICIES["default"].of_role(role).audiences
    lines = prefix(POLICIES["default"], role).splitlines()
    for page in SHIPPED.pages:
        indexed = page.audience in audiences and page.language == "en" and page.help_topic is None
        assert (f"- {page.path} | {page.title}" in lines) == indexed
        assert any(f"  - {each.anchor} | {each.title}" in lines for each in page.sections) or not indexed


@pytest.mark.parametrize("role", Role)
def test_the_prefix_names_the_screens_of_the_role_and_no_others(role: Role) -> None:
    lines = prefix(POLICIES["default"], role).splitlines()
    for name, screen in CATALOGUE.screens.items():
        told = f"- {name} | {screen.pattern} | {screen.title('en')}"
        assert any(line == told or line.startswith(f"{told} | ") for line in lines) == (role in screen.roles)


def test_a_screen_is_named_with_the_params_it_takes() -> None:
    lines = prefix(POLICIES["default"], Role.TEACHER).splitlines()
    assert "- pool | /pools/:id | Pool | id (pool), tab (questions, stats, settings), search, category" in lines
    assert "- courses | /courses | Courses" in lines


@pytest.mark.parametrize(("name", "role"), OFFERED)
def test_only_who_has_tools_is_told_of_them(name: str, role: Role) -> None:
    teaches, looks_up_sealed = role in (Role.TEACHER, Role.ADMIN), name == "school-manuals"
    told = prefix(POLICIES[name], role)
    for rules in (LOOKING_UP, PREPARING):
        assert (rules in told) == (teaches and not looks_up_sealed)
    assert (CHOOSING in told) == (teaches and looks_up_sealed)
    assert ("query_" in told) == (teaches and looks_up_sealed), "of what nobody is offered nothing is told"
    assert (SHOWING in told) == (not looks_up_sealed)


def test_without_live_data_nobody_is_told_how_to_choose_a_lookup() -> None:
    school = POLICIES["school-manuals"]
    off = school.model_copy(update={"switches": school.switches.model_copy(update={"live": False})})
    assert CHOOSING in prefix(school, Role.TEACHER)
    assert CHOOSING not in prefix(off, Role.TEACHER)


def test_of_what_is_selected_the_screen_part_names_the_placeholder_alone() -> None:
    told = screen_part(context(), None, Given(SHIPPED), selected=("the selected class", "the selected student"))
    assert told.splitlines()[2:] == ["Selected: the selected class", "Selected: the selected student"]


def test_the_text_of_a_page_is_not_in_the_prefix() -> None:
    """What stands there cannot be cited: it has no handle."""
    of_admin = prefix(POLICIES["default"], Role.ADMIN)
    assert "[s1]" not in of_admin.replace(CITING[POLICIES["default"].citations], "")
    assert not any(each.text in of_admin for page in SHIPPED.pages for each in page.sections)


def test_the_screen_part_says_what_is_seen_and_gives_the_help_in_full() -> None:
    pool = str(uuid.UUID(int=7))
    asked = context(
        route="/pools/:id",
        language="fr",
        entities={"pool": pool},
        commands=[{"id": "try-it", "label": "Essayer", "effect": "write"}],
    )
    manual = publication(
        section("teacher/help/pool", "top", "Appuyez."), section("teacher/help/pool", "more", "Encore.")
    )
    given = Given(manual)
    told = screen_part(asked, manual.pages[0], given).splitlines()
    assert told == [
        "Language of the screen: fr",
        "Screen: /pools/:id",
        f"On screen: pool {pool}",
        "Command on screen: try-it | Essayer | changes something: the person confirms it on a card",
        "Help of this screen:",
        "[s1] teacher/help/pool | top | Pools: Top",
        "Appuyez.",
        "",
        "[s2] teacher/help/pool | more | Pools: More",
        "Encore.",
    ]
    assert given.section("s2") == manual.pages[0].sections[1]


def test_help_that_is_too_long_is_given_as_far_as_it_fits_and_the_rest_is_named_and_cannot_be_cited() -> None:
    sections = [section("teacher/help/pool", f"part{number}", "x" * 5_900) for number in range(900)]
    page = publication(*sections).pages[0]
    given = Given(publication(*sections))
    told = screen_part(context(), page, given)
    assert len(told) <= HELP_CHARACTERS + 500
    assert [given.section(f"s{number}") for number in (1, 4, 5)] == [sections[0], sections[3], None]
    assert told.splitlines()[-1] == (
        "The rest of this page, from section part4 on, is to be read with read_guide: teacher/help/pool"
    )


def test_a_screen_without_help_gives_nothing_to_cite() -> None:
    given = Given(SHIPPED)
    assert screen_part(context(), None, given) == "Language of the screen: en\nScreen: /"
    assert given.section("s1") is None


def test_a_section_reaches_the_model_without_invisible_characters() -> None:
    hidden = section(text="Press\u200b New\U000e0041\U000e0042 \u202epool\u2066.")
    assert section_block(hidden, Given(publication(hidden))) == (
        "[s1] teacher/pools | create | Pools: Create\nPress New pool.\n"
    )
