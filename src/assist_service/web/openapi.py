"""The OpenAPI document: the framework's, with the bodies that routes read themselves."""

from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from assist_service.web.errors import Problem
from assist_service.web.schemas import AskRequest, CompletionRequest

TITLE = "assist-service"
VERSION = "1"
OUR_OWN = (AskRequest, CompletionRequest, Problem)
"""Models the framework does not see: bodies that routes read themselves, and refusals."""

REFERENCES = "#/components/schemas/{model}"


def document(app: FastAPI) -> dict[str, Any]:
    """The document of an application that has its routes. Shapes as OpenAPI 3.1 defines them."""
    made = get_openapi(title=TITLE, version=VERSION, routes=app.routes)
    schemas = made["components"]["schemas"]
    for model in OUR_OWN:
        schema = model.model_json_schema(ref_template=REFERENCES)
        schemas.update(schema.pop("$defs", {}))
        schemas[model.__name__] = schema
    _leave_out_the_frameworks_refusals(made)
    made["components"]["schemas"] = dict(sorted(schemas.items()))
    return made


def _leave_out_the_frameworks_refusals(made: dict[str, Any]) -> None:
    """Every 422 is a problem document; the framework adds its own shape where a route documents none."""
    for operation in (each for path in made["paths"].values() for each in path.values()):
        refusal = operation["responses"].get("422", {})
        if "application/json" in refusal.get("content", {}):
            del operation["responses"]["422"]
    for name in ("HTTPValidationError", "ValidationError"):
        made["components"]["schemas"].pop(name, None)
