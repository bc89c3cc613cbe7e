"""The whole service beside a real Kolibri: what a model is told as each coach, and what the Kolibri suites took."""

import time
from typing import Any
from uuid import uuid4

import httpx2
import pytest

from assist_service.domain.messages import ModelReply, ModelRequest
from assist_service.tools.looking_up import NO_SEAT
from tests.case_counts import CountCases
from tests.fakes.house import question_body
from tests.fakes.models import calls, says
from tests.slow.kolibri_running import NAMES, PRIVATE, running
from tests.slow.kolibri_school import Check, School
from tests.web.live_questions import ActingModel, records, results, screen, spoken

pytestmark = pytest.mark.slow

WARM_SECONDS = 150
"""What the Kolibri suites may take once Kolibri is installed, on two cores that others use too."""

DATA_TOOLS = {"list_evaluations", "get_evaluation", "get_classroom_results"}
"""Those of the policy whose reads Kolibri has."""

NOT_HAD = {"list_courses", "get_course", "list_pools", "get_question", "find_similar_questions", "list_templates"}


async def ask(service: httpx2.AsyncClient, school: School, coach: str, **entities: str) -> dict[str, Any]:
    headers = {"Authorization": f"Bearer {school.session(coach)}"}
    body = question_body("How did it go?", context=screen(**entities))
    answer = await service.post("/assist/ask", json=body, headers=headers)
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


def names_the_best(request: ModelRequest) -> ModelReply:
    """Says who has most, by the name that the model was given for them."""
    told = records(results(request)[-1])
    column = next(one["column"] for one in told if one.get("title") == "Fractions")
    marks = {one["student"]: one.get("marks", {}).get(column) for one in told if "student" in one}
    assert sorted(map(str, marks.values())) == ["3.0", "None", "absent", "absent"], "Bo broke off: no mark"
    return says(f"{next(name for name, mark in marks.items() if mark == 3)} has 3 of 4.")


async def test_a_coach_is_answered_of_her_own_class(database_url: str, school: School, check: Check) -> None:
    ids = {"classroom": str(school.classroom("7a")), "evaluation": str(school.quiz("ended"))}
    of_quiz = ("get_evaluation", {"evaluation": ids["evaluation"]})
    of_class = ("get_classroom_results", {"classroom": ids["classroom"]})
    model = ActingModel(calls(("list_evaluations", {}), of_quiz, of_class), names_the_best)
    async with running(database_url, school, model) as service:
        reply = await ask(service, school, "ana", **ids)
    check(reply["answer"], "Ada Quill has 3 of 4.")  # which the model never read
    offered = {tool.name for tool in model.requests[0].tools}
    check((DATA_TOOLS & offered, NOT_HAD & offered), (DATA_TOOLS, set()))
    quizzes, quiz, told = (records(result) for result in results(model.requests[1]))
    check({"Fractions", "Decimals"} <= {one["title"] for one in quizzes}, True)
    check(quiz[0]["title"], "Fractions")
    columns = {one["title"]: one["mean"] for one in told if "title" in one}
    check((columns["Fractions"], "Decimals" in columns), (3.0, False))
    check(len([one for one in told if "student" in one]), 4)
    heard = "\n".join(spoken(request) for request in model.requests)
    check([word for word in (*NAMES, *PRIVATE) if word in heard], [])
    _check_token_is_over(school, check)


async def test_another_coach_is_told_what_he_is_of_nothing(database_url: str, school: School, check: Check) -> None:
    """The ids stand on his screen, as a front end that is wrong would say."""
    said = []
    for classroom, quiz in ((school.classroom("7a"), school.quiz("ended")), (uuid4(), uuid4())):
        ids = {"classroom": str(classroom), "evaluation": str(quiz)}
        of_class = ("get_classroom_results", {"classroom": ids["classroom"]})
        of_quiz = ("get_evaluation", {"evaluation": ids["evaluation"]})
        model = ActingModel(calls(of_class, of_quiz), says("That is not to be seen."))
        async with running(database_url, school, model) as service:
            await ask(service, school, "ben", **ids)
        said.append([(result.is_error, result.content) for result in results(model.requests[1])])
        _check_token_is_over(school, check)
    check(said[0], [(True, NO_SEAT)] * 2)
    check(said[1], said[0])


def _check_token_is_over(school: School, check: Check) -> None:
    authorization = school.gate.reads[-1].authorization
    url, headers = f"{school.url}/api/auth/classroom/", {"Authorization": authorization}
    check(httpx2.get(url, headers=headers, trust_env=False, timeout=60.0).status_code, 401)


def test_it_did_not_take_too_long(school: School, count_cases: CountCases) -> None:
    seconds = round(time.monotonic() - school.began)
    count_cases("kolibri, time taken", seconds, "all")
    assert seconds < WARM_SECONDS
