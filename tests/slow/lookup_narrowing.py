"""What a lookup is narrowed to, worked out over a person's own records, and where it ends before it can be done."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import NoReturn
from uuid import UUID

from tests.slow.lookup_expected import Ask, Choice, Expected, Found, Handle, Option
from tests.slow.lookup_names import Besides, meant, plain
from tests.slow.lookup_records import Class, Exam, Records, Student

MOST_CLASSES = 24
MOST_OPTIONS = 20


class Ended(Exception):
    """The lookup comes to this, before it could be done."""

    def __init__(self, came_to: Expected) -> None:
        self.came_to = came_to


def by_name(students: Sequence[Student]) -> list[Student]:
    return sorted(students, key=lambda each: (plain(each.name), each.name, each.id))


def with_numbers(labels: Sequence[str]) -> list[str]:
    """Those that stand more than once with a number each."""
    return [
        f"{label} ({labels[: at + 1].count(label)})" if labels.count(label) > 1 else label
        for at, label in enumerate(labels)
    ]


class Looking:
    """One lookup under way: `held` is what it was narrowed to by now."""

    def __init__(self, ask: Ask, records: Records) -> None:
        self.ask, self.records = ask, records
        self.operation, self.limit = ask.query.operation, ask.query.limit
        self.is_closest = False
        self.held: dict[str, tuple[str, str]] = {}
        named = {kind: id_ for kind in ask.query.searches if (id_ := ask.picked(kind)) is not None}
        self.before = {**ask.selected, **named}
        self.own = records.classes
        if not self.own:
            self.end(say="no_classes")
        self.classes: Sequence[Class] = self.own
        self.topic: str | None = None
        titles = [each.title for each in self.own]
        self.class_label = dict(zip((c.id for c in self.own), with_numbers([c.label for c in self.own]), strict=True))
        self.name_of = {c.id: self.class_label[c.id] if titles.count(c.title) > 1 else c.title for c in self.own}
        """What a record is called in this answer, by its id."""

    @property
    def narrowed(self) -> dict[str, str]:
        return {kind: id_ for kind, (id_, _) in self.held.items()}

    def end(self, **said: object) -> NoReturn:
        raise Ended(Found(**said))  # type: ignore[arg-type]

    def know_people(self, students: Sequence[Student]) -> None:
        """Whoever is called as another of these has a number, which goes by their ids."""
        by_id = sorted({each.id: each for each in students}.values(), key=lambda each: UUID(each.id))
        self.name_of |= dict(zip((s.id for s in by_id), with_numbers([s.name for s in by_id]), strict=True))

    def know_exams(self, exams: Sequence[Exam]) -> None:
        """An exam is called with its class where its title stands twice, and with a number where that does too."""
        titles = [each.title for each in exams]
        labels = with_numbers([f"{each.title} · {self.name_of[each.classroom]}" for each in exams])
        self.exam_label = {each.id: label for each, label in zip(exams, labels, strict=True)}
        self.name_of |= {e.id: self.exam_label[e.id] if titles.count(e.title) > 1 else e.title for e in exams}

    def which(self, kind: str, candidates: Sequence[tuple[str, str]]) -> NoReturn:
        """Asks back: `candidates` are ids and labels. Of one student's result, only that is gone on with."""
        goes_on = self.ask.query.without(kind, *self.held)
        if kind == "student" and goes_on.lookup == "query_exam_results":
            goes_on = replace(goes_on, operation="list")
        options = tuple(
            Option(label, {**self.before, **self.narrowed, kind: id_}, goes_on)
            for id_, label in candidates[:MOST_OPTIONS]
        )
        raise Ended(Choice(kind, options, more=max(0, len(candidates) - MOST_OPTIONS)))

    def which_class(self, classes: Sequence[Class]) -> NoReturn:
        self.which("class", [(each.id, self.class_label[each.id]) for each in classes])

    def handle(self, kind: str, id_: str, label: str) -> Handle:
        return Handle(self.name_of.get(id_, label), {**self.ask.selected, **self.narrowed, kind: id_}, kind)

    @property
    def about(self) -> tuple[Handle, ...]:
        return tuple(self.handle(kind, id_, label) for kind, (id_, label) in self.held.items())

    def student_handles(self, students: Sequence[Student]) -> tuple[Handle, ...]:
        return tuple(self.handle("student", each.id, each.name) for each in students)

    def of_words(
        self, kind: str, names: Sequence[tuple[str, str]], besides: Besides, *, is_listed: bool = False
    ) -> list[str] | None:
        """The ids that words or a selection mean among (id, name); None where neither was given.

        A list of such records is narrowed by a selected one only where the model wrote that it means it.
        """
        words, picked = self.ask.words(kind), self.ask.picked(kind)
        if is_listed and kind not in self.ask.query.searches:
            picked = None
        if words is None and picked is None:
            return None
        if words is None:
            ids = [id_ for id_, _ in names if id_ == picked]
        else:
            found = meant(words, [name for _, name in names], besides)
            if not found.places and kind == "student":
                found = meant(re.sub(r" \(\d+\)(?=$| ·)", "", words), [name for _, name in names], besides)
            self.is_closest |= bool(found.places) and not found.is_exact
            ids = [names[at][0] for at in found.places]
        if not ids:
            self.classes = () if kind == "class" else self.classes
            self.end(say=self._not_found(kind))
        return ids

    def _not_found(self, kind: str) -> str:
        if self.ask.words(kind) is not None:
            is_of_one_class = kind != "class" and ("class" in self.held or "exam" in self.held)
            return f"no_such {kind} in_class" if is_of_one_class else f"no_such {kind}"
        return "no_such selected" if kind == "class" or self.ask.words("class") is None else "no_such selected in_class"

    def class_beside(self, exams: Sequence[Exam]) -> Besides:
        labels = {each.id: each.label for each in self.own}
        return Besides([labels[each.classroom] for each in exams])

    def classes_beside(self, students: Sequence[Student], classes: Sequence[Class]) -> Besides:
        seats = {each.id: {seated.id for seated in self.records.students(each.id)} for each in classes}
        return Besides([" ".join(c.label for c in classes if each.id in seats[c.id]) for each in students])

    def end_if_pointed(self) -> None:
        """A class is pointed at, and there is none to be seen: all of them together would be another answer."""
        is_said = "class" in self.ask.query.searches and self.ask.words("class") is None
        if is_said and self.ask.picked("class") is None and len(self.own) > 1:
            self.which_class(self.own)

    def named_class(self, within: Sequence[Class] | None = None) -> Class | None:
        within = self.own if within is None else within
        courses = Besides([each.course for each in within], is_enough=True)
        ids = self.of_words("class", [(each.id, each.title) for each in within], courses)
        if ids is None:
            return None
        found = [each for each in within if each.id in ids]
        if len(found) > 1:
            self.which_class(found)
        self.held["class"] = found[0].id, found[0].title
        self.classes = found
        return found[0]

    def one_class(self, among: Sequence[Class]) -> Class:
        """None was named: the only one, the one on screen, or the person says which."""
        on_screen = None if self.ask.selected else self.ask.on_screen.get("class")
        found = among[0] if len(among) == 1 else next((each for each in among if each.id == on_screen), None)
        if found is None:
            self.which_class(among)
        self.classes = [found]
        if len(among) > 1:
            self.held["class"] = found.id, found.title
        return found

    def classes_or_named(self, *, read_each: bool = False) -> tuple[Sequence[Class], bool]:
        """The classes it is about, and whether one was named."""
        named = self.named_class()
        if named is not None:
            return [named], True
        if read_each and len(self.own) > MOST_CLASSES:
            self.which_class(self.own)
        return self.own, False

    def one_exam(self) -> Exam:
        classes, _ = self.classes_or_named()
        ids = {each.id for each in classes}
        exams = [each for each in self.records.exams if each.classroom in ids]
        self.know_exams(exams)
        found = self.of_words("exam", [(each.id, each.title) for each in exams], self.class_beside(exams))
        if found is not None:
            meant_exams = [each for each in exams if each.id in found]
        else:
            on_screen = None if self.ask.selected else self.ask.on_screen.get("exam")
            seen = [each for each in exams if each.id == on_screen]
            meant_exams = seen or self._newest_first([each for each in exams if each.state == "released"])
            if not meant_exams:
                self.end(say="no_released_exams")
        if len(meant_exams) > 1:
            self.which("exam", [(each.id, self.exam_label[each.id]) for each in meant_exams])
        exam = meant_exams[0]
        self.held["exam"] = exam.id, exam.title
        self.classes = [each for each in self.own if each.id == exam.classroom]
        if exam.state != "released":
            self.topic = "exam_state"
            self.end(say=f"not_released {exam.state}", names=(self.name_of[exam.id],))
        return exam

    def _newest_first(self, exams: Sequence[Exam]) -> list[Exam]:
        def key(exam: Exam) -> tuple[float, float]:
            return tuple(-each.timestamp() if each else float("inf") for each in (exam.closes, exam.opens))  # type: ignore[return-value]

        return sorted(exams, key=key)

    def one_student(self, classes: Sequence[Class], *, is_named: bool) -> Student:
        is_given = self.ask.words("student") is not None or self.ask.picked("student") is not None
        if not is_given and not is_named:
            self.end(say="name_one student")
        if len(classes) > MOST_CLASSES:
            self.which_class(classes)
        seats = [(student, each) for each in classes for student in self.records.students(each.id)]
        students = by_name(list({student.id: student for student, _ in seats}.values()))
        self.know_people(students)
        names = [(each.id, each.name) for each in students]
        ids = self.of_words("student", names, self.classes_beside(students, classes))
        if ids is None and not 0 < len(students) <= MOST_OPTIONS:
            self.end(say="name_one student")
        found = [each for each in students if ids is None or each.id in ids]
        if ids is None or len(found) > 1:
            titles = {
                each.id: ", ".join(self.name_of[c.id] for student, c in seats if student == each) for each in found
            }
            self.which("student", [(each.id, f"{self.name_of[each.id]} · {titles[each.id]}") for each in found])
        self.held["student"] = found[0].id, found[0].name
        return found[0]
