"""The students of the person's own classes, and the one of them that a lookup needs."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from assist_service.domain.folding import folded
from assist_service.domain.live.among import Fitting, fitting, items_of, once_each
from assist_service.domain.live.asking import StudentsOf
from assist_service.domain.live.finding import Say, Sentence
from assist_service.domain.live.matching import Beside
from assist_service.domain.live.query import RecordKind
from assist_service.domain.live.scope import MOST_CLASSES, MOST_OPTIONS, Nothing, Record, Scope, Step
from assist_service.domain.live.spelling import without_label_number
from assist_service.domain.live.telling import people_told
from assist_service.domain.school import Classroom, Named


@dataclass(frozen=True)
class Student:
    """A student, and those of the person's own classes they are in."""

    named: Named
    classes: tuple[Classroom, ...]

    @property
    def id(self) -> UUID:
        return self.named.id

    @property
    def name(self) -> str:
        return self.named.name

    @property
    def record(self) -> Record:
        return student_record(self.named)


def student_record(student: Named) -> Record:
    return Record(RecordKind.STUDENT, student.id, student.name)


def by_name(student: Named) -> tuple[str, str, UUID]:
    """What names sort by; two people of one name have an order too."""
    return folded(student.name), student.name, student.id


def enrolled(scope: Scope) -> Step[tuple[Scope, tuple[Student, ...]] | Nothing]:
    """The students of the classes of a scope by name, each person once. Too many classes are asked back."""
    if len(scope.classes) > MOST_CLASSES:
        return scope.which_class(scope.classes)
    reads = {each.id: StudentsOf(each.id) for each in scope.classes}
    brought = yield tuple(reads.values())
    rosters = [(each, items_of(brought[reads[each.id]])) for each in scope.classes]
    named: dict[UUID, Named] = {}
    classes: dict[UUID, list[Classroom]] = {}
    for classroom, roster in rosters:
        for student in once_each(roster.items):
            named.setdefault(student.id, student)
            classes.setdefault(student.id, []).append(classroom)
    found = tuple(Student(each, tuple(classes[each.id])) for each in sorted(named.values(), key=by_name))
    scope = scope.knowing(RecordKind.STUDENT, people_told(named.values()))
    return scope.cut(*(roster for _, roster in rosters)), found


def one_student(scope: Scope) -> Step[tuple[Scope, Student] | Nothing]:
    """The one student that a lookup needs, of the class named, else of all the person's own."""
    if not scope.ask.is_given(RecordKind.STUDENT) and scope.classroom is None:
        return name_one(scope)
    roll = yield from enrolled(scope)
    return roll if isinstance(roll, Nothing) else chosen(*roll)


def chosen(scope: Scope, candidates: Sequence[Student]) -> tuple[Scope, Student] | Nothing:
    """The one that was named or selected; several that fit, and few of which none was named, are asked back."""
    ask = scope.ask
    if not ask.is_given(RecordKind.STUDENT):
        return which_student(scope, candidates) if 0 < len(candidates) <= MOST_OPTIONS else name_one(scope)
    words, picked = ask.words(RecordKind.STUDENT), ask.picked(RecordKind.STUDENT)
    fits = fitting_students(candidates, words=words, picked=picked)
    scope, found = scope.by(fits), fits.items
    if not found:
        return scope.no_such(RecordKind.STUDENT)
    if len(found) > 1:
        return which_student(scope, found)
    return scope.about(found[0].record), found[0]


def fitting_students(students: Sequence[Student], *, words: str | None, picked: UUID | None) -> Fitting[Student]:
    """A student is found by name, alone and with their classes. The number of one of two alike is not their name."""
    names = [each.name for each in students]
    beside = Beside([" ".join(f"{seat.title} {seat.course.title}" for seat in each.classes) for each in students])
    found = fitting(students, names, beside, words=words, picked=picked)
    if found.items or words is None or not (bare := without_label_number(words)):
        return found
    return fitting(students, names, beside, words=bare, picked=None)


def which_student(scope: Scope, candidates: Sequence[Student]) -> Nothing:
    called = [f"{scope.told(each.record).full} · {scope.titles_of(each.classes)}" for each in candidates]
    records = [replace(each.record, label=label) for each, label in zip(candidates, called, strict=True)]
    return scope.which(RecordKind.STUDENT, records)


def name_one(scope: Scope) -> Nothing:
    return scope.nothing(Sentence(Say.NAME_ONE, kind=RecordKind.STUDENT))


def roster_with(scope: Scope, classroom: Classroom, listed: Sequence[Named]) -> Step[tuple[Scope, tuple[Student, ...]]]:
    """The students of one class, and who is listed with them: a name on a list of the class's is one of it."""
    roster = items_of((yield (StudentsOf(classroom.id),))[StudentsOf(classroom.id)])
    everybody = sorted(once_each((*roster.items, *listed)), key=by_name)
    scope = scope.knowing(RecordKind.STUDENT, people_told(everybody))
    return scope.cut(roster), tuple(Student(each, (classroom,)) for each in everybody)
