"""The exams of the person's own classes, and the one of them that a lookup needs."""

import datetime as dt
import math
from collections.abc import Sequence
from uuid import UUID

from assist_service.domain.live.among import Fitting, fitting, items_of, once_each
from assist_service.domain.live.asking import OwnExams
from assist_service.domain.live.finding import Say, Sentence, Topic
from assist_service.domain.live.matching import Beside
from assist_service.domain.live.query import RecordKind
from assist_service.domain.live.scope import Nothing, Record, Scope, Step, class_record
from assist_service.domain.live.telling import titles_told
from assist_service.domain.school import Evaluation, EvaluationState

_EPOCH = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)


def own_exams(scope: Scope) -> Step[tuple[Scope, tuple[Evaluation, ...]]]:
    """The exams of the classes of a scope, in the LMS's order; one of a class that is not the person's is dropped."""
    read = OwnExams(scope.classroom.id if scope.classroom is not None else None)
    several = items_of((yield (read,))[read])
    own = {each.id: scope.told(class_record(each)).short for each in scope.classes}
    found = once_each(each for each in several.items if each.classroom.id in own)
    told = titles_told([(each.id, each.title, own[each.classroom.id]) for each in found])
    return scope.cut(several).knowing(RecordKind.EXAM, told), found


def one_exam(scope: Scope) -> Step[tuple[Scope, Evaluation] | Nothing]:
    """The one released exam that a lookup needs: the one named, the one on screen, the only one; else it is asked."""
    scope, exams = yield from own_exams(scope)
    ask = scope.ask
    if ask.is_given(RecordKind.EXAM):
        words, picked = ask.words(RecordKind.EXAM), ask.picked(RecordKind.EXAM)
        fits = fitting_exams(scope, exams, words=words, picked=picked)
        scope, found = scope.by(fits), fits.items
        if not found:
            return scope.no_such(RecordKind.EXAM)
        return which_exam(scope, found) if len(found) > 1 else _told(scope, found[0])
    on_screen = ask.on_screen.of(RecordKind.EXAM)
    shown = next((each for each in exams if each.id == on_screen), None)
    if shown is not None:
        return _told(scope, shown)
    released = [each for each in exams if each.state is EvaluationState.RELEASED]
    if not released:
        return scope.nothing(Sentence(Say.NO_RELEASED_EXAMS))
    return which_exam(scope, sorted(released, key=newest_first)) if len(released) > 1 else _told(scope, released[0])


def fitting_exams(
    scope: Scope, exams: Sequence[Evaluation], *, words: str | None, picked: UUID | None
) -> Fitting[Evaluation]:
    """An exam is found by its title, alone and with its class's and the course's."""
    labels = {each.id: f"{each.title} {each.course.title}" for each in scope.classes}
    beside = Beside([labels[each.classroom.id] for each in exams])
    return fitting(exams, [each.title for each in exams], beside, words=words, picked=picked)


def _told(scope: Scope, exam: Evaluation) -> tuple[Scope, Evaluation] | Nothing:
    """Narrowed to this exam, whose results are not told before they are released."""
    about = scope.of(*(each for each in scope.classes if each.id == exam.classroom.id)).about(exam_record(exam))
    if exam.state is EvaluationState.RELEASED:
        return about, exam
    values = {"exam": about.called(exam_record(exam)), "state": exam.state}
    return about.on(Topic.EXAM_STATE).nothing(Sentence(Say.NOT_RELEASED, values=values))


def which_exam(scope: Scope, candidates: Sequence[Evaluation]) -> Nothing:
    return scope.which(RecordKind.EXAM, scope.offered(map(exam_record, candidates)))


def exam_record(exam: Evaluation) -> Record:
    return Record(RecordKind.EXAM, exam.id, exam.title)


def newest_first(exam: Evaluation) -> tuple[float, float]:
    """By when it closes, then by when it opens; one of no time is last."""
    return _age(exam.closes_at), _age(exam.opens_at)


def _age(at: dt.datetime | None) -> float:
    """Greater for what is longer ago. A time without a zone is taken for UTC: it only orders."""
    if at is None:
        return math.inf
    return (_EPOCH - (at if at.tzinfo is not None else at.replace(tzinfo=dt.UTC))).total_seconds()
