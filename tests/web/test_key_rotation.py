"""Over HTTP: after a rotation every old conversation, kept reply and card opens with the new key alone, and none with
the old (S2); a running service purges by itself."""

import base64

import asyncpg
import httpx2
import pytest
from pydantic import SecretStr

from assist_service.bootstrap.sealing import rotate, rows_by_key
from assist_service.settings import SealingSettings
from tests.fakes.house import House, running_house
from tests.postgres.blocking import until_blocked
from tests.web.live_questions import screen
from tests.web.writing import POOL

pytestmark = pytest.mark.slow

OLD, NEW = (base64.b64encode(bytes([number]) * 32).decode() for number in (1, 2))

PREPARE = "Create the category “Revision” in this pool"

KEYED = {"Idempotency-Key": "0001-key"}


def keys(*said: str) -> SecretStr:
    return SecretStr(",".join(said))


async def opens(house: House, conversation: str, card: dict[str, str], reply: bytes) -> list[int]:
    """The status of each thing that reads what is sealed; what is read is what was said."""
    bearer = await house.bearer()
    read = await house.service.get(f"/assist/conversations/{conversation}", headers=bearer)
    kept = await house.ask(PREPARE, headers=KEYED, context=screen(pool=POOL))
    further = await house.ask("And how do I share it?", conversation_id=conversation)
    confirmed = await house.service.post(
        f"/assist/writes/{card['id']}/confirm", json={"conversation_id": conversation}, headers=bearer
    )
    answers: list[httpx2.Response] = [read, kept, further, confirmed]
    if read.status_code == 200:
        assert read.json()["items"][0]["question"] == PREPARE
    if kept.status_code == 200:
        assert kept.content == reply
    return [answer.status_code for answer in answers]


async def test_a_retired_key_opens_nothing_and_the_new_one_everything(database_url: str) -> None:
    async with running_house(database_url, secret_keys=keys(OLD)) as house:
        asked = await house.ask(PREPARE, headers=KEYED, context=screen(pool=POOL))
        assert asked.status_code == 200, asked.text
        (card,) = asked.json()["writes"]
    settings = SealingSettings(database_url=SecretStr(database_url), secret_keys=keys(NEW, OLD))
    assert (await rotate(settings)).is_whole
    new, old = await rows_by_key(settings)
    assert (len(new.rows), old.rows) == (4, {})
    conversation = asked.json()["conversation_id"]
    async with running_house(database_url, secret_keys=keys(OLD)) as house:
        assert await opens(house, conversation, card, asked.content) == [500] * 4
    async with running_house(database_url, secret_keys=keys(NEW)) as house:
        assert await opens(house, conversation, card, asked.content) == [200] * 4


@pytest.mark.parametrize("hours", [24.0, None])
async def test_a_service_purges_by_itself_if_it_is_told_to(
    database_url: str, pool: asyncpg.Pool, hours: float | None
) -> None:
    await pool.execute("INSERT INTO erasures VALUES ('digest', now() - interval '1000 days')")
    # A clock that a test moves by hand sleeps no time at all: the purge comes at once, and again and again.
    async with pool.acquire() as other, other.transaction():
        await other.execute("LOCK TABLE erasures IN ACCESS EXCLUSIVE MODE")
        async with running_house(database_url, purge_every_hours=hours) as house:
            if hours:
                await until_blocked(pool)
            assert (await house.service.get("/healthz")).status_code == 200
        # It ends although its purge waits.
    assert await pool.fetchval("SELECT count(*) FROM erasures") == 1
