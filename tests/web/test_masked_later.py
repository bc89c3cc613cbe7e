"""A name that was read before anyone knew it is one goes out once, and in no later request or question."""

import pytest

from assist_service.domain.messages import AssistantText, AssistantTurn, ModelReply, ToolResults, UserText
from tests.fakes.house import TEACHER, House, running_house
from tests.fakes.models import calls, says
from tests.web.live_questions import ActingModel, owned, screen, spoken

pytestmark = pytest.mark.slow

CLASSROOM = owned("classroom", TEACHER)


def title_with_a_name(house: House) -> str:
    """Calls an evaluation after a student of the classroom; the name."""
    [row] = house.school.rows(
        "SELECT name FROM enrolment JOIN person ON person = person.id WHERE classroom = :id"
        " ORDER BY enrolment.rowid LIMIT 1",
        id=CLASSROOM,
    )
    house.school.run(
        "UPDATE evaluation SET title = :title WHERE classroom = :id", title=f"Retake for {row['name']}", id=CLASSROOM
    )
    return str(row["name"])


def steps(ending: ModelReply) -> list[ModelReply]:
    return [
        calls(("list_evaluations", {"classroom": CLASSROOM})),
        calls(("get_classroom_results", {"classroom": CLASSROOM})),
        calls(("read_guide", {"page": "teacher/pools"})),
        ending,
    ]


async def test_a_title_that_was_read_before_the_person_it_names_is_masked_from_then_on(database_url: str) -> None:
    model = ActingModel()
    async with running_house(database_url, provider=model) as house:
        name = title_with_a_name(house)
        model.steps += [*steps(says(f"There is a retake for {name}.")), says("You have nothing else.")]
        first = await house.ask("Which evaluations?", context=screen(classroom=CLASSROOM))
        assert (first.status_code, first.json()["answer"]) == (200, f"There is a retake for {name}.")
        assert [name in spoken(request) for request in model.requests] == [False, True, False, False]

        turns = [[m for m in request.messages if isinstance(m, AssistantTurn)] for request in model.requests]
        assert turns[2] == turns[3][:2], "what the model said goes back as it was"
        texts = [[m for m in request.messages if isinstance(m, ToolResults)] for request in model.requests]
        assert texts[1][0] != texts[2][0] == texts[3][0], "masked once, then the same"
        assert "Retake for Person-" in texts[2][0].results[0].content

        house.clock.move(1)
        more = {"conversation_id": first.json()["conversation_id"], "context": screen(classroom=CLASSROOM)}
        assert (await house.ask("And what else?", **more)).status_code == 200
        [said] = [m.text for m in model.requests[4].messages if isinstance(m, AssistantText)]
        assert said.startswith("There is a retake for Person-")
        assert name not in spoken(model.requests[4])


async def test_a_name_of_the_history_is_masked_from_the_step_on_that_introduces_its_person(database_url: str) -> None:
    model = ActingModel()
    async with running_house(database_url, provider=model) as house:
        name = title_with_a_name(house)
        evaluations, results, guide, ending = steps(says("Done."))
        model.steps += [evaluations, says(f"There is a retake for {name}.")]
        first = (await house.ask(f"Is {name} there?", context=screen(classroom=CLASSROOM))).json()
        house.clock.move(1)
        model.steps += [results, guide, ending]
        more = {"conversation_id": first["conversation_id"], "context": screen(classroom=CLASSROOM)}
        assert (await house.ask("And the results?", **more)).status_code == 200
        assert [name in spoken(request) for request in model.requests[2:]] == [True, False, False]
        [asked, said] = [m.text for m in model.requests[3].messages if isinstance(m, AssistantText | UserText)][:2]
        assert asked.startswith("Is Person-")
        assert said.startswith("There is a retake for Person-")
        sizes = [len(request.messages) for request in model.requests[2:]]
        assert sizes == [3, 5, 7], "nothing of the history is lost"
        assert model.requests[4].messages[:5] == model.requests[3].messages


@pytest.mark.parametrize("asked", ["Do you mean {}?", "Do you mean the first?"])
async def test_a_question_back_that_names_somebody_is_masked_in_the_next_question(
    database_url: str, asked: str
) -> None:
    model = ActingModel()
    async with running_house(database_url, provider=model) as house:
        name = title_with_a_name(house)
        ending = calls(("ask_back", {"text": asked.format(name)}))
        model.steps += [*steps(ending), says("You have nothing else [s1].")]
        first = (await house.ask("Which evaluations?", context=screen(classroom=CLASSROOM))).json()
        assert (first["kind"], first["answer"]) == ("question", asked.format(name))
        house.clock.move(1)
        await house.ask("Yes.", conversation_id=first["conversation_id"], context=screen())
        assert name not in spoken(model.requests[4])
