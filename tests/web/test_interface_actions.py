"""A screen opened and a command named over HTTP: who gets what, in whose words, and what is refused."""

from typing import Any

import pytest

from assist_service.domain.interface import COMMANDS
from assist_service.tools.looking_up import NO_SEAT
from tests.fakes.house import ADMINISTRATOR, OTHER_TEACHER, STUDENT, TEACHER, TRAINER, House, running_house
from tests.fakes.models import calls, says
from tests.web.live_questions import ActingModel, asked_of_lms, live_tokens, owned, results, screen
from tests.web.writing import written

pytestmark = pytest.mark.slow

POOL, EVALUATION = owned("pool", TEACHER), owned("evaluation", TEACHER)

LENT: tuple[dict[str, Any], ...] = (
    {"id": "question.new", "label": "New question", "effect": "none"},
    {"id": "preview", "label": "Preview", "effect": "none", "gesture": True},
    {"id": "publish", "label": "Publish", "effect": "write"},
    {"id": "pool.delete", "label": "Delete the pool", "effect": "write", "danger": True},
    {"id": "question.delete", "label": "Delete the question", "effect": "write"},
    {"id": "sort", "label": "Sort", "effect": "none"},
)
TYPES = {"question.new": "run_command", "preview": "offer_command", "publish": "confirm_command", "sort": "run_command"}

Call = tuple[str, dict[str, Any]]


def opens(name: str, *ids: str, **params: str) -> Call:
    return "open_screen", {"screen": name, "ids": {"id": ids[0]} if ids else {}, "params": params}


def command(identifier: str) -> Call:
    return "run_screen_command", {"id": identifier}


async def ask(house: House, *, person: str = TEACHER, language: str = "en", question: str = "Show it.") -> Any:
    context = {**screen(pool=POOL), "language": language, "commands": LENT}
    answer = await house.ask(question, person=person, context=context)
    assert answer.status_code == 200, answer.text
    assert await written(house) == []
    assert await live_tokens(house) == []
    return answer.json()


def nothing_done(reply: dict[str, Any]) -> bool:
    return (reply["actions"], reply["writes"], reply["statement"]) == (
        [],
        [],
        {"opened": [], "prepared": [], "changed": False},
    )


SCREENS = {
    "a teacher": (TEACHER, opens("pool", POOL, tab="stats", search="a&b"), "Pool"),
    "a student": (STUDENT, opens("my-results"), "My results"),
    "an administrator": (ADMINISTRATOR, opens("admin", tab="llm"), "Administration"),
    "a trainer administrator": (TRAINER, opens("admin", tab="people"), "Administration"),
}


@pytest.mark.parametrize(("person", "call", "title"), SCREENS.values(), ids=SCREENS)
async def test_a_screen_of_their_own_is_opened_and_said_by_the_service(
    database_url: str, person: str, call: Call, title: str
) -> None:
    async with running_house(database_url, provider=ActingModel(calls(call), says("I published it."))) as house:
        reply = await ask(house, person=person)
        (action,) = reply["actions"]
        assert (action["type"], action["screen"], action["title"]) == ("open_screen", call[1]["screen"], title)
        assert (action["ids"], action["params"]) == (call[1]["ids"], call[1]["params"])
        assert reply["kind"] == "interface"
        assert reply["statement"] == {"opened": [title], "prepared": [], "changed": False}
        # Citations are required and there is none: the service's words stand alone.
        assert reply["answer"] == f"Opens: {title}."
        assert await asked_of_lms(house, "/oauth/") == [], "an action on the browser asks the LMS for nothing"


async def test_the_path_of_a_screen_is_written_out(database_url: str) -> None:
    call = opens("pool", POOL, tab="stats", search="a&b=c é?")
    async with running_house(database_url, provider=ActingModel(calls(call), says(""))) as house:
        (action,) = (await ask(house))["actions"]
    assert action["path"] == f"/pools/{POOL}?tab=stats&search=a%26b%3Dc%20%C3%A9%3F"


async def test_where_citations_are_shown_the_model_speaks_and_the_service_under_it(database_url: str) -> None:
    model = ActingModel(calls(opens("pool", POOL)), says("Here it is."))
    async with running_house(database_url, provider=model, policy="teacher-assistant") as house:
        reply = await ask(house)
    assert (reply["kind"], reply["answer"]) == ("interface", "Here it is.\n\nOpens: Pool.")


async def test_commands_run_or_are_offered_or_wait_as_they_were_registered(database_url: str) -> None:
    wanted = [command("question.new"), command("preview"), command("publish")]
    async with running_house(database_url, provider=ActingModel(calls(*wanted), says("Done."))) as house:
        reply = await ask(house)
    assert [(each["type"], each["id"]) for each in reply["actions"]] == [
        (TYPES[each["id"]], each["id"]) for _, each in wanted
    ]
    assert (reply["kind"], reply["writes"]) == ("interface", [])
    assert reply["statement"] == {"opened": ["New question"], "prepared": ["Preview", "Publish"], "changed": False}
    assert reply["answer"].count("A command of this screen") == len(wanted)
    assert not {"New question", "Preview", "Publish", "Done"} & set(reply["answer"].split())


LANGUAGES = {
    "en": ("Open my pool, please.", "Opens: Pool.", "Pool", "A command of this screen runs."),
    "fr": (
        "Ouvre ma banque de questions, s'il te plaît.",
        "S'ouvre : Banque de questions.",
        "Banque de questions",
        "Une commande de cet écran s'exécute.",
    ),
    "fil": (
        "Pakibuksan ang aking mga tanong sa kursong ito.",
        "Bubuksan: Pool.",
        "Pool",
        "Tatakbo ang isang command ng screen na ito.",
    ),
}


@pytest.mark.parametrize("language", LANGUAGES)
async def test_the_service_speaks_the_language_of_the_person(database_url: str, language: str) -> None:
    question, opened, title, ran = LANGUAGES[language]
    model = ActingModel(calls(command("sort")), calls(opens("pool", POOL)), says("..."))
    async with running_house(database_url, provider=model) as house:
        reply = await ask(house, language=language, question=question)
    assert (reply["language"], reply["answer"]) == (language, f"{ran} {opened}")
    assert reply["statement"]["opened"] == ["Sort", title]
    assert [each["type"] for each in reply["actions"]] == ["run_command", "open_screen"]


async def test_one_screen_three_commands_each_once_and_none_after_a_screen(database_url: str) -> None:
    many = [command(each) for each in ("sort", "sort", "preview", "publish", "question.new")]
    later = [opens("pools"), opens("courses"), command("question.new")]
    model = ActingModel(calls(*many), calls(*later), says(""))
    async with running_house(database_url, provider=model) as house:
        reply = await ask(house)
    said = [[result.is_error for result in results(request)] for request in model.requests[1:]]
    assert said == [[False, True, False, False, True], [False, True, True]]
    assert [each["type"] for each in reply["actions"]].count("open_screen") == 1
    assert len(reply["actions"]) == COMMANDS + 1


# Refused to the model in words that quote nothing it gave; nothing is done, and the service says so.
REFUSED: dict[str, tuple[str, Call, str]] = {
    "an id nobody was given": (TEACHER, opens("pool", owned("pool", OTHER_TEACHER)), NO_SEAT),
    "an id of another kind": (TEACHER, opens("evaluation", POOL), NO_SEAT),
    "an item nobody was given": (TEACHER, opens("pool", POOL, category=EVALUATION), NO_SEAT),
    "an id in upper case": (TEACHER, opens("pool", POOL.upper()), "lower case"),
    "an id with more": (TEACHER, opens("pool", f"{POOL}/../x"), "lower case"),
    "a tab that is none": (TEACHER, opens("pool", POOL, tab="secrets"), "the tabs of this screen"),
    "a search of two lines": (TEACHER, opens("pools", search="a\nb"), "one line"),
    "a search too long": (TEACHER, opens("pools", search="x" * 201), "one line"),
    "a staff screen for a student": (STUDENT, opens("pools"), "no such screen"),
    "a student's screen for a teacher": (TEACHER, opens("my-results"), "no such screen"),
    "a command that is not there": (TEACHER, command("pool.wipe"), "no such command"),
    "a deletion that does not ask": (TEACHER, command("question.delete"), "deletes without asking"),
}


async def test_what_may_not_be_done_is_refused_and_not_done(database_url: str) -> None:
    steps = [step for _, call, _ in REFUSED.values() for step in (calls(call), says("I have opened it for you."))]
    model = ActingModel(*steps)
    ruled = {"citations": "shown", "limits": {"questions_per_minute": 100}}
    async with running_house(database_url, provider=model, ruled=ruled) as house:
        for name, (person, _, why) in REFUSED.items():
            reply = await ask(house, person=person)
            (refusal,) = results(model.requests[-1])
            assert (refusal.is_error, why in refusal.content) == (True, True), name
            assert nothing_done(reply), name
            assert "Nothing was changed on the platform." in reply["answer"], name


@pytest.mark.parametrize("ending", [("decline", {}), ("ask_back", {"text": "Which?"})])
async def test_a_refusal_and_a_question_back_do_nothing(database_url: str, ending: Call) -> None:
    model = ActingModel(calls(opens("pool", POOL)), calls(command("sort"), ending))
    async with running_house(database_url, provider=model) as house:
        reply = await ask(house)
    assert nothing_done(reply)
    assert reply["kind"] in ("refusal", "question")


async def test_a_deletion_that_asks_its_own_confirmation_waits_for_it(database_url: str) -> None:
    async with running_house(database_url, provider=ActingModel(calls(command("pool.delete")), says(""))) as house:
        (action,) = (await ask(house))["actions"]
    assert (action["type"], action["id"]) == ("confirm_command", "pool.delete")
