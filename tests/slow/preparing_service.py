"""The whole service as a process whose model prepares what it is asked for: `python -m tests.slow.preparing_service`.

It is `assist-service serve` but for the model, and for how many seconds a request may go on once the process is told
to stop, which stand after the command. A question names one of the five writes and, after it, a title.
"""

import asyncio
import sys
from collections.abc import Mapping, Sequence

from assist_service import telemetry
from assist_service.cli.serving import SHUTDOWN_SECONDS, serve
from assist_service.domain.messages import (
    JsonObject,
    ModelReply,
    ModelRequest,
    ToolResult,
    ToolResults,
    UserText,
    faults_of,
)
from assist_service.domain.writes import WriteTool
from assist_service.settings import Settings, load_settings
from tests.fakes.models import calls
from tests.web.live_questions import records
from tests.web.writing import COURSE, POOL, WAITS

STATEMENT = "Que vaut une variable\nqui n'est pas encore « initialisée » ?"

CONFIG: JsonObject = {
    "statement": STATEMENT,
    "multiple": False,
    "choices": [{"text": "Rien de sûr", "correct": True}, {"text": 'Zéro "0" \\ \u00e9', "correct": False}],
}

Looked = Sequence[ToolResult]

LOOKING: Mapping[WriteTool, Sequence[tuple[str, JsonObject]]] = {
    WriteTool.CREATE_QUESTION: [("find_similar_questions", {"text": STATEMENT}), ("get_pool", {"pool": POOL})],
    WriteTool.CREATE_TEMPLATE: [("list_questions", {"pool": POOL, "status": "published"})],
    WriteTool.ADD_QUESTIONS_TO_TEMPLATE: [
        ("list_questions", {"pool": POOL, "status": "published"}),
        ("list_templates", {}),
    ],
}
"""What it has to know before."""


def arguments_of(tool: WriteTool, title: str, looked: Looked) -> JsonObject:
    """Every argument that the tool has."""
    match tool:
        case WriteTool.CREATE_QUESTION:
            return {
                "pool": POOL,
                "type": "mcq",
                "config": CONFIG,
                "explanation": "Voir le cours.\nEt le manuel.",
                "title": title,
                "difficulty": "hard",
                "category": records(looked[1])[0]["categories"][0]["id"],
            }
        case WriteTool.CREATE_CATEGORY:
            return {"pool": POOL, "title": title}
        case WriteTool.CREATE_TEMPLATE:
            return {"title": title, "course": COURSE, "language": "fr", "questions": _ids(looked[0])[:2]}
        case WriteTool.ADD_QUESTIONS_TO_TEMPLATE:
            return {"template": _ids(looked[1])[0], "questions": _ids(looked[0])[:2]}
        case WriteTool.LINK_POOL_TO_COURSE:
            return {"pool": POOL, "course": COURSE}


def _ids(result: ToolResult) -> list[str]:
    return [str(record["id"]) for record in records(result)]


class PreparingModel:
    """Implements ports.ModelProvider."""

    def __init__(self, model: str) -> None:
        self.model = model

    async def send(self, request: ModelRequest, *, timeout_seconds: float) -> ModelReply:
        assert faults_of(request.messages) == []
        asked = max(place for place, message in enumerate(request.messages) if isinstance(message, UserText))
        question = request.messages[asked]
        assert isinstance(question, UserText)
        wanted, title = question.text.split(":", 1)[0].split()[-1], question.text.split(":", 1)[1].strip()
        tool = WriteTool(wanted)
        told = [message for message in request.messages[asked:] if isinstance(message, ToolResults)]
        looking = LOOKING.get(tool, ())
        if looking and not told:
            return calls(*looking)
        if len(told) == bool(looking):
            return calls((tool.value, arguments_of(tool, title, told[0].results if told else ())))
        return WAITS

    async def close(self) -> None:
        """Holds nothing open."""


if __name__ == "__main__":
    telemetry.configure_logging("INFO")
    grace_seconds = int(sys.argv[1]) if sys.argv[1:] else SHUTDOWN_SECONDS
    asyncio.run(serve(load_settings(Settings), provider_of=PreparingModel, grace_seconds=grace_seconds))
