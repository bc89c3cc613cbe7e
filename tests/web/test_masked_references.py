"""Follow-up references of masked answers, and masked and sealed tools side by side in one policy (rows B2, J10)."""

import uuid
from collections.abc import AsyncIterator, Mapping
from typing import Any

import pytest

from assist_service.domain.answer import ONLY_LOOKED_UP
from assist_service.domain.conversation import LOOKED_UP
from assist_service.domain.messages import AssistantText, ModelReply, ModelRequest, UserText
from assist_service.domain.policy import Disclosure
from assist_service.domain.screens import Language
from assist_service.services.bench import BESIDE
from assist_service.tools.live import LOOKUPS
from assist_service.tools.looking_up import NO_SEAT
from tests.fakes.house import OTHER_TEACHER, TEACHER, House, running_house
from tests.fakes.models import calls, says
from tests.web.live_questions import ActingModel, owned, reads_of_lms, records, results, screen, spoken

CLASSROOM, EVALUATION = owned("classroom", TEACHER), owned("evaluation", TEACHER)
TITLE, CLASS = "Contrôle nº 1 : les pointeurs", "Groupe 1B, salle Méridienne"

RESULTS = calls(("get_classroom_results", {"classroom": CLASSROOM}))
EVALUATIONS = calls(("list_evaluations", {"classroom": CLASSROOM}))

BESIDE_EACH_OTHER: Mapping[str, Any] = {
    "roles": {"teacher": {"tools": {lookup.name: Disclosure.SEALED for lookup in LOOKUPS}}}
}
"""The default policy with the lookups turned on."""


class Asker:
    """Asks one question after the other in a conversation, each with the steps of its model."""

    def __init__(self, house: House, model: ActingModel) -> None:
        self.house, self.model = house, model
        self.conversation: str | None = None

    async def __call__(self, question: str, *steps: ModelReply | Any, **changes: Any) -> dict[str, Any]:
        self.house.clock.move(10)
        self.model.steps = list(steps)
        answer = await self.house.ask(
            question, **{"conversation_id": self.conversation, "context": screen(), **changes}
        )
        assert answer.status_code == 200, answer.text
        assert self.model.steps == []
        reply: dict[str, Any] = answer.json()
        self.conversation = reply["conversation_id"]
        return reply

    def read(self, question: int = -1) -> ModelRequest:
        return self.model.requests[question]


@pytest.fixture
async def asker(database_url: str) -> AsyncIterator[Asker]:
    """The default policy with the lookups beside."""
    model = ActingModel()
    async with running_house(database_url, provider=model, ruled=BESIDE_EACH_OTHER) as house:
        yield Asker(house, model)


def students(house: House, classroom: str = CLASSROOM) -> list[str]:
    rows = house.school.rows(
        "SELECT name FROM enrolment JOIN person ON person = person.id WHERE classroom = :id ORDER BY enrolment.rowid",
        id=classroom,
    )
    return [row["name"] for row in rows]


def row(request: ModelRequest, place: int) -> str:
    """The placeholder of a student by their place in the result."""
    return str([each["student"] for each in records(results(request)[0]) if "student" in each][place])


def token(reply: Mapping[str, Any], kind: str, place: int = 0) -> str:
    return str([each["token"] for each in reply["references"] if each["kind"] == kind][place])


def named(reply: Mapping[str, Any]) -> list[tuple[str, str]]:
    return [(each["kind"], each["label"]) for each in reply["references"]]


def best_two(request: ModelRequest) -> ModelReply:
    return says(f"In **{TITLE.lower()}** {row(request, 1)} leads, then {row(request, 0)}.")


def canaries(house: House) -> set[str]:
    """Names that no provider may read, and titles that only sealed results bring here."""
    told = house.school.rows(
        "SELECT name FROM person WHERE role = 'student'"
        " UNION SELECT title FROM classroom UNION SELECT title FROM course"
    )
    return {each["name"] for each in told}


async def test_who_and_what_a_masked_answer_names_can_be_asked_about(asker: Asker) -> None:
    house = asker.house
    names = students(house)
    first = await asker("Who leads?", RESULTS, best_two, context=screen(classroom=CLASSROOM))
    assert first["kind"] == "live"
    assert named(first) == [("student", names[1]), ("student", names[0]), ("exam", TITLE)]

    # The student: marked in the result, whose classroom nobody has on screen any more.
    def of_selected(request: ModelRequest) -> ModelReply:
        told = records(results(request)[0])
        [one] = [each for each in told if each.get("selected") is True]
        assert one["student"] == row(request, 0)
        return says(f"{one['student']} did well.")

    second = await asker("And this one?", RESULTS, of_selected, reference=token(first, "student", 1))
    assert second["answer"].startswith(names[0])
    assert named(second) == [("student", names[0])]
    screen_part = asker.read().screen
    assert "Selected: the selected student\n" in f"{screen_part}\n"
    assert f"Selected: the selected class, classroom {CLASSROOM}" in screen_part

    # The evaluation, by its id.
    wanted = calls(("get_evaluation", {"evaluation": EVALUATION}))
    third = await asker("When was it?", wanted, says(f"{TITLE} of {CLASS}."), reference=token(first, "exam"))
    assert f"Selected: the selected exam, evaluation {EVALUATION}" in asker.read().screen
    assert named(third) == [("class", CLASS), ("exam", TITLE)]

    # Without a reference none of these ids is known.
    await asker("And now?", RESULTS, lambda request: says(results(request)[0].content))
    assert results(asker.read())[0].content == NO_SEAT
    assert "Selected" not in asker.read().screen
    for request in asker.model.requests:
        assert not [name for name in names if name in spoken(request)]


@pytest.mark.slow
async def test_what_is_no_answer_names_nothing_and_nothing_is_guessed(asker: Asker) -> None:
    house = asker.house
    on_screen = {"context": screen(classroom=CLASSROOM)}

    def back(request: ModelRequest) -> ModelReply:
        return calls(("ask_back", {"text": f"Do you mean {row(request, 0)}?"}))

    assert (await asker("Who?", RESULTS, back, **on_screen))["references"] == []
    assert (await asker("Who?", RESULTS, calls(("decline", {})), **on_screen))["references"] == []
    guide = calls(("read_guide", {"page": "teacher/pools"}))
    reply = await asker("How?", guide, says(f"Press New pool in {TITLE} [s1]."), **on_screen)
    assert (reply["kind"], reply["references"]) == ("manual", []), "nothing was looked up"

    # Somebody of the conversation whom no look-up of this question brought.
    first = await asker("Who leads?", RESULTS, best_two, **on_screen)
    assert len(first["references"]) == 3
    placeholder = row(asker.read(), 0)
    again = await asker("Which?", EVALUATIONS, says(f"{placeholder} of {CLASS}."), **on_screen)
    assert named(again) == [("class", CLASS)]

    # Two of one title and one classroom.
    twin = str(uuid.uuid4())
    columns = "classroom, state, opens_at, closes_at"
    known = {each["name"] for each in house.school.rows("SELECT name FROM pragma_table_info('evaluation')")}
    copied = ", ".join(sorted(known - {"id"}))
    assert set(columns.split(", ")) <= known
    house.school.run(
        f"INSERT INTO evaluation (id, {copied}) SELECT :twin, {copied} FROM evaluation WHERE id = :id",  # noqa: S608
        twin=twin, id=EVALUATION,
    )  # fmt: skip
    both = await asker("Which?", EVALUATIONS, says(f"{TITLE} is there twice."), **on_screen)
    assert named(both) == []


@pytest.mark.slow
async def test_both_ways_in_one_question_and_one_conversation(asker: Asker) -> None:
    house = asker.house
    names = students(house)
    asked = f"How is {names[0]}, and which classes do I have?"
    first = await asker(asked, RESULTS, calls(("query_classes", {})), context=screen(classroom=CLASSROOM))
    own = [(kind, label) for kind, label in named(first) if label == CLASS]
    assert (first["kind"], own) == ("live", [("class", CLASS)])
    sent = [each for each in first["receipt"]["sent"] if each["tool"] != "read_guide"]
    assert sent == [
        {"tool": "get_classroom_results", "disclosure": "masked"},
        {"tool": "query_classes", "disclosure": "sealed"},
    ]

    # In the next question the name is a placeholder, and the answer stays withheld. The sealed reference works masked.
    second = await asker("And the marks there?", RESULTS, best_two, reference=token(first, "class"))
    history = [each.text for each in asker.read().messages if isinstance(each, UserText | AssistantText)]
    assert history[1] == LOOKED_UP
    assert history[0].startswith("How is Person-")
    assert named(second)[0] == ("student", names[1])

    # And the masked one works sealed, with no id in sight of the lookup.
    third = await asker("Its details?", calls(("query_classes", {})), reference=token(second, "student"))
    assert (third["kind"], CLASS in third["answer"]) == ("live", True)

    # In one reply the lookup alone is run, and the service says that something was not.
    before = len(await reads_of_lms(house))
    both = calls(("query_classes", {}), ("get_classroom_results", {"classroom": CLASSROOM}))
    fourth = await asker("Both at once", both, context=screen(classroom=CLASSROOM))
    texts = house.configuration.policy.texts
    assert fourth["answer"].endswith(f"\n\n{ONLY_LOOKED_UP[Language.ENGLISH]}")
    assert texts.not_looked_up[Language.ENGLISH] not in fourth["answer"]
    assert {each["tool"] for each in (await reads_of_lms(house))[before:]} == {"query_classes"}
    assert [each["tool"] for each in fourth["receipt"]["sent"]] == ["query_classes"]
    assert BESIDE not in fourth["answer"]

    for number, request in enumerate(asker.model.requests):
        mine = asked if number < 2 else ""
        left = {each for each in canaries(house) if each in spoken(request).replace(mine, "")}
        assert left == set()


@pytest.mark.slow
async def test_a_student_goes_from_a_lookup_to_a_masked_tool_and_back(asker: Asker) -> None:
    house = asker.house
    names = students(house)
    by_marks = calls(("query_exam_results", {"operation": "list", "exam_search": TITLE}))
    first = await asker("The results of the pointers exam?", by_marks)
    assert names[1] in [label for kind, label in named(first) if kind == "student"]
    picked = next(each["token"] for each in first["references"] if each["label"] == names[1])

    def of_selected(request: ModelRequest) -> ModelReply:
        told = [each for each in records(results(request)[0]) if "student" in each]
        assert [place for place, each in enumerate(told) if each.get("selected")] == [1]
        return says(f"{told[1]['student']} did well.")

    # A lookup narrows to the exam alone, which says whose it is.
    wanted = calls(("get_evaluation", {"evaluation": EVALUATION}))
    second = await asker("And all marks?", wanted, RESULTS, of_selected, reference=picked)
    assert named(second) == [("student", names[1])]
    assert f"Selected: the selected exam, evaluation {EVALUATION}" in asker.read().screen

    # Who was selected before, the exam too: the masked answer goes on with both.
    alone = calls(("query_exam_results", {"operation": "list", "student_search": "the selected student"}))
    third = await asker("In that exam?", alone, reference=token(second, "student"))
    assert {("student", names[1]), ("exam", TITLE)} <= set(named(third))

    summary = calls(("query_student_performance", {"student_search": "the selected student"}))
    fourth = await asker("Over all?", summary, reference=token(second, "student"))
    assert (fourth["kind"], fourth["choices"], "student" in dict(named(fourth))) == ("live", [], True)

    titles = {each["title"] for each in house.school.rows("SELECT title FROM evaluation")}
    *_, last = asker.model.requests
    for request in (asker.model.requests[0], asker.model.requests[1], *asker.model.requests[4:]):
        assert not [each for each in canaries(house) | titles if each in spoken(request)]
    assert "the selected student" in last.screen


@pytest.mark.slow
async def test_access_that_is_gone_reads_as_what_never_was(asker: Asker) -> None:
    house = asker.house
    first = await asker("Who leads?", RESULTS, best_two, context=screen(classroom=CLASSROOM))
    house.school.run("DELETE FROM seat WHERE person = :me", me=TEACHER)

    def told(request: ModelRequest) -> ModelReply:
        assert results(request)[0].content == NO_SEAT
        return says("It is not there.")

    reply = await asker("And now?", RESULTS, told, reference=token(first, "student"))
    assert (reply["kind"], reply["references"]) == ("refusal", [])
    stolen = await house.ask(
        "And I?", person=OTHER_TEACHER, conversation_id=asker.conversation, reference=token(first, "student")
    )
    assert (stolen.status_code, stolen.json()["code"]) == (422, "reference_invalid")


@pytest.mark.slow
@pytest.mark.parametrize("policy", ["default", "teacher-assistant"])
async def test_where_all_is_open_nothing_is_referenced_and_by_default_it_is(database_url: str, policy: str) -> None:
    model = ActingModel(EVALUATIONS, says(f"{TITLE} of {CLASS}."))
    async with running_house(database_url, provider=model, policy=policy) as house:
        reply = (await house.ask("Which?", context=screen(classroom=CLASSROOM))).json()
        assert reply["kind"] == "live"
        assert named(reply) == ([("class", CLASS), ("exam", TITLE)] if policy == "default" else [])
