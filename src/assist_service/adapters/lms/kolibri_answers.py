"""What of Kolibri's answers is read, and what it means in the words of `domain/school.py`. Written against 0.19.5.

A field that stands in no model here is dropped as the answer is read: usernames, picture passwords, what a learner
answered, time spent.
"""

import datetime as dt
from collections.abc import Sequence
from typing import Annotated, Literal
from uuid import UUID, uuid5

from pydantic import Field, RootModel, ValidationError

from assist_service.domain.school import (
    LARGEST,
    Classroom,
    Count,
    Evaluation,
    EvaluationDetail,
    EvaluationItem,
    EvaluationState,
    Grade,
    Gradebook,
    GradeColumn,
    GradeRow,
    Known,
    Named,
    Points,
    Ref,
    Title,
)

COMPLETED = "Completed"

MEAN_DECIMALS = 2


class ClassroomAnswer(Known):
    id: UUID
    name: Title
    parent: UUID
    """The facility."""
    learner_count: Count


class ClassroomAnswers(RootModel[tuple[ClassroomAnswer, ...]]):
    """`/api/auth/classroom/`: all at once, Kolibri does not page them."""


class FacilityAnswer(Known):
    id: UUID
    name: Title


class QuestionAnswer(Known):
    exercise_id: UUID
    question_id: str
    title: Title = ""


class SectionAnswer(Known):
    """A section of a quiz of the third and present data model."""

    questions: tuple[QuestionAnswer, ...] = ()
    learners_see_fixed_order: bool = False


class ExamAnswer(Known):
    """A quiz. A draft is one too, under a number: it has never been shown to a class."""

    id: UUID | int
    title: Title
    collection: UUID
    active: bool
    archive: bool
    question_count: Annotated[int, Field(ge=0, le=int(LARGEST))]
    """One point each: the best mark."""
    date_activated: dt.datetime | None = None
    date_archived: dt.datetime | None = None
    assignments: tuple[UUID, ...] = ()
    learner_ids: tuple[UUID, ...] = ()
    learners_see_fixed_order: bool = False
    data_model_version: int = 0
    question_sources: tuple[dict[str, object], ...] = ()


class ExamAnswers(RootModel[tuple[ExamAnswer, ...]]):
    """`/api/exams/exam/`: not paged either."""


class LearnerAnswer(Known):
    id: UUID
    name: Title


class GroupAnswer(Known):
    id: UUID
    member_ids: tuple[UUID, ...] = ()


class AttemptAnswer(Known):
    """How far a learner is with their latest attempt at a quiz."""

    exam_id: UUID
    learner_id: UUID
    status: Literal["Completed", "Started", "NotStarted", "HelpNeeded"]
    num_correct: Points | None = None
    num_answered: int | None = None


class SummaryAnswer(Known):
    """`/coach/api/classsummary/<class>/`, which only the class's own coaches and administrators get."""

    id: UUID
    learners: tuple[LearnerAnswer, ...]
    groups: tuple[GroupAnswer, ...] = ()
    exams: tuple[ExamAnswer, ...] = ()
    exam_learner_status: tuple[AttemptAnswer, ...] = ()


def classroom_of(answer: ClassroomAnswer, facility: FacilityAnswer) -> Classroom:
    """Kolibri has no courses: a class belongs to its facility."""
    course = Ref(id=facility.id, title=facility.name)
    return Classroom(id=answer.id, title=answer.name, course=course, student_count=answer.learner_count)


def students_of(summary: SummaryAnswer) -> tuple[Named, ...]:
    return tuple(sorted((Named(id=one.id, name=one.name) for one in summary.learners), key=_by_name))


def state_of(exam: ExamAnswer) -> EvaluationState:
    """A quiz that its coach has ended is released: from then on its learners see their reports, whatever was set."""
    if exam.archive:
        return EvaluationState.RELEASED
    return EvaluationState.RUNNING if exam.active else EvaluationState.DRAFT


def evaluation_of(exam: ExamAnswer, classroom: ClassroomAnswer) -> Evaluation | None:
    """None for a draft that has no id of its own yet."""
    if isinstance(exam.id, int):
        return None
    return Evaluation(
        id=exam.id,
        title=exam.title,
        state=state_of(exam),
        classroom=Ref(id=classroom.id, title=classroom.name),
        opens_at=exam.date_activated,
        closes_at=exam.date_archived,
    )


def detail_of(exam: ExamAnswer, evaluation: Evaluation) -> EvaluationDetail:
    """Raises ValidationError for questions in another shape than Kolibri writes."""
    sections = _sections_of(exam)
    items = tuple(
        EvaluationItem(question=Ref(id=_question_id(one), title=one.title), points=1.0)
        for section in sections
        for one in section.questions
    )
    shuffled = any(not section.learners_see_fixed_order for section in sections)
    return EvaluationDetail(**dict(evaluation), shuffled=shuffled, items=items)


def gradebook_of(summary: SummaryAnswer) -> Gradebook:
    """Marks of released quizzes, one point a question; of any other quiz the column alone."""
    # A quiz without a question has no best mark, and nothing to tell.
    exams = {exam.id: exam for exam in summary.exams if isinstance(exam.id, UUID) and exam.question_count > 0}
    attempts = {(one.exam_id, one.learner_id): one for one in summary.exam_learner_status}
    members = {group.id: frozenset(group.member_ids) for group in summary.groups}
    rows = tuple(
        GradeRow(
            student=student,
            grades=tuple(
                _grade(key, exam, attempts.get((key, student.id)))
                for key, exam in exams.items()
                if state_of(exam) is EvaluationState.RELEASED
                and _is_assigned(exam, student.id, classroom=summary.id, members=members)
            ),
        )
        for student in students_of(summary)
    )
    return Gradebook(columns=tuple(_column(key, exam, rows) for key, exam in exams.items()), rows=rows)


def _grade(key: UUID, exam: ExamAnswer, attempt: AttemptAnswer | None) -> Grade:
    """Absent: never begun. A mark: handed in with every question answered.

    Ending a quiz makes Kolibri call every attempt at it completed, those broken off in the middle too, and nothing in
    its answer tells them apart but the questions without an answer.
    """
    if attempt is None or attempt.status == "NotStarted":
        return Grade(column=key, absent=True)
    is_whole = attempt.status == COMPLETED and (attempt.num_answered or 0) >= exam.question_count
    correct = attempt.num_correct
    if not is_whole or correct is None or correct > exam.question_count:
        return Grade(column=key)
    return Grade(column=key, mark=correct, final=True)


def _column(key: UUID, exam: ExamAnswer, rows: Sequence[GradeRow]) -> GradeColumn:
    marks = [grade.mark for row in rows for grade in row.grades if grade.column == key and grade.mark is not None]
    return GradeColumn(
        id=key,
        title=exam.title,
        state=state_of(exam),
        best_mark=float(exam.question_count),
        mean=round(sum(marks) / len(marks), MEAN_DECIMALS) if marks else None,
    )


def _is_assigned(exam: ExamAnswer, student: UUID, *, classroom: UUID, members: dict[UUID, frozenset[UUID]]) -> bool:
    """To the whole class, to a group of theirs, or to them by themselves."""
    return (
        classroom in exam.assignments
        or student in exam.learner_ids
        or any(student in members.get(group, ()) for group in exam.assignments)
    )


def _sections_of(exam: ExamAnswer) -> tuple[SectionAnswer, ...]:
    """Before the third data model there were no sections, only questions, or even less."""
    if exam.data_model_version >= 3:
        return tuple(SectionAnswer.model_validate(source, strict=False) for source in exam.question_sources)
    questions = tuple(_questions_before_sections(exam))
    return (SectionAnswer(questions=questions, learners_see_fixed_order=exam.learners_see_fixed_order),)


def _questions_before_sections(exam: ExamAnswer) -> list[QuestionAnswer]:
    questions = []
    for source in exam.question_sources:
        try:
            questions.append(QuestionAnswer.model_validate(source, strict=False))
        except ValidationError:  # the first model names exercises only, from which learners' devices drew questions
            continue
    return questions


def _question_id(question: QuestionAnswer) -> UUID:
    """Stable, and a UUID though Kolibri's need not be one: a question is one within its exercise."""
    return uuid5(question.exercise_id, question.question_id)


def _by_name(person: Named) -> tuple[str, UUID]:
    return person.name, person.id
