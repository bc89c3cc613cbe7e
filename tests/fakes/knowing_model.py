"""A model that knows what each question of a set expects, and does just that: what a set asks for can be done."""

import re
from collections.abc import Sequence
from typing import Any

from assist_service.domain.conversation import Kind
from assist_service.domain.evaluating.questions import ExpectedLookup, Question
from assist_service.domain.messages import ModelReply, ModelRequest, ToolResults, UserText
from assist_service.domain.references import PLACEHOLDERS
from assist_service.domain.screens import Language
from tests.fakes.models import calls, says

WORDS = {
    Language.ENGLISH: "You will find all that you need to know about it on this page of the manual",
    Language.FRENCH: "Tu trouveras tout ce que tu dois savoir là-dessus dans cette page du manuel",
    Language.FILIPINO: "Makikita mo ang lahat ng kailangan mong malaman tungkol dito sa pahinang ito ng manwal",
}


class KnowingModel:
    """Implements ports.ModelProvider."""

    model = "stub"

    def __init__(self, questions: Sequence[Question]) -> None:
        self._questions = {question.question: question for question in questions}

    async def send(self, request: ModelRequest, *, timeout_seconds: float) -> ModelReply:
        question = self._questions[next(m.text for m in request.messages if isinstance(m, UserText))]
        last = request.messages[-1]
        if isinstance(last, ToolResults):
            handle = re.search(r"^\[(s\d+)\]", last.results[0].content, re.MULTILINE)
            assert handle is not None, last
            return says(f"{WORDS[question.language]} [{handle[1]}].")
        if question.lookup is not None:
            return calls((question.lookup.tool.value, arguments_of(question.lookup)))
        if Kind.REFUSAL in question.kinds:
            return calls(("decline", {}))
        if Kind.QUESTION in question.kinds:
            return calls(("ask_back", {"text": WORDS[question.language]}))
        return calls(("read_guide", {"page": question.pages[0]}))

    async def close(self) -> None:
        """Holds nothing open."""


def arguments_of(lookup: ExpectedLookup) -> dict[str, Any]:
    """The arguments that a lookup is expected with."""
    return {
        "operation": lookup.operations[0].value,
        **{f"{kind.value}_search": words for kind, words in lookup.words.items()},
        **{f"{kind.value}_search": PLACEHOLDERS[kind] for kind in lookup.selected},
        **({"limit": lookup.limit} if lookup.limit is not None else {}),
    }
