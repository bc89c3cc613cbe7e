"""The vectors that a front end runs hold for the rule of this service, and have a case of each reason there is."""

import json
from collections.abc import Callable, Mapping
from typing import Any

import jsonschema
import pytest

from assist_service.adapters.configuration import load_catalogue
from assist_service.domain.acts import Acts
from assist_service.domain.context import Command
from assist_service.domain.interface import Reason, Refusal, open_screen, refused_beside, run_command
from assist_service.domain.people import Role
from assist_service.domain.reply import OpenScreen, ScreenCommand
from assist_service.domain.screens import Screen
from assist_service.settings import ROOT
from devtools.contracts import contract_files
from devtools.vectors import Vectors

CATALOGUE = load_catalogue(ROOT / "contracts" / "screens.yaml")

Given = Mapping[str, Any]
Outcome = OpenScreen | ScreenCommand | Refusal


def opening(given: Given) -> Outcome:
    screens = (
        {name: Screen.model_validate_json(json.dumps(each)) for name, each in given["screens"].items()}
        if "screens" in given
        else CATALOGUE.of_roles(Role(given["role"]))
    )
    return open_screen(screens, given["screen"], given["ids"], given["params"], language=given["language"])


def naming(given: Given) -> Outcome:
    commands = [Command.model_validate_json(json.dumps(each)) for each in given["commands"]]
    return run_command(commands, given["id"])


def noting(given: Given) -> Outcome:
    acts = Acts()
    *before, last = [
        (OpenScreen if each["type"] == "open_screen" else ScreenCommand).model_validate(each)
        for each in given["actions"]
    ]
    for action in before:
        assert refused_beside(acts, action) is None
        if isinstance(action, OpenScreen):
            acts.screen = action
        else:
            acts.commands.append(action)
    return refused_beside(acts, last) or last


RULES: Mapping[str, Callable[[Given], Outcome]] = {
    "open_screen": opening,
    "run_command": naming,
    "action_limits": noting,
}

FILES = {path.stem: path for path in sorted((ROOT / "contracts" / "vectors").iterdir())}
CASES = {
    f"{rule}: {case['name']}": (rule, case)
    for rule, path in FILES.items()
    for case in json.loads(path.read_text("utf-8"))["cases"]
}


def told(outcome: Outcome) -> dict[str, Any]:
    """What came of a case, as a vector writes it."""
    return (
        {"refused": outcome.reason.value}
        if isinstance(outcome, Refusal)
        else {"action": outcome.model_dump(mode="json")}
    )


@pytest.mark.parametrize(("rule", "case"), CASES.values(), ids=CASES)
def test_a_vector_holds(rule: str, case: Given) -> None:
    assert told(RULES[rule](case["given"])) == case["expect"]


def test_every_rule_has_its_file_and_no_case_a_name_of_another() -> None:
    assert set(FILES) == set(RULES)
    assert len(CASES) == sum(len(json.loads(path.read_text("utf-8"))["cases"]) for path in FILES.values())


def test_the_vectors_have_every_reason_and_every_type_of_action() -> None:
    expected = [case["expect"] for _, case in CASES.values()]
    assert {each["refused"] for each in expected if "refused" in each} == {reason.value for reason in Reason}
    assert {each["action"]["type"] for each in expected if "action" in each} == {
        "open_screen",
        "run_command",
        "offer_command",
        "confirm_command",
    }


@pytest.mark.parametrize("rule", FILES)
def test_a_file_holds_to_its_schema(rule: str) -> None:
    text = FILES[rule].read_text("utf-8")
    assert text.isascii(), "what nobody sees is written as an escape"
    assert Vectors.model_validate_json(text).root.rule == rule
    schema = json.loads(contract_files()["contracts/vectors.schema.json"])
    jsonschema.validate(json.loads(text), schema, cls=jsonschema.Draft202012Validator)
