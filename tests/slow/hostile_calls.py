"""Calls a hostile model might make: every tool with every kind of wrong argument, between calls that are right."""

import random
import re
import uuid
from collections.abc import Callable, Mapping
from typing import Any

from assist_service.domain.messages import ModelReply, ModelRequest, ToolResults
from tests.fakes.models import calls, says
from tests.unit.test_tools_allowlist import EXCLUDED, READS

Call = tuple[str, dict[str, Any]]

ID_OF: Mapping[str, str] = {
    "get_course": "course",
    "get_pool": "pool",
    "get_pool_question_stats": "pool",
    "list_questions": "pool",
    "get_question": "question",
    "get_evaluation": "evaluation",
    "get_classroom_results": "classroom",
    "find_similar_questions": "pool",
    "list_evaluations": "classroom",
}
MAY_DO_WITHOUT = {"find_similar_questions", "list_evaluations"}

UUID_PATTERN = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")

NO_TOOLS = (
    *sorted(EXCLUDED),
    "http_get",
    "run_sql",
    "",
    "get_course ",
    "GET_POOL",
    "get_pool\x00",
    "../get_pool",
    "x" * 500,
)

MISSHAPEN: tuple[object, ...] = (
    None, True, 7, -1, 1.5, 10**400, float("nan"), "", " ", "null", "*", "..", "%2e%2e", "\x00", "\ud800",
    "a" * 100_000, [], {}, [[]], {"$ne": None}, {"id": {"id": {"id": []}}}, "../courses", "http://evil.example/",
    "' OR 1=1 --", "\uff10" * 32,
)  # fmt: skip

SPOILT: tuple[Callable[[str], object], ...] = (
    lambda id_: f"{id_}/gradebook",
    lambda id_: f"{id_}/../{uuid.UUID(int=7)}",
    lambda id_: f"../courses/{id_}",
    lambda id_: f"{id_}?limit=200&everything=1",
    lambda id_: f"{id_}#x",
    lambda id_: f"{id_}%2Fgradebook",
    lambda id_: f"%2e%2e%2f{id_}",
    lambda id_: f"{id_}\n",
    lambda id_: f" {id_}",
    lambda id_: f"{id_}\x00",
    lambda id_: f"{id_}\ud800",
    lambda id_: f"{id_},{id_}",
    lambda id_: [id_],
    lambda id_: {"id": id_},
    lambda id_: int(uuid.UUID(id_)),
)
"""What is made of an id that is good; a UUID in another of its spellings is one all the same, see ALIKE."""

ALIKE: tuple[Callable[[str], str], ...] = (str.upper, lambda id_: id_.replace("-", ""), lambda id_: "{" + id_ + "}",
                                           lambda id_: f"urn:uuid:{id_}")  # fmt: skip

EXTRA: tuple[Mapping[str, object], ...] = (
    {"elevated": True}, {"url": "https://evil.example"}, {"method": "DELETE"}, {"person": "someone"}, {"cursor": "x"},
    {"limit": 10**9}, {"__proto__": {}}, {"x" * 20_000: 1}, {"\ud800": 1}, {"token": "y"}, {"": ""},
)  # fmt: skip


class Hostile:
    """What one question's model calls; it knows what a model may know, and the ids of others besides."""

    def __init__(
        self, chance: random.Random, *, strange: Mapping[str, list[str]], on_screen: Mapping[str, str]
    ) -> None:
        self._chance = chance
        self._strange = strange
        """Ids of other people's things and of earlier questions, by kind."""
        self.known = {kind: {id_} for kind, id_ in on_screen.items()}
        self.turns = 0
        self.forbidden: list[str] = []
        """The ids of calls whose results must be errors."""

    def turn(self) -> ModelReply:
        self.turns += 1
        made = [self._call() for _ in range(self._chance.randint(2, 9))]
        reply = calls(*[call for call, _ in made])
        self.forbidden += [call.id for call, (_, is_wrong) in zip(reply.calls, made, strict=True) if is_wrong]
        return reply

    def learn(self, request: ModelRequest) -> None:
        """Takes the ids from the results of the turn before, under the kinds their tools give them."""
        last = request.messages[-1]
        assert isinstance(last, ToolResults)
        for result in last.results:
            for id_ in UUID_PATTERN.findall(result.content):
                for kind in ("course", "classroom", "pool", "question", "evaluation", "template"):
                    self.known.setdefault(kind, set()).add(id_)

    def _call(self) -> tuple[Call, bool]:
        """A call, and whether it must come to nothing."""
        chance = self._chance
        if chance.random() < 0.06:
            return (chance.choice(NO_TOOLS), self._right("get_pool")), True
        name = chance.choice(sorted(READS))
        if chance.random() < 0.4:
            return (name, self._right(name)), False
        return self._wrong(name)

    def _right(self, name: str) -> dict[str, Any]:
        kind = ID_OF.get(name)
        arguments: dict[str, Any] = {}
        if name == "find_similar_questions":
            arguments["text"] = self._chance.choice(("pointer", "cell", "Que vaut un pointeur nul ?", "x" * 1_000))
        if name in ("list_pools", "list_questions") and self._chance.random() < 0.3:
            arguments["search"] = self._chance.choice(
                ("a", "Pointeurs", "%", "../..", "a&b=c", "?", "Person-bcdfghjk-1")
            )
        if kind is not None and (name not in MAY_DO_WITHOUT or self._chance.random() < 0.5):
            arguments[kind] = self._good(kind)
        return arguments

    def _plain(self, kind: str) -> str:
        known = sorted(self.known.get(kind, ()))
        return self._chance.choice(known) if known else str(uuid.UUID(int=self._chance.getrandbits(128)))

    def _good(self, kind: str) -> str:
        id_ = self._plain(kind)
        return self._chance.choice(ALIKE)(id_) if self._chance.random() < 0.1 else id_

    def _wrong(self, name: str) -> tuple[Call, bool]:
        chance, kind, right = self._chance, ID_OF.get(name), self._right(name)
        way = chance.randrange(5)
        if kind is None or way == 0:
            return (name, right | dict(chance.choice(EXTRA))), True
        if way == 1:
            wrong = chance.choice(MISSHAPEN)
            return (name, right | {kind: wrong}), not (wrong is None and name in MAY_DO_WITHOUT)
        if way == 2:
            return (name, right | {kind: chance.choice(SPOILT)(self._plain(kind))}), True
        strange = chance.choice(self._strange[kind]) if way == 3 else str(uuid.UUID(int=chance.getrandbits(128)))
        return (name, right | {kind: strange}), strange not in self.known.get(kind, ())


def ending(chance: random.Random) -> ModelReply:
    """How the question ends: in words, forged ones and links among them."""
    return says(
        chance.choice(("Done [s1].", "Person-bcdfghjk-1 ![x](https://evil.example/a) [y](//evil.example)", "So."))
    )
