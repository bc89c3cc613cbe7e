"""Masked results over 500 questions: no name of theirs reaches a provider, and every answer names the right people."""

import asyncio
import html
import random
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import asyncpg
import pytest

from assist_service.domain.messages import AssistantText, AssistantTurn, ModelRequest, ToolResults, UserText
from assist_service.domain.text import visible
from examples.reference_lms.making.plan import STAFF
from tests.case_counts import CountCases
from tests.fakes.house import House, running_house
from tests.slow.masked_talk import (
    ASKED,
    PLACEHOLDER,
    TITLES_OF,
    Talk,
    TalkingModel,
    folded,
    folder_of,
    named_in,
    names_in,
)
from tests.web.live_questions import live_tokens, records, results, screen

CONVERSATIONS = 250
QUESTIONS_EACH = 2

TEACHERS = [person.sub for person in STAFF if person.role.value == "teacher"]

TABLES = ("exchanges", "conversations", "idempotent_replies", "llm_calls", "audit")

TELLING_BYTES = 7
"""A shorter name may stand among random bytes."""


@dataclass
class School:
    """Conversations of all teachers at once, each with classrooms of their own."""

    house: House
    model: TalkingModel
    chance: random.Random
    left: list[int]
    prefixes: set[str]
    asked: int = 0

    async def run(self) -> None:
        await asyncio.gather(*(self._as(person) for person in TEACHERS))

    async def _as(self, person: str) -> None:
        rows = self.house.school.rows(
            "SELECT classroom.id FROM classroom JOIN seat USING (course) WHERE person = :me AND role = 'teacher'",
            me=person,
        )
        while self.left:
            await self._converse(person, self.chance.choice(rows)["id"], self.left.pop())

    async def _converse(self, person: str, classroom: str, number: int) -> None:
        conversation = None
        placeholders: list[str] = []
        shown: list[str] = []
        for turn in range(QUESTIONS_EACH):
            talk, question = self._prepare(person, classroom, f"{number}.{turn}")
            self.model.talks[question] = talk
            self.house.clock.move(1)  # the order of a conversation is that of its times
            answer = await self.house.ask(
                question, person=person, conversation_id=conversation, context=screen(classroom=classroom)
            )
            assert answer.status_code == 200, answer.text
            reply = answer.json()
            conversation = reply["conversation_id"]
            assert {"tool": "get_classroom_results", "disclosure": "masked"} in reply["receipt"]["sent"]
            _check_said(talk, reply)
            shown.append(reply["answer"])
            for request in talk.requests:
                self._check_sent(request, talk)
            assert talk.asked_about == named_in(question, talk.names)
            assert talk.placeholders[: len(placeholders)] == placeholders, "who has which stays the same"
            placeholders = talk.placeholders
            self._check_search(talk)
            self.asked += 1
        url = f"/assist/conversations/{conversation}"
        kept = (await self.house.service.get(url, headers=await self.house.bearer(person))).json()["items"]
        assert [item["answer"] for item in kept] == shown
        for item, said in zip(kept, shown, strict=True):
            assert not PLACEHOLDER.search(item["html"])
            assert _words(said) == _words(re.sub(r"<[^>]+>", " ", html.unescape(item["html"])))
        assert await live_tokens(self.house, person) == []

    def _prepare(self, person: str, classroom: str, number: str) -> tuple[Talk, str]:
        """Sets the school up for one question, and asks for somebody by name now and then."""
        store, chance = self.house.school, self.chance
        names = [
            row["name"]
            for row in store.rows(
                "SELECT name FROM enrolment JOIN person ON person = person.id WHERE classroom = :id"
                " ORDER BY enrolment.rowid",
                id=classroom,
            )
        ]
        title = chance.choice(TITLES_OF)(chance.choice(names))
        store.run(
            "UPDATE evaluation SET title = :t WHERE classroom = :id AND state = 'released'", t=title, id=classroom
        )
        words = chance.choice(ASKED).format(chance.choice(names)) if chance.random() < 0.4 else "Who are the three?"
        searches = chance.random() < 0.3
        talk = Talk(chance, classroom, names, searches)
        if searches:
            for name in set(names):
                store.run("INSERT INTO pool VALUES (:id, :title, 'en', '', :me)", **folder_of(name), me=person)
        return talk, f"{words} ({number})"

    def _check_sent(self, request: ModelRequest, talk: Talk) -> None:
        """No name but those the person typed in this question, and those only where they did."""
        self.prefixes.add(request.prefix)
        assert names_in(request.screen, talk.names) == set()
        assert names_in(_made_here(request), talk.names) == set()
        *earlier, last = [message.text for message in request.messages if isinstance(message, UserText)]
        assert last in self.model.talks
        assert names_in("\n".join(earlier), talk.names) == set(), "known by now"

    def _check_search(self, talk: Talk) -> None:
        """A search for a placeholder found the folder of that name, which is masked in turn."""
        if talk.searches:
            found = records(results(talk.requests[-1])[0])
            wanted = f"Folder of {talk.names[talk.chosen[0]]}"
            store = self.house.school
            for pool in found:
                [row] = store.rows("SELECT title FROM pool WHERE id = :id", id=pool["id"])
                assert folded(wanted) in folded(row["title"])
            assert found
            owner = store.rows("SELECT owner FROM pool WHERE id = :id", id=found[0]["id"])[0]["owner"]
            store.run("DELETE FROM pool WHERE title LIKE 'Folder of %' AND owner = :owner", owner=owner)


def _made_here(request: ModelRequest) -> str:
    """All that did not come from the person's keyboard."""
    parts: list[str] = []
    for message in request.messages:
        match message:
            case ToolResults():
                parts += [result.content for result in message.results]
            case AssistantText():
                parts.append(message.text)
            case AssistantTurn():
                parts.append(f"{message.native} {message.text}")
            case UserText():
                pass
    return "\n".join(parts)


def _check_said(talk: Talk, reply: dict[str, Any]) -> None:
    assert reply["kind"] == "live"
    assert not PLACEHOLDER.search(reply["answer"] + reply["html"])
    assert _words(reply["answer"]) == _words(visible(talk.answer()))
    assert _words(visible(talk.answer())) == _words(re.sub(r"<[^>]+>", " ", html.unescape(reply["html"])))


def _words(text: str) -> list[str]:
    """The words in their order; the numbers of a list are no words in HTML."""
    return re.findall(r"[^\W\d_]+", text)


async def _rows(pool: asyncpg.Pool) -> Iterable[bytes]:
    """Every value of every row, as bytes."""
    values = [value for table in TABLES for row in await pool.fetch(f"SELECT * FROM {table}") for value in row]  # noqa: S608
    return [value if isinstance(value, bytes) else str(value).encode() for value in values]


@pytest.mark.slow
async def test_no_name_of_a_result_is_sent_and_every_answer_names_the_right_people(
    database_url: str, pool: asyncpg.Pool, count_cases: CountCases
) -> None:
    model = TalkingModel()
    ruled = {"limits": {"questions_per_minute": 1_000, "questions_per_day": None}}
    async with running_house(database_url, provider=model, ruled=ruled) as house:
        school = School(house, model, random.Random(20_261_130), list(range(CONVERSATIONS)), set())
        await school.run()
        assert len(school.prefixes) == 1, "the prefix is the same for everyone of a role"
        names = {row["name"] for row in house.school.rows("SELECT name FROM person WHERE role = 'student'")}
        rows = await _rows(pool)
        assert len([row for row in rows if len(row) > 100]) >= CONVERSATIONS * QUESTIONS_EACH
        for name in names:
            if len(name.encode()) >= TELLING_BYTES:
                assert not any(name.encode() in row for row in rows)
    assert school.asked == CONVERSATIONS * QUESTIONS_EACH
    asked_by_name = sum(bool(talk.asked_about) for talk in model.talks.values())
    assert asked_by_name > 50
    assert sum(talk.searches for talk in model.talks.values()) > 50
    count_cases("masked questions", school.asked - asked_by_name, "of nobody")
    count_cases("masked questions", asked_by_name, "of somebody by name")
