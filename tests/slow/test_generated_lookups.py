"""A thousand generated lookups: each answer equal to what the LMS's database holds, and no provider reads any of it."""

import asyncio
import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
import structlog

from assist_service.domain.conversation import CHOSE, LOOKED_UP
from assist_service.domain.messages import AssistantText, ModelReply, ModelRequest, UserText, faults_of
from assist_service.telemetry.logs import configure_logging
from examples.reference_lms.store import Store
from tests.case_counts import CountCases
from tests.fakes.house import House, question_body
from tests.fakes.models import calls
from tests.slow.lookup_expected import Ask, Choice, Handle
from tests.slow.lookup_oracle import expected
from tests.slow.lookup_questions import EVERY, Drawing, Drawn
from tests.slow.lookup_records import Records
from tests.slow.lookup_replies import Comparing, line
from tests.slow.lookup_school import ASKING, enlarge
from tests.web.school_policy import school_house

LOOKUPS = 1_000

SEED = 20_261_130

SESSION_SECONDS = 200

TELLING_CHARACTERS = 9
"""A shorter name may stand in any text."""


@dataclass
class LookingModel:
    """Implements ports.ModelProvider: makes of each question the lookup that was drawn with it."""

    model: str = "stub"
    drawn: dict[str, Drawn] = field(default_factory=dict)
    """By the words of the question."""
    requests: list[ModelRequest] = field(default_factory=list)

    async def send(self, request: ModelRequest, *, timeout_seconds: float) -> ModelReply:
        assert faults_of(request.messages) == []
        self.requests.append(request)
        asked = request.messages[-1]
        assert isinstance(asked, UserText), "no result goes back"
        drawn = self.drawn[asked.text]
        return calls((drawn.ask.query.lookup, drawn.arguments))

    async def close(self) -> None:
        """Holds nothing open."""


@dataclass
class Asking:
    """One person's lookups, one after the other, in conversations of their own."""

    house: House
    model: LookingModel
    comparing: Comparing
    person: str
    records: Records
    drawing: Drawing
    numbers: range
    wrong: list[str]
    known: list[str]
    """Titles of what there is, which may stand anywhere in an answer."""
    kinds: Counter[str] = field(default_factory=Counter)
    conversation: str | None = None
    bearer: tuple[float, dict[str, str]] | None = None
    """Since when, and the headers."""
    handles: list[tuple[Handle, str]] = field(default_factory=list)
    choices: list[tuple[Ask, str]] = field(default_factory=list)

    async def run(self) -> None:
        for number in self.numbers:
            if self.choices and self.drawing.chance.random() < 0.7:
                await self._choose()
            elif self.handles and self.drawing.chance.random() < 0.5:
                handle, token = self.drawing.chance.choice(self.handles)
                await self._ask(self.drawing.about(handle, number), token)
            else:
                if self.drawing.chance.random() < 0.4:
                    self.conversation = None
                lookup, operation = EVERY[number % len(EVERY)]
                await self._ask(self.drawing.draw(lookup, operation, number))

    async def _ask(self, drawn: Drawn, token: str | None = None) -> None:
        self.model.drawn[drawn.words] = drawn
        entities = {{"class": "classroom", "exam": "evaluation"}[k]: id_ for k, id_ in drawn.ask.on_screen.items()}
        context = {**question_body()["context"], "topic": None, "language": drawn.language, "entities": entities}
        before = len(self.model.requests)
        reply = await self._sent(drawn.words, reference=token, context=context)
        assert [request.messages[-1] for request in self.model.requests[before:]].count(UserText(drawn.words)) == 1
        self.kinds["follow-up" if token else "question"] += 1
        self._check(reply, drawn.ask)

    async def _choose(self) -> None:
        """What was asked back is chosen: the lookup goes on as it was, and no provider is asked."""
        ask, token = self.drawing.chance.choice(self.choices)
        reply = await self._sent("", reference=token)
        assert (reply["receipt"]["requests"], reply["receipt"]["models"]) == (0, [])
        self.kinds["choice"] += 1
        self._check(reply, ask)

    async def _sent(self, question: str, **changes: Any) -> dict[str, Any]:
        self.house.clock.move(1)
        body = question_body(question, conversation_id=self.conversation, **changes)
        answer = await self.house.service.post("/assist/ask", json=body, headers=await self._bearer())
        assert answer.status_code == 200, answer.text
        reply: dict[str, Any] = answer.json()
        self.conversation = reply["conversation_id"]
        return reply

    async def _bearer(self) -> dict[str, str]:
        """A session is good for some minutes, in which many questions are asked."""
        now = self.house.clock.monotonic()
        if self.bearer is None or now - self.bearer[0] > SESSION_SECONDS:
            self.bearer = now, await self.house.bearer(self.person)
        return self.bearer[1]

    def _check(self, reply: dict[str, Any], ask: Ask) -> None:
        came_to = expected(ask, self.records)
        about = f"{ask.query.lookup} {ask.query.operation}"
        try:
            handles = self.comparing.compare(reply, came_to, about=about, known=self.known)
        except AssertionError as error:
            self.wrong.append(f"{error}\n{ask}\nexpected: {came_to}"[:4_000] + f"\nread: {reply['answer'][:2_000]}")
            self.handles, self.choices = [], []
            return
        tokens = [each["token"] for each in reply["references"]]
        self.handles = list(zip(handles, tokens, strict=True))
        self.choices = []
        if isinstance(came_to, Choice):
            offered = zip(came_to.options, reply["choices"], strict=True)
            self.choices = [(Ask(each.goes_on, each.selected), choice["token"]) for each, choice in offered]


@pytest.fixture
def logged(capsys: pytest.CaptureFixture[str]) -> Iterator[Callable[[], str]]:
    """What was logged as production logs, whole."""
    configure_logging("DEBUG")
    yield lambda: "".join(capsys.readouterr())
    structlog.reset_defaults()


def canaries(store: Store) -> set[str]:
    """What is in results and must be nowhere else: the names and titles that are long enough to tell."""
    rows = store.rows(
        "SELECT name FROM person UNION SELECT title FROM classroom UNION SELECT title FROM evaluation"
        " UNION SELECT title FROM course"
    )
    return {line(row["name"]) for row in rows if len(line(row["name"])) >= TELLING_CHARACTERS}


def check_requests(model: LookingModel, canary: set[str]) -> None:
    """A model reads what was asked, and of what was found or chosen that there was something: nothing else at all."""
    screens = set()
    for request in model.requests:
        for message in request.messages:
            match message:
                case UserText(text):
                    assert text in model.drawn or text == CHOSE
                case AssistantText(text):
                    assert text == LOOKED_UP
                case _:
                    raise AssertionError(message)
        screens.add(request.screen)
    told = "\n".join([*screens, *{request.prefix for request in model.requests}])
    assert [each for each in canary if each in line(told)] == []


@pytest.mark.slow
@pytest.mark.xdist_group("lookups")
async def test_a_thousand_lookups_are_answered_from_the_database_and_read_by_no_provider(
    database_url: str, logged: Callable[[], str], count_cases: CountCases
) -> None:
    model = LookingModel()
    ruled = {"limits": {"questions_per_minute": 1_000, "questions_per_day": None}}
    async with school_house(database_url, provider=model, ruled=ruled) as house:
        store = house.school
        enlarge(store)
        every = [Records(store, person) for person in ASKING]
        known = [
            row["title"]
            for table in ("classroom", "course", "evaluation")
            for row in store.rows(f"SELECT title FROM {table}")  # noqa: S608 a closed list
        ]
        comparing, wrong = Comparing(), list[str]()
        people = [
            Asking(
                house,
                model,
                comparing,
                records.me,
                records,
                Drawing(
                    random.Random(f"{SEED} {records.me}"), records, [each for each in every if each is not records]
                ),
                range(place, LOOKUPS, len(every)),
                wrong,
                known,
            )
            for place, records in enumerate(every)
        ]
        await asyncio.gather(*(each.run() for each in people))
        metrics = (await house.service.get("/metrics")).text
        canary = canaries(store)
    assert not wrong, f"{len(wrong)} wrong answers, of them:\n" + "\n\n".join(wrong[:9])
    check_requests(model, canary)
    log = logged()
    assert [each for each in canary if each in log or each in metrics] == []
    kinds = sum((each.kinds for each in people), Counter())
    assert kinds.total() == LOOKUPS
    assert min(kinds[kind] for kind in ("question", "follow-up", "choice")) > 80, kinds
    for kind, count in kinds.items():
        count_cases("lookups", count, kind)
