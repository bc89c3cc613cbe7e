"""A person has the tools of the policy and the role, less what is switched off and what the LMS lacks."""

from random import Random
from typing import Any
from uuid import UUID

import pytest

from assist_service.adapters.configuration import load_policy
from assist_service.domain.context import AssistContext, Command, CommandEffect, Entities
from assist_service.domain.people import Role
from assist_service.domain.policy import Disclosure, Policy, Switches
from assist_service.domain.prompt import Ability
from assist_service.domain.screens import Language
from assist_service.services.bench import Bench
from assist_service.services.toolbox import toolbox_of
from assist_service.tools.catalog import TOOLS
from tests.unit.benches import DEFAULT, EVERYTHING, INTERFACE, MANUAL, READ, one
from tests.unit.small_manual import desk, masks
from tests.unit.test_tools_allowlist import LOOKUPS


async def test_a_tool_that_a_role_lacks_does_not_run_even_if_it_is_called() -> None:
    at = _bench_of(DEFAULT)
    assert not (await one(at, "read_guide", READ)).is_error
    lacking = _policy(roles={"teacher": {"offered": True, "tools": {"decline": "open"}}})
    at = _bench_of(lacking)
    assert (await one(at, "read_guide", READ)).content == "There is no such tool. Those there are: decline"


def _bench_of(policy: Policy) -> Bench:
    return Bench(toolbox_of(policy, [Role.TEACHER], TOOLS, EVERYTHING), desk(MANUAL), masks())


SCHOOL = load_policy("school-manuals")


def _policy(**changes: Any) -> Policy:
    return Policy.model_validate({**DEFAULT.model_dump(), **changes})


@pytest.mark.parametrize("role", Role)
def test_a_role_has_the_tools_of_its_policy(role: Role) -> None:
    has = set(toolbox_of(DEFAULT, [role], TOOLS, EVERYTHING).tools)
    assert has == set(DEFAULT.of_role(role).tools)
    of_everyone = {name for name, each in TOOLS.items() if not each.needs}
    assert has == (set(TOOLS) - set(LOOKUPS) if role in (Role.TEACHER, Role.ADMIN) else of_everyone)


@pytest.mark.parametrize("role", Role)
def test_under_the_schools_policy_who_teaches_has_the_lookups(role: Role) -> None:
    has = toolbox_of(SCHOOL, [role], TOOLS, EVERYTHING)
    lookups = set(LOOKUPS) if role in (Role.TEACHER, Role.ADMIN) else set()
    assert set(has.tools) == {*MANUAL_TOOLS} | lookups
    assert (Ability.CHOOSING in has.abilities) == bool(lookups)
    assert Ability.LOOKING_UP not in has.abilities


@pytest.mark.parametrize("switches", [Switches(manual=True, live=False), Switches(manual=False, live=True)])
def test_the_lookups_stand_behind_the_switch_of_live_data(switches: Switches) -> None:
    policy = SCHOOL.model_copy(update={"switches": switches})
    has = toolbox_of(policy, [Role.TEACHER], TOOLS, EVERYTHING)
    assert set(has.tools) == {"decline", "ask_back", *(LOOKUPS if switches.live else ("read_guide", "search_guide"))}
    assert has.is_of_use


def test_a_role_without_tools_has_none() -> None:
    assert toolbox_of(load_policy("teacher-assistant"), [Role.STUDENT], TOOLS, EVERYTHING).specs() == ()


async def test_without_the_manual_nothing_of_it_is_offered_or_read() -> None:
    off = _policy(switches=Switches(manual=False, live=False))
    at = _bench_of(off)
    assert [spec.name for spec in at.toolbox.specs()] == ["ask_back", "decline", *INTERFACE]
    assert (await one(at, "read_guide", READ)).is_error


async def test_without_live_data_none_of_it_is_offered_or_read() -> None:
    at = _bench_of(_policy(switches=Switches(manual=True, live=False)))
    assert [spec.name for spec in at.toolbox.specs()] == [
        "ask_back",
        "decline",
        *INTERFACE[:1],
        "read_guide",
        *INTERFACE[1:],
        "search_guide",
    ]
    assert at.toolbox.abilities == {Ability.READING, Ability.SHOWING}
    assert (await one(at, "list_courses", {})).is_error


FORM = dict.fromkeys(TOOLS, Disclosure.OPEN) | dict.fromkeys(LOOKUPS, Disclosure.SEALED)

SCREEN = AssistContext(
    route="/pools/:id",
    topic="pool",
    language=Language.FRENCH,
    entities=Entities(pool=UUID(int=7)),
    commands=(Command(id="try-it", label="Essayer", effect=CommandEffect.NONE),),
)

MANUAL_TOOLS = ("read_guide", "search_guide", "decline", "ask_back")

USES: dict[str, tuple[tuple[str, ...], bool, bool]] = {
    "the manual": (MANUAL_TOOLS, False, False),
    "nothing": ((), False, False),
    "lookups, which know themselves what is on screen": ((*MANUAL_TOOLS, *LOOKUPS), True, False),
    "a look-up": ((*MANUAL_TOOLS, "get_pool"), True, False),
    "a change": (("create_category",), True, False),
    "screens": (("open_screen",), True, False),
    "commands": ((*MANUAL_TOOLS, "run_screen_command"), True, True),
    "everything": (tuple(TOOLS), True, True),
}


@pytest.mark.parametrize(("tools", "ids", "commands"), USES.values(), ids=USES)
def test_of_a_screen_is_left_what_a_tool_can_do_something_with(
    tools: tuple[str, ...], ids: bool, commands: bool
) -> None:
    policy = _policy(roles={"teacher": {"offered": True, "tools": dict.fromkeys(tools, "open")}})
    left = toolbox_of(policy, [Role.TEACHER], TOOLS, EVERYTHING).of_use(SCREEN)
    assert (left.entities == SCREEN.entities, left.commands == SCREEN.commands) == (ids, commands)
    assert (bool(left.entities.present()), bool(left.commands)) == (ids, commands)
    assert (left.route, left.topic, left.language) == (SCREEN.route, SCREEN.topic, SCREEN.language)


READ_BY_A_MODEL: dict[str, tuple[tuple[str, ...], bool]] = {
    "the manual and lookups": ((*MANUAL_TOOLS, *LOOKUPS), False),
    "lookups and a tool that takes an id": ((*LOOKUPS, "get_pool"), True),
    "lookups and screens": ((*LOOKUPS, "open_screen"), True),
}


@pytest.mark.parametrize(("tools", "ids"), READ_BY_A_MODEL.values(), ids=READ_BY_A_MODEL)
def test_a_model_reads_no_id_that_no_tool_takes_from_it(tools: tuple[str, ...], ids: bool) -> None:
    policy = _policy(roles={"teacher": {"offered": True, "tools": {name: FORM[name] for name in tools}}})
    read = toolbox_of(policy, [Role.TEACHER], TOOLS, EVERYTHING).to_read(SCREEN)
    assert (read.entities == SCREEN.entities, bool(read.entities.present())) == (ids, ids)


@pytest.mark.parametrize("lacked", sorted(EVERYTHING))
def test_what_the_lms_lacks_is_not_offered(lacked: str) -> None:
    policy = _policy(roles={"teacher": {"offered": True, "tools": FORM}})
    has = toolbox_of(policy, [Role.TEACHER], TOOLS, EVERYTHING - {lacked}).tools
    assert set(TOOLS) - set(has) == {name for name, each in TOOLS.items() if lacked in each.needs}


def test_a_role_that_changed_has_what_both_have_in_the_stricter_form() -> None:
    roles = {
        "teacher": {"offered": True, "tools": {"decline": "open", "get_classroom_results": "open"}},
        "admin": {"offered": True, "tools": {"get_classroom_results": "masked", "list_pools": "open"}},
    }
    toolbox = toolbox_of(_policy(roles=roles), [Role.TEACHER, Role.ADMIN], TOOLS, EVERYTHING)
    assert set(toolbox.tools) == {"get_classroom_results"}
    assert toolbox.disclosures["get_classroom_results"] is Disclosure.MASKED


@pytest.mark.parametrize("seed", range(20))
def test_the_tools_are_offered_in_one_order_however_the_policy_names_them(seed: int) -> None:
    names = Random(seed).sample(sorted(TOOLS), len(TOOLS))
    policy = _policy(roles={"teacher": {"offered": True, "tools": dict.fromkeys(names, "open")}})
    at = toolbox_of(policy, [Role.TEACHER], TOOLS, EVERYTHING)
    assert [spec.name for spec in at.specs()] == sorted(TOOLS)
