"""Conversations about results that are masked: what is asked, what the model says of it, and what must be read then."""

import random
import re
import unicodedata
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from assist_service.domain.messages import ModelReply, ModelRequest, ToolResults, UserText, faults_of
from examples.reference_lms.making.hostile import TITLES
from tests.fakes.models import calls, says
from tests.web.live_questions import records, results

PLACEHOLDER = re.compile(r"Person-([a-z]{8})-(\d+)")

TITLES_OF: tuple[Callable[[str], str], ...] = (
    lambda name: f"Retake of {name}",
    lambda name: f"{name.upper()}: retake",
    lambda name: f"Retake\nof {'  '.join(name.split())}",
    lambda name: unicodedata.normalize("NFD", f"{name}, {name} and {name}"),
    lambda name: f"Person-bcdfghjk-1 is {name}",
    lambda name: f"({name})",
    lambda name: "x" * 180 + f" {name} {name}",
    *(f"{title} {{}}".format if "{" not in title else f"{title} ".__add__ for title in TITLES),
)
"""Titles of an evaluation that hold a student's name, however it is written, and hostile ones beside it."""

ANSWERS = (
    "{0} is best, then {1}.",
    "- **{1}** has more than {0}.\n- {2} was absent.",
    "| {0} | no table |, {1}; {2}",
    "It is {0}'s mark, not that of {1}: `{2}`",
    "1. {0}\n2. {1}\n3. {2}",
)

ASKED = (
    "How did {} do?",
    "Is {} the best?",
    "Comment va {} ?",
    "And compared with {}?",
)


def folded(text: str) -> str:
    """For finding names: without case and accents, on one line."""
    bare = "".join(c for c in unicodedata.normalize("NFKD", text.casefold()) if not unicodedata.combining(c))
    return " ".join(bare.split())


def names_in(text: str, names: Sequence[str]) -> set[str]:
    """Those of the names that stand whole in the text."""
    haystack = folded(text)
    return {name for name in names if re.search(rf"(?<!\w){re.escape(folded(name))}(?!\w)", haystack)}


def named_in(question: str, names: Sequence[str]) -> set[str]:
    """Those of the names that the question means: none that stands only within a longer one."""
    left, meant = folded(question), set()
    for name in sorted(set(names), key=lambda each: -len(folded(each))):
        if names_in(left, [name]):
            meant.add(name)
            left = re.sub(rf"(?<!\w){re.escape(folded(name))}(?!\w)", "|", left)
    return meant | {name for name in names if folded(name) in {folded(each) for each in meant}}


@dataclass
class Talk:
    """One question of a conversation: what the model does, and what it saw."""

    chance: random.Random
    classroom: str
    names: list[str]
    """The classroom's students in the order of its gradebook: nothing of this is told to the model."""
    searches: bool
    requests: list[ModelRequest] = field(default_factory=list)
    chosen: list[int] = field(default_factory=list)
    placeholders: list[str] = field(default_factory=list)
    asked_about: set[str] = field(default_factory=set)
    template: str = ""

    def reply(self, request: ModelRequest) -> ModelReply:
        self.requests.append(request)
        if not isinstance(request.messages[-1], ToolResults):
            return calls(("get_classroom_results", {"classroom": self.classroom}))
        if not self.placeholders:
            self._read(records(results(request)[0]))
            if self.searches:
                return calls(("list_pools", {"search": f"Folder of {self.placeholders[self.chosen[0]]}"}))
        return says(self.template.format(*(self.placeholders[place] for place in self.chosen)))

    def answer(self) -> str:
        """What the person must read, if nothing of it is markup."""
        return self.template.format(*(self.names[place] for place in self.chosen))

    def _read(self, rows: list[dict[str, Any]]) -> None:
        students = [row for row in rows if "student" in row]
        self.placeholders = [row["student"] for row in students]
        self.asked_about = {
            name for name, row in zip(self.names, students, strict=True) if row.get("asked_about") is True
        }
        self.chosen = self.chance.sample(range(len(students)), 3)
        self.template = self.chance.choice(ANSWERS)


@dataclass
class TalkingModel:
    """Implements ports.ModelProvider: finds each question's talk by its number."""

    model: str = "stub"
    talks: dict[str, Talk] = field(default_factory=dict)
    """By the words of the question."""

    async def send(self, request: ModelRequest, *, timeout_seconds: float) -> ModelReply:
        assert faults_of(request.messages) == []
        asked = [message.text for message in request.messages if isinstance(message, UserText)]
        return self.talks[asked[-1]].reply(request)

    async def close(self) -> None:
        """Holds nothing open."""


def folder_of(name: str) -> dict[str, str]:
    """A pool by whose title a search for a name is seen to reach the LMS."""
    return {"id": str(uuid.uuid4()), "title": f"Folder of {name}"}
