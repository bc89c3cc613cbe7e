"""Traffic on replicas, an open loop: so many questions a second are begun, whatever becomes of those before."""

import asyncio
import time
import uuid
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count

import httpx2

from examples.reference_lms.store import Store
from tests.fakes.house import question_body
from tests.slow.kept_under import CANARY
from tests.web.live_questions import screen

CARD_SECONDS = 1.0
"""How long a person looks at a card: in the meantime its row is sealed again."""

NUMBER = "7294081635"
"""What the cheapest question holds in CANARY's place: a stub greets back at once, whatever digits stand there."""

TURN = 20
"""After so many questions the kinds come again, each at the next replica."""

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


@dataclass(frozen=True)
class Card:
    """A change that was shown."""

    person: Person
    id: str
    conversation: str

    async def confirm(self, replica: httpx2.AsyncClient) -> httpx2.Response:
        told = {"conversation_id": self.conversation}
        return await replica.post(f"/assist/writes/{self.id}/confirm", json=told, headers=self.person.bearer)


@dataclass
class Traffic:
    """What was asked and answered, and every answer that was not as it must be."""

    people: Sequence[Person]
    dead: list[tuple[str, str]]
    """Owner and key of what may be claimed anew; each is once."""
    said: dict[tuple[str, str], tuple[str, str]] = field(default_factory=dict)
    """By person and exchange, question and answer."""
    replies: dict[tuple[str, str], bytes] = field(default_factory=dict)
    """By person and key, the reply that was kept."""
    standing: list[Card] = field(default_factory=list)
    """Cards that nobody confirmed or cancelled."""
    confirmed: int = 0
    claimed_anew: int = 0
    faults: list[str] = field(default_factory=list)
    _number: "count[int]" = field(default_factory=count)
    _answered_at: float = 0.0

    async def flow(self, replicas: Sequence[httpx2.AsyncClient], *, rate: float, seconds: float) -> float:
        """Begins `rate` questions a second, in turn at one replica and another, and waits for all that becomes of them;
        the questions answered a second, up to the last answer."""
        began, asked = time.monotonic(), []
        for number in range(int(rate * seconds)):
            await asyncio.sleep(max(0.0, began + number / rate - time.monotonic()))
            replica = replicas[(number + number // TURN) % len(replicas)]
            asked.append(asyncio.create_task(self._one(replica)))
        await asyncio.gather(*asked)
        return len(asked) / (self._answered_at - began)

    async def _one(self, replica: httpx2.AsyncClient) -> None:
        number = next(self._number)
        person = self.people[number % len(self.people)]
        try:
            await KINDS.get(number % TURN, Traffic._go_on)(self, replica, person)
        except httpx2.HTTPError as error:
            self.faults.append(repr(error))

    async def _go_on(self, replica: httpx2.AsyncClient, person: Person) -> None:
        """In the conversation there is, unless a question of it still runs."""
        conversation = None if person.is_waiting else person.conversation
        person.is_waiting = True
        answer = await self._ask(replica, person, question_body(f"Hello {NUMBER}", conversation_id=conversation))
        person.is_waiting = False
        if answer is not None:
            person.conversation = answer.json()["conversation_id"]

    async def _claim(self, replica: httpx2.AsyncClient, person: Person) -> None:
        """Under a key of its own."""
        await self._ask_twice(replica, person, str(uuid.uuid4()))

    async def _claim_anew(self, replica: httpx2.AsyncClient, person: Person) -> None:
        """Under a key that somebody died over, while there is one."""
        if not self.dead:
            await self._claim(replica, person)
            return
        owner, key = self.dead.pop()
        await self._ask_twice(replica, next(each for each in self.people if each.sub == owner), key)
        self.claimed_anew += 1

    async def _ask_twice(self, replica: httpx2.AsyncClient, person: Person, key: str) -> None:
        """Under a key, and a moment later once more: the very same reply."""
        first = await self._ask(replica, person, KEPT_BODY, key=key)
        if first is None:
            return
        self.replies[person.sub, key] = first.content
        await asyncio.sleep(CARD_SECONDS)
        await self.ask_again(replica, person, key)

    async def ask_again(self, replica: httpx2.AsyncClient, person: Person, key: str) -> None:
        again = await _send(replica, person, KEPT_BODY, key=key)
        if (again.status_code, again.content) != (200, self.replies[person.sub, key]):
            self.faults.append(f"another reply: {again.status_code} {again.text[:200]}")

    async def _confirm(self, replica: httpx2.AsyncClient, person: Person) -> None:
        """A category is prepared, looked at and confirmed."""
        for card in await self._prepare(replica, person):
            await asyncio.sleep(CARD_SECONDS)
            done = await card.confirm(replica)
            if done.status_code == 200:
                self.confirmed += 1
            else:
                self.faults.append(f"confirm: {done.status_code} {done.text[:200]}")

    async def _leave(self, replica: httpx2.AsyncClient, person: Person) -> None:
        """A category is prepared, and stands."""
        self.standing += await self._prepare(replica, person)

    async def _prepare(self, replica: httpx2.AsyncClient, person: Person) -> list[Card]:
        body = question_body(f"Create the category “{CANARY}” in this pool", context=screen(pool=person.pool))
        answer = await self._ask(replica, person, body)
        if answer is None:
            return []
        reply = answer.json()
        if len(reply["writes"]) != 1:
            self.faults.append(f"no card: {answer.text[:200]}")
        return [Card(person, write["id"], reply["conversation_id"]) for write in reply["writes"]]

    async def _ask(
        self, replica: httpx2.AsyncClient, person: Person, body: dict[str, object], *, key: str | None = None
    ) -> httpx2.Response | None:
        """None where it was not answered, which is noted."""
        answer = await _send(replica, person, body, key=key)
        self._answered_at = time.monotonic()
        if answer.status_code != 200:
            self.faults.append(f"ask: {answer.status_code} {answer.text[:200]}")
            return None
        reply = answer.json()
        self.said[person.sub, reply["exchange_id"]] = str(body["question"]), reply["answer"]
        return answer


KEPT_BODY = question_body(f"How do I share a pool? {CANARY}")
"""Of every question under a key: so what is kept of its body is the same everywhere."""

KINDS: Mapping[int, Callable[[Traffic, httpx2.AsyncClient, Person], Awaitable[None]]] = {
    **dict.fromkeys((3, 9), Traffic._confirm),
    13: Traffic._leave,
    **dict.fromkeys((7, 16), Traffic._claim),
    **dict.fromkeys((1, 11, 17), Traffic._claim_anew),
}
"""Which question of a turn is which; any other goes on with a conversation."""


async def _send(
    replica: httpx2.AsyncClient, person: Person, body: dict[str, object], *, key: str | None
) -> httpx2.Response:
    headers = person.bearer | ({} if key is None else {"Idempotency-Key": key})
    return await replica.post("/assist/ask", json=body, headers=headers)
