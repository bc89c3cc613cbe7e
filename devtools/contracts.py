"""Writes what other programs are written against: `openapi.yaml` and `contracts/*.schema.json`, from the code.

A test compares the committed files with what this makes.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml
from fastapi import FastAPI
from pydantic import BaseModel
from pydantic.json_schema import JsonSchemaMode

from assist_service.domain.availability import Availability
from assist_service.domain.completion import Completion
from assist_service.domain.progress import Progress
from assist_service.domain.reply import Reply
from assist_service.domain.screens import Catalogue
from assist_service.domain.transcript import ConversationList, TranscriptPage
from assist_service.services.manual import SectionPage
from assist_service.web.app import create_routes
from assist_service.web.errors import Problem
from assist_service.web.openapi import document
from assist_service.web.schemas import AskRequest, CompletionRequest
from devtools.vectors import Vectors

ROOT = Path(__file__).resolve().parents[1]

SCHEMAS: Mapping[str, tuple[type[BaseModel], JsonSchemaMode]] = {
    "ask.request": (AskRequest, "validation"),
    "ask.reply": (Reply, "serialization"),
    "ask.progress": (Progress, "serialization"),
    "complete.request": (CompletionRequest, "validation"),
    "complete.reply": (Completion, "serialization"),
    "availability": (Availability, "serialization"),
    "conversations": (ConversationList, "serialization"),
    "conversation": (TranscriptPage, "serialization"),
    "section": (SectionPage, "serialization"),
    "problem": (Problem, "serialization"),
    "screens": (Catalogue, "validation"),
    "vectors": (Vectors, "validation"),
}


def contract_files() -> dict[str, str]:
    """Every generated file by its path under the project's root."""
    files = {"openapi.yaml": _yaml(document(create_routes(FastAPI())))}
    for name, (model, mode) in SCHEMAS.items():
        files[f"contracts/{name}.schema.json"] = _json(
            {"$schema": "https://json-schema.org/draft/2020-12/schema", **model.model_json_schema(mode=mode)}
        )
    return files


def _yaml(value: Any) -> str:
    return yaml.safe_dump(value, sort_keys=False, allow_unicode=True, width=120)


def _json(value: Any) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


def main() -> None:
    """Writes the files."""
    for name, text in contract_files().items():
        (ROOT / name).write_text(text, "utf-8")


if __name__ == "__main__":
    main()
