"""The lookups that a real Kolibri allows, under the school's policy: all but the ranking, for which it has no board."""

import re
from typing import Any

import httpx2
import pytest

from assist_service.domain.live.query import Lookup
from assist_service.domain.messages import ModelRequest
from tests.fakes.house import question_body
from tests.fakes.models import calls, says
from tests.slow.kolibri_running import NAMES, PRIVATE, running
from tests.slow.kolibri_school import Check, School
from tests.web.live_questions import ActingModel, screen, spoken

pytestmark = pytest.mark.slow

UNDER = {"policy": "school-manuals", "moderation": "words"}

TITLES = ("7A", "7B", "Riverside", "Fractions", "Early quiz", "Decimals", "Geometry", "Poetry")

LEARNERS = ["Ada Quill", "Bo Tanaka", "Cleo Marsh", "Cy Vance"]

QUESTION = "How did it go?"
"""It names nobody, so that a name in a request can only come of a lookup."""

Wanted = tuple[str, dict[str, Any]]


async def ask(
    service: httpx2.AsyncClient, school: School, coach: str, *, talk: str | None = None, reference: str | None = None
) -> dict[str, Any]:
    headers = {"Authorization": f"Bearer {school.session(coach)}"}
    body = question_body(QUESTION, context=screen(), conversation_id=talk, reference=reference)
    answer = await service.post("/assist/ask", json=body, headers=headers)
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


async def looked_up(
    database_url: str, school: School, coach: str, *lookups: Wanted, at_once: int = 1
) -> tuple[list[dict[str, Any]], list[ModelRequest]]:
    """The answers, so many of the lookups in each, one conversation; and all that the provider was sent."""
    steps = [lookups[at : at + at_once] for at in range(0, len(lookups), at_once)]
    model = ActingModel(*(calls(*step) for step in steps), says("Nothing."))
    replies: list[dict[str, Any]] = []
    async with running(database_url, school, model, **UNDER) as service:
        for _ in steps:
            replies.append(await ask(service, school, coach, talk=replies[-1]["conversation_id"] if replies else None))
        talk, listed = replies[-1]["conversation_id"], [each for reply in replies for each in reply["references"]]
        await ask(service, school, coach, talk=talk, reference=listed[-1]["token"] if listed else None)
    return replies, model.requests


def labels(reply: dict[str, Any], kind: str) -> list[str]:
    return [each["label"] for each in reply["references"] if each["kind"] == kind]


def rows(reply: dict[str, Any]) -> list[list[str]]:
    """Those of the table in an answer, without its head."""
    lines = [line for line in reply["answer"].splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def check_unread(requests: list[ModelRequest], check: Check) -> None:
    heard = "\n".join(spoken(request) for request in requests)
    check([word for word in (*NAMES, *TITLES, *PRIVATE) if word in heard], [])


async def test_a_coach_lists_what_is_hers(database_url: str, school: School, check: Check) -> None:
    replies, requests = await looked_up(
        database_url,
        school,
        "ana",
        ("query_classes", {"operation": "list"}),
        ("query_students", {"operation": "list", "class_search": "7a"}),
        ("query_exams", {"operation": "list"}),
    )
    classes, students, exams = replies
    check(labels(classes, "class"), ["Class 7A"])
    check(rows(classes), [["Class 7A", "Riverside School", "4"]])
    check(labels(students, "student"), LEARNERS)
    check(set(labels(exams, "exam")), {"Fractions", "Early quiz", "Decimals", "Geometry", "Angles"})
    check({reply["kind"] for reply in replies}, {"live"})
    sealed = [[(each["tool"], each["disclosure"]) for each in reply["receipt"]["sent"]] for reply in replies]
    check(sealed, [[(name, "sealed")] for name in ("query_classes", "query_students", "query_exams")])
    offered = {tool.name for tool in requests[0].tools if tool.name.startswith("query_")}
    check(offered, {lookup.value for lookup in Lookup} - {"query_rankings"})
    check_unread(requests, check)
    check([word for word in (*PRIVATE, "7B", "Poetry") for reply in replies if word in str(reply)], [])


async def test_an_ended_quiz_has_results_and_no_other(database_url: str, school: School, check: Check) -> None:
    """Bo broke off, so that he has no mark; Cy and Cleo, who learns there too, never began."""
    of_fractions = {"exam_search": "fractions"}
    replies, requests = await looked_up(
        database_url,
        school,
        "ana",
        ("query_exam_results", {"operation": "list", **of_fractions}),
        ("query_exam_results", {"operation": "highest", **of_fractions}),
        ("query_participation", {"operation": "missing", **of_fractions}),
        ("query_participation", {"operation": "taken", **of_fractions}),
        ("query_exam_results", {"operation": "list", "exam_search": "Decimals"}),
    )
    results, highest, missing, taken, running_quiz = replies
    check([row[0] for row in rows(results)], ["Ada Quill", "Cleo Marsh", "Cy Vance", "Bo Tanaka"])
    check(rows(results)[0][1].startswith("3"), True)
    check([row[0] for row in rows(highest)], ["Ada Quill"])
    check(labels(missing, "student"), ["Cleo Marsh", "Cy Vance"])
    check(labels(taken, "student"), ["Ada Quill", "Bo Tanaka"])
    check((rows(running_quiz), labels(running_quiz, "student")), ([], []))
    check([name for name in NAMES if name in running_quiz["answer"]], [])
    check_unread(requests, check)
    check([word for word in PRIVATE for reply in replies if word in str(reply)], [])


async def test_how_one_learner_and_the_class_did(database_url: str, school: School, check: Check) -> None:
    """Other tests end a quiz more: what is told of the two that were ended from the first on is looked at."""
    replies, requests = await looked_up(
        database_url,
        school,
        "ana",
        ("query_student_performance", {"operation": "by_exam", "student_search": "ada quill"}),
        ("query_student_performance", {"operation": "by_exam", "student_search": "Vance"}),
        ("query_class_performance", {"operation": "by_exam"}),
    )
    ada, cy, of_class = ({row[0]: row[1:] for row in rows(reply)} for reply in replies)
    check((ada["Fractions"][0][0], ada["Early quiz"][0][0]), ("3", "2"))
    check(cy["Fractions"][0] == cy["Early quiz"][0], False)  # absent from the one, and not to take the other
    check({"Fractions", "Early quiz"} <= of_class.keys(), True)
    check(of_class["Fractions"][0][0], "4")
    check("Decimals" in {*ada, *cy, *of_class}, False)
    check_unread(requests, check)
    check([word for word in PRIVATE for reply in replies if word in str(reply)], [])


async def test_another_coachs_class_reads_as_one_that_does_not_exist(
    database_url: str, school: School, check: Check
) -> None:
    def named(class_: str, student: str, exam: str) -> list[Wanted]:
        return [
            ("query_students", {"class_search": class_}),
            ("query_exams", {"class_search": class_}),
            ("query_class_performance", {"class_search": class_}),
            ("query_student_performance", {"student_search": student}),
            ("query_exam_results", {"exam_search": exam}),
            ("query_participation", {"exam_search": exam}),
        ]

    theirs, nobodys = named("Class 7A", "Ada Quill", "Fractions"), named("Class 9Z", "Zed Nobody", "Alchemy")
    before = len(school.gate.reads)
    replies, requests = await looked_up(database_url, school, "ben", *theirs, *nobodys, at_once=3)
    # the moment that an answer stands for is told in it, and may be another
    said = [re.sub(r"\d+", "#", reply["answer"]) for reply in replies]
    check(said[:2], said[2:])
    check(len(set(said)), 2)
    check([reply["references"] for reply in replies], [[], [], [], []])
    check([word for word in (*NAMES, "7A", "Fractions") for reply in replies if word in str(reply)], [])
    read = "\n".join(one.path for one in school.gate.reads[before:])
    check((school.classroom("7b").hex in read, school.classroom("7a").hex in read), (True, False))
    check_unread(requests, check)


def test_of_what_lies_in_kolibri_nothing_private_was_read(school: School, check: Check) -> None:
    """In all that passed till here, these lookups among it."""
    assert len(school.gate.reads) >= 4
    private = (b"IDNUMBER", b'"birth_year"', b'"id_number"', b'"gender"')
    check([one.path for one in school.gate.reads if any(word in one.body for word in private)], [])
