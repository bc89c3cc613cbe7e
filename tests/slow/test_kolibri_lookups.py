"""The lookups that a real Kolibri allows, under the school's policy: all but the ranking, for which it has no board."""

import re
from dataclasses import dataclass
from typing import Any

import httpx2
import pytest

from assist_service.domain.live.query import Lookup
from tests.fakes.house import question_body
from tests.fakes.models import calls, says
from tests.slow.kolibri_running import NAMES, PRIVATE, running
from tests.slow.kolibri_school import Check, School
from tests.web.live_questions import ActingModel, screen, spoken

pytestmark = pytest.mark.slow

UNDER = {"policy": "school-manuals", "moderation": "words"}

TITLES = ("7A", "7B", "Riverside", "Fractions", "Early quiz", "Decimals", "Geometry", "Poetry")

OFFERED = sorted({lookup.value for lookup in Lookup} - {"query_rankings"})

PRIVATE_FIELDS = (b"IDNUMBER", b'"birth_year"', b'"id_number"', b'"gender"')
"""Of what Kolibri answers; a username stands in none of the addresses that are read."""

LEARNERS = ["Ada Quill", "Bo Tanaka", "Cleo Marsh", "Cy Vance"]

QUESTION = "How did it go?"
"""It names nobody, so that a name in a request can only come of a lookup."""

Wanted = tuple[str, dict[str, Any]]


OF_FRACTIONS = {"exam_search": "fractions"}

HERS: tuple[Wanted, ...] = (
    ("query_classes", {"operation": "list"}),
    ("query_students", {"operation": "list", "class_search": "7a"}),
    ("query_exams", {"operation": "list"}),
    ("query_exam_results", {"operation": "list", **OF_FRACTIONS}),
    ("query_participation", {"operation": "missing", **OF_FRACTIONS}),
    ("query_participation", {"operation": "taken", **OF_FRACTIONS}),
    ("query_student_performance", {"operation": "by_exam", "student_search": "ada quill"}),
    ("query_student_performance", {"operation": "by_exam", "student_search": "Vance"}),
    ("query_exam_results", {"operation": "list", "exam_search": "Decimals"}),
    ("query_class_performance", {"operation": "by_exam"}),
)
"""Asked by the coach of the class, three in a question."""


@dataclass(frozen=True)
class Kolibri:
    """What a test has: a Kolibri, a database for the service beside it, and what counts the checks."""

    school: School
    database_url: str
    check: Check

    async def looked_up(self, coach: str, *lookups: Wanted, at_once: int = 1) -> list[dict[str, Any]]:
        """The answers, so many of the lookups in each, in one conversation.

        No name or title was sent to the provider, in this question or a later one, and nothing private was read, sent
        or told.
        """
        steps = [lookups[at : at + at_once] for at in range(0, len(lookups), at_once)]
        model = ActingModel(*(calls(*step) for step in steps), says("Nothing."))
        before = len(self.school.gate.reads)
        replies: list[dict[str, Any]] = []
        bearer = {"Authorization": f"Bearer {self.school.session(coach)}"}
        async with running(self.database_url, self.school, model, **UNDER) as service:
            for _ in steps:
                replies.append(await ask(service, bearer, talk=replies[-1]["conversation_id"] if replies else None))
            listed = [each["token"] for reply in replies for each in reply["references"]]
            await ask(service, bearer, talk=replies[-1]["conversation_id"], reference=listed[-1] if listed else None)
        heard = "\n".join(spoken(request) for request in model.requests)
        self.check([word for word in (*NAMES, *TITLES, *PRIVATE) if word in heard], [])
        self.check([word for word in PRIVATE if word in "\n".join(map(told, replies))], [])
        read = [one for one in self.school.gate.reads[before:] if any(word in one.body for word in PRIVATE_FIELDS)]
        self.check([one.path for one in read], [])
        self.check([tool.name for tool in model.requests[0].tools if tool.name.startswith("query_")], OFFERED)
        return replies


@pytest.fixture
def kolibri(school: School, database_url: str, check: Check) -> Kolibri:
    return Kolibri(school, database_url, check)


async def ask(
    service: httpx2.AsyncClient, bearer: dict[str, str], *, talk: str | None, reference: str | None = None
) -> dict[str, Any]:
    body = question_body(QUESTION, context=screen(), conversation_id=talk, reference=reference)
    answer = await service.post("/assist/ask", json=body, headers=bearer)
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


def told(reply: dict[str, Any]) -> str:
    """All that a person reads of it; a token may hold any letters."""
    return "\n".join((reply["answer"], *(each["label"] for each in (*reply["references"], *reply["choices"]))))


def tables(reply: dict[str, Any]) -> list[list[list[str]]]:
    """The rows of each table in an answer, in order, without their heads."""
    blocks = (block.splitlines() for block in reply["answer"].split("\n\n") if block.startswith("|"))
    return [[[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]] for lines in blocks]


def firsts(table: list[list[str]]) -> list[str]:
    return [row[0] for row in table]


async def test_a_coach_is_answered_of_what_is_hers(kolibri: Kolibri, check: Check) -> None:
    """Bo broke off, so that he has no mark; Cy, and Cleo, who learns here too, never began.

    Other tests end a quiz more: of the marks only those of the two that were ended from the first on are looked at.
    """
    lists, results, others, class_ = await kolibri.looked_up(
        "ana",
        *HERS,
        at_once=3,
    )
    replies = (lists, results, others, class_)
    check({reply["kind"] for reply in replies}, {"live"})
    check({each["disclosure"] for reply in replies for each in reply["receipt"]["sent"]}, {"sealed"})
    check([word for word in ("7B", "Poetry") if word in "\n".join(map(told, replies))], [])

    classes, students, exams = tables(lists)
    check(classes, [["Class 7A", "Riverside School", "4"]])
    check(firsts(students), LEARNERS)
    check(set(firsts(exams)), {"Fractions", "Early quiz", "Decimals", "Geometry", "Angles"})
    check({each["kind"] for each in lists["references"]}, {"class", "student", "exam"})

    marks, missing, taken = tables(results)
    check(firsts(marks), ["Ada Quill", "Cleo Marsh", "Cy Vance", "Bo Tanaka"])
    check(marks[0][1][0], "3")
    check((firsts(missing), firsts(taken)), (["Cleo Marsh", "Cy Vance"], ["Ada Quill", "Bo Tanaka"]))

    ada, cy = ({row[0]: row[1:] for row in table} for table in tables(others))  # the running quiz has no table
    check((ada["Fractions"][0][0], ada["Early quiz"][0][0]), ("3", "2"))
    check(cy["Fractions"][0] == cy["Early quiz"][0], False)  # absent from the one, and not to take the other
    of_running = others["answer"].rpartition("**")[2]
    check([name for name in NAMES if name in of_running], [])

    (of_class,) = ({row[0]: row[1] for row in table} for table in tables(class_))
    check((of_class["Fractions"][0], "Decimals" in {*ada, *cy, *of_class}), ("4", False))


async def test_another_coachs_class_reads_as_one_that_does_not_exist(kolibri: Kolibri, check: Check) -> None:
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
    school = kolibri.school
    before = len(school.gate.reads)
    replies = await kolibri.looked_up("ben", *theirs, *nobodys, at_once=3)
    # the moment that an answer stands for is told in it, and may be another
    said = [re.sub(r"\d+", "#", reply["answer"]) for reply in replies]
    check(said[:2], said[2:])
    check(len(set(said)), 2)
    check([reply["references"] for reply in replies], [[], [], [], []])
    check([word for word in (*NAMES, "7A", "Fractions") if word in "\n".join(map(told, replies))], [])
    read = "\n".join(one.path for one in school.gate.reads[before:])
    check((school.classroom("7b").hex in read, school.classroom("7a").hex in read), (True, False))
