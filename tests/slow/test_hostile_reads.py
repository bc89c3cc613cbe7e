"""A hostile model over HTTP: the LMS is asked for nothing but what its person may see and this question has shown."""

import asyncio
import random
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest

from assist_service.domain.messages import ModelReply, ModelRequest, ToolResult, ToolResults, faults_of
from assist_service.ports import LmsFaultKind
from assist_service.tools.looking_up import FAULTS, NO_SEAT
from examples.reference_lms.directory import read_school
from examples.reference_lms.making.plan import STAFF
from tests.case_counts import CountCases
from tests.fakes.house import House, running_house
from tests.slow.hostile_calls import UUID_PATTERN, Hostile, ending
from tests.web.live_questions import STANDING, asked_of_lms, inject, live_tokens, reads_of_lms, results, screen
from tests.web.test_live_faults import trying

QUESTIONS = 100
"""Of each run; each with five turns of calls and an ending."""

TURNS = 5

TEACHERS = [person.sub for person in STAFF if person.role.value in ("teacher", "admin")]

ID = UUID_PATTERN.pattern
ALLOWED = re.compile(
    rf"GET /api/(?:courses|pools|question-types|evaluations|templates"
    rf"|courses/{ID}|pools/{ID}(?:/stats|/questions)?|questions/{ID}|evaluations/{ID}|classrooms/{ID}/gradebook)"
    r"|POST /api/questions/similar"
)
NOT_RUN = ("Not run, the arguments do not fit: ", "There is no such tool. ", "Not run: at most 8 calls")

KINDS = ("course", "classroom", "pool", "question", "evaluation", "template")


@dataclass
class HostileModel:
    """Implements ports.ModelProvider: each person's question has a mind of its own, found by the ids on its screen."""

    model: str = "stub"
    minds: dict[str, tuple[Hostile, random.Random]] = field(default_factory=dict)
    """By the words of the question."""
    seen: list[tuple[str, ToolResult]] = field(default_factory=list)

    async def send(self, request: ModelRequest, *, timeout_seconds: float) -> ModelReply:
        assert faults_of(request.messages) == []
        question = getattr(request.messages[0], "text")  # noqa: B009 a message of the person's
        mind, chance = self.minds[question]
        if isinstance(request.messages[-1], ToolResults):
            self.seen += [(question, result) for result in results(request)]
            mind.learn(request)
        return mind.turn() if mind.turns < TURNS and request.may_call else ending(chance)

    async def close(self) -> None:
        """Holds nothing open."""


@dataclass
class Attack:
    """One run of questions by all people at once, one at a time of each."""

    house: House
    model: HostileModel
    chance: random.Random
    things: Mapping[str, list[tuple[str, str]]]
    """Ids and owners, by kind."""
    left: list[int]
    turns: int = 0

    async def run(self) -> None:
        await asyncio.gather(*(self._as(person) for person in TEACHERS))

    async def _as(self, person: str) -> None:
        earlier: dict[str, set[str]] = {kind: set() for kind in KINDS}
        while self.left:
            name = f"Question {self.left.pop()}?"
            strange = {
                kind: [id_ for id_, owner in self.things[kind] if owner != person] + sorted(earlier[kind])
                for kind in KINDS
            }
            entities = {kind: self.chance.choice(self.things[kind])[0] for kind in KINDS if self.chance.random() < 0.4}
            mind = Hostile(self.chance, strange=strange, on_screen=entities)
            self.model.minds[name] = (mind, self.chance)
            before = len(await self._of(person))
            answer = await self.house.ask(name, person=person, context=screen(**entities))
            assert answer.status_code == 200, answer.text
            assert "evil.example" not in answer.json()["html"]
            assert await live_tokens(self.house, person) == []
            self._check(name, mind, (await self._of(person))[before:])
            for kind in KINDS:
                earlier[kind] |= mind.known.get(kind, set())
            self.turns += mind.turns

    async def _of(self, person: str) -> list[dict[str, Any]]:
        """What the LMS was asked for this person; each request that was let in names one."""
        return [each for each in await reads_of_lms(self.house) if each["acting_for"] == person]

    def _check(self, name: str, mind: Hostile, reads: list[dict[str, Any]]) -> None:
        """Only what is allowed, of ids that this question was given; what was refused is told in the same words."""
        given = {id_ for ids in mind.known.values() for id_ in ids}
        for read in reads:
            assert ALLOWED.fullmatch(f"{read['method']} {read['path']}"), read
            assert set(UUID_PATTERN.findall(read["path"])) <= given, read
            assert read["status"] in (200, 404), read
        refused = FAULTS[LmsFaultKind.REFUSED]
        for question, result in self.model.seen:
            if question == name:
                assert not result.is_error or result.content in (NO_SEAT, refused) or result.content.startswith(NOT_RUN)
                assert result.is_error or result.call_id not in mind.forbidden, result.content[:200]
                assert "private.example" not in result.content
        self.model.seen = [each for each in self.model.seen if each[0] != name]


@pytest.mark.slow
@pytest.mark.parametrize("policy", ["default", "teacher-assistant"])
@pytest.mark.parametrize("seed", [1, 2])
async def test_the_lms_is_asked_for_nothing_else(
    database_url: str, policy: str, seed: int, count_cases: CountCases
) -> None:
    model = HostileModel()
    ruled = {"limits": {"questions_per_minute": 1_000, "questions_per_day": None}}
    async with running_house(database_url, provider=model, policy=policy, ruled=ruled) as house:
        attack = Attack(
            house, model, random.Random(f"{policy}/{seed}"), things=_things(house), left=list(range(QUESTIONS))
        )
        await attack.run()
        everything = await asked_of_lms(house)
        assert len(everything) < 10_000, "the log has lost some"
        for each in everything:
            is_ours = each["path"].startswith(("/api/", "/oauth/token", "/oauth/revoke"))
            assert is_ours, each
            assert each["acting_for"] in (*TEACHERS, None)
            assert not each["path"].startswith(STANDING) or each["status"] == 200
        assert (await house.lms.get("/demo/audit")).json() == {"entries": []}
        assert await live_tokens(house) == []
    assert attack.turns == QUESTIONS * TURNS
    count_cases("hostile reads", attack.turns, policy)


def _things(house: House) -> dict[str, list[tuple[str, str]]]:
    """Something of everybody's of each kind, with its owner."""
    entities = read_school(house.school).entities
    return {kind: [(each.id, each.owner) for each in entities if each.kind.value == kind] for kind in KINDS}


@pytest.mark.slow
async def test_an_lms_that_is_slow_is_not_waited_for_beyond_its_time(database_url: str) -> None:
    model = trying()
    async with running_house(database_url, provider=model, policy="teacher-assistant") as house:
        await inject(house, "trickle", path="/api/courses")
        await inject(house, "delay", seconds=60, path="/api/classrooms")
        async with asyncio.timeout(25):
            answer = await house.ask("Who is best?", context=screen(classroom="7061f74d-4306-450b-939a-358c5243912d"))
        assert answer.status_code == 200
        assert {each.content for each in results(model.requests[1])} == {FAULTS[LmsFaultKind.UNAVAILABLE]}
        assert await live_tokens(house) == []
