"""A thousand generated lookups: each answer equal to what the LMS's database holds, and no provider reads any of it."""

import asyncio
import random
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any
from zoneinfo import ZoneInfo

import pytest
import structlog

from assist_service.domain.conversation import CHOSE, LOOKED_UP
from assist_service.domain.messages import AssistantText, ModelReply, ModelRequest, UserText, faults_of
from assist_service.telemetry.logs import configure_logging
from examples.reference_lms.school import ADMIN, FRENCH_TEACHER
from examples.reference_lms.store import Store
from tests.case_counts import CountCases
from tests.fakes.house import House, question_body
from tests.fakes.models import calls
from tests.slow.lookup_expected import Ask, Expected, Found, Handle
from tests.slow.lookup_oracle import expected
from tests.slow.lookup_pages import line
from tests.slow.lookup_questions import EVERY, Drawing, Drawn
from tests.slow.lookup_records import Records
from tests.slow.lookup_replies import Comparing, unlike
from tests.slow.lookup_school import ASKING, enlarge
from tests.web.school_policy import school_house

LOOKUPS = 1_000

SEED = 20_261_130

SESSION_SECONDS = 200

ZONE = ZoneInfo("Asia/Manila")
"""Of the service: far from that in which the LMS writes its moments."""


@dataclass
class LookingModel:
    """Implements ports.ModelProvider: makes of each question the lookup that was drawn with it, of others none."""

    model: str = "stub"
    drawn: dict[str, Drawn] = field(default_factory=dict)
    """By the words of the question."""
    requests: list[ModelRequest] = field(default_factory=list)

    async def send(self, request: ModelRequest, *, timeout_seconds: float) -> ModelReply:
        assert faults_of(request.messages) == []
        self.requests.append(request)
        asked = request.messages[-1]
        assert isinstance(asked, UserText), "no result goes back"
        drawn = self.drawn.get(asked.text)
        return calls(("decline", {})) if drawn is None else calls((drawn.ask.query.lookup, drawn.arguments))

    async def close(self) -> None:
        """Holds nothing open."""


@dataclass
class Asking:
    """One person's lookups, one after the other, in conversations of their own.

    What is drawn rests on what is expected and never on what came: a fault is found in the same lookups each time.
    """

    house: House
    model: LookingModel
    comparing: Comparing
    records: Records
    drawing: Drawing
    numbers: range
    wrong: dict[int, str]
    """By the number of the lookup."""
    kinds: Counter[str] = field(default_factory=Counter)
    conversation: str | None = None
    bearer: tuple[float, dict[str, str]] | None = None
    """Since when, and the headers."""
    handles: list[tuple[Handle, str | None]] = field(default_factory=list)
    """With the token of each; None where the answer was wrong, so that nothing can be asked with it."""
    choices: list[tuple[Ask, str | None]] = field(default_factory=list)

    async def run(self) -> None:
        for number in self.numbers:
            if self.choices and self.drawing.chance.random() < 0.7:
                ask, token = self.drawing.chance.choice(self.choices)
                await self._look_up(number, "choice", ask, {}, token)
            elif self.handles and self.drawing.chance.random() < 0.5:
                handle, token = self.drawing.chance.choice(self.handles)
                await self._ask(number, "follow-up", self.drawing.about(handle, number), token)
            else:
                if self.drawing.chance.random() < 0.4:
                    self.conversation = None
                lookup, operation = EVERY[number % len(EVERY)]
                await self._ask(number, "question", self.drawing.draw(lookup, operation, number), None)

    async def _ask(self, number: int, kind: str, drawn: Drawn, token: str | None) -> None:
        self.model.drawn[drawn.words] = drawn
        entities = {{"class": "classroom", "exam": "evaluation"}[k]: id_ for k, id_ in drawn.ask.on_screen.items()}
        context = {**question_body()["context"], "topic": None, "language": drawn.language, "entities": entities}
        await self._look_up(number, kind, drawn.ask, {"question": drawn.words, "context": context}, token)

    async def _look_up(self, number: int, kind: str, ask: Ask, body: dict[str, Any], token: str | None) -> None:
        """What was asked back and is chosen goes on as it was, and no provider is asked: its body has no question."""
        came_to = expected(ask, self.records)
        self.comparing.number = number
        reply: dict[str, Any] = {}
        if token is not None or kind == "question":
            self.kinds[kind] += 1
            try:
                reply = await self._answered(ask, came_to, body, token)
            except AssertionError as error:
                self.wrong[number] = f"{kind} {number}: {error}"[:4_000] + f"\n{ask}\nexpected: {came_to}"[:4_000]
        else:
            self.kinds["not asked"] += 1
        handles, options = (came_to.handles, ()) if isinstance(came_to, Found) else ((), came_to.options)
        tokens = [each["token"] for each in (*reply["references"], *reply["choices"])] if reply else None
        self.handles = list(zip(handles, tokens or [None] * len(handles), strict=False))
        asks = [Ask(each.goes_on, each.selected) for each in options]
        self.choices = list(zip(asks, tokens or [None] * len(asks), strict=False))

    async def _answered(self, ask: Ask, came_to: Expected, body: dict[str, Any], token: str | None) -> dict[str, Any]:
        self.house.clock.move(1)
        asked = question_body(**{"question": "", **body}, conversation_id=self.conversation, reference=token)
        headers, before, since = await self._bearer(), len(self.model.requests), self.house.clock.now()
        answer = await self.house.service.post("/assist/ask", json=asked, headers=headers)
        assert answer.status_code == 200, answer.text
        reply: dict[str, Any] = answer.json()
        self.conversation = reply["conversation_id"]
        own = [each for each in self.model.requests[before:] if each.messages[-1] == UserText(asked["question"])]
        told = (reply["receipt"]["requests"], len(own))
        assert told == ((1, 1) if asked["question"] else (0, 0)), f"{told} requests"
        self.comparing.compare(reply, came_to, ask, between=(since, self.house.clock.now()))
        return reply

    async def _bearer(self) -> dict[str, str]:
        """A session is good for some minutes, in which many questions are asked."""
        now = self.house.clock.monotonic()
        if self.bearer is None or now - self.bearer[0] > SESSION_SECONDS:
            self.bearer = now, await self.house.bearer(self.records.me)
        return self.bearer[1]


@pytest.fixture
def logged(capsys: pytest.CaptureFixture[str]) -> Iterator[Callable[[], str]]:
    """What was logged as production logs, whole."""
    configure_logging("DEBUG")
    yield lambda: "".join(capsys.readouterr())
    structlog.reset_defaults()


def canaries(store: Store) -> set[str]:
    """What is in results and must be nowhere else: ids, names and titles."""
    rows = store.rows(
        "SELECT name AS told FROM person UNION SELECT title FROM classroom UNION SELECT title FROM evaluation"
        " UNION SELECT title FROM course UNION SELECT id FROM person UNION SELECT id FROM classroom"
        " UNION SELECT id FROM evaluation UNION SELECT id FROM course"
    )
    return {line(row["told"]) for row in rows}


def standing(canary: set[str], text: str) -> set[str]:
    """Those of them that stand in a text as words of their own."""
    read = line(text)
    return {each for each in canary if each in read and re.search(rf"(?<!\w){re.escape(each)}(?!\w)", read)}


def screen_of(drawn: Drawn) -> set[str]:
    """All that a model may read of the screen of a question: of what is selected, that it is."""
    kinds = drawn.ask.selected or drawn.ask.on_screen
    return {
        f"Language of the screen: {drawn.language}",
        f"Screen: {question_body()['context']['route']}",
        *(f"Selected: the selected {kind}" for kind in kinds),
    }


def check_requests(model: LookingModel, plain: list[ModelRequest]) -> None:
    """A model reads what was asked, and of what was found or chosen that there was something: nothing else at all.
    What stands before it is what stands before a `plain` question of the role, asked before there was anything."""
    frames = [(each.prefix, each.tools, each.output_schema, each.max_tokens) for each in plain]
    for request in model.requests:
        for message in request.messages:
            match message:
                case UserText(text):
                    assert text in model.drawn or text == CHOSE
                case AssistantText(text):
                    assert text == LOOKED_UP
                case _:
                    raise AssertionError(message)
        asked = request.messages[-1]
        assert isinstance(asked, UserText)
        lines = request.screen.split("\n")
        assert sorted(lines) == sorted(screen_of(model.drawn[asked.text])), request.screen
        assert (request.prefix, request.tools, request.output_schema, request.max_tokens) in frames


async def ask_plainly(house: House, model: LookingModel) -> list[ModelRequest]:
    """The requests of a question of each role that looks nothing up."""
    for person in (FRENCH_TEACHER.sub, ADMIN.sub):
        answer = await house.ask("Is there a song about the weather?", person=person)
        assert answer.json()["kind"] == "refusal", answer.text
    plain, model.requests = model.requests, []
    return plain


@pytest.mark.slow
async def test_a_thousand_lookups_are_answered_from_the_database_and_read_by_no_provider(
    database_url: str, logged: Callable[[], str], count_cases: CountCases
) -> None:
    model = LookingModel()
    ruled = {"limits": {"questions_per_minute": 1_000, "questions_per_day": None}}
    async with school_house(database_url, provider=model, ruled=ruled, timezone=ZONE.key) as house:
        plain = await ask_plainly(house, model)
        before = logged() + (await house.service.get("/metrics")).text
        enlarge(house.school)
        every = [Records(house.school, person) for person in ASKING]
        wrong: dict[int, str] = {}
        people = [
            Asking(
                house,
                model,
                Comparing(ZONE),
                records,
                Drawing(
                    random.Random(f"{SEED} {records.me}"), records, [each for each in every if each is not records]
                ),
                range(place, LOOKUPS, len(every)),
                wrong,
            )
            for place, records in enumerate(every)
        ]
        await asyncio.gather(*(each.run() for each in people))
        metrics = (await house.service.get("/metrics")).text
        canary = canaries(house.school)
    wrong = {**unlike(noted for each in people for noted in each.comparing.noted), **wrong}
    kinds = sum((each.kinds for each in people), Counter())
    told = "\n\n".join(wrong[number] for number in sorted(wrong)[:9])
    assert not wrong, f"{len(wrong)} wrong answers: {sorted(wrong)}, {kinds}, of them:\n{told}"
    check_requests(model, plain)
    assert standing(canary, f"{logged()}\n{metrics}") <= standing(canary, before)
    assert kinds.total() == LOOKUPS
    assert min(kinds[kind] for kind in ("question", "follow-up", "choice")) > 80, kinds
    for kind, count in kinds.items():
        count_cases("lookups", count, kind)
