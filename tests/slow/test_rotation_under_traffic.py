"""Keys rotate and the purge runs beside fifty questions a second: no error, nothing lost, nothing readable."""

import asyncio
import base64
import json
import subprocess
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import asyncpg
import httpx2
import pytest

from assist_service.adapters.clock import SystemClock
from devtools.postgres import find_binaries
from tests.case_counts import CountCases
from tests.conftest import PUBLISHED, cloned
from tests.fakes.serving import PATIENCE_SECONDS
from tests.slow.kept_under import AUDIT_KEPT, CANARY, Filled, fill, left_of
from tests.slow.traffic import Person, Traffic, enrol
from tests.slow.write_world import World, open_world

pytestmark = pytest.mark.slow

OLD, NEW = bytes([1]) * 32, bytes([2]) * 32

RATE, SECONDS = 50.0, 12.0
"""Of each of the two halves."""

PAUSE_SECONDS = 1.0
"""Between two rounds of commands: a command's start alone takes more of the machine than twenty questions."""

PEOPLE = 400
"""So many that nobody meets the policy's limit of questions a minute."""

SETTINGS = {"ASSIST_DAILY_CAP_USD": "100000", "ASSIST_LOG_LEVEL": "WARNING"}

COMMAND = str(Path(sys.executable).with_name("assist-service"))

EMPTY = "SELECT count(*) FROM conversations WHERE id NOT IN (SELECT conversation_id FROM exchanges)"

KEYS = {"exchanges": ("id",), "pending_writes": ("id",), "idempotent_replies": ("owner", "key")}


def setting(*keys: bytes) -> str:
    return ",".join(base64.b64encode(key).decode() for key in keys)


@dataclass
class Operator:
    """Runs commands as processes of their own, and keeps what they said."""

    world: World
    said: dict[str, list[tuple[int, Any]]] = field(default_factory=dict)
    errors: str = ""

    async def run(self, *arguments: str, keys: str) -> tuple[int, Any]:
        environment = self.world.environment(ASSIST_SECRET_KEYS=keys, ASSIST_LOG_LEVEL="WARNING")
        process = await asyncio.create_subprocess_exec(
            COMMAND, *arguments, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        out, err = await process.communicate()
        assert process.returncode is not None
        assert out, err.decode()
        told = process.returncode, json.loads(out)
        self.errors += err.decode()
        self.said.setdefault(" ".join(arguments), []).append(told)
        return told


@asynccontextmanager
async def beside(operator: Operator) -> AsyncIterator[None]:
    """Both commands run while the block does, at once, so that they meet; the last ones come to their end."""
    stopping = asyncio.Event()

    async def work() -> None:
        while not stopping.is_set():
            await asyncio.gather(
                operator.run("keys", "rotate", keys=setting(NEW, OLD)), operator.run("purge", keys=setting(NEW, OLD))
            )
            await asyncio.sleep(PAUSE_SECONDS)

    working = asyncio.create_task(work())
    try:
        yield
    finally:
        stopping.set()
        await working


@asynccontextmanager
async def unlimited(*clients: httpx2.AsyncClient) -> AsyncIterator[list[httpx2.AsyncClient]]:
    """The same addresses, without a limit of connections. An idle one is left before the server closes it (after 5 s):
    a request that met that moment would be lost, and no fault of anybody's."""
    limits = httpx2.Limits(max_connections=None, max_keepalive_connections=200, keepalive_expiry=2.0)
    async with AsyncExitStack() as stack:
        yield [
            await stack.enter_async_context(
                httpx2.AsyncClient(base_url=client.base_url, timeout=PATIENCE_SECONDS, limits=limits, trust_env=False)
            )
            for client in clients
        ]


async def sign_in(world: World, people: Sequence[Person]) -> None:
    for person in people:
        answer = await world.lms.post("/demo/session", json={"person": person.sub})
        person.token = answer.json()["token"]


async def assert_purged(pool: asyncpg.Pool, filled: Filled, traffic: Traffic) -> None:
    """What was due went, and nothing else."""
    for table, key in KEYS.items():
        left = await left_of(pool, table, *key)
        assert not left & filled.due[table], table
        assert filled.kept[table] <= left, table
    assert traffic.exchanges <= await left_of(pool, "exchanges", "id")
    assert await pool.fetchval("SELECT count(*) FROM audit WHERE action = 'assist.read'") == AUDIT_KEPT
    assert await pool.fetchval(EMPTY) == 0


def spellings(word: str) -> set[bytes]:
    """The word as a dump could hold it: as it is, in hexadecimal, in base64 at each of its three places."""
    raw = word.encode()
    shifted = {base64.b64encode(b"x" * shift + raw)[4:-4] for shift in range(3)}
    return {raw, raw.hex().encode(), raw.hex().upper().encode(), word.encode("utf-16-le"), *shifted}


def dump_of(database_url: str) -> bytes:
    """The whole database, as `pg_dump` writes it."""
    return subprocess.run([find_binaries() / "pg_dump", database_url], capture_output=True, check=True).stdout


def logged(folder: Path) -> bytes:
    return b"".join(log.read_bytes() for log in folder.glob("service-*.log"))


async def test_fifty_questions_a_second_while_keys_rotate_and_the_purge_runs(
    tmp_path: Path, count_cases: CountCases
) -> None:
    async with cloned(PUBLISHED) as database_url, open_world(database_url, tmp_path) as world:
        people = enrol(world.school, PEOPLE)
        filled = await fill(world.pool, OLD, [person.sub for person in people], now=SystemClock().now())
        for person in people:
            person.conversation = str(filled.fresh[person.sub].conversation_id)
        traffic, operator = Traffic(people), Operator(world)
        rates = await change_keys(world, traffic, operator)
        assert traffic.faults == []
        changed = [told["exchanges.sealed"]["changed"] for _, told in operator.said["keys rotate"]]
        assert (changed[0] > 1_000, any(changed[1:])) == (True, True), "there was work while people asked"
        await assert_rotated(operator)
        await assert_purged(world.pool, filled, traffic)
        await assert_read_with_the_new_key(world, people)
        dump = await asyncio.to_thread(dump_of, database_url)
        assert str(filled.fresh[people[0].sub].id).encode() in dump
        logs = operator.errors.encode() + logged(tmp_path)
        assert {word for word in spellings(CANARY) if word in dump or word in logs} == set()
    assert min(traffic.confirmed, traffic.repeated, len(operator.said["purge"])) > 1
    count_cases("rotation under traffic", traffic.questions, f"{min(rates):.0f} a second at least")


async def change_keys(world: World, traffic: Traffic, operator: Operator) -> list[float]:
    """The questions answered a second: in the midst of the second step, when one replica seals with the new key and
    the other does not yet, and after it, when that one was restarted."""
    behind = await world.start(ASSIST_SECRET_KEYS=setting(OLD, NEW), **SETTINGS)
    ahead = await world.start(ASSIST_SECRET_KEYS=setting(NEW, OLD), **SETTINGS)
    restarted = await world.start(ASSIST_SECRET_KEYS=setting(NEW, OLD), **SETTINGS)
    await sign_in(world, traffic.people)
    async with (
        unlimited(behind.client, ahead.client, restarted.client) as (to_behind, to_ahead, to_restarted),
        beside(operator),
    ):
        first = await traffic.flow([to_behind, to_ahead], rate=RATE, seconds=SECONDS)
        behind.child.process.terminate()
        second = await traffic.flow([to_ahead, to_restarted], rate=RATE, seconds=SECONDS)
    await behind.ended()
    return [first, second]


async def assert_rotated(operator: Operator) -> None:
    """One more rotation at most, and no row stands under the old key: nothing is lost with it."""
    assert (await operator.run("keys", "rotate", keys=setting(NEW, OLD)))[0] == 0
    code, (new, old) = await operator.run("keys", "status", keys=setting(NEW, OLD))
    assert (code, len(new["rows"]), old["rows"]) == (0, 4, {})
    assert (await operator.run("keys", "status", keys=setting(NEW)))[0] == 0
    assert (await operator.run("keys", "status", keys=setting(OLD)))[0] == 1


async def assert_read_with_the_new_key(world: World, people: Sequence[Person]) -> None:
    """A replica that has the new key alone, over HTTP."""
    replica = await world.start(ASSIST_SECRET_KEYS=setting(NEW), **SETTINGS)
    await sign_in(world, people[:20])
    for person in people[:20]:
        read = await replica.client.get(f"/assist/conversations/{person.conversation}", headers=person.bearer)
        assert (read.status_code, CANARY in read.text) == (200, True)


def test_a_spelling_in_a_dump_would_be_seen() -> None:
    words = f"xx{CANARY}yy"
    for told in (words.encode(), words.encode().hex().encode(), base64.b64encode(words.encode())):
        assert any(word in told for word in spellings(CANARY))
