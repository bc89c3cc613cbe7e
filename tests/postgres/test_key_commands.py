"""The commands on keys and the purge, as an operator runs them: numbers as JSON, and what the exit code says."""

import asyncio
import base64
import json
from typing import Any

import pytest

from assist_service.adapters.postgres.alone import alone
from assist_service.adapters.postgres.engine import connect_alone
from assist_service.adapters.postgres.purging import PURGING
from assist_service.adapters.sealing import AesGcmSealer, keys_of
from tests.fakes.commands import typed
from tests.postgres.exchanges import Stores, exchange, stores_on

pytestmark = pytest.mark.slow

OLD, NEW = (bytes([number]) * 32 for number in (1, 2))

OTHERS = {
    "ASSIST_ENV": "development",
    "ASSIST_MODEL": "stub",
    "ASSIST_LMS_URL": "http://127.0.0.1:1",
    "ASSIST_LMS_ORIGIN": "http://127.0.0.1:1",
    "ASSIST_SESSION_ISSUER": "http://127.0.0.1:1",
}


async def run(*arguments: str, **settings: str) -> tuple[int, str, str]:
    """The exit code, and what was printed and logged."""
    done = await asyncio.to_thread(typed, *arguments, environment=settings)
    return done.returncode, done.stdout, done.stderr


async def told(url: str, *arguments: str, keys: tuple[bytes, ...]) -> tuple[int, Any]:
    said = ",".join(base64.b64encode(key).decode() for key in keys)
    code, out, _ = await run(*arguments, ASSIST_DATABASE_URL=url, ASSIST_SECRET_KEYS=said)
    return code, json.loads(out)


async def test_rotating_keys_with_nothing_set_but_the_database_and_the_keys(stores: Stores, database_url: str) -> None:
    old, new = (AesGcmSealer([key]) for key in (OLD, NEW))
    await stores_on(stores.pool, old).start(exchange(question="CANARY"))
    (old_id,), (new_id,) = old.key_ids, new.key_ids
    one = {"exchanges.sealed": 1}
    code, keys = await told(database_url, "keys", "status", keys=(NEW, OLD))
    assert (code, keys) == (
        1,
        [{"id": new_id, "position": 1, "rows": {}}, {"id": old_id, "position": 2, "rows": one}],
    )
    code, keys = await told(database_url, "keys", "status", keys=(NEW,))
    assert (code, keys[1]) == (1, {"id": old_id, "position": None, "rows": one})
    code, said = await told(database_url, "keys", "rotate", keys=(NEW,))
    found = str(await stores.pool.fetchval("SELECT id FROM exchanges"))
    untouched = {"changed": 0, "from": {}, "unopened": 1, "left": 0, "ids": [found]}
    assert (code, said["key"], said["places"]["exchanges.sealed"]) == (1, new_id, untouched)
    code, said = await told(database_url, "keys", "rotate", keys=(NEW, OLD))
    moved = {"changed": 1, "from": {old_id: 1}, "unopened": 0, "left": 0}
    assert (code, said["key"], said["places"]["exchanges.sealed"]) == (0, new_id, moved)
    assert await told(database_url, "keys", "status", keys=(NEW,)) == (0, [{"id": new_id, "position": 1, "rows": one}])


async def test_keys_in_the_wrong_order_are_told_and_found_out_with_the_new_key_alone(
    stores: Stores, database_url: str
) -> None:
    old, new = (AesGcmSealer([key]) for key in (OLD, NEW))
    await stores_on(stores.pool, new).start(exchange(question="CANARY"))
    (old_id,), (new_id,) = old.key_ids, new.key_ids
    code, said = await told(database_url, "keys", "rotate", keys=(OLD, NEW))
    assert (code, said["key"], said["places"]["exchanges.sealed"]["from"]) == (0, old_id, {new_id: 1})
    of_orders = {keys: (await told(database_url, "keys", "status", keys=keys))[0] for keys in ((OLD, NEW), (NEW,))}
    assert of_orders == {(OLD, NEW): 0, (NEW,): 1}, "only without the old key is it seen"


async def test_a_new_key_needs_nothing_and_is_one() -> None:
    (code, first, err), (_, other, _) = await run("keys", "new"), await run("keys", "new")
    assert (code, err, first != other) == (0, "", True)
    assert len(keys_of(f"{first.strip()},{other.strip()}")) == 2


async def test_a_broken_key_is_one_line() -> None:
    for command in ("rotate", "status"):
        code, out, err = await run(
            "keys", command, ASSIST_DATABASE_URL="postgresql://someone:canary@127.0.0.1:1/none", ASSIST_SECRET_KEYS="x"
        )
        assert (code, out, len(err.splitlines())) == (2, "", 1)
        assert "ASSIST_SECRET_KEYS: key 1" in err


async def test_a_purge_beside_another_says_so_and_is_no_fault(database_url: str) -> None:
    settings = {**OTHERS, "ASSIST_DATABASE_URL": database_url, "ASSIST_SECRET_KEYS": base64.b64encode(NEW).decode()}

    async def connect() -> Any:
        return await connect_alone(database_url)

    async with alone(connect, PURGING):
        code, out, _ = await run("purge", **settings)
    assert (code, json.loads(out)) == (0, {"already_running": True})
    code, out, _ = await run("purge", **settings)
    assert (code, json.loads(out)["exchanges"]) == (0, 0)
