"""People who ask a hostile model and now and then confirm or cancel a card: theirs, another's, or a spent one."""

import asyncio
import json
import random
import traceback
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID, uuid4

import asyncpg

from assist_service.domain.messages import ModelReply, ModelRequest, ToolResults, UserText, faults_of
from assist_service.domain.people import Role
from assist_service.domain.text import visible
from assist_service.domain.writes import WriteRequest, WriteTool
from tests.fakes.house import House
from tests.fakes.recorded_writes import RecordedWrites, SentWrite
from tests.slow.checked_acts import TEACHING, check_card, check_reply
from tests.slow.hostile_acts import LENT, Actor, Stage
from tests.slow.hostile_calls import UUID_PATTERN
from tests.slow.hostile_edits import Drafted, drafted
from tests.web.kept_rows import opened_row
from tests.web.live_questions import live_tokens, screen
from tests.web.writing import written

KINDS = ("course", "classroom", "pool", "question", "evaluation", "template")

TURNS = 5
"""Of one question, at most: one request is left for its end."""

REASONS = ("not_found", "refused", "invalid", "changed")


@dataclass
class ActingModel:
    """Implements ports.ModelProvider: each person's question has an actor of its own."""

    model: str = "stub"
    actors: dict[str, Actor] = field(default_factory=dict)
    """By the words of the question."""
    turns: int = 0
    faults: list[str] = field(default_factory=list)
    """What did not hold of a request: to the service that is a provider that broke, to the test it is the reason."""

    async def send(self, request: ModelRequest, *, timeout_seconds: float) -> ModelReply:
        try:
            return self._reply(request)
        except Exception:
            self.faults.append(traceback.format_exc())
            raise

    def _reply(self, request: ModelRequest) -> ModelReply:
        assert faults_of(request.messages) == []
        asked = [message.text for message in request.messages if isinstance(message, UserText)]
        actor = self.actors[asked[-1]]
        _check_prompt(request)
        if isinstance(request.messages[-1], ToolResults):
            _check_results(request.messages[-1], actor)
            actor.learn(request)
        # Now and then it calls where it may not: a call beside a card that waits.
        if actor.turns < TURNS and (request.may_call or actor.chance.random() < 0.1):
            self.turns += 1
            reply = actor.turn()
            actor.noted.has_ended = actor.noted.has_ended and request.may_call
            return reply
        return actor.close()

    async def close(self) -> None:
        """Holds nothing open."""


def _check_prompt(request: ModelRequest) -> None:
    """Nothing that nobody sees, where the words are not the model's own."""
    read = [request.screen]
    for message in request.messages:
        read += [result.content for result in message.results] if isinstance(message, ToolResults) else []
        read += [message.text] if isinstance(message, UserText) else []
    assert all(visible(text) == text for text in read)


def _check_results(last: ToolResults, actor: Actor) -> None:
    for result in last.results:
        assert result.is_error or result.call_id not in actor.forbidden, result.content[:200]


@dataclass
class Card:
    """A write that somebody was shown."""

    person: str
    conversation: str
    id: str
    frozen: Mapping[str, Any]
    is_over: bool = False


@dataclass
class Attack:
    """One run of questions by all people at once, one at a time of each."""

    house: House
    model: ActingModel
    pool: asyncpg.Pool
    recorded: RecordedWrites
    seed: str
    people: Mapping[str, Role]
    turns: int
    cards: list[Card] = field(default_factory=list)
    sent: set[str] = field(default_factory=set)
    """The cards that a confirm took to the LMS."""
    done: dict[str, int] = field(default_factory=dict)
    """How often each act went out, and each word of a person was taken."""
    gone: set[bytes] = field(default_factory=set)
    questions: int = 0
    chances: dict[str, random.Random] = field(default_factory=dict)
    """Each person's own: what one tries hangs on no other's speed."""

    async def run(self) -> None:
        await asyncio.gather(*(self._as(person, role) for person, role in self.people.items()))

    async def _as(self, person: str, role: Role) -> None:
        conversation: str | None = None
        chance = self.chances[person] = random.Random(f"{self.seed}/{person}")
        for _ in range(self.turns):  # each question takes a turn at least
            if self.model.turns >= self.turns:
                return
            conversation = await self._ask(person, role, conversation if chance.random() < 0.3 else None)
            for _ in range(chance.choice((0, 0, 1, 2))):
                await self._decide(person)

    def _count(self, what: str) -> None:
        self.done[what] = self.done.get(what, 0) + 1

    # Asking

    async def _ask(self, person: str, role: Role, conversation: str | None) -> str:
        self.questions += 1
        chance = self.chances[person]
        name = f"Please do number {self.questions} of the list."
        kinds, reached = self._kinds(), self._reach(person)
        strange = {kind: [id_ for id_, of in kinds.items() if of == kind] for kind in (*KINDS, "category")}
        entities = self._entities(chance, kinds, reached)
        draft = self._draft(chance, role, reached) if chance.random() < 0.4 else None
        if draft is not None:
            entities["question"] = draft.editor["question_id"]
        commands = tuple(chance.sample(LENT, chance.randint(0, len(LENT))))
        actor = Actor(chance, Stage(role, commands, draft, kinds), strange=strange, on_screen=entities)
        self.model.actors[name] = actor
        before = await self._written(person)
        route = "/questions/:id" if draft is not None else "/pools/:id"
        answer = await self.house.ask(
            name,
            person=person,
            conversation_id=conversation,
            context={**screen(**entities), "route": route, "commands": commands},
            editor=None if draft is None else draft.editor,
        )
        assert answer.status_code == 200, (answer.text, self.model.faults)
        reply: dict[str, Any] = answer.json()
        check_reply(reply, actor)
        assert await self._written(person) == before, "a question wrote"
        assert await live_tokens(self.house, person) == []
        for write in reply["writes"]:
            await self._keep(person, reply, write)
        for what in (*reply["actions"], *reply["writes"]):
            self._count(what["type"] if "type" in what else what["tool"])
        return str(reply["conversation_id"])

    def _kinds(self) -> dict[str, str]:
        tables = (*KINDS, "category")
        return {row["id"]: kind for kind in tables for row in self.house.school.rows(f"SELECT id FROM {kind}")}  # noqa: S608

    def _reach(self, person: str) -> set[str]:
        """What this person reads in the LMS now."""
        school = self.house.school
        school.ask_as(person, everything=False)
        reached = {row["id"] for kind in KINDS for row in school.rows(f"SELECT id FROM my_{kind}")}  # noqa: S608
        return reached | {
            row["id"] for row in school.rows("SELECT id FROM category WHERE pool IN (SELECT id FROM my_pool)")
        }

    def _entities(self, chance: random.Random, kinds: Mapping[str, str], reached: set[str]) -> dict[str, str]:
        """Mostly of what they reach, at times of what is somebody else's."""
        entities: dict[str, str] = {}
        for kind in KINDS:
            of_kind = [id_ for id_, each in kinds.items() if each == kind]
            own = [id_ for id_ in of_kind if id_ in reached]
            if chance.random() < 0.6:
                entities[kind] = chance.choice(own if own and chance.random() < 0.8 else of_kind)
        return entities

    def _draft(self, chance: random.Random, role: Role, reached: set[str]) -> Drafted:
        rows = self.house.school.rows("SELECT id, type, config, explanation FROM question ORDER BY rowid")
        own = [row for row in rows if row["id"] in reached]
        question = chance.choice(own if own and chance.random() < 0.8 else rows)
        can = role.value in TEACHING and question["id"] in reached
        return drafted(question, json.loads(question["config"]), is_readable=can)

    async def _keep(self, person: str, reply: Mapping[str, Any], write: Mapping[str, Any]) -> None:
        row = await self.pool.fetchrow("SELECT * FROM pending_writes WHERE id = $1", UUID(write["id"]))
        assert row is not None
        assert (row["owner"], row["state"]) == (person, "pending")
        assert (str(row["conversation_id"]), row["tool"]) == (reply["conversation_id"], write["tool"])
        frozen = {**opened_row("pending_writes", row)["sealed"], "tool": write["tool"]}
        check_card(write, frozen, reached=self._reach(person))
        self.cards.append(Card(person, reply["conversation_id"], write["id"], frozen))

    async def _written(self, person: str) -> int:
        return len([each for each in await written(self.house) if each["acting_for"] == person])

    # Deciding

    async def _decide(self, person: str) -> None:
        if not self.cards:
            return
        chance = self.chances[person]
        own = [card for card in self.cards if card.person == person and not card.is_over]
        card = chance.choice(own if own and chance.random() < 0.7 else self.cards)
        word = chance.choice(("confirm", "confirm", "cancel"))
        is_theirs = card.person == person and not card.is_over and chance.random() < 0.9
        conversation = card.conversation if is_theirs or card.person != person or card.is_over else str(uuid4())
        before = await self._written(person)
        answer = await self.house.service.post(
            f"/assist/writes/{card.id}/{word}",
            json={"conversation_id": conversation},
            headers=await self.house.bearer(person),
        )
        after = await self._written(person)
        assert await live_tokens(self.house, person) == []
        if not is_theirs:
            assert (answer.status_code, after - before) == (404, 0)
            self.gone.add(answer.content)
            self._count("not theirs, or spent")
            return
        card.is_over = True
        if word == "cancel":
            assert (answer.status_code, after - before) == (204, 0)
            self._count("cancelled")
            return
        self._check_confirmed(card, answer.status_code, answer.json(), after - before)

    def _check_confirmed(self, card: Card, status: int, said: Mapping[str, Any], made: int) -> None:
        """One write where it was sent, none where it was not, and its bytes the frozen ones."""
        assert status == 200 or (said["code"] == "write_failed" and said["reason"] in REASONS), said
        is_sent = status == 200 or said["reason"] in ("refused", "invalid")
        assert made == (1 if is_sent else 0), (status, said, made)
        arrived = [each for each in self.recorded.sent if each.key == card.id]
        assert bool(arrived) == is_sent
        assert all(_digest(each, card) == card.frozen["digest"] for each in arrived)
        assert all(each.body == card.frozen["body"].encode() for each in arrived)
        if is_sent:
            self.sent.add(card.id)
        self._count("confirmed" if status == 200 else f"failed: {said['reason']}")


def _digest(sent: SentWrite, card: Card) -> str:
    """Of what arrived at the LMS: the entity of its address, and its bytes."""
    (named,) = UUID_PATTERN.findall(sent.path) or (None,)
    return WriteRequest(WriteTool(card.frozen["tool"]), None if named is None else UUID(named), sent.body).digest
