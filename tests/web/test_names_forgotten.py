"""A name goes with the exchange it came with: a conversation that goes on does not store it again."""

from collections.abc import Callable
from typing import Any

import asyncpg
import pytest

from assist_service.adapters.postgres.sealed_exchanges import exchange_of
from assist_service.adapters.sealing import AesGcmSealer, keys_of
from assist_service.domain.messages import ModelReply, ModelRequest
from tests.fakes.house import SECRET_KEY, running_house
from tests.fakes.models import calls, says
from tests.web.live_questions import ActingModel, screen
from tests.web.placeholders import CLASSROOM, LEARNS, students, tag_of
from tests.web.writing import POOL, new_category

pytestmark = pytest.mark.slow

SEALER = AesGcmSealer(keys_of(SECRET_KEY))

POOLS = calls(("list_pools", {}))

READS = calls(("read_guide", {"page": "teacher/pools"}))


def of_the_first(text: str) -> Callable[[ModelRequest], ModelReply]:
    return lambda request: says(text.format(f"Person-{tag_of(request)}-1"))


async def names_kept(pool: asyncpg.Pool) -> list[tuple[str, list[str]]]:
    """The kind of each exchange and the names sealed with it, in the order of asking."""
    rows = [exchange_of(row, SEALER) for row in await pool.fetch("SELECT * FROM exchanges ORDER BY at")]
    return [
        (one.kind.value, [known.name for known in one.names.people.values()] if one.names is not None else [])
        for one in rows
    ]


async def test_an_exchange_keeps_who_was_in_its_own_results_or_is_named_in_its_own_texts(
    database_url: str, pool: asyncpg.Pool
) -> None:
    asked: tuple[tuple[str, list[Any]], ...] = (
        ("Results?", [LEARNS, of_the_first("{} did well.")]),
        ("My pools?", [POOLS, says("You have pools.")]),
        ("How do I make one for the first?", [READS, of_the_first("For {} a pool is made here [s1].")]),
        ("My pools, and {1}?", [POOLS, says("You have pools.")]),
        ("A folder for her?", [lambda r: calls(new_category(f"For Person-{tag_of(r)}-3")), says("It waits.")]),
        ("Was the first bad?", [POOLS, of_the_first("{} is a fuck.")]),
    )
    model = ActingModel(*(step for _, steps in asked for step in steps))
    async with running_house(database_url, provider=model, moderation="words") as house:
        names = students(house)
        conversation: dict[str, Any] = {}
        for question, _ in asked:
            house.clock.move(1)
            here = screen(classroom=CLASSROOM, pool=POOL)
            reply = await house.ask(question.format(*names), context=here, **conversation)
            assert reply.status_code == 200, reply.text
            conversation = {"conversation_id": reply.json()["conversation_id"]}
    [(kind, whole), *later] = await names_kept(pool)
    assert (kind, sorted(whole)) == ("live", sorted(names))
    assert later == [
        ("live", []),
        ("manual", [whole[0]]),
        ("live", [names[1]]),
        ("proposal", [whole[2]]),
        ("refusal", []),
    ]
