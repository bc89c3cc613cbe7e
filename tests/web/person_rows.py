"""Two people with rows in every table about people, each with words that nobody else has; the back end's two calls."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TypeVar

import asyncpg
import httpx2

from assist_service.domain.messages import ModelReply
from assist_service.domain.person_data import DamagedRow
from examples.reference_lms.clients import PRIVACY_AUDIENCE
from tests.fakes.house import ADMINISTRATOR, OTHER_TEACHER, TEACHER, House, running_house
from tests.fakes.models import calls, says
from tests.web.kept_rows import TABLES
from tests.web.live_questions import ActingModel, owned, screen
from tests.web.writing import new_category

PEOPLE = {TEACHER: "canary-of-ada", OTHER_TEACHER: "canary-of-bob"}
"""Each with the beginning of the words that are theirs alone."""

WORDS = ("question", "answer", "title", "key")


def words_of(person: str) -> tuple[str, ...]:
    """All the canaries of a person."""
    return tuple(f"{PEOPLE[person]}-{word}" for word in WORDS)


Row = TypeVar("Row")


def whole(rows: Sequence[Row | DamagedRow]) -> Sequence[Row]:
    """Rows of which none is damaged."""
    told = [row for row in rows if not isinstance(row, DamagedRow)]
    assert len(told) == len(rows)
    return told


@dataclass(frozen=True)
class Lived:
    """A house in which both have asked and prepared a change, and an administrator has read what they said."""

    house: House
    conversations: dict[str, str]


async def at_data(
    house: House, method: str, sub: str = TEACHER, *, audience: str = PRIVACY_AUDIENCE
) -> httpx2.Response:
    """Exports (`GET`) or erases (`DELETE`) as the LMS's back end; `sub` as it stands in the address."""
    headers = {"Authorization": f"Bearer {house.clients.mint(audience)}"}
    return await house.service.request(method, f"/assist/people/{sub}/data", headers=headers)


def _steps(person: str) -> Sequence[ModelReply]:
    _, answer, title, _ = words_of(person)
    return calls(new_category(title, owned("pool", person))), says(f"It waits: {answer}.")


async def _live(house: House, person: str) -> str:
    question, _, _, key = words_of(person)
    asked = await house.ask(
        f"Prepare it, please: {question}.",
        person=person,
        context=screen(pool=owned("pool", person)),
        headers={"Idempotency-Key": key},
    )
    assert asked.status_code == 200, asked.text
    assert len(asked.json()["writes"]) == 1, asked.text
    elevated = await house.bearer(ADMINISTRATOR, elevated=True)
    conversation = str(asked.json()["conversation_id"])
    for path in (f"people/{person}/conversations", f"conversations/{conversation}"):
        assert (await house.service.get(f"/assist/{path}", headers=elevated)).status_code == 200
    return conversation


@asynccontextmanager
async def lived(database_url: str) -> AsyncIterator[Lived]:
    model = ActingModel(*(step for person in PEOPLE for step in _steps(person)))
    async with running_house(database_url, provider=model) as house:
        yield Lived(house, {person: await _live(house, person) for person in PEOPLE})


async def dump(pool: asyncpg.Pool) -> dict[str, list[str]]:
    """Every row of every table as Postgres writes it out."""
    tables = [row["table_name"] for row in await pool.fetch(TABLES)]
    query = 'SELECT t::text AS line FROM "{}" AS t ORDER BY 1'
    return {table: [row["line"] for row in await pool.fetch(query.format(table))] for table in tables}
