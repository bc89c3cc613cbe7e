"""`python -m examples.reference_lms.contract` writes `contracts/lms.openapi.yaml`, what an LMS must offer.

The paths under `/api` come from the table the routes are made of; what else there is stands here.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml
from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from examples.reference_lms.api import shapes
from examples.reference_lms.api.bodies import Query
from examples.reference_lms.api.endpoints import ENDPOINTS, READS, Endpoint
from examples.reference_lms.api.refusals import REFUSALS
from examples.reference_lms.contract_identity import (
    DESCRIPTION,
    IDENTITY_PATHS,
    IDENTITY_SCHEMAS,
    NONCE_HEADER,
    SECURITY_SCHEMES,
)

FILE = Path(__file__).resolve().parents[2] / "contracts" / "lms.openapi.yaml"

HEADER = "# Made by `python -m examples.reference_lms.contract`; change the code there, not this file.\n"

Json = dict[str, Any]

_REF = "#/components/schemas/{model}"

REASONS: Mapping[int, str] = {
    400: "`invalid_cursor`: the cursor belongs to another list. `idempotency_key_needed`: a write without one.",
    401: "No live token, no proof, or (`use_dpop_nonce` in WWW-Authenticate) a proof without a nonce of now.",
    403: "`insufficient_scope`: the token's scope is not for this.",
    404: "It does not exist, or the person has no seat on the course it belongs to: byte for byte the same answer.",
    409: "What is there stands against it: a draft question for a template, a pool that is linked already. Never for a "
    "request that is still under way.",
    422: "The request is not valid, or its Idempotency-Key was used for another one.",
}


NONCE: Json = {"DPoP-Nonce": {"$ref": "#/components/headers/DPoPNonce"}}

PARAMETERS: Json = {
    "Tool": {"name": "X-Assist-Tool", "in": "header", "schema": {"type": "string"}, "description": "Which tool asks."},
    "Id": {"name": "id", "in": "path", "required": True, "schema": {"type": "string", "format": "uuid"}},
    "IdempotencyKey": {
        "name": "Idempotency-Key",
        "in": "header",
        "required": True,
        "schema": {"type": "string", "pattern": r"^[\x21-\x7e]{1,255}$"},
        "description": "Kept for at least 24 hours: the same request under it gets the same answer and writes nothing. "
        "Looked up before anything that the write itself may have changed; while the first request is under way, the "
        "second waits or is answered with 503.",
    },
}


def contract() -> Json:
    """The whole document."""
    models = {model for endpoint in ENDPOINTS for model in (endpoint.answer, endpoint.body) if model}
    keyed: Sequence[tuple[type[BaseModel], Any]] = [
        (model, "validation") for model in sorted([*models, shapes.Standing, shapes.Refused], key=lambda m: m.__name__)
    ]
    names, definitions = models_json_schema(keyed, ref_template=_REF)
    refs = {model: names[model, "validation"]["$ref"] for model, _ in keyed}
    paths: Json = {}
    for endpoint in ENDPOINTS:
        paths.setdefault(endpoint.path, {})[endpoint.method.lower()] = _operation(endpoint, refs)
    schemas = {_plain(name): _renamed(schema) for name, schema in definitions["$defs"].items()}
    return {
        "openapi": "3.1.0",
        "info": {"title": "What assist-service asks of an LMS", "version": "1", "description": DESCRIPTION},
        "paths": {**_renamed(paths), **IDENTITY_PATHS},
        "components": {
            "schemas": dict(sorted({**schemas, **IDENTITY_SCHEMAS}.items())),
            "securitySchemes": SECURITY_SCHEMES,
            "headers": {"DPoPNonce": NONCE_HEADER},
            "parameters": PARAMETERS,
            "responses": {f"Refused{status}": _refused(status) for status in REASONS},
        },
    }


def contract_text() -> str:
    return HEADER + yaml.dump(contract(), Dumper=_Readable, sort_keys=False, allow_unicode=True, width=120)


class _Readable(yaml.SafeDumper):
    """Texts of several lines stand as they are; what occurs twice is written twice."""

    def ignore_aliases(self, data: Any) -> bool:
        return True

    def represent_str(self, data: str) -> yaml.ScalarNode:
        return self.represent_scalar("tag:yaml.org,2002:str", data, style="|" if "\n" in data else None)


_Readable.add_representer(str, _Readable.represent_str)


def _operation(endpoint: Endpoint, refs: Mapping[type[BaseModel], str]) -> Json:
    operation: Json = {
        "operationId": endpoint.name,
        "summary": endpoint.summary,
        "security": [{"dpop": [], "dpopProof": []}, {"bearer": []}],
        "parameters": _parameters(endpoint),
        "responses": _responses(endpoint, refs[endpoint.answer]),
    }
    if endpoint.tool:
        operation["description"] = f"Scope `assist:write:{endpoint.tool}`."
    else:
        operation["description"] = "Scope `assist:read`; those that write may read too."
    if endpoint.body:
        content = {"application/json": {"schema": {"$ref": refs[endpoint.body]}}}
        operation["requestBody"] = {"required": True, "content": content}
    return operation


def _parameters(endpoint: Endpoint) -> list[Json]:
    named = ["Tool"] + ["Id"] * bool(endpoint.kind) + ["IdempotencyKey"] * bool(endpoint.tool)
    return [{"$ref": f"#/components/parameters/{name}"} for name in named] + _query_parameters(endpoint.query)


def _query_parameters(query: type[Query]) -> list[Json]:
    schema = query.model_json_schema()
    definitions = schema.get("$defs", {})
    found = []
    for name, given in schema.get("properties", {}).items():
        # A parameter that is left out has no value: its null is no value that could be sent.
        options = [each for each in given.get("anyOf", [given]) if each.get("type") != "null"]
        of_type = dict(options[0])
        if "$ref" in of_type:
            of_type = dict(definitions[of_type["$ref"].rsplit("/", 1)[1]])
        cleaned = {key: value for key, value in of_type.items() if key not in {"title", "description"}}
        found.append({"name": name, "in": "query", "schema": cleaned})
    return found


def _responses(endpoint: Endpoint, ref: str) -> Json:
    status = 201 if endpoint.tool else 200
    answered = {"application/json": {"schema": {"$ref": ref}}}
    words = "The thing that was made or changed." if endpoint.tool else "Further keys are allowed, and dropped."
    found: Json = {str(status): {"description": words, "headers": dict(NONCE), "content": answered}}
    statuses = {401, 422} | ({404} if _may_miss(endpoint) else set())
    if endpoint not in READS:
        statuses |= {status for status, _ in REFUSALS.values()}
    elif "cursor" in endpoint.query.model_fields:
        statuses.add(400)
    for each in sorted(statuses):
        found[str(each)] = {"$ref": f"#/components/responses/Refused{each}"}
    return found


def _refused(status: int) -> Json:
    headers: Json = dict(NONCE)
    if status == 401:
        challenge = 'As in DPoP error="use_dpop_nonce".'
        headers["WWW-Authenticate"] = {"schema": {"type": "string"}, "description": challenge}
    content = {"application/json": {"schema": {"$ref": _REF.format(model="Refused")}}}
    return {"description": REASONS[status], "headers": headers, "content": content}


def _may_miss(endpoint: Endpoint) -> bool:
    named_elsewhere = {"classroom", "pool"} & {
        *endpoint.query.model_fields,
        *(endpoint.body.model_fields if endpoint.body else ()),
    }
    return bool(endpoint.kind or named_elsewhere)


def _plain(name: str) -> str:
    """`Page_Course_` is not what a reader would call it."""
    return f"{name.removeprefix('Page_').removesuffix('_')}Page" if name.startswith("Page_") else name


def _renamed(part: Any) -> Any:
    match part:
        case dict():
            return {key: _renamed(value) for key, value in part.items() if not _is_made_title(key, value)}
        case list():
            return [_renamed(each) for each in part]
        case str() if part.startswith(_REF.format(model="")):
            prefix = _REF.format(model="")
            return prefix + _plain(part.removeprefix(prefix))
    return part


def _is_made_title(key: str, value: object) -> bool:
    """pydantic titles every field with its own name; a property called `title` is a schema, not a text."""
    return key == "title" and isinstance(value, str)


if __name__ == "__main__":
    FILE.write_text(contract_text(), "utf-8")
