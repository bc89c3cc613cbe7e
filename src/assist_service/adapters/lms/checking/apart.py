"""Asks for what one person must not reach, and for what does not exist, and compares the two answers."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID, uuid4

from pydantic import SecretStr

from assist_service.adapters.lms import school_reads as reads
from assist_service.adapters.lms.checking.judging import told
from assist_service.adapters.lms.checking.probe import Asking, Probe, Response
from assist_service.adapters.lms.checking.survey import OF_ONE, SEARCHED, Kind, Reach
from assist_service.adapters.lms.wire import Answer

SAMPLES = 2
"""Of each kind."""

OF_NOTHING = frozenset({403, 404})
"""How an id that is nothing to this person is answered; 401 would speak of the token."""

ID = "{id}"


@dataclass(frozen=True)
class Naming:
    """One way to name a thing to the LMS."""

    kind: Kind
    method: str
    path: str
    query: Mapping[str, str] = field(default_factory=dict)
    body: Mapping[str, Any] | None = None

    @property
    def name(self) -> str:
        return f"{self.method} {self.path}" + "".join(f"?{name}=" for name in self.query)

    def of(self, entity: UUID) -> Asking:
        put = {ID: str(entity)}
        body = None if self.body is None else {name: put.get(str(value), value) for name, value in self.body.items()}
        query = {name: put.get(value, value) for name, value in self.query.items()}
        return Asking(self.method, self.path.replace(ID, str(entity)), query=query, body=body)


READ_NAMINGS = (
    *(Naming(kind, read.method, read.path) for kind, of_one in OF_ONE.items() for read in of_one),
    Naming(Kind.CLASSROOM, "GET", reads.EVALUATIONS.path, query={"classroom": ID}),
    Naming(Kind.POOL, "POST", reads.SIMILAR_QUESTIONS.path, body={**SEARCHED, "pool": ID}),
)


@dataclass
class Apart:
    """What the answers gave away."""

    leaks: list[str] = field(default_factory=list)
    """Where what is another's was given."""
    tells: list[str] = field(default_factory=list)
    """Where it was refused in other words than what does not exist."""
    wrote: bool = False
    """Whether a write was among what was compared."""

    async def compare(self, probe: Probe, token: SecretStr, naming: Naming, entity: UUID) -> None:
        theirs = await probe.call(naming.of(entity), token)
        absent = await probe.call(naming.of(uuid4()), token)
        if _is_same(theirs, absent):
            return
        is_given = isinstance(theirs, Answer) and theirs.status // 100 == 2
        (self.leaks if is_given else self.tells).append(
            f"{naming.name}: {told(theirs)} for another's, {told(absent)} for none"
        )

    async def compare_all(self, probe: Probe, token: SecretStr, reach: Reach) -> None:
        for naming in READ_NAMINGS:
            for entity in reach.get(naming.kind, ())[:SAMPLES]:
                await self.compare(probe, token, naming, entity)


def _is_same(theirs: Response, absent: Response) -> bool:
    """Byte for byte the same, and an answer that speaks of the id at all."""
    if not isinstance(theirs, Answer) or not isinstance(absent, Answer):
        return False
    return (
        theirs.status == absent.status
        and theirs.body == absent.body
        and (theirs.status in OF_NOTHING or theirs.status // 100 == 2)
    )


def only_theirs(theirs: Reach, mine: Reach) -> Reach:
    return {kind: [each for each in ids if each not in set(mine.get(kind, ()))] for kind, ids in theirs.items()}
