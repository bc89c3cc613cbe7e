"""The check of a config by its type's schema: bounded, quoting nothing, and passing over what it cannot run."""

import time
from typing import Any

import pytest

from assist_service.adapters.config_schema import JsonConfigSchemas
from assist_service.domain.editing import SchemaFault
from assist_service.ports import SchemaUnfit
from tests.unit.drafts import TYPES, choice, mcq

SCHEMAS = JsonConfigSchemas()
TEXT = {"type": "string", "maxLength": 5}


async def faults(schema: dict[str, Any], config: dict[str, Any]) -> tuple[SchemaFault, ...]:
    (found,) = await SCHEMAS.faults(schema, (config,))
    return found


def of(text: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"type": "object", "properties": {"text": text}, **more}


async def test_faults_say_where_and_by_which_rule_and_quote_no_config() -> None:
    long = "x" * 2001
    config = mcq(choice(long), *(choice("SECRET", correct=True) for _ in range(8)))
    found = await faults(TYPES["mcq"].config_schema, config)
    assert {(each.pointer, each.words) for each in found} == {
        ("/choices", "maxItems 8"),
        ("/choices/0/text", "maxLength 2000"),
    }
    assert "SECRET" not in str(found)
    good, bad = await SCHEMAS.faults(TYPES["mcq"].config_schema, (mcq(choice("a"), choice("b")), mcq()))
    assert (good, [each.words for each in bad]) == ((), ["minItems 2"])


@pytest.mark.parametrize(
    "schema",
    [
        {},
        {"$id": "https://lms.example/mcq", **of({"type": "string"})},
        {"$schema": "https://json-schema.org/draft/2020-12/schema", **of({"type": "string"})},
        of({"pattern": "^(a+)+$"}),
        of({}, patternProperties={"^t": False}, additionalProperties=False),
        {"patternProperties": {"^t": {}}, "additionalProperties": False},
        of({}, unevaluatedProperties=False),
        of({"format": "date"}),
        of({"not": {"pattern": "<script"}}),
        of({"oneOf": [{"pattern": "a"}, {"pattern": "b"}]}),
        of({"if": {"pattern": "a"}, "then": False}),
        of({"not": {"$ref": "#/$defs/tag"}}, **{"$defs": {"tag": {"pattern": "<"}}}),
        {"properties": {"pattern": {"type": "string"}, "not": {"type": "string"}}},
    ],
    ids=str,
)
async def test_what_cannot_be_run_is_passed_over_and_makes_up_no_fault(schema: dict[str, Any]) -> None:
    started = time.perf_counter()
    assert await faults(schema, {"text": "a" * 40 + "!"}) == ()
    assert time.perf_counter() - started < 2


async def test_the_rest_is_still_looked_at() -> None:
    schema = of({**TEXT, "pattern": "^a"}, additionalProperties=False, required=["pattern"])
    found = await faults(schema, {"text": "too long", "more": 1})
    assert {each.words for each in found} == {"maxLength 5", "additionalProperties", "required"}
    assert [each.words for each in await faults({"properties": {"x": False}}, {"x": 1})] == ["false"]


DOUBLED = {f"d{n}": {"allOf": [{"$ref": f"#/$defs/d{n + 1}"}, {"$ref": f"#/$defs/d{n + 1}"}]} for n in range(20)} | {
    "d20": {}
}


@pytest.mark.parametrize(
    ("schema", "config"),
    [
        ({"$schema": "http://json-schema.org/draft-07/schema#"}, {}),
        ({"properties": {"text": {"$ref": "https://elsewhere.example/schema"}}}, {"text": ""}),
        ({"properties": {"text": {"$ref": "#/$defs/none"}}}, {"text": ""}),
        ({"properties": {"text": {"$dynamicRef": "#text"}}}, {"text": ""}),
        ({"properties": {"text": {"$id": "https://lms.example/text"}}}, {"text": ""}),
        ({"type": "riddle"}, {}),
        ({"$defs": DOUBLED, "$ref": "#/$defs/d0"}, {}),
        ({"description": "x" * 70_000}, {}),
        ({"properties": {"n": {"multipleOf": 0.1}}}, {"n": 10**400}),
        ({"properties": {"n": {"items": {"enum": list(range(999))}}}}, {"n": [-1] * 60_000}),
    ],
    ids=lambda value: str(value)[:50],
)
async def test_what_cannot_be_checked_in_bounded_work_is_unfit(schema: dict[str, Any], config: dict[str, Any]) -> None:
    with pytest.raises(SchemaUnfit):
        await faults(schema, config)


async def test_a_check_that_is_late_is_unfit() -> None:
    with pytest.raises(SchemaUnfit):
        await JsonConfigSchemas(seconds=0.0).faults(TYPES["mcq"].config_schema, (mcq(),))
