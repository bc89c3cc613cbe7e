"""A school for tests, made in an empty KOLIBRI_HOME by Kolibri's own models.

To be run by the Python of Kolibri's environment, before Kolibri is started: `python school.py FILE` writes the ids of
what it made as JSON.
"""

import json
import sys
import uuid
from pathlib import Path

from kolibri.utils.main import initialize

initialize(settings="kolibri_assist_exchange.settings")

from django.utils.timezone import now  # noqa: E402 nothing of Django may be imported before
from kolibri.core.auth.constants import role_kinds  # noqa: E402
from kolibri.core.auth.models import Classroom, Facility, FacilityUser, LearnerGroup  # noqa: E402
from kolibri.core.device.utils import setup_device_and_facility  # noqa: E402
from kolibri.core.exams.models import DraftExam, Exam, ExamAssignment  # noqa: E402
from kolibri.core.lessons.models import Lesson, LessonAssignment  # noqa: E402
from kolibri.core.logger.models import AttemptLog, ContentSessionLog, ContentSummaryLog, MasteryLog  # noqa: E402

PASSWORD = "made-up"
QUESTIONS = 4


def learner(name: str, *, facility: Facility, classroom: Classroom, birth_year: str, id_number: str) -> FacilityUser:
    user = FacilityUser.objects.create_user(
        username=name.split()[0].lower(), password=PASSWORD, full_name=name, facility=facility
    )
    user.birth_year, user.id_number, user.gender = birth_year, id_number, "FEMALE"
    user.save()
    classroom.add_member(user)
    return user


def coach(name: str, *, facility: Facility, classroom: Classroom) -> FacilityUser:
    """Of one class only."""
    user = FacilityUser.objects.create_user(
        username=name.split()[0].lower(), password=PASSWORD, full_name=name, facility=facility
    )
    facility.add_role(user, role_kinds.ASSIGNABLE_COACH)
    classroom.add_coach(user)
    return user


def sources(title: str, exercise: str) -> list[dict[str, object]]:
    questions = [
        {
            "exercise_id": exercise,
            "question_id": uuid.uuid4().hex,
            "title": f"{title} question {number}",
            "counter_in_exercise": number,
        }
        for number in range(1, QUESTIONS + 1)
    ]
    section = {"section_id": uuid.uuid4().hex, "section_title": "", "description": "", "question_count": QUESTIONS}
    return [{**section, "learners_see_fixed_order": True, "questions": questions}]


def quiz(
    title: str, *, classroom: Classroom, creator: FacilityUser, state: str, to: list[object] | None = None
) -> Exam:
    exam = Exam.objects.create(
        title=title,
        collection=classroom,
        creator=creator,
        question_sources=sources(title, uuid.uuid4().hex),
        question_count=QUESTIONS,
        active=state == "running",
        archive=state == "ended",
        instant_report_visibility=False,
    )
    for collection in to or [classroom]:
        ExamAssignment.objects.create(exam=exam, collection=collection, assigned_by=creator)
    return exam


def attempt(user: FacilityUser, exam: Exam, answers: list[int], *, complete: bool) -> None:
    """`answers`: 1 for each right one; fewer than the quiz has is one broken off in the middle."""
    when = {"start_timestamp": now(), "end_timestamp": now()}
    summary = ContentSummaryLog.objects.create(
        user=user, content_id=exam.id, kind="quiz", progress=1 if complete else 0.5, **when
    )
    session = ContentSessionLog.objects.create(user=user, content_id=exam.id, kind="quiz", **when)
    mastery = MasteryLog.objects.create(
        user=user,
        summarylog=summary,
        mastery_level=-uuid.uuid4().int % 10**8 - 10**8,
        mastery_criterion={"type": "quiz", "coach_assigned": True},
        complete=complete,
        **when,
    )
    for question, correct in zip(exam.get_questions(), answers, strict=False):
        AttemptLog.objects.create(
            masterylog=mastery,
            sessionlog=session,
            user=user,
            item=f"{question['exercise_id']}:{question['question_id']}",
            correct=correct,
            complete=True,
            **when,
        )


def main() -> None:
    setup_device_and_facility(None, "Riverside School", "formal", {}, {}, "root", PASSWORD)
    facility = Facility.objects.get()
    fractions, poetry = (Classroom.objects.create(name=name, parent=facility) for name in ("Class 7A", "Class 7B"))
    ana = coach("Ana Silva", facility=facility, classroom=fractions)
    ben = coach("Ben Okoro", facility=facility, classroom=poetry)
    # Teaches one class and learns in the other: Kolibri lists the quizzes of both for her.
    cleo = coach("Cleo Marsh", facility=facility, classroom=poetry)
    fractions.add_member(cleo)
    of_7a = {"facility": facility, "classroom": fractions}
    ada = learner("Ada Quill", birth_year="2011", id_number="IDNUMBER-0001", **of_7a)
    bo = learner("Bo Tanaka", birth_year="2012", id_number="IDNUMBER-0002", **of_7a)
    cy = learner("Cy Vance", birth_year="2013", id_number="IDNUMBER-0003", **of_7a)
    di = learner("Di Castro", facility=facility, classroom=poetry, birth_year="2014", id_number="IDNUMBER-0004")
    group = LearnerGroup.objects.create(name="Early birds", parent=fractions)
    group.add_learner(ada)

    lesson = Lesson.objects.create(title="Halves", collection=fractions, created_by=ana, is_active=True)
    LessonAssignment.objects.create(lesson=lesson, collection=fractions, assigned_by=ana)
    by_ana = {"classroom": fractions, "creator": ana}
    ended = quiz("Fractions", state="ended", **by_ana)
    running = quiz("Decimals", state="running", **by_ana)
    to_end = quiz("Angles", state="running", **by_ana)
    unshown = quiz("Geometry", state="new", **by_ana)
    for_group = quiz("Early quiz", state="ended", to=[group], **by_ana)
    others = quiz("Poetry", state="ended", classroom=poetry, creator=ben)
    DraftExam.objects.create(title="Draft of mine", collection=fractions, creator=ana, question_sources=[])
    attempt(ada, ended, [1, 1, 1, 0], complete=True)
    attempt(bo, ended, [1, 1], complete=False)
    attempt(ada, running, [1, 1, 1, 1], complete=True)
    attempt(bo, running, [1], complete=False)
    attempt(ada, to_end, [1, 0, 0, 0], complete=True)
    attempt(bo, to_end, [1, 1, 1], complete=False)
    attempt(ada, for_group, [1, 1, 0, 0], complete=True)
    attempt(di, others, [1, 1, 1, 0], complete=True)

    made = {
        "facility": facility,
        "people": {"ana": ana, "ben": ben, "cleo": cleo, "ada": ada, "bo": bo, "cy": cy, "di": di},
        "classes": {"7a": fractions, "7b": poetry},
        "quizzes": {
            "ended": ended,
            "running": running,
            "to_end": to_end,
            "unshown": unshown,
            "for_group": for_group,
            "others": others,
        },
    }
    # Not printed: Kolibri logs to standard output.
    Path(sys.argv[1]).write_text(json.dumps(made, default=lambda entity: entity.id))


main()
