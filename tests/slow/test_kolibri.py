"""A real Kolibri 0.19.5, installed, filled and asked: as its coaches see it, and not a word more.

Nothing is skipped: where Kolibri cannot be installed or started, every test here fails and says why.
"""

from collections.abc import Awaitable
from uuid import UUID, uuid4

import httpx2
import pytest

from assist_service.adapters.lms.kolibri import KolibriLms
from assist_service.domain.school import EvaluationState, results_of
from assist_service.ports import LmsFault, LmsFaultKind, SchoolReads
from tests.slow.kolibri_school import Check, School, session_of

pytestmark = pytest.mark.slow

PRIVATE = (b"IDNUMBER", b'"birth_year"', b'"id_number"', b'"gender"', b'"2011"', b'"2012"', b'"2013"', b'"2014"')
"""What stands in this Kolibri about its learners and is nobody's answer."""


async def fault_of(work: Awaitable[object]) -> tuple[LmsFaultKind, str] | None:
    """What a refusal says, word by word."""
    try:
        await work
    except LmsFault as fault:
        return fault.kind, str(fault)
    return None


ABSENT = (LmsFaultKind.NOT_FOUND, "not_found")


async def test_a_coach_reads_her_own_class(school: School, lms: KolibriLms, check: Check) -> None:
    async with lms.reading(school.session("ana")) as reads:
        (classroom,) = (await reads.classrooms()).items
        check(classroom.id, school.classroom("7a"))
        check((classroom.title, classroom.course.title), ("Class 7A", "Riverside School"))
        check(await reads.classroom(classroom.id), classroom)
        students = (await reads.for_tool("list_students").students(classroom.id)).items
        check([one.name for one in students], ["Ada Quill", "Bo Tanaka", "Cleo Marsh", "Cy Vance"])
        check({one.id.hex for one in students}, {school.person(name) for name in ("ada", "bo", "cleo", "cy")})
        check(classroom.student_count, len(students))


async def test_quizzes_are_evaluations_and_drafts_are_not(school: School, lms: KolibriLms, check: Check) -> None:
    async with lms.reading(school.session("ana")) as reads:
        found = {one.title: one.state for one in (await reads.evaluations()).items if one.title != "Angles"}
        running, ended, new = EvaluationState.RUNNING, EvaluationState.RELEASED, EvaluationState.DRAFT
        check(found, {"Fractions": ended, "Early quiz": ended, "Decimals": running, "Geometry": new})
        only = await reads.evaluations(classroom=school.classroom("7a"), state=EvaluationState.DRAFT)
        check([one.title for one in only.items], ["Geometry"])
        detail = await reads.evaluation(school.quiz("ended"))
        check((detail.title, detail.classroom.title, detail.shuffled), ("Fractions", "Class 7A", False))
        check([item.question.title for item in detail.items], [f"Fractions question {n}" for n in (1, 2, 3, 4)])


async def test_only_whole_attempts_at_ended_quizzes_have_marks(school: School, lms: KolibriLms, check: Check) -> None:
    """Bo broke off after two right answers of four; Cy never began; the running quiz tells nothing of anybody."""
    async with lms.reading(school.session("ana")) as reads:
        book = await reads.gradebook(school.classroom("7a"))
        check(await _marks(reads, school, "ended"), {"Ada Quill": 3.0, "Bo Tanaka": None, "Cy Vance": "absent"})
        check(await _marks(reads, school, "for_group"), {"Ada Quill": 2.0})  # the others were not to take it
        check(await _marks(reads, school, "running"), {})
    means = {column.title: column.mean for column in book.columns}
    check((means["Fractions"], means["Early quiz"], means["Decimals"]), (3.0, 2.0, None))
    unreleased = {school.quiz("running"), school.quiz("unshown")}
    check([g for row in book.rows for g in row.grades if g.column in unreleased], [])


async def test_ending_a_quiz_releases_it_without_the_attempts_it_cuts_off(
    school: School, lms: KolibriLms, check: Check
) -> None:
    """Kolibri then calls Bo's three answers of four completed; the service does not."""
    with school.browser("ana") as browser:
        ended = browser.patch(f"/api/exams/exam/{school.quiz('to_end').hex}/", json={"active": False, "archive": True})
        check(ended.status_code, 200)
        summary = browser.get(f"/coach/api/classsummary/{school.classroom('7a').hex}/").json()
        of_bo = [
            one["status"]
            for one in summary["exam_learner_status"]
            if one["learner_id"] == school.person("bo") and one["exam_id"] == school.quiz("to_end").hex
        ]
        check(of_bo, ["Completed"])
        async with lms.reading(session_of(browser)) as reads:
            expected = {"Ada Quill": 1.0, "Bo Tanaka": None, "Cy Vance": "absent"}
            check(await _marks(reads, school, "to_end"), expected)


async def _marks(reads: SchoolReads, school: School, quiz: str) -> dict[str, float | str | None]:
    """Of learners, as the service may tell them."""
    results = results_of(await reads.gradebook(school.classroom("7a")))
    return {
        row.student.name: "absent" if mark.absent else mark.mark
        for row in results.rows
        for mark in row.marks
        if mark.column == school.quiz(quiz) and row.student.name != "Cleo Marsh"
    }


@pytest.mark.parametrize("coach", ["ben", "cleo"])
async def test_another_coachs_class_does_not_exist(school: School, lms: KolibriLms, check: Check, coach: str) -> None:
    """Ben has nothing to do with 7A; Cleo learns there, and Kolibri lists its running quizzes for her."""
    async with lms.reading(school.session(coach)) as reads:
        check([one.title for one in (await reads.classrooms()).items], ["Class 7B"])
        check([one.title for one in (await reads.evaluations()).items], ["Poetry"])
        before = len(school.gate.reads)
        for classroom in (school.classroom("7a"), uuid4()):
            check(await fault_of(reads.classroom(classroom)), ABSENT)
            check(await fault_of(reads.students(classroom)), ABSENT)
            check(await fault_of(reads.gradebook(classroom)), ABSENT)
            check(await fault_of(reads.evaluations(classroom=classroom)), ABSENT)
        check(len(school.gate.reads), before)  # the coach's own list said it all
        for evaluation in (school.quiz("ended"), school.quiz("running"), uuid4()):
            check(await fault_of(reads.evaluation(evaluation)), ABSENT)


async def test_a_token_is_worth_nothing_after_its_block(school: School, lms: KolibriLms, check: Check) -> None:
    async with lms.reading(school.session("ana")) as reads:
        await reads.classrooms()
        authorization = school.gate.reads[-1].authorization
        check(_ask(school, authorization), 200)
    check(_ask(school, authorization), 401)
    check(_ask(school, "Bearer made-up"), 401)
    with pytest.raises(RuntimeError):
        await reads.students(school.classroom("7a"))


async def test_signing_out_ends_the_session_and_its_token(school: School, lms: KolibriLms, check: Check) -> None:
    ended = (LmsFaultKind.SESSION_ENDED, "session_ended")
    with school.browser("ana") as browser:
        session = session_of(browser)
        async with lms.reading(session) as reads:
            await reads.classrooms()
            check(browser.delete("/api/auth/session/current/").status_code, 200)
            check(await fault_of(reads.evaluations()), ended)
    async with lms.reading(session) as reads:
        check(await fault_of(reads.classrooms()), ended)


async def test_a_token_opens_a_few_paths_by_get(school: School, lms: KolibriLms, check: Check) -> None:
    """A single quiz, which Kolibri answers to anybody, and the list of people among those it does not open."""
    exam = f"/api/exams/exam/{school.quiz('ended').hex}/"
    closed = (
        ("GET", exam),
        ("GET", "/api/auth/facilityuser/"),
        ("GET", "/api/auth/session/current/"),
        ("GET", f"/api/auth/classroom/{school.classroom('7a').hex}/"),
        ("HEAD", "/api/auth/classroom/"),
        ("POST", "/api/auth/classroom/"),
        ("PATCH", exam),
        ("DELETE", exam),
        ("POST", "/api/assist/session"),
    )
    async with lms.reading(school.session("ana")) as reads:
        await reads.classrooms()
        authorization = school.gate.reads[-1].authorization
        for method, path in closed:
            check(_ask(school, authorization, method=method, path=path), 403)
        check(_ask(school, "", path=exam), 200)  # the trap: nobody at all may read it
        check(len((await reads.evaluations()).items), 5)


def _ask(school: School, authorization: str, *, method: str = "GET", path: str = "/api/auth/classroom/") -> int:
    """Past the service and the gate."""
    headers = {"Authorization": authorization} if authorization else {}
    return httpx2.request(method, school.url + path, headers=headers, trust_env=False, timeout=60.0).status_code


async def test_what_kolibri_does_not_have_is_refused_unasked(school: School, lms: KolibriLms, check: Check) -> None:
    check(lms.offers, {"classrooms", "classroom", "students", "evaluations", "evaluation", "gradebook"})
    entity = UUID(int=1)
    before = len(school.gate.passed)
    async with lms.reading("no session at all") as reads:
        for refused in (
            reads.courses(),
            reads.course(entity),
            reads.course_staff(entity),
            reads.pools(),
            reads.pool(entity),
            reads.pool_stats(entity),
            reads.questions(entity),
            reads.similar_questions("what", pool=None, limit=3),
            reads.question(entity),
            reads.question_types(),
            reads.templates(),
            reads.template(entity),
            reads.leaderboard(entity),
        ):
            check(await fault_of(refused), (LmsFaultKind.REFUSED, "refused"))
    check(len(school.gate.passed), before)


async def test_how_people_stand(school: School, lms: KolibriLms, check: Check) -> None:
    """Bo has begun a quiz that is running, and not handed it in."""
    told = {name: await lms.standing(school.person(name)) for name in ("ana", "ada", "bo")}
    check({name: one.role.value for name, one in told.items()}, {"ana": "teacher", "ada": "student", "bo": "student"})
    check({name: one.exam_in_progress for name, one in told.items()}, {"ana": False, "ada": False, "bo": True})
    check({one.active for one in told.values()}, {True})
    for unknown in (uuid4().hex, "nobody", school.person("ana").upper()):
        check(await fault_of(lms.standing(unknown)), ABSENT)


async def test_nothing_private_is_ever_read(school: School, lms: KolibriLms, check: Check) -> None:
    """Not hidden from the model, but never sent by Kolibri: in every answer that passed till now."""
    async with lms.reading(school.session("ana")) as reads:
        await reads.classrooms()
        await reads.students(school.classroom("7a"))
        await reads.evaluation(school.quiz("ended"))
        await reads.gradebook(school.classroom("7a"))
    read = school.gate.reads
    assert len(read) >= 4
    for word in PRIVATE:
        check([one.path for one in read if word in one.body], [])
    check([one.path for one in read if "facilityuser" in one.path], [])
