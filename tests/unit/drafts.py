"""Drafts of the reference LMS's five types, and its types as the service reads them."""

import json
import uuid
from collections.abc import Mapping
from typing import Any

from assist_service.domain.context import EditorDraft
from assist_service.domain.editing import DraftAtHand
from assist_service.domain.question_types import QuestionType
from examples.reference_lms.api.question_types import QUESTION_TYPES

QUESTION = uuid.UUID(int=7)

TYPES: Mapping[str, QuestionType] = {
    str(each["type"]): QuestionType.model_validate_json(json.dumps(each)) for each in QUESTION_TYPES
}

EMPTY: Mapping[str, Any] = {"text": "", "correct": False}


def choice(text: str, *, correct: bool = False) -> dict[str, Any]:
    return {"text": text, "correct": correct}


def mcq(*choices: Any, statement: str = "What is it?", **more: Any) -> dict[str, Any]:
    return {"statement": statement, "multiple": False, "choices": list(choices), **more}


def at_hand(
    config: dict[str, Any], *, type_: str = "mcq", explanation: str = "Because.", of: QuestionType | None = None
) -> DraftAtHand:
    draft = EditorDraft(question_id=QUESTION, type=type_, base="v1", config=config, explanation=explanation)
    return DraftAtHand(draft, of or TYPES[type_])
