"""Every malformed completion is a documented refusal with its field named: no provider is asked, nothing is kept."""

import json
from typing import Any

import asyncpg
import pytest

from examples.reference_lms.clients import LLM_AUDIENCE
from tests.fakes.house import House, completion_body, running_house
from tests.fakes.models import ScriptedModel, says

pytestmark = pytest.mark.slow

GOOD = completion_body()
SCHEMA = GOOD["schema"]


def _spoken(*said: tuple[Any, Any]) -> dict[str, Any]:
    return completion_body(messages=[{"role": role, "content": content} for role, content in said])


def _of(**keywords: Any) -> dict[str, Any]:
    """A body whose schema has these keywords, too."""
    return completion_body(schema={"type": "object", **keywords})


def _without(key: str) -> dict[str, Any]:
    return {name: value for name, value in GOOD.items() if name != key}


def _nested(levels: int) -> Any:
    return {"not": _nested(levels - 1)} if levels else {}


DOUBLING = {f"d{n}": {"allOf": [{"$ref": f"#/$defs/d{n + 1}"}] * 2} for n in range(30)} | {"d30": {}}

DOUBLED = _of(**{"$defs": DOUBLING, "properties": {"a": {"$ref": "#/$defs/d0"}}})

UNSEEN: dict[str, Any] = {
    "line ends no answer has": _of(properties={"a": {"enum": ["x\r\ny"]}}),
    "a line end no answer has": _of(properties={"a": {"const": "x\u2028y"}}),
    "a key no answer has": _of(properties={"a\u200b": {}}),
    "a wanted key no answer has": _of(required=["a\u00ad"]),
    "words turned around": _of(properties={"a": {"const": "x\u202ey"}}),
    "words nobody sees": _of(description="Grade.\U000e0041"),
}

INVALID: list[tuple[str, Any, str]] = [
    ("the chat's own purpose", completion_body(purpose="assist"), "purpose"),
    ("a purpose nobody set", completion_body(purpose="poetry"), "purpose"),
    ("a purpose in capitals", completion_body(purpose="Grading"), "purpose"),
    ("a purpose that is a number", completion_body(purpose=1), "purpose"),
    ("no purpose", _without("purpose"), "purpose"),
    ("a model nobody has", completion_body(model="anthropic:claude-opus"), "model"),
    ("a model without a name", completion_body(model=""), "model"),
    ("a model that is a number", completion_body(model=1), "model"),
    ("a long model", completion_body(model="x" * 129), "model"),
    ("no messages", _without("messages"), "messages"),
    ("no message", completion_body(messages=[]), "messages"),
    ("101 messages", _spoken(*[("user", "a"), ("assistant", "b")] * 50, ("user", "a")), "messages"),
    ("a message that is a text", completion_body(messages=["hi"]), "messages.0"),
    ("messages that are a text", completion_body(messages="hi"), "messages"),
    ("a role nobody has", _spoken(("tool", "a")), "messages.0.role"),
    ("a role in capitals", _spoken(("User", "a")), "messages.0.role"),
    ("a message without a role", completion_body(messages=[{"content": "a"}]), "messages.0.role"),
    ("a message without content", completion_body(messages=[{"role": "user"}]), "messages.0.content"),
    (
        "a message with more",
        completion_body(messages=[{"role": "user", "content": "a", "name": "b"}]),
        "messages.0.name",
    ),
    ("content in parts", _spoken(("user", [{"type": "text", "text": "a"}])), "messages.0.content"),
    ("empty content", _spoken(("user", "")), "messages.0.content"),
    ("blank content", _spoken(("user", " \n")), "messages.0.content"),
    ("invisible content", _spoken(("user", "\u200b\U000e0041")), "messages.0.content"),
    ("an invisible system", _spoken(("system", "\u200b"), ("user", "a")), "messages.0.content"),
    ("long content", _spoken(("user", "x" * 200_001)), "messages.0.content"),
    ("the system alone", _spoken(("system", "a")), "messages"),
    ("the system later", _spoken(("user", "a"), ("system", "b")), "messages.1.role"),
    ("the system in between", _spoken(("user", "a"), ("system", "b"), ("user", "c")), "messages.1.role"),
    ("the assistant first", _spoken(("assistant", "a"), ("user", "b")), "messages"),
    ("the assistant last", _spoken(("user", "a"), ("assistant", "b")), "messages"),
    ("the user twice", _spoken(("user", "a"), ("user", "b")), "messages"),
    ("no schema", _without("schema"), "schema"),
    ("a schema that is true", completion_body(schema=True), "schema"),
    ("a schema that is a list", completion_body(schema=[SCHEMA]), "schema"),
    ("a schema that is a text", completion_body(schema=json.dumps(SCHEMA)), "schema"),
    ("a schema of anything", completion_body(schema={}), "schema"),
    ("a schema of a list", completion_body(schema={"type": "array"}), "schema"),
    ("a schema of an object or null", completion_body(schema={"type": ["object", "null"]}), "schema"),
    ("no schema by its type", _of(properties={"a": {"type": "objekt"}}), "schema"),
    ("no schema by its shape", _of(properties=[]), "schema"),
    ("no schema deep inside", _of(properties={"a": {"items": {"anyOf": [{"required": "b"}]}}}), "schema"),
    ("another dialect", _of(**{"$schema": "http://json-schema.org/draft-07/schema#"}), "schema"),
    ("a dialect from elsewhere", _of(**{"$schema": "https://evil.example/schema"}), "schema"),
    (
        "a dialect in a part",
        _of(properties={"a": {"$schema": "https://json-schema.org/draft/2020-12/schema"}}),
        "schema",
    ),
    ("a pattern", _of(properties={"a": {"pattern": "^(a+)+$"}}), "schema"),
    ("a pattern deep inside", _of(**{"if": {"not": {"contains": {"pattern": "a"}}}}), "schema"),
    ("patterns of properties", _of(patternProperties={"^(a+)+$": {}}), "schema"),
    ("an identifier", _of(**{"$id": "https://evil.example/schema"}), "schema"),
    ("an identifier in a part", _of(**{"$defs": {"a": {"$id": "b"}}, "$ref": "#/$defs/a"}), "schema"),
    ("an anchor", _of(**{"$defs": {"a": {"$anchor": "b"}}, "$ref": "#b"}), "schema"),
    ("a dynamic reference", _of(**{"$dynamicAnchor": "a", "$dynamicRef": "#a"}), "schema"),
    ("unevaluated properties", _of(unevaluatedProperties=False), "schema"),
    ("a reference to elsewhere", _of(properties={"a": {"$ref": "https://evil.example/schema"}}), "schema"),
    ("a reference to this machine", _of(properties={"a": {"$ref": "file:///etc/passwd"}}), "schema"),
    ("a reference to another file", _of(properties={"a": {"$ref": "other.json#/a"}}), "schema"),
    (
        "a reference to the metaschema",
        _of(properties={"a": {"$ref": "https://json-schema.org/draft/2020-12/schema"}}),
        "schema",
    ),
    ("a reference to a name", _of(properties={"a": {"$ref": "#a"}}), "schema"),
    ("a reference to nothing", _of(properties={"a": {"$ref": "#/$defs/a"}}), "schema"),
    ("a reference to what is no schema", _of(x={"pattern": "(a+)+$"}, properties={"a": {"$ref": "#/x"}}), "schema"),
    ("a reference that is a number", _of(properties={"a": {"$ref": 1}}), "schema"),
    ("a schema that leads into itself", _of(**{"$ref": "#"}), "schema"),
    ("references that double", _of(**{"$defs": DOUBLING, "$ref": "#/$defs/d0"}), "schema"),
    ("references that double behind a property", DOUBLED, "schema"),
    ("types of every kind", _of(properties={"a": {"type": ["x", *range(10_500)]}}), "schema"),
    ("1,001 parts", _of(properties={f"a{n}": {} for n in range(1_000)}), "schema"),
    ("a schema over 64 kB", _of(description="x" * 65_536), "schema"),
    ("keys that differ in what nobody sees", _of(properties={"a": {}, "a\u200b": {}}), "schema"),
    *((f"a schema with {name}", schema, "schema") for name, schema in UNSEEN.items()),
    ("no greatest length", _without("max_tokens"), "max_tokens"),
    ("no tokens", completion_body(max_tokens=0), "max_tokens"),
    ("tokens below none", completion_body(max_tokens=-1), "max_tokens"),
    ("too many tokens", completion_body(max_tokens=32_001), "max_tokens"),
    ("tokens in words", completion_body(max_tokens="500"), "max_tokens"),
    ("tokens that are a truth", completion_body(max_tokens=True), "max_tokens"),
    ("tokens with a fraction", completion_body(max_tokens=0.5), "max_tokens"),
    ("tokens null", {**GOOD, "max_tokens": None}, "max_tokens"),
    ("an unknown key", completion_body(temperature=1), "temperature"),
    ("the field by another name", {**_without("schema"), "wanted_schema": SCHEMA}, "schema"),
    ("a list", [GOOD], "body"),
    ("a text", "grade", "body"),
    ("nothing", None, "body"),
]

VALID: list[tuple[str, Any]] = [
    ("a model in use", completion_body(model="stub")),
    ("a model null", {**GOOD, "model": None}),
    ("the most tokens", completion_body(max_tokens=32_000)),
    ("tokens as JSON has them", completion_body(max_tokens=84.0)),
    ("99 messages", _spoken(*[("user", "a"), ("assistant", "b")] * 49, ("user", "a"))),
    ("long content", _spoken(("user", "x" * 200_000))),
    ("the dialect", _of(**{"$schema": "https://json-schema.org/draft/2020-12/schema"})),
    ("a property of that name", _of(properties={"pattern": {"type": "string"}, "$id": {}, "$ref": {}})),
    ("a value of that name", _of(properties={"a": {"enum": [{"pattern": "(", "$ref": "x"}]}}, examples=[{"$id": 1}])),
    ("a keyword nobody knows", _of(discriminator={"propertyName": "kind"})),
    ("definitions", _of(**{"$defs": {"a/b~c": {"type": "null"}}, "properties": {"x": {"$ref": "#/$defs/a~1b~0c"}}})),
    ("a tree", _of(properties={"next": {"$ref": "#"}})),
    ("1,000 parts", _of(properties={f"a{n}": {} for n in range(999)})),
    ("letters that join and an emoji", _of(properties={"\u0645\u06cc\u200c\u062e": {"enum": ["👩‍🏫", "a\n\tb", "é"]}})),
    ("as deep as a body may be", _of(**_nested(29))),
]

RAW: list[tuple[str, bytes, int, str]] = [
    ("no body", b"", 422, "invalid_request"),
    ("no JSON", b"{", 422, "invalid_request"),
    ("not UTF-8", b'{"purpose": "\xff\xfe"}', 422, "invalid_request"),
    ("NUL", json.dumps(_spoken(("user", "a\x00b"))).encode(), 422, "invalid_request"),
    ("NUL in a schema's key", json.dumps(_of(properties={"a\x00": {}})).encode(), 422, "invalid_request"),
    ("a lone surrogate", json.dumps(_spoken(("user", "a\ud800b"))).encode(), 422, "invalid_request"),
    ("a lone surrogate in a schema", json.dumps(_of(const={"a": "\udfff"})).encode(), 422, "invalid_request"),
    ("NaN in a schema", json.dumps(_of(minProperties=float("nan"))).encode(), 422, "invalid_request"),
    ("a number beyond all", b'{"max_tokens": 1e999}', 422, "invalid_request"),
    ("a number of many digits", b'{"max_tokens": ' + b"9" * 5_000 + b"}", 422, "invalid_request"),
    ("a key twice", b'{"purpose": "grading", "purpose": "review"}', 422, "invalid_request"),
    ("nested too deeply", json.dumps(_of(**_nested(40))).encode(), 422, "invalid_request"),
    ("nested out of reason", b'{"schema": ' + b"[" * 100_000 + b"]" * 100_000 + b"}", 422, "invalid_request"),
    ("just over 1 MiB", b'"' + b"x" * (1024 * 1024) + b'"', 413, "too_large"),
    ("far over 1 MiB", b'"' + b"x" * 10_000_000 + b'"', 413, "too_large"),
]


def _headers(house: House) -> dict[str, str]:
    return {"Authorization": f"Bearer {house.clients.mint(LLM_AUDIENCE)}", "Content-Type": "application/json"}


async def _nothing_kept(pool: asyncpg.Pool) -> None:
    for table in ("llm_calls", "llm_days"):
        assert await pool.fetchval(f"SELECT count(*) FROM {table}") == 0, table  # noqa: S608 a constant list


async def test_each_invalid_body_names_its_field(database_url: str, pool: asyncpg.Pool) -> None:
    model = ScriptedModel(says("never"))
    async with running_house(database_url, provider=model) as house:
        for name, body, field in INVALID:
            answer = await house.service.post("/llm/complete", content=json.dumps(body), headers=_headers(house))
            problem = answer.json()
            assert (answer.status_code, problem["code"]) == (422, "invalid_request"), name
            assert field in [error["field"] for error in problem["errors"]], (name, problem)
        assert model.requests == []
        await _nothing_kept(pool)


async def test_a_schema_that_a_model_would_see_otherwise_is_refused_with_the_reason(database_url: str) -> None:
    async with running_house(database_url, provider=ScriptedModel(says("{}"))) as house:
        for name, body in UNSEEN.items():
            answer = await house.service.post("/llm/complete", json=body, headers=_headers(house))
            [error] = answer.json()["errors"]
            assert error["field"] == "schema", name
            assert "has characters that no answer can have" in error["message"], name


async def test_what_is_just_within_the_bounds_is_asked(database_url: str) -> None:
    model = ScriptedModel(says("{}"))
    async with running_house(database_url, provider=model) as house:
        for name, body in VALID:
            answer = await house.service.post("/llm/complete", json=body, headers=_headers(house))
            problem = answer.json() if answer.status_code == 422 else None
            assert answer.status_code in (200, 503), (name, problem)
        assert len(model.requests) >= len(VALID)


async def test_any_bytes_are_a_documented_refusal(database_url: str, pool: asyncpg.Pool) -> None:
    async with running_house(database_url) as house:
        for name, content, status, code in RAW:
            answer = await house.service.post("/llm/complete", content=content, headers=_headers(house))
            assert (answer.status_code, answer.json()["code"]) == (status, code), name
            assert answer.headers["content-type"] == "application/problem+json"
        await _nothing_kept(pool)


async def test_a_refusal_never_quotes_what_was_sent(database_url: str) -> None:
    canary = "Marie Dupont 4.5"
    async with running_house(database_url) as house:
        for body in (
            completion_body(purpose=canary),
            completion_body(model=canary),
            completion_body(**{canary: 1}),
            _spoken((canary, canary)),
            _spoken(("user", canary), ("user", canary)),
            _of(**{canary: 1, "type": canary}),
            _of(properties={canary: {"type": canary}}),
            _of(**{"$ref": f"#/{canary}"}),
        ):
            answer = await house.service.post("/llm/complete", json=body, headers=_headers(house))
            assert answer.status_code == 422
            assert "Marie" not in answer.text
