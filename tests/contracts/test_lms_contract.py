"""`contracts/lms.openapi.yaml` is valid, is made from the reference LMS, and holds for its answers."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import jsonschema
import pytest
import yaml
from schemathesis.specs.openapi.definitions import OPENAPI_31

from examples.reference_lms.api.endpoints import ENDPOINTS, READS
from examples.reference_lms.caller import Caller, call_in_process
from examples.reference_lms.contract import contract_text
from examples.reference_lms.school import FRENCH_TEACHER
from examples.reference_lms.store import open_store
from tests.fakes.clocks import HandClock

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "contracts" / "lms.openapi.yaml").read_text("utf-8")
CONTRACT: dict[str, Any] = yaml.safe_load(TEXT)
TEACHER = FRENCH_TEACHER.sub
OPERATIONS = [
    (path, method, operation) for path, methods in CONTRACT["paths"].items() for method, operation in methods.items()
]


@pytest.fixture
async def lms() -> AsyncIterator[Caller]:
    caller = call_in_process(url="https://lms.example.test", now=HandClock().now)
    async with caller.http:
        yield caller


def check(answer: Any, path: str, method: str = "get") -> None:
    """The answer's status is among those of the operation, and its body has the shape that stands there."""
    responses = CONTRACT["paths"][path][method]["responses"]
    assert str(answer.status_code) in responses, (path, answer.status_code)
    response = resolve(responses[str(answer.status_code)])
    if "content" not in response:
        assert answer.content == b""
        return
    assert answer.headers["content-type"] == "application/json"
    schema = {**response["content"]["application/json"]["schema"], "components": CONTRACT["components"]}
    jsonschema.validate(
        answer.json(),
        schema,
        cls=jsonschema.Draft202012Validator,
        format_checker=jsonschema.Draft202012Validator.FORMAT_CHECKER,
    )


def resolve(part: dict[str, Any]) -> dict[str, Any]:
    while "$ref" in part:
        found: Any = CONTRACT
        for name in part["$ref"].removeprefix("#/").split("/"):
            found = found[name]
        part = found
    return part


def test_it_is_the_one_the_reference_lms_makes() -> None:
    assert contract_text() == TEXT, "run `python -m examples.reference_lms.contract`"


def test_it_is_openapi() -> None:
    jsonschema.validate(CONTRACT, OPENAPI_31, cls=jsonschema.Draft202012Validator)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**CONTRACT, "paths": 7}, OPENAPI_31, cls=jsonschema.Draft202012Validator)


def test_every_reference_leads_somewhere_and_every_schema_is_one() -> None:
    def walk(part: Any) -> None:
        if isinstance(part, dict):
            if isinstance(part.get("$ref"), str):
                resolve(part)
            for each in part.values():
                walk(each)
        elif isinstance(part, list):
            for each in part:
                walk(each)

    walk(CONTRACT)
    for schema in CONTRACT["components"]["schemas"].values():
        jsonschema.Draft202012Validator.check_schema(schema)


def test_operations_have_names_of_their_own_and_know_their_paths() -> None:
    names = [operation["operationId"] for _, _, operation in OPERATIONS]
    assert len(set(names)) == len(names)
    for path, _, operation in OPERATIONS:
        parameters = [resolve(parameter) for parameter in operation.get("parameters", [])]
        in_path = {parameter["name"] for parameter in parameters if parameter["in"] == "path"}
        assert in_path == {part[1:-1] for part in path.split("/") if part.startswith("{")}
        schemes = {name for option in operation["security"] for name in option}
        assert schemes <= CONTRACT["components"]["securitySchemes"].keys()


def test_the_endpoints_are_these() -> None:
    assert sorted(f"{method.upper()} {path}" for path, method, _ in OPERATIONS) == sorted(
        f"GET /api/{path}"
        for path in (
            "assist/standing/{sub} classrooms classrooms/{id} classrooms/{id}/gradebook classrooms/{id}/leaderboard "
            "classrooms/{id}/students courses courses/{id} courses/{id}/staff evaluations evaluations/{id} pools "
            "pools/{id} pools/{id}/questions pools/{id}/stats question-types questions/{id} templates templates/{id}"
        ).split()
    ) + sorted(
        [
            "POST /api/courses/{id}/pools",
            "POST /api/pools/{id}/categories",
            "POST /api/questions",
            "POST /api/questions/similar",
            "POST /api/templates",
            "POST /api/templates/{id}/questions",
            "POST /oauth/revoke",
            "POST /oauth/token",
        ]
    )


async def test_reads_answer_as_it_says(lms: Caller) -> None:
    token = await lms.token(TEACHER)
    store = open_store()
    store.ask_as(TEACHER, everything=False)
    for endpoint in READS:
        ids = [row["id"] for row in store.rows(f"SELECT id FROM my_{endpoint.kind}")][:5] if endpoint.kind else [""]  # noqa: S608 - fixed names
        body = {"text": "pointeur"} if endpoint.body else None
        for id_ in [*ids, *([str(uuid4())] if endpoint.kind else [])]:
            path = endpoint.path.replace("{id}", id_)
            check(await lms.call(endpoint.method, path, token, json=body), endpoint.path, endpoint.method.lower())
        concrete = endpoint.path.replace("{id}", ids[0])
        for wrong in ("cursor=AAAA", "limit=0", "unknown=1"):
            answer = await lms.call(endpoint.method, f"{concrete}?{wrong}", token, json=body)
            assert answer.status_code in {400, 422}
            check(answer, endpoint.path, endpoint.method.lower())
        check(await lms.call(endpoint.method, concrete, "none", json=body), endpoint.path, endpoint.method.lower())


async def test_writes_answer_as_it_says(lms: Caller) -> None:
    pool, template = "e0f315cd-3452-4f41-8691-993f41f5b231", "2f1fc48c-8df8-4547-91aa-91877c2a488a"
    store = open_store()
    store.ask_as(TEACHER, everything=False)
    draft = store.rows("SELECT id FROM my_question WHERE status = 'draft'")[0]["id"]
    own_pool = store.rows("SELECT id FROM my_pool WHERE owner IS NOT NULL")[0]["id"]
    question = {"pool": pool, "type": "open", "config": {"statement": "?", "guidance": "", "max_words": 9}}
    bodies: dict[str, list[dict[str, Any]]] = {
        "/api/questions": [question, {**question, "config": {}}],
        "/api/pools/{id}/categories": [{"title": "x"}, {"title": ""}],
        "/api/templates": [{"title": "x"}, {"title": "x", "questions": [draft]}],
        "/api/templates/{id}/questions": [{"questions": [draft]}, {"questions": []}],
        "/api/courses/{id}/pools": [{"pool": own_pool}, {"pool": pool}, {"pool": str(uuid4())}],
    }
    ids = {"pool": pool, "template": template, "course": "15836ecc-3473-4a44-96ca-e5bf72eccaa6"}
    for endpoint in [each for each in ENDPOINTS if each.tool]:
        token = await lms.token(TEACHER, scope=f"assist:write:{endpoint.tool}")
        path = endpoint.path.replace("{id}", ids.get(endpoint.kind or "", ""))
        for body in bodies[endpoint.path]:
            for key in (str(uuid4()), None):
                check(await lms.post(path, token, body, key=key), endpoint.path, "post")
        check(await lms.post(path, await lms.token(TEACHER), bodies[endpoint.path][0], key="k"), endpoint.path, "post")


async def test_identity_answers_as_it_says(lms: Caller) -> None:
    session = await lms.session(TEACHER)
    answer = await lms.exchange(session)
    check(answer, "/oauth/token", "post")
    check(await lms.exchange(session, scope="none"), "/oauth/token", "post")
    check(await lms.exchange(session, proof=None), "/oauth/token", "post")
    check(await lms.exchange(session, client_assertion="none"), "/oauth/token", "post")
    check(await lms.revoke(answer.json()["access_token"]), "/oauth/revoke", "post")
    check(await lms.revoke("x", assertion={"iss": "other"}), "/oauth/revoke", "post")
    path = "/api/assist/standing/{sub}"
    check(await lms.standing(TEACHER), path)
    check(await lms.standing("nobody"), path)
    check(await lms.standing(TEACHER, assertion={"exp": 1}), path)
