"""A process of racing questions through the real gateway: `python -m tests.postgres.racer '<Race as JSON>'`.

It says it is ready, waits for a line, races, and prints what became of each question as one line of JSON.
"""

import asyncio
import dataclasses
import datetime as dt
import json
import random
import sys
import time
import uuid
from dataclasses import dataclass
from decimal import Decimal

import asyncpg

from assist_service import telemetry
from assist_service.adapters.postgres.ledger import PostgresLedger
from assist_service.domain.budget import cost_micros
from assist_service.domain.errors import AssistError
from assist_service.domain.messages import ModelReply, ModelRequest, ProviderFault, ProviderFaultKind, Usage, UserText
from assist_service.services.gateway import Gateway
from assist_service.services.metering import Meter, Spending
from assist_service.services.sources import Source
from tests.fakes.clocks import START
from tests.fakes.models import ScriptedModel, says
from tests.postgres.money import PRICE, worst_micros_of

REQUEST = ModelRequest(
    prefix="Rules.", screen="Screen.", tools=(), messages=(UserText("How?"),), may_call=True, max_tokens=60
)

USAGE = Usage(input_tokens=500, cached_input_tokens=0, cache_write_tokens=0, output_tokens=50)

WORST_MICROS = worst_micros_of(REQUEST)

COST_MICROS = cost_micros(PRICE, USAGE)
"""About a third of the worst case."""

ANSWERED = "answered"

DEADLINE_SECONDS = 600.0


@dataclass(frozen=True)
class Race:
    """What one process is to do. `speed` is how many times faster than the world its clock runs."""

    name: str
    database_url: str
    questions: int
    cap_micros: int
    share: str = "0.25"
    model_seconds: float = 0.003
    flawless: bool = False
    speed: float = 1.0


@dataclass(frozen=True)
class Asked:
    """What became of one question, and how many provider requests were made for it."""

    person: str
    outcome: str
    requests: int


class RunningClock:
    """Implements ports.Clock. It starts where every test does and runs, faster than the world if it is to."""

    def __init__(self, speed: float) -> None:
        self._speed = speed
        self._began = time.monotonic()

    def monotonic(self) -> float:
        return (time.monotonic() - self._began) * self._speed

    def now(self) -> dt.datetime:
        return START + dt.timedelta(seconds=self.monotonic())

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds / self._speed)


def _model(race: Race) -> ScriptedModel:
    """Mostly answers; now and then it does not say what it took, or fails and is asked again."""
    if race.flawless:
        return ScriptedModel(says("Like this.", usage=USAGE), seconds=race.model_seconds)
    chance = random.Random(race.name)

    def script(_: ModelRequest) -> ModelReply | ProviderFault:
        match chance.randrange(20):
            case 0:
                return says("Like this.", usage=None)
            case 1 | 2 as drawn:
                return ProviderFault(ProviderFaultKind.TRANSIENT, drawn == 1, "overloaded", retry_after_seconds=0.002)
            case _:
                return says("Like this.", usage=USAGE)

    return ScriptedModel(script, seconds=race.model_seconds)


async def run(race: Race, pool: asyncpg.Pool) -> list[Asked]:
    """All questions at once."""
    clock = RunningClock(race.speed)
    spending = Spending(race.cap_micros, Decimal(race.share), dt.UTC)
    gateway = Gateway(
        sources=(Source(_model(race), PRICE),),
        meter=Meter(ledger=PostgresLedger(pool), clock=clock, spending=spending),
        clock=clock,
    )

    async def ask(person: str) -> Asked:
        line = gateway.converse(
            person=person,
            question_id=uuid.uuid4(),
            deadline=gateway.clock.monotonic() + DEADLINE_SECONDS,
            max_requests=6,
        )
        try:
            await line.send(REQUEST)
        except AssistError as error:
            return Asked(person, error.code.value, len(line.spent))
        return Asked(person, ANSWERED, len(line.spent))

    return await asyncio.gather(*(ask(f"{race.name}-{number}") for number in range(race.questions)))


async def _main() -> None:
    telemetry.configure_logging("ERROR")
    race = Race(**json.loads(sys.argv[1]))
    async with asyncpg.create_pool(race.database_url, min_size=5, max_size=10) as pool:
        sys.stdout.write("ready\n")
        sys.stdout.flush()
        sys.stdin.readline()
        asked = await run(race, pool)
    sys.stdout.write(json.dumps([dataclasses.asdict(one) for one in asked]) + "\n")


if __name__ == "__main__":
    asyncio.run(_main())
