"""A caller's schema is checked by in bounded time, fetches nothing, and finds what JSON Schema 2020-12 finds."""

import asyncio
import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from assist_service.adapters.models.stub_object import least
from assist_service.adapters.output_schema import JsonSchemas
from assist_service.adapters.schema_shape import walked
from assist_service.adapters.schema_work import NOT_TAKEN
from assist_service.domain.errors import AssistError, Code

SCHEMAS = JsonSchemas()

SECONDS = 30.0
"""Far above what any of these takes, and far below what they would take unbounded."""


def of(**keywords: Any) -> dict[str, Any]:
    return {"type": "object", **keywords}


def listed(**keywords: Any) -> dict[str, Any]:
    """A schema of an object with a list `x` of these keywords."""
    return of(properties={"x": keywords})


async def refused(schema: dict[str, Any], output: dict[str, Any] | None = None) -> str:
    with pytest.raises(AssistError) as error:
        await (SCHEMAS.refuse_unfit(schema) if output is None else SCHEMAS.mismatch(schema, output))
    assert error.value.code is Code.INVALID_REQUEST
    [fault] = error.value.faults
    assert fault.field == "schema"
    return fault.message


TWICE = {"allOf": [{"items": {"$ref": "#/$defs/r"}}, {"items": {"$ref": "#/$defs/r"}}]}


def nested(levels: int) -> Any:
    return [nested(levels - 1)] if levels else []


RUNAWAYS: dict[str, tuple[dict[str, Any], Any]] = {
    "branches that double at each level": (
        of(**{"$defs": {"r": TWICE}}, properties={"x": {"$ref": "#/$defs/r"}}),
        nested(28),
    ),
    "many branches over a long list": (listed(allOf=[{"items": {}}] * 900), [0] * 60_000),
    "many looks for the same": (listed(allOf=[{"contains": True}] * 900), [0] * 60_000),
    "a long list of values": (listed(items={"enum": list(range(10_000))}), [9_999] * 60_000),
    "a long list of wanted keys": (listed(items={"required": ["k"] * 9_000}), [{"k": 1} for _ in range(15_000)]),
    "many branches that print a long text": (of(anyOf=[{"type": "string"}] * 900), "a" * 1_000_000),
    "many properties of many objects": (
        listed(items={"properties": {f"k{n}": {} for n in range(900)}}),
        [{} for _ in range(40_000)],
    ),
    "unequal items in many branches": (
        listed(allOf=[{"uniqueItems": True}] * 900),
        [[n] if n % 2 else {"a": n} for n in range(10_000)],
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize(("schema", "output"), RUNAWAYS.values(), ids=RUNAWAYS)
async def test_no_schema_and_no_answer_runs_away(schema: dict[str, Any], output: Any) -> None:
    began = time.monotonic()
    assert "too much work" in await refused(schema, {"x": output})
    assert time.monotonic() - began < SECONDS


async def test_others_run_while_a_schema_is_checked() -> None:
    checking = asyncio.create_task(refused(*_pair("branches that double at each level")))
    turns = 0
    while not checking.done():
        await asyncio.sleep(0.005)
        turns += 1
    assert turns > 5


def _pair(name: str) -> tuple[dict[str, Any], dict[str, Any]]:
    schema, output = RUNAWAYS[name]
    return schema, {"x": output}


async def test_many_unequal_items_are_compared_in_one_pass() -> None:
    items = [[n] if n % 2 else {"a": n} for n in range(20_000)]
    began = time.monotonic()
    assert await SCHEMAS.mismatch(listed(uniqueItems=True), {"x": items}) is None
    assert await SCHEMAS.mismatch(listed(uniqueItems=True), {"x": [*items, {"a": 0.0}]}) is not None
    assert time.monotonic() - began < SECONDS


@pytest.mark.parametrize(
    ("items", "unique"),
    [
        ([1, 1.0], False),
        ([1, True], True),
        ([0, False], True),
        ([[1], [1.0]], False),
        (["a", "b"], True),
        ([{}, []], True),
    ],
)
async def test_items_are_the_same_as_json_schema_has_it(items: list[Any], unique: bool) -> None:
    mismatch = await SCHEMAS.mismatch(listed(uniqueItems=True), {"x": items})
    assert (mismatch is None) == unique
    assert (mismatch is None) == Draft202012Validator({"uniqueItems": True}).is_valid(items)


async def test_a_large_answer_of_an_ordinary_schema_is_checked() -> None:
    item = of(properties={"a": {"type": "integer"}, "b": {"enum": ["x", "y"]}}, required=["a", "b"])
    output = {"x": [{"a": 1, "b": "x"} for _ in range(6_000)]}
    assert await SCHEMAS.mismatch(listed(type="array", items=item), output) is None


async def test_a_number_the_library_cannot_divide_is_a_mismatch() -> None:
    assert await SCHEMAS.mismatch(listed(multipleOf=0.1), {"x": 10**4_000}) is not None


async def test_what_is_told_is_bounded() -> None:
    told = await SCHEMAS.mismatch(listed(items={"type": "string"}), {"x": [10**300 for _ in range(1_000)]})
    assert told is not None
    assert len(told) < 1_100


async def test_a_schema_that_names_its_dialect_is_charged_like_any() -> None:
    """By that name the library would take its own keywords at each reference to the whole."""
    twice = {"allOf": [{"$ref": "#"}, {"$ref": "#"}]}
    schema = of(**{"$schema": "https://json-schema.org/draft/2020-12/schema", "properties": {"x": twice}})
    output: dict[str, Any] = {}
    for _ in range(17):
        output = {"x": output}
    assert "too much work" in await refused(schema, output)


def test_every_keyword_that_checks_is_charged_or_refused() -> None:
    assert set(Draft202012Validator.VALIDATORS) >= NOT_TAKEN
    for keyword in NOT_TAKEN - {"format"}:
        assert walked(of(**{keyword: {}})) is not None


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.floats(-2, 2) | st.text("ab", max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abc"), inner, max_size=3),
    max_leaves=8,
)

PARTS: st.SearchStrategy[Any] = st.recursive(
    st.booleans()
    | st.fixed_dictionaries(
        {},
        optional={
            "type": st.sampled_from(["object", "array", "string", "integer", "number", "null", "boolean"]),
            "const": VALUES,
            "enum": st.lists(VALUES, min_size=1, max_size=3),
            "minimum": st.integers(-2, 2),
            "multipleOf": st.sampled_from([1, 2, 0.5]),
            "minLength": st.integers(0, 3),
            "maxItems": st.integers(0, 3),
            "uniqueItems": st.booleans(),
            "required": st.lists(st.sampled_from("abc"), unique=True, max_size=2),
            "$ref": st.just("#/$defs/leaf"),
        },
    ),
    lambda inner: st.fixed_dictionaries(
        {},
        optional={
            "properties": st.dictionaries(st.sampled_from("abc"), inner, max_size=3),
            "additionalProperties": inner,
            "items": inner,
            "prefixItems": st.lists(inner, min_size=1, max_size=2),
            "contains": inner,
            "propertyNames": inner,
            "allOf": st.lists(inner, min_size=1, max_size=2),
            "anyOf": st.lists(inner, min_size=1, max_size=2),
            "oneOf": st.lists(inner, min_size=1, max_size=2),
            "not": inner,
            "if": inner,
            "then": inner,
            "else": inner,
            "dependentSchemas": st.dictionaries(st.sampled_from("abc"), inner, max_size=2),
        },
    ),
    max_leaves=8,
)


@pytest.mark.slow
@given(part=PARTS, value=VALUES)
@settings(max_examples=200, deadline=None)
def test_it_finds_what_the_library_finds(part: Any, value: Any) -> None:
    schema = of(**{"$defs": {"leaf": {"type": ["string", "array"]}}, "properties": {"x": part}})
    with asyncio.Runner() as runner:
        runner.run(SCHEMAS.refuse_unfit(schema))
        mismatch = runner.run(SCHEMAS.mismatch(schema, {"x": value}))
    assert (mismatch is None) == Draft202012Validator(schema).is_valid({"x": value})


SIMPLE: dict[str, dict[str, Any]] = {
    "nothing wanted": {},
    "one of each type": {
        "properties": {t: {"type": t} for t in ("object", "array", "string", "integer", "number", "null", "boolean")}
    },
    "a constant": {"properties": {"a": {"const": {"b": 1}}}},
    "one of a few": {"properties": {"a": {"enum": ["x", "y"]}}},
    "a long text": {"properties": {"a": {"type": "string", "minLength": 17}}},
    "a number from": {"properties": {"a": {"type": "number", "minimum": 1.5}, "b": {"type": "integer", "minimum": -7}}},
    "a number above": {
        "properties": {
            "a": {"type": "integer", "exclusiveMinimum": 3},
            "b": {"exclusiveMinimum": 2.5, "type": "number"},
        }
    },
    "a number to": {
        "properties": {"a": {"type": "integer", "maximum": -4}, "b": {"type": "number", "exclusiveMaximum": -1}}
    },
    "a list": {"properties": {"a": {"type": "array", "minItems": 3, "items": {"type": "integer", "minimum": 2}}}},
    "a list that begins so": {
        "properties": {"a": {"type": "array", "minItems": 2, "prefixItems": [{"const": 1}], "items": {"const": 2}}}
    },
    "a list of types": {"properties": {"a": {"type": ["string", "null"], "minLength": 2}}},
    "a choice": {
        "properties": {"a": {"anyOf": [{"type": "string"}, {"type": "null"}]}, "b": {"oneOf": [{"const": 3}]}}
    },
    "a reference": {
        "$defs": {"p": {"type": "object", "properties": {"q": {"type": "boolean"}}, "required": ["q"]}},
        "properties": {"a": {"$ref": "#/$defs/p"}},
    },
    "a tree": {
        "$defs": {
            "t": {
                "type": "object",
                "properties": {"n": {"anyOf": [{"$ref": "#/$defs/t"}, {"type": "null"}]}},
                "required": ["n"],
            }
        },
        "properties": {"a": {"$ref": "#/$defs/t"}},
    },
    "objects in objects": {
        "properties": {
            "a": of(properties={"b": of(properties={"c": {"type": "string"}}, required=["c"])}, required=["b"])
        }
    },
}


@pytest.mark.parametrize("keywords", SIMPLE.values(), ids=SIMPLE)
async def test_the_stub_makes_the_least_object_of_a_simple_schema(keywords: dict[str, Any]) -> None:
    schema = of(**keywords, required=list(keywords.get("properties", ())), additionalProperties=False)
    await SCHEMAS.refuse_unfit(schema)
    made = least(schema)
    assert await SCHEMAS.mismatch(schema, made) is None
    assert made == least(schema)


@pytest.mark.parametrize(
    "keywords",
    [
        {"properties": {"a": {"type": "string", "minLength": 10**12}}, "required": ["a"]},
        {"properties": {"a": {"$ref": "#"}, "b": {"$ref": "#"}}, "required": ["a", "b"]},
        {
            "$defs": {"l": {"type": "array", "minItems": 10**9, "items": {"$ref": "#/$defs/l"}}},
            "properties": {"a": {"$ref": "#/$defs/l"}},
            "required": ["a"],
        },
    ],
)
def test_the_stub_makes_nothing_without_end(keywords: dict[str, Any]) -> None:
    began = time.monotonic()
    least(of(**keywords))
    assert time.monotonic() - began < SECONDS
