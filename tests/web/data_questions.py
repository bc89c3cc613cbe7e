"""A model that reads the guide and two data tools, and may be asked as often as it takes."""

import json
from typing import Any
from uuid import UUID

from assist_service.domain.messages import ModelReply, ModelRequest, ToolResults
from tests.fakes.models import calls, reads, says


def _results(request: ModelRequest) -> list[str]:
    last = request.messages[-1]
    assert isinstance(last, ToolResults)
    return [result.content for result in last.results]


def first_record(result: str) -> dict[str, Any]:
    return dict(json.loads(next(line for line in result.splitlines() if line.startswith("{"))))


def reads_guide_and_data(request: ModelRequest) -> ModelReply:
    """Where it is in its four requests shows from what was said since the question."""
    since = sum(isinstance(message, ToolResults) for message in request.messages)
    if since == 0:
        return reads("teacher/pools")
    if since == 1:
        return calls(("list_courses", {}))
    if since == 2:
        return calls(("get_course", {"course": str(UUID(first_record(_results(request)[0])["id"]))}))
    return says("So it is [s1].")
