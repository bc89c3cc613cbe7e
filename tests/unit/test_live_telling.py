"""In one answer each record has one name, and no other has the same: people by number, titles by where they belong."""

import pytest

from assist_service.adapters.wording.titles import TITLE_CHARACTERS
from assist_service.domain.live.finding import Finding, Unclear
from assist_service.domain.live.query import Lookup, Operation, RecordKind
from assist_service.domain.live.telling import NO_NAME, NO_TITLE, numbered, people_told, titles_told
from assist_service.domain.school import Named
from assist_service.domain.screens import Language
from assist_service.domain.text import one_line
from tests.unit.live_findings import WORDING, words
from tests.unit.live_school import THE_CLASS, Driven, School, id_of, picks, student

TWINS = tuple(sorted((student("Mei Chen", "one"), student("Mei Chen", "two")), key=lambda each: each.id))
ANA = student("Ana Reyes")
TOLD = ["Mei Chen (1)", "Mei Chen (2)"]


def school_of_twins() -> School:
    """Two classes of one title with an exam of one title each; the namesakes are in the first."""
    school = School()
    first = school.add_class("3B", [ANA, *reversed(TWINS)], course="Algebra")
    second = school.add_class("3B", [ANA], course="Botany")
    school.add_class("3C", [ANA], course="Botany")
    school.add_exam(first, "Quiz", {TWINS[0]: 4, TWINS[1]: 9, ANA: 1})
    school.add_exam(second, "Quiz", {ANA: 2})
    school.add_exam(second, "Essay", {ANA: 2})
    school.rank(first, (TWINS[1], 1, 9), (TWINS[0], 2, 4))
    return school


def told_of(driven: Driven) -> dict[object, str]:
    """What each record is called where it is listed and where it can be clicked on."""
    table = driven.finding.table
    assert table is not None
    return {row.listed.selection.records[-1].id: row.listed.label for row in table.rows if row.listed is not None}


def test_labels_that_read_alike_are_numbered_and_none_as_another_is_called() -> None:
    assert numbered(["a", "b", "a", "c", "a"]) == ["a (1)", "b", "a (2)", "c", "a (3)"]
    assert numbered(["a", "a (1)", "a"]) == ["a (2)", "a (1)", "a (3)"]
    assert numbered(["a b", "a\u200b  b"]) == ["a b (1)", "a\u200b  b (2)"]


def test_people_are_numbered_by_their_id_in_whatever_order_they_come() -> None:
    told = people_told((ANA, *reversed(TWINS), *TWINS))
    assert [told[each.id].short for each in (*TWINS, ANA)] == [*TOLD, "Ana Reyes"]


def test_titles_are_told_apart_by_where_they_belong_and_then_by_number() -> None:
    ids = [id_of(RecordKind.EXAM, str(at)) for at in range(4)]
    told = titles_told([(ids[0], "Quiz", "A"), (ids[1], "Essay", "A"), (ids[2], "Quiz", "B"), (ids[3], "Quiz", "B")])
    assert [told[each].short for each in ids] == ["Quiz · A", "Essay", "Quiz · B (1)", "Quiz · B (2)"]
    assert told[ids[1]].full == "Essay · A"


def test_what_tells_long_names_apart_is_not_cut_off() -> None:
    long = "x" * 490
    ids = [id_of(RecordKind.EXAM, str(at)) for at in range(3)]
    titles = titles_told([(ids[0], long, long), (ids[1], long, "B" + long), (ids[2], long, long)])
    people = people_told([Named(id=each, name=long + str(at)) for at, each in enumerate(ids)])
    for told in (titles, people):
        read = [one_line(told[each].short, TITLE_CHARACTERS) for each in ids]
        assert len(set(read)) == 3


ANSWERS = (
    (Lookup.STUDENTS, Operation.LIST),
    (Lookup.EXAM_RESULTS, Operation.LIST),
    (Lookup.EXAM_RESULTS, Operation.LOWEST),
    (Lookup.PARTICIPATION, Operation.TAKEN),
    (Lookup.RANKINGS, Operation.TOP),
)


@pytest.mark.parametrize(("lookup", "operation"), ANSWERS)
def test_namesakes_have_the_same_numbers_in_every_answer_of_their_class(lookup: Lookup, operation: Operation) -> None:
    school = school_of_twins()
    asked = school.look_up(lookup, operation, in_class="3b")
    driven = school.go_on(asked.option("3B · Algebra"))
    told = told_of(driven)
    assert [told[each.id] for each in TWINS] == TOLD
    shown = {cell for row in driven.rows for cell in row if isinstance(cell, str) and cell.startswith("Mei")}
    assert shown == set(TOLD)


def test_who_was_chosen_of_two_keeps_the_number_in_the_heading_and_in_what_is_said() -> None:
    school = school_of_twins()
    for lookup in (Lookup.EXAM_RESULTS, Lookup.STUDENT_PERFORMANCE, Lookup.RANKINGS):
        operation = Operation.PLACE if lookup is Lookup.RANKINGS else None
        asked = school.look_up(lookup, operation, in_class="3b", student="mei chen")
        asked = school.go_on(asked.option("3B · Algebra"))
        assert asked.labels == [f"{each} · 3B · Algebra" for each in TOLD]
        for option, called in zip(asked.unclear.options, TOLD, strict=True):
            answer = school.go_on(option)
            assert called in answer.about
            assert "Mei Chen" not in words(answer.looked).replace(called, "")
    marks = [school.go_on(each) for each in school.look_up(Lookup.EXAM_RESULTS, exam="quiz 3b").unclear.options]
    assert [driven.about for driven in marks] == [["Quiz · 3B · Algebra"], ["Quiz · 3B · Botany"]]


def test_a_class_of_one_title_with_another_is_called_with_its_course_wherever_it_is_named() -> None:
    school = school_of_twins()
    names = ["3B · Algebra", "3B · Botany", "3C"]
    listed = school.look_up(Lookup.CLASSES)
    assert [row[0] for row in listed.rows] == list(told_of(listed).values()) == names
    assert school.look_up(Lookup.EXAMS).classes == names
    assert [row[:2] for row in school.look_up(Lookup.EXAMS).rows] == [
        ("Quiz · 3B · Algebra", "3B · Algebra"),
        ("Quiz · 3B · Botany", "3B · Botany"),
        ("Essay", "3B · Botany"),
    ]
    assert school.look_up(Lookup.STUDENTS, student="ana").rows == [("Ana Reyes", ", ".join(names))]
    assert school.look_up(Lookup.STUDENTS, in_class="3c").classes == ["3C"]
    one = school.go_on(school.look_up(Lookup.CLASS_PERFORMANCE, in_class="3b").option("3B · Botany"))
    assert (one.classes, one.about) == (["3B · Botany"], ["3B · Botany"])
    assert school.look_up(Lookup.EXAM_RESULTS).labels == [
        "Quiz · 3B · Algebra",
        "Quiz · 3B · Botany",
        "Essay · 3B · Botany",
    ]


def test_exams_of_one_title_in_one_class_are_numbered_in_what_is_told_of_them() -> None:
    school = School()
    algebra = school.add_class("Algebra", [ANA])
    school.add_exam(algebra, "Quiz", {ANA: 1}, key="one")
    school.add_exam(algebra, "Quiz", {ANA: 9}, key="two")
    names = ["Quiz · Algebra (1)", "Quiz · Algebra (2)"]
    for lookup, student_words in ((Lookup.CLASS_PERFORMANCE, None), (Lookup.STUDENT_PERFORMANCE, "ana")):
        assert [row[0] for row in school.look_up(lookup, Operation.BY_EXAM, student=student_words).rows] == names
        said = dict(school.look_up(lookup, student=student_words).said)
        told = [str(value) for value in said.values()]
        assert all(any(name in text for text in told) for name in names)


NAMELESS = (Named(id=id_of(RecordKind.STUDENT, "a"), name=" "), Named(id=id_of(RecordKind.STUDENT, "b"), name="\u2800"))
IN_WORDS = {Language.ENGLISH: "(no name)", Language.FRENCH: "(sans nom)", Language.FILIPINO: "(walang pangalan)"}


@pytest.mark.parametrize("language", Language)
def test_a_choice_without_a_name_reads_so_and_so_does_what_is_clicked_on(language: Language) -> None:
    school = School()
    school.add_class(" ", [NAMELESS[0], ANA])
    driven = school.look_up(Lookup.STUDENT_PERFORMANCE, in_class=THE_CLASS, on_screen=picks(school.classes[0]))
    [question] = WORDING.labelled([driven.looked], language=language)
    assert isinstance(question, Unclear)
    assert question.options[0].label.startswith(f"{IN_WORDS[language]} · ")
    assert not {NO_NAME, NO_TITLE} & {part for each in question.options for part in each.label.split(" · ")}
    assert all(f"- {each.label}" in words(driven.looked, language=language) for each in question.options)
    [finding] = WORDING.labelled([school.go_on(driven.unclear.options[0]).looked], language=language)
    assert isinstance(finding, Finding)
    assert [each.label for each in finding.about][-1] == IN_WORDS[language]


def test_two_without_a_name_are_numbered() -> None:
    school = School()
    school.add_class("Algebra", NAMELESS)
    text = words(school.look_up(Lookup.STUDENTS, in_class="algebra").looked)
    assert text.split("\n")[-2:] == ["| (no name) (1) |", "| (no name) (2) |"]
