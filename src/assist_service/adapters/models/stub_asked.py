"""One question as the stub reads it out of a request: its words, the screen, and what its calls brought so far."""

import json
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

from assist_service.adapters.models.stub_words import QUOTED, folded_words, tongue_of
from assist_service.domain.messages import AssistantTurn, ModelRequest, ToolResult, ToolResults, UserText

Said = Mapping[str, str]
"""One sentence in each language, by its code."""


@dataclass(frozen=True)
class Call:
    """A tool to be called."""

    tool: str
    arguments: Mapping[str, Any]


class Step(NamedTuple):
    """A call of this question, and what it brought."""

    tool: str
    result: ToolResult


class OnScreen(NamedTuple):
    """A command that the screen has."""

    id: str
    label: str


_ENTITY = re.compile(r"^On screen: (\w+) (\S+)$", re.MULTILINE)
_SELECTED = re.compile(r"^Selected: the selected (\w+)(?:, \w+ (\S+))?$", re.MULTILINE)
_COMMAND = re.compile(r"^Command on screen: (\S+) \| (.+) \| [^|\n]+$", re.MULTILINE)
_TEXT = re.compile(r"^(/\S+) \((\w+)\): (\".*\")$", re.MULTILINE)
"""A text of the draft, as the prompt shows it."""

_COURTESY = re.compile(
    r"^(?:(?:please|now|then|and|can you|could you|would you|i want to|i would like to|let me|s il (?:te|vous) plait|"
    r"maintenant|et|peux tu|pouvez vous|je (?:veux|voudrais)|paki|pakisuyo|ngayon) )*"
)

FAILED: Said = {
    "en": "That could not be looked up.",
    "fr": "La recherche n'a pas abouti.",
    "fil": "Hindi ito nahanap.",
}


@dataclass(frozen=True)
class Asked:
    """What a plan of the stub's decides from: nothing else, so the same question gets the same steps."""

    question: str
    screen: str = ""
    offered: Collection[str] = frozenset()
    steps: Sequence[Step] = field(default=())

    @classmethod
    def of(cls, request: ModelRequest) -> "Asked":
        """The last question of a request, with the calls that followed it."""
        messages = request.messages
        at = max(place for place, message in enumerate(messages) if isinstance(message, UserText))
        steps: list[Step] = []
        names: dict[str, str] = {}
        for message in messages[at + 1 :]:
            if isinstance(message, AssistantTurn):
                names |= {call.id: call.name for call in message.calls}
            elif isinstance(message, ToolResults):
                steps += [Step(names.get(each.call_id, ""), each) for each in message.results]
        asked = messages[at]
        assert isinstance(asked, UserText)
        return cls(asked.text, request.screen, frozenset(tool.name for tool in request.tools), tuple(steps))

    @cached_property
    def in_order(self) -> Sequence[str]:
        return folded_words(self.question)

    @cached_property
    def order(self) -> Sequence[str]:
        """Its words without the courtesies that an order begins with: the first of them is its verb."""
        return _COURTESY.sub("", " ".join(self.in_order)).split()

    @cached_property
    def words(self) -> frozenset[str]:
        return frozenset(self.in_order)

    @cached_property
    def quotes(self) -> Sequence[str]:
        """What the question quotes, in its order."""
        return QUOTED.findall(self.question)

    @cached_property
    def unquoted(self) -> frozenset[str]:
        """The words that it does not quote."""
        return frozenset(folded_words(QUOTED.sub(" ", self.question)))

    @cached_property
    def tongue(self) -> str:
        return tongue_of(self.question)

    def at_hand(self, kind: str) -> str | None:
        """The id of a thing of this kind on screen."""
        return next((id_ for found, id_ in _ENTITY.findall(self.screen) if found == kind), None)

    @cached_property
    def selected(self) -> Mapping[str, str]:
        """What the person clicked on, by kind, with its id; an empty one for somebody, whom nobody tells the model."""
        return dict(_SELECTED.findall(self.screen))

    @cached_property
    def commands(self) -> Sequence[OnScreen]:
        return [OnScreen(*found) for found in _COMMAND.findall(self.screen)]

    @cached_property
    def texts(self) -> Mapping[str, str]:
        """The texts of the draft in the editor, by path."""
        return {path: json.loads(written) for path, _, written in self._written}

    @cached_property
    def labels(self) -> Mapping[str, str]:
        """What each of them is called, by path."""
        return {path: label for path, label, _ in self._written}

    @cached_property
    def _written(self) -> Sequence[tuple[str, str, str]]:
        return _TEXT.findall(self.screen.partition("\nIn the editor: ")[2])

    def has(self, *tools: str) -> bool:
        return set(tools) <= set(self.offered)

    def result(self, tool: str) -> ToolResult | None:
        """What the last call of it brought; None before."""
        return next((step.result for step in reversed(self.steps) if step.tool == tool), None)

    def records(self, tool: str) -> list[dict[str, Any]] | None:
        """The records it brought; None before it was called."""
        result = self.result(tool)
        return None if result is None else records_of(result)

    def said(self, sentence: Said) -> str:
        """The sentence in the question's language."""
        return sentence[self.tongue]


def records_of(result: ToolResult) -> list[dict[str, Any]]:
    """The records of a result; none of one that failed."""
    if result.is_error:
        return []
    return [json.loads(line) for line in result.content.splitlines() if line.startswith("{")]


Plan = Callable[[Asked], Call | str | None]
"""The next call that a question needs, or what is said of it; None where it asks for something else."""
