"""One Postgres, one reference LMS behind a gate, and services as processes of their own, to be killed and started."""

import asyncio
import os
import socket
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import asyncpg
import httpx2

from assist_service.domain.writes import WriteTool
from devtools.children import Child, Program, running
from examples.reference_lms.app import create_app as create_lms
from examples.reference_lms.store import Store
from tests.fakes.house import CLIENT_KEY, CLIENT_KEY_PEM, LMS_ORIGIN, SECRET_KEY, TEACHER, question_body
from tests.fakes.serving import connect, serve
from tests.slow.lms_gate import Gate
from tests.web.live_questions import screen
from tests.web.writing import COURSE, POOL, QUESTION

ISSUER = "http://lms.test"

SERVE = (str(Path(sys.executable).parent / "assist-service"), "serve")
"""What runs in production."""

PREPARE = (sys.executable, "-m", "tests.slow.preparing_service")
"""The same, with a model that prepares what it is asked for."""

START_SECONDS = 60.0

END_SECONDS = 30.0

CREATED = 201

COUNTED = ("category", "question", "template", "course_pool")
"""Where each write but the one of more questions leaves one row."""


@dataclass(frozen=True)
class Card:
    """A write that was shown."""

    id: UUID
    conversation_id: str
    lines: list[tuple[str, str]]


@dataclass
class Replica:
    """One service process, seen from the test."""

    child: Child
    client: httpx2.AsyncClient
    bearer: Callable[[], Awaitable[dict[str, str]]]

    async def prepare(self, tool: WriteTool, title: str = "Loops") -> Card:
        """The one card of an answer."""
        context = screen(pool=POOL, course=COURSE, question=QUESTION)
        body = question_body(f"Prepare {tool.value}: {title}", context=context)
        answer = await self.client.post("/assist/ask", json=body, headers=await self.bearer())
        assert answer.status_code == 200, answer.text
        reply = answer.json()
        (write,) = reply["writes"]
        assert write["tool"] == tool.value
        lines = [(line["label"], line["value"]) for line in write["lines"]]
        return Card(UUID(write["id"]), reply["conversation_id"], lines)

    async def confirm(self, card: Card, *, write_id: UUID | None = None) -> httpx2.Response:
        return await self.client.post(
            f"/assist/writes/{write_id or card.id}/confirm",
            json={"conversation_id": card.conversation_id},
            headers=await self.bearer(),
        )

    async def nowhere(self, card: Card) -> httpx2.Response:
        """The answer about a write that never was."""
        answer = await self.confirm(card, write_id=uuid4())
        assert (answer.status_code, answer.json()["code"]) == (404, "write_not_found")
        return answer

    def signal(self, number: int) -> None:
        self.child.process.send_signal(number)

    async def ended(self) -> int:
        """The code it ends with, soon at the latest."""
        return await asyncio.to_thread(self.child.process.wait, END_SECONDS)

    async def kill(self) -> None:
        self.child.process.kill()
        await self.ended()


@dataclass
class World:
    """What outlives every service process."""

    gate: Gate
    lms: httpx2.AsyncClient
    lms_url: str
    school: Store
    pool: asyncpg.Pool
    database_url: str
    folder: Path
    _stack: AsyncExitStack
    late: list[Callable[[], Awaitable[None]]] = field(default_factory=list)
    """What still has to come to its end."""
    _rows_before: int = field(init=False)

    def __post_init__(self) -> None:
        # So that there is a course to link the pool to.
        self.school.run("UPDATE pool SET owner = :me WHERE id = :pool", me=TEACHER, pool=POOL)
        self.school.run("DELETE FROM course_pool WHERE pool = :pool AND course = :course", pool=POOL, course=COURSE)
        self._rows_before = self._rows()

    def environment(self, port: int = 1, **changes: str) -> dict[str, str]:
        """The settings of a process of this world; `changes` replace some of them."""
        return {**_environment(self.database_url, self.lms_url, port), **changes}

    async def start(self, command: tuple[str, ...] = SERVE, /, **changes: str) -> Replica:
        """A process that answers; killed at the end of the test, if it still runs."""
        # Bound until the service listens there: between two starts a port that is free is anybody's.
        with socket.socket() as reserved:
            reserved.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            reserved.bind(("127.0.0.1", 0))
            port = reserved.getsockname()[1]
            program = Program(
                name="the service",
                command=command,
                environment=self.environment(port, **changes),
                folder=self.folder,
                log=self.folder / f"service-{port}.log",
            )
            child = self._stack.enter_context(_killed_at_the_end(program))
            client = await self._stack.enter_async_context(connect(f"http://127.0.0.1:{port}"))
            await _until_answering(child, client)
        return Replica(child, client, self.bearer)

    async def bearer(self) -> dict[str, str]:
        answer = await self.lms.post("/demo/session", json={"person": TEACHER})
        return {"Authorization": f"Bearer {answer.json()['token']}"}

    async def inject(self, fault: str, **parameters: Any) -> None:
        (await self.lms.post("/demo/faults", json={"fault": fault, **parameters})).raise_for_status()

    async def writes(self) -> list[dict[str, Any]]:
        """The LMS's audit log: every write it was asked for, but for repetitions."""
        entries: list[dict[str, Any]] = (await self.lms.get("/demo/audit")).json()["entries"]
        return entries

    async def written(self) -> int:
        """How many writes the LMS has made; its log and its tables agree about that."""
        made = [entry for entry in await self.writes() if entry["status"] == CREATED]
        assert len(made) == self._rows() - self._rows_before
        return len(made)

    async def live_tokens(self) -> int:
        return len((await self.lms.get("/demo/tokens")).json()["tokens"])

    async def row(self, card: Card) -> asyncpg.Record:
        row = await self.pool.fetchrow("SELECT * FROM pending_writes WHERE id = $1", card.id)
        assert row is not None
        return row

    async def pass_time(self, card: Card, seconds: float) -> None:
        """As if all that befell the card had been so much earlier."""
        moved = await self.pool.execute(_EARLIER, card.id, seconds)
        assert moved == "UPDATE 1"

    def _rows(self) -> int:
        counts = [self.school.rows(f"SELECT count(*) AS n FROM {table}") for table in COUNTED]  # noqa: S608 those above
        return sum(int(rows[0]["n"]) for rows in counts)


_EARLIER = """
UPDATE pending_writes SET
    prepared_at = prepared_at - make_interval(secs => $2),
    expires_at = expires_at - make_interval(secs => $2),
    lease_until = lease_until - make_interval(secs => $2),
    sent_at = sent_at - make_interval(secs => $2)
WHERE id = $1
"""


@asynccontextmanager
async def open_world(database_url: str, folder: Path) -> AsyncIterator[World]:
    """The world for one test, no service in it yet; none outlives the block."""
    async with AsyncExitStack() as stack:
        lms = create_lms(url=ISSUER, client_jwks=CLIENT_KEY.public_jwks())
        lms_url = await stack.enter_async_context(serve(gate := Gate(lms)))
        pool = await stack.enter_async_context(asyncpg.create_pool(database_url, min_size=1, max_size=4))
        client = await stack.enter_async_context(connect(lms_url))
        yield World(gate, client, lms_url, lms.state.campus.store, pool, database_url, folder, stack)


@contextmanager
def _killed_at_the_end(program: Program) -> Iterator[Child]:
    """The program as a child. A test has no time for a graceful end: that is the matter of some tests of it."""
    with running(program) as child:
        try:
            yield child
        finally:
            child.process.kill()


def _environment(database_url: str, lms_url: str, port: int) -> dict[str, str]:
    return {
        "PYTHONPATH": os.pathsep.join(sys.path),
        "ASSIST_ENV": "development",
        "ASSIST_DATABASE_URL": database_url,
        "ASSIST_SECRET_KEYS": SECRET_KEY,
        "ASSIST_CLIENT_KEY": CLIENT_KEY_PEM,
        "ASSIST_MODEL": "stub",
        "ASSIST_LMS_URL": lms_url,
        "ASSIST_LMS_ORIGIN": LMS_ORIGIN,
        "ASSIST_SESSION_ISSUER": ISSUER,
        "ASSIST_PORT": str(port),
    }


async def _until_answering(child: Child, client: httpx2.AsyncClient) -> None:
    async with asyncio.timeout(START_SECONDS):
        while True:
            child.check_alive()
            try:
                if (await client.get("/healthz")).status_code == 200:
                    return
            except httpx2.TransportError:
                await asyncio.sleep(0.05)
