"""The tools of the interface note what the rule lets pass, of ids that this question knows, and do nothing else."""

import dataclasses
import json
import uuid
from collections.abc import Sequence
from typing import Any

import pytest
from pydantic import ValidationError

from assist_service.adapters.configuration import load_catalogue
from assist_service.domain.context import Command
from assist_service.domain.interface import Refusal, open_screen
from assist_service.domain.people import Role
from assist_service.domain.records import Found, ItemKind, Known, Seen, Titled
from assist_service.domain.school import PoolDetail, Ref
from assist_service.domain.screens import EntityKind, Language
from assist_service.settings import ROOT
from assist_service.tools.catalog import TOOLS
from assist_service.tools.interface import ANSWERS, DONE, OPEN_SCREEN, PARAM_KINDS, RUN_SCREEN_COMMAND
from assist_service.tools.looking_up import NO_SEAT
from assist_service.tools.tool import Desk, Said
from tests.unit.small_manual import desk, publication, section

CATALOGUE = load_catalogue(ROOT / "contracts" / "screens.yaml")
POOL, CATEGORY, EVALUATION, QUESTION = (uuid.UUID(int=number) for number in range(1, 5))
KNOWN = (
    Seen(EntityKind.POOL, POOL),
    Seen(ItemKind.CATEGORY, CATEGORY),
    Seen(EntityKind.EVALUATION, EVALUATION),
    Seen(EntityKind.QUESTION, QUESTION),
)
COMMANDS = (
    {"id": "try-it", "label": "Try it", "effect": "none"},
    {"id": "preview", "label": "Preview", "effect": "none", "gesture": True},
    {"id": "publish", "label": "Publish", "effect": "write"},
    {"id": "delete", "label": "Delete", "effect": "write"},
    {"id": "fourth", "label": "Fourth", "effect": "none"},
)


def at_desk(known: Sequence[Seen] = KNOWN, *, role: Role = Role.TEACHER, language: Language = Language.ENGLISH) -> Desk:
    return dataclasses.replace(
        desk(publication(section()), language=language),
        known=Known(set(known)),
        screens=CATALOGUE.of_roles(role),
        commands=tuple(Command.model_validate_json(json.dumps(each)) for each in COMMANDS),
    )


async def opened(at: Desk, screen: str, ids: dict[str, object] | None = None, **params: str) -> Said:
    given = {"screen": screen, "ids": {name: str(each) for name, each in (ids or {}).items()}, "params": params}
    answer = await OPEN_SCREEN.run(OPEN_SCREEN.arguments.model_validate_json(json.dumps(given)), at)
    assert isinstance(answer, Said)
    return answer


async def named(at: Desk, wanted: str) -> Said:
    answer = await RUN_SCREEN_COMMAND.run(RUN_SCREEN_COMMAND.arguments.model_validate({"id": wanted}), at)
    assert isinstance(answer, Said)
    return answer


async def test_a_screen_is_noted_and_told_as_done_after_the_answer() -> None:
    at = at_desk(language=Language.FRENCH)
    assert await opened(at, "pool", {"id": POOL}, tab="questions", category=str(CATEGORY)) == Said(DONE)
    [action] = at.acts.actions
    assert action.model_dump(mode="json") == {
        "type": "open_screen",
        "screen": "pool",
        "ids": {"id": str(POOL)},
        "params": {"tab": "questions", "category": str(CATEGORY)},
        "path": f"/pools/{POOL}?tab=questions&category={CATEGORY}",
        "title": "Banque de questions",
    }


async def test_a_screen_without_ids_needs_no_ids_and_no_params() -> None:
    at = at_desk(())
    arguments = OPEN_SCREEN.arguments.model_validate_json('{"screen": "pools"}')
    assert await OPEN_SCREEN.run(arguments, at) == Said(DONE)
    assert at.acts.screen is not None


UNKNOWN: dict[str, tuple[tuple[Seen, ...], str, dict[str, object], dict[str, str]]] = {
    "an id nobody gave": ((), "pool", {"id": POOL}, {}),
    "an id of another kind": ((Seen(EntityKind.COURSE, POOL),), "pool", {"id": POOL}, {}),
    "a category nobody gave": ((KNOWN[0],), "pool", {"id": POOL}, {"category": str(CATEGORY)}),
    "a category that is a question": (KNOWN, "pool", {"id": POOL}, {"category": str(QUESTION)}),
    "an item nobody gave": ((KNOWN[2],), "evaluation", {"id": EVALUATION}, {"item": str(QUESTION)}),
    "an item that is a category": (KNOWN, "evaluation", {"id": EVALUATION}, {"item": str(CATEGORY)}),
}


@pytest.mark.parametrize(("known", "screen", "ids", "params"), UNKNOWN.values(), ids=UNKNOWN)
async def test_an_id_that_this_question_does_not_know_opens_nothing(
    known: tuple[Seen, ...], screen: str, ids: dict[str, object], params: dict[str, str]
) -> None:
    at = at_desk(known)
    assert await opened(at, screen, ids, **params) == Said(NO_SEAT, is_error=True)
    assert not at.acts.are_any


async def test_an_item_is_a_question_of_this_question() -> None:
    at = at_desk()
    assert await opened(at, "evaluation", {"id": EVALUATION}, item=str(QUESTION)) == Said(DONE)


async def test_what_the_rule_refuses_is_told_in_its_words_and_not_noted() -> None:
    at = at_desk(role=Role.STUDENT)
    refused = open_screen(at.screens, "admin", {}, {}, language="en")
    assert isinstance(refused, Refusal)
    assert await opened(at, "admin") == Said(refused.text, is_error=True)
    assert "my-courses, my-results" in refused.text
    assert not at.acts.are_any


@pytest.mark.parametrize(
    ("name", "type_"), [("try-it", "run_command"), ("preview", "offer_command"), ("publish", "confirm_command")]
)
async def test_a_command_is_noted_as_what_becomes_of_it_and_told_so(name: str, type_: str) -> None:
    at = at_desk()
    assert await named(at, name) == Said(ANSWERS[type_])
    assert [(action.type, action.id) for action in at.acts.commands] == [(type_, name)]


def test_what_the_person_must_do_is_to_be_said() -> None:
    assert "confirms" in ANSWERS["confirm_command"]
    assert "clicks" in ANSWERS["offer_command"]
    assert all("Say so" in ANSWERS[each] for each in ("offer_command", "confirm_command"))


@pytest.mark.parametrize("name", ["delete", "nothing", ""])
async def test_a_command_that_may_not_be_named_is_not_noted(name: str) -> None:
    at = at_desk()
    answer = await named(at, name)
    assert answer.is_error
    assert answer.text.endswith("Those you may name: try-it, preview, publish, fourth.")
    assert not at.acts.are_any


async def test_the_limits_of_an_answer_hold_over_its_calls() -> None:
    at = at_desk()
    assert not (await named(at, "try-it")).is_error
    assert (await named(at, "try-it")).is_error
    assert not (await named(at, "preview")).is_error
    assert not (await named(at, "publish")).is_error
    assert (await named(at, "fourth")).is_error
    assert await opened(at, "pool", {"id": POOL}) == Said(DONE)
    assert (await opened(at, "pools")).is_error
    assert (await named(at, "fourth")).is_error
    assert [action.type for action in at.acts.actions] == [
        "run_command",
        "offer_command",
        "confirm_command",
        "open_screen",
    ]


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"screen": 7},
        {"screen": "x" * 65},
        {"screen": "pool", "ids": {"id": None}},
        {"screen": "pool", "ids": [str(POOL)]},
        {"screen": "pool", "ids": {str(number): "x" for number in range(9)}},
        {"screen": "pool", "params": {"search": "x" * 1_001}},
        {"screen": "pool", "params": {"search": ["x"]}},
        {"screen": "pool", "path": "/pools"},
    ],
)
def test_arguments_of_another_form_are_none(given: object) -> None:
    with pytest.raises(ValidationError):
        OPEN_SCREEN.arguments.model_validate_json(json.dumps(given))


def test_every_param_that_is_an_id_has_its_kind() -> None:
    ids = {"category": str(CATEGORY), "item": str(QUESTION)}
    assert set(PARAM_KINDS) == set(ids)


class OnePool:
    """An LMS of one pool."""

    def for_tool(self, tool: str) -> "OnePool":
        return self

    async def pool(self, wanted: uuid.UUID) -> PoolDetail:
        return PoolDetail(id=wanted, title="Algebra", question_count=2, categories=(Ref(id=CATEGORY, title="Loops"),))


async def test_a_pool_names_its_categories_with_the_ids_that_narrow_its_screen() -> None:
    reads: Any = OnePool()
    tool = TOOLS["get_pool"]
    at = dataclasses.replace(at_desk(), reads=reads)
    found = await tool.run(tool.arguments.model_validate_json(json.dumps({"pool": str(POOL)})), at)
    assert isinstance(found, Found)
    assert found.records[0]["categories"] == ({"id": Seen(ItemKind.CATEGORY, CATEGORY), "title": Titled("Loops")},)
