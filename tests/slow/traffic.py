"""Traffic on replicas, an open loop: so many questions a second are begun, whatever becomes of those before."""

import asyncio
import time
import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import count

import httpx2

from examples.reference_lms.store import Store
from tests.fakes.house import question_body
from tests.slow.kept_under import CANARY
from tests.web.live_questions import screen

CARD_SECONDS = 1.0
"""How long a person looks at a card: in the meantime its row is sealed again."""

_PERSON = "INSERT INTO person (id, name, role) VALUES (:id, :name, 'teacher')"

_POOL = "INSERT INTO pool (id, title, language, owner) VALUES (:id, 'Mine', 'en', :owner)"


@dataclass
class Person:
    """A teacher with a pool of their own, and one conversation that goes on."""

    sub: str
    pool: str
    token: str = ""
    conversation: str | None = None
    is_waiting: bool = False

    @property
    def bearer(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"}


def enrol(school: Store, number: int) -> list[Person]:
    people = [Person(str(uuid.uuid4()), str(uuid.uuid4())) for _ in range(number)]
    for person in people:
        school.run(_PERSON, id=person.sub, name="A teacher")
        school.run(_POOL, id=person.pool, owner=person.sub)
    return people


@dataclass
class Traffic:
    """What was asked, and every answer that was not as it must be."""

    people: Sequence[Person]
    questions: int = 0
    exchanges: set[uuid.UUID] = field(default_factory=set)
    confirmed: int = 0
    repeated: int = 0
    faults: list[str] = field(default_factory=list)
    slowest_seconds: float = 0.0
    _number: "count[int]" = field(default_factory=count)

    async def flow(self, replicas: Sequence[httpx2.AsyncClient], *, rate: float, seconds: float) -> float:
        """Begins `rate` questions a second, in turn at one replica and another; those answered a second."""
        began, asked = time.monotonic(), []
        for number in range(int(rate * seconds)):
            await asyncio.sleep(max(0.0, began + number / rate - time.monotonic()))
            asked.append(asyncio.create_task(self._one(replicas[number % len(replicas)])))
        await asyncio.gather(*asked)
        return len(asked) / (time.monotonic() - began)

    async def _one(self, replica: httpx2.AsyncClient) -> None:
        number = next(self._number)
        person = self.people[number % len(self.people)]
        try:
            match number % 20:
                case 3:
                    await self._change(replica, person)
                case 7 | 17:
                    await self._ask_again(replica, person)
                case _:
                    await self._go_on(replica, person)
        except httpx2.HTTPError as error:
            self.faults.append(repr(error))

    async def _go_on(self, replica: httpx2.AsyncClient, person: Person) -> None:
        """In the conversation there is, unless a question of it still runs."""
        conversation = None if person.is_waiting else person.conversation
        person.is_waiting = True
        question = f"How do I create a pool? {CANARY}"
        answer = await self._ask(replica, person, question_body(question, conversation_id=conversation))
        person.is_waiting = False
        if answer is not None:
            person.conversation = answer.json()["conversation_id"]

    async def _ask_again(self, replica: httpx2.AsyncClient, person: Person) -> None:
        """Under a key, and once more: the very same reply."""
        body, key = question_body(f"How do I share a pool? {CANARY}"), str(uuid.uuid4())
        first = await self._ask(replica, person, body, key=key)
        if first is None:
            return
        again = await self._send(replica, person, "/assist/ask", body, key=key)
        if again.content == first.content:
            self.repeated += 1
        else:
            self.faults.append(f"another reply: {again.status_code} {again.text[:200]}")

    async def _change(self, replica: httpx2.AsyncClient, person: Person) -> None:
        """A category is prepared, looked at and confirmed."""
        body = question_body(f"Create the category “{CANARY}” in this pool", context=screen(pool=person.pool))
        answer = await self._ask(replica, person, body)
        if answer is None:
            return
        reply = answer.json()
        await asyncio.sleep(CARD_SECONDS)
        for write in reply["writes"]:
            confirm = {"conversation_id": reply["conversation_id"]}
            done = await self._send(replica, person, f"/assist/writes/{write['id']}/confirm", confirm)
            if done.status_code == 200:
                self.confirmed += 1
            else:
                self.faults.append(f"confirm: {done.status_code} {done.text[:200]}")

    async def _ask(
        self, replica: httpx2.AsyncClient, person: Person, body: dict[str, object], *, key: str | None = None
    ) -> httpx2.Response | None:
        """None where it was not answered, which is noted."""
        self.questions += 1
        began = time.monotonic()
        answer = await self._send(replica, person, "/assist/ask", body, key=key)
        self.slowest_seconds = max(self.slowest_seconds, time.monotonic() - began)
        if answer.status_code != 200:
            self.faults.append(f"ask: {answer.status_code} {answer.text[:200]}")
            return None
        self.exchanges.add(uuid.UUID(answer.json()["exchange_id"]))
        return answer

    async def _send(
        self, replica: httpx2.AsyncClient, person: Person, path: str, body: dict[str, object], *, key: str | None = None
    ) -> httpx2.Response:
        headers = person.bearer | ({} if key is None else {"Idempotency-Key": key})
        return await replica.post(path, json=body, headers=headers)
