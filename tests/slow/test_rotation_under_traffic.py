"""Keys rotate and the purge runs while fifty questions a second are begun: each is answered, nothing lost or readable.

How many a second were answered the machine decides: it is told and not asserted.
"""

import asyncio
import base64
import json
import subprocess
import sys
from collections import Counter
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import asyncpg
import httpx2
import pytest

from assist_service.adapters.clock import SystemClock
from assist_service.adapters.sealing import AesGcmSealer
from devtools.postgres import find_binaries
from tests.case_counts import CountCases
from tests.conftest import PUBLISHED, cloned
from tests.fakes.serving import PATIENCE_SECONDS
from tests.slow.kept_under import AUDIT_KEPT, CANARY, REPLIES, Filled, fill, left_of
from tests.slow.opened import SEALED, Row, opened, other_than
from tests.slow.traffic import NUMBER, Person, Traffic, enrol
from tests.slow.write_world import World, open_world

pytestmark = pytest.mark.slow

OLD, NEW = bytes([1]) * 32, bytes([2]) * 32

RATE, SECONDS = 50.0, 10.0
"""Of each of the two halves: so many questions a second are begun, however slowly they are answered."""

PAUSE_SECONDS = 2.0
"""Between two rounds of commands: a command's start alone takes more of the machine than twenty questions."""

SAMPLE = 20
"""How many of each kind are read over HTTP at the end; in the database all are."""

PEOPLE = 400
"""So many that nobody meets the policy's limit of questions a minute."""

SETTINGS = {"ASSIST_DAILY_CAP_USD": "100000", "ASSIST_LOG_LEVEL": "WARNING"}

COMMAND = str(Path(sys.executable).with_name("assist-service"))

EMPTY = "SELECT count(*) FROM conversations WHERE id NOT IN (SELECT conversation_id FROM exchanges)"

DAWDLE_SECONDS = 0.7

_DAWDLE = f"""
CREATE FUNCTION dawdle() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF current_query() LIKE '%SKIP LOCKED%' THEN PERFORM pg_sleep({DAWDLE_SECONDS}); END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER dawdle BEFORE UPDATE ON pending_writes FOR EACH STATEMENT EXECUTE FUNCTION dawdle();
CREATE TRIGGER dawdle BEFORE UPDATE ON idempotent_replies FOR EACH STATEMENT EXECUTE FUNCTION dawdle();
"""
"""The rotation alone takes its time, between reading a batch and locking its rows: meanwhile cards are confirmed and
keys are claimed anew."""

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


async def assert_purged(pool: asyncpg.Pool, filled: Filled) -> None:
    """What was due went, and nothing else."""
    for table, key in KEYS.items():
        left = await left_of(pool, table, *key)
        assert not left & filled.due.get(table, set()), table
        assert filled.kept[table] <= left, table
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


async def test_keys_rotate_and_the_purge_runs_while_people_ask(tmp_path: Path, count_cases: CountCases) -> None:
    async with cloned(PUBLISHED) as database_url, open_world(database_url, tmp_path) as world:
        people = enrol(world.school, PEOPLE)
        filled = await fill(world.pool, OLD, [person.sub for person in people], now=SystemClock().now())
        for person in people:
            person.conversation = str(filled.fresh[person.sub].conversation_id)
        before = await opened(world.pool, OLD)
        await world.pool.execute(_DAWDLE)
        traffic, operator = Traffic(people, list(filled.dead)), Operator(world)
        reached = await change_keys(world, traffic, operator)
        assert traffic.faults == []
        assert len(traffic.said) == 2 * RATE * SECONDS, "each question that was begun was answered"
        assert min(traffic.confirmed, traffic.claimed_anew, len(traffic.standing), len(operator.said["purge"])) > 1
        assert_there_was_work(operator)
        await assert_rotated(operator)
        await assert_purged(world.pool, filled)
        assert_nothing_lost(traffic, before, await opened(world.pool, NEW))
        await assert_used_with_the_new_key(world, traffic)
        dump = await asyncio.to_thread(dump_of, database_url)
        assert str(filled.fresh[people[0].sub].id).encode() in dump
        logs = operator.errors.encode() + logged(tmp_path)
        hidden = spellings(CANARY) | spellings(NUMBER)
        assert {word for word in hidden if word in dump or word in logs} == set()
    count_cases("rotation under traffic", len(traffic.said), f"{RATE:.0f} a second begun, {min(reached):.0f} answered")


async def change_keys(world: World, traffic: Traffic, operator: Operator) -> list[float]:
    """The questions answered a second: in the midst of the second step, when one replica seals with the new key and
    the other does not yet, and after it, when that one was restarted."""
    behind, ahead, restarted = await asyncio.gather(
        *(world.start(ASSIST_SECRET_KEYS=setting(*keys), **SETTINGS) for keys in ((OLD, NEW), (NEW, OLD), (NEW, OLD)))
    )
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


def assert_there_was_work(operator: Operator) -> None:
    """More was sealed again than stood there when people began to ask, and all of it was the old key's."""
    taken = {place: Counter[str]() for place in SEALED}
    for _, told in operator.said["keys rotate"]:
        for place, by_key in taken.items():
            by_key.update(told["places"][place]["from"])
    (old_id,) = AesGcmSealer([OLD]).key_ids
    assert [[*by_key] for by_key in taken.values()] == [[old_id]] * len(SEALED)
    assert taken["exchanges.sealed"][old_id] > 1_000
    assert taken["idempotent_replies.sealed_reply"][old_id] > REPLIES


async def assert_rotated(operator: Operator) -> None:
    """One more rotation at most, and no row stands under the old key: nothing is lost with it."""
    assert (await operator.run("keys", "rotate", keys=setting(NEW, OLD)))[0] == 0
    code, (new,) = await operator.run("keys", "status", keys=setting(NEW))
    assert (code, new["rows"].keys()) == (0, SEALED.keys())


def assert_nothing_lost(
    traffic: Traffic, before: Mapping[str, Mapping[Row, bytes]], after: Mapping[str, Mapping[Row, bytes]]
) -> None:
    """Each text is what was put there before, or what people were answered meanwhile."""
    body, reply = "idempotent_replies.sealed_body_digest", "idempotent_replies.sealed_reply"
    anew = traffic.replies.keys()
    stayed = {place: {row: text for row, text in rows.items() if row not in anew} for place, rows in before.items()}
    assert other_than(stayed, after) == []
    words = {row: json.loads(text) for row, text in after["exchanges.sealed"].items()}
    told = {row: (words[row]["question"], words[row]["answer"]) for row in traffic.said if row in words}
    assert told == traffic.said
    assert {row: after[reply].get(row) for row in anew} == traffic.replies
    ((digest, kept),) = Counter(after[body][row] for row in anew).items()
    assert (len(digest), kept) == (32, len(anew)), "all had the same body"
    cards = [after["pending_writes.sealed"][card.person.sub, card.id] for card in traffic.standing]
    assert all(json.loads(card)["body"] for card in cards)


async def assert_used_with_the_new_key(world: World, traffic: Traffic) -> None:
    """A replica that has the new key alone, over HTTP: conversations, kept replies and cards."""
    replica = await world.start(ASSIST_SECRET_KEYS=setting(NEW), **SETTINGS)
    people = {person.sub: person for person in traffic.people}
    cards, keys = traffic.standing[:SAMPLE], list(traffic.replies)[:SAMPLE]
    await sign_in(world, list(people.values())[:SAMPLE])
    await sign_in(world, [*(card.person for card in cards), *(people[sub] for sub, _ in keys)])
    for person in traffic.people[:SAMPLE]:
        read = await replica.client.get(f"/assist/conversations/{person.conversation}", headers=person.bearer)
        assert (read.status_code, CANARY in read.text or NUMBER in read.text) == (200, True)
    for sub, key in keys:
        await traffic.ask_again(replica.client, people[sub], key)
    assert traffic.faults == []
    assert [(await card.confirm(replica.client)).status_code for card in cards] == [200] * len(cards)


def test_a_spelling_in_a_dump_would_be_seen() -> None:
    words = f"xx{CANARY}yy"
    for told in (words.encode(), words.encode().hex().encode(), base64.b64encode(words.encode())):
        assert any(word in told for word in spellings(CANARY))
