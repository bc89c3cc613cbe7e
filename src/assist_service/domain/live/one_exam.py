"""The exams of the person's own classes, and the one of them that a lookup needs."""

import datetime as dt
import math
from collections.abc import Sequence

from assist_service.domain.live.asking import OwnExams
from assist_service.domain.live.finding import Called, Say, Sentence
from assist_service.domain.live.query import RecordKind
from assist_service.domain.live.scope import Nothing, Record, Scope, Step, fitting, items_of, once_each
from assist_service.domain.school import Evaluation, EvaluationState

_EPOCH = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)


def own_exams(scope: Scope) -> Step[tuple[Scope, tuple[Evaluation, ...]]]:
    """The exams of the classes of a scope, in the LMS's order; one of a class that is not the person's is dropped."""
    read = OwnExams(scope.classroom.id if scope.classroom is not None else None)
    several = items_of((yield (read,))[read])
    own = {each.id for each in scope.classes}
    return scope.cut(several), once_each(each for each in several.items if each.classroom.id in own)


def one_exam(scope: Scope) -> Step[tuple[Scope, Evaluation] | Nothing]:
    """The one released exam that a lookup needs: the one named, the one on screen, the only one; else it is asked."""
    scope, exams = yield from own_exams(scope)
    ask = scope.ask
    if ask.is_given(RecordKind.EXAM):
        words, picked = ask.words(RecordKind.EXAM), ask.picked(RecordKind.EXAM)
        found = fitting(exams, [each.title for each in exams], words=words, picked=picked)
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


def _told(scope: Scope, exam: Evaluation) -> tuple[Scope, Evaluation] | Nothing:
    """Narrowed to this exam, whose results are not told before they are released."""
    about = scope.of(*(each for each in scope.classes if each.id == exam.classroom.id)).about(exam_record(exam))
    if exam.state is EvaluationState.RELEASED:
        return about, exam
    return about.nothing(Sentence(Say.NOT_RELEASED, values={"exam": Called(exam.title), "state": exam.state}))


def which_exam(scope: Scope, candidates: Sequence[Evaluation]) -> Nothing:
    titles = {each.id: each.title for each in scope.classes}
    labels = [Record(RecordKind.EXAM, each.id, f"{each.title} · {titles[each.classroom.id]}") for each in candidates]
    return scope.which(RecordKind.EXAM, labels)


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
