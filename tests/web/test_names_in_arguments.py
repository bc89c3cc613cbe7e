"""What a model calls a tool with holds no name, and nothing that comes of the call tells it one."""

import re
from typing import Any

import pytest

from assist_service.domain.folding import folded
from assist_service.domain.messages import ModelReply, ModelRequest
from assist_service.services.understanding import BROKEN as UNKNOWN_PLACEHOLDER
from assist_service.tools.catalog import TOOLS
from tests.fakes.house import running_house
from tests.fakes.models import calls, says
from tests.web.live_questions import ActingModel, results, spoken
from tests.web.placeholders import IDS, LEARNS, ask, students, tag_of
from tests.web.writing import CONFIG, POOL, SEARCHED, new_category

pytestmark = pytest.mark.slow


def filled(schema: dict[str, Any], defs: dict[str, Any], text: str, *, name: str = "", ids: bool) -> Any:
    """A value of a schema with this text wherever there may be one; ids are real ones, or this text too."""
    if "$ref" in schema:
        return filled(defs[schema["$ref"].rsplit("/", 1)[-1]], defs, text, name=name, ids=ids)
    if "anyOf" in schema:
        return filled(schema["anyOf"][0], defs, text, name=name, ids=ids)
    match schema.get("type"):
        case "object" if "properties" in schema:
            return {key: filled(each, defs, text, name=key, ids=ids) for key, each in schema["properties"].items()}
        case "object":
            return {text: text, "statement": text}
        case "array":
            return [filled(schema["items"], defs, text, name=name.removesuffix("s"), ids=ids)] * 2
        case "string" if ids and schema.get("format") == "uuid":
            return IDS.get(name, POOL)
        case "string" if ids and "enum" in schema:
            return schema["enum"][0]
        case _:
            return text


NEARLY_RIGHT: dict[str, tuple[dict[str, Any], ...]] = {
    "read_guide": ({"page": "teacher/pools"},),
    "open_screen": ({"screen": "pool"}, {"screen": "pool", "ids": {"id": POOL}}),
    "create_question": ({"type": "mcq"},),
    "propose_question_edit": ({"rewrites": []}, {"additions": []}),
}
"""So that the call comes further than its first fault."""


def attempts(tool: str, text: str) -> list[dict[str, Any]]:
    """Arguments in which this text stands wherever one may, and as a key that the tool does not have."""
    schema = TOOLS[tool].arguments.model_json_schema()
    full, with_ids = (filled(schema, schema.get("$defs", {}), text, ids=ids) for ids in (False, True))
    return [full, with_ids, *({**with_ids, **right} for right in NEARLY_RIGHT.get(tool, ())), {text: text}]


@pytest.mark.parametrize("tool", sorted(TOOLS))
async def test_no_tool_tells_the_name_behind_a_placeholder(database_url: str, tool: str) -> None:
    model = ActingModel()
    async with running_house(database_url, provider=model) as house:
        names = students(house)
        for text in ("{0}-1", "{0}-1, {0}-2", "x" * 70 + " {0}-1"):

            def tries(request: ModelRequest, text: str = text) -> ModelReply:
                placeholders = text.format(f"Person-{tag_of(request)}")
                return calls(*((tool, arguments) for arguments in attempts(tool, placeholders)))

            model.steps = [LEARNS, SEARCHED, tries, says("ok")]
            house.clock.move(7)
            answer = await ask(house)
            assert answer.status_code == 200, answer.text
        words = {word for name in names for word in name.split()}
        for request in model.requests:
            assert [word for word in words if re.search(rf"\b{re.escape(word)}\b", spoken(request))] == []


async def test_the_refusals_of_an_edit_name_the_paths_there_are_and_the_place_of_an_addition(database_url: str) -> None:
    def tries(request: ModelRequest) -> ModelReply:
        who = f"Person-{tag_of(request)}-1"
        edits: list[dict[str, Any]] = [
            {"rewrites": [{"path": f"{who}, {who}", "text": "x"}]},
            {"additions": ["Something else", who, who]},
            {"additions": [f"asset:{who}"]},
        ]
        return calls(*(("propose_question_edit", each) for each in edits))

    model = ActingModel(LEARNS, tries, says("ok"))
    async with running_house(database_url, provider=model) as house:
        assert (await ask(house)).status_code == 200
    told = [result.content for result in results(model.requests[-1])]
    assert "/config/statement, " in told[0]
    assert told[1:] == [
        "Not proposed: Addition 3 is there already.",
        "Not proposed: Addition 1 holds [[…]], {{…}} or asset:, which is not for you to place.",
    ]


BROKEN = {
    "by what nobody sees": ("{}\u200b{}-1", True),
    "by a joiner": ("{}\u200d{}-1", True),
    "by an accent": ("{}\u0301{}-1", False),
    "by a dash": ("{}-{}-1", False),
    "in capitals of another width": ("\uff30{}{}-1", False),
    "of nobody": ("{}{}-99", False),
    "without a number": ("{}{}", False),
}


@pytest.mark.parametrize(("form", "is_healed"), BROKEN.values(), ids=BROKEN)
async def test_a_broken_placeholder_is_healed_or_refused_and_never_written(
    database_url: str, form: str, *, is_healed: bool
) -> None:
    tags = []

    def tries(request: ModelRequest) -> ModelReply:
        tag = tag_of(request)
        tags.append(tag)
        broken = "Person-" + form.format(tag[:4], tag[4:])
        config = {**CONFIG, f"For {broken}": 1}
        return calls(
            new_category(f"For {broken}"),
            ("create_question", {"pool": POOL, "type": "mcq", "config": config}),
            ("propose_question_edit", {"rewrites": [{"path": "/explanation", "text": f"By {broken}"}]}),
        )

    model = ActingModel(LEARNS, SEARCHED, tries, says("ok"))
    async with running_house(database_url, provider=model) as house:
        names = students(house)
        reply = (await ask(house)).json()
    assert tags[0] not in folded(str([reply["writes"], reply["actions"]])).replace("-", "")
    if is_healed:
        values = [line["value"] for line in reply["writes"][0]["lines"]]
        [name] = [name for name in names if f"For {name}" in values]
        assert [each.get("explanation") for each in reply["actions"]] == [f"By {name}"]
    else:
        assert (reply["writes"], reply["actions"]) == ([], [])
        assert {result.content for result in results(model.requests[-1])} == {UNKNOWN_PLACEHOLDER}


@pytest.mark.parametrize("value", [float("inf"), float("nan"), "deep"], ids=str)
async def test_what_no_json_holds_is_refused_and_the_question_goes_on(database_url: str, value: Any) -> None:
    if value == "deep":
        for _ in range(900):
            value = [value]
    config = {**CONFIG, "more": value}
    bad = ("create_question", {"pool": POOL, "type": "mcq", "config": config})
    model = ActingModel(SEARCHED, calls(bad, ("get_pool", {"pool": {"x": value}})), says("ok"))
    async with running_house(database_url, provider=model) as house:
        assert (await ask(house)).status_code == 200
    assert all(result.is_error for result in results(model.requests[-1]))


async def test_what_nobody_sees_is_out_of_an_argument_before_anything_is_done_with_it(database_url: str) -> None:
    search = ("open_screen", {"screen": "pools", "params": {"search": "a\u202eb\U000e0041"}})
    model = ActingModel(calls(search), says("ok"))
    async with running_house(database_url, provider=model) as house:
        [action] = (await ask(house)).json()["actions"]
    assert action["params"] == {"search": "ab"}
