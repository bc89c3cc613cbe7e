"""Who and what an answer names of its own look-ups, with the classroom it is of, and nothing that is only guessed."""

import time
import uuid

import pytest

from assist_service.domain.live.query import RecordKind
from assist_service.domain.names import Masks
from assist_service.domain.naming import MOST_NAMED, named_in
from assist_service.domain.placeholders import Names
from assist_service.domain.policy import Disclosure
from assist_service.domain.records import Found, Record, Seen, Someone, Titled, meet
from assist_service.domain.references import NOTHING, Listed, Picked, Selection
from assist_service.domain.screens import EntityKind

TAG = "bcdfghjk"


def id_of(name: str) -> uuid.UUID:
    return uuid.uuid5(uuid.NAMESPACE_OID, name)


def ref(kind: EntityKind, name: str, title: str) -> Record:
    return {"id": Seen(kind, id_of(name)), "title": Titled(title)}


def exam(name: str, title: str, classroom: str, called: str) -> Record:
    return {**ref(EntityKind.EVALUATION, name, title), "classroom": ref(EntityKind.CLASSROOM, classroom, called)}


def results(classroom: str, *people: tuple[str, str], columns: tuple[tuple[str, str], ...] = ()) -> Found:
    heads: list[Record] = [
        {"evaluation": Seen(EntityKind.EVALUATION, id_of(n)), "title": Titled(title)} for n, title in columns
    ]
    rows: list[Record] = [{"student": Someone(id_of(who), name), "marks": {"e1": 1}} for who, name in people]
    return Found([*heads, *rows], of=Seen(EntityKind.CLASSROOM, id_of(classroom)))


def named(
    text: str,
    *found: Found,
    form: Disclosure = Disclosure.MASKED,
    selected: Selection = NOTHING,
    before: Masks | None = None,
) -> list[Listed]:
    masks = before or Masks(TAG, "Who?")
    for each in found:
        meet(each, form, masks)
    return list(named_in(text, text, found, masks, selected=selected))


def told(listed: list[Listed]) -> list[tuple[str, str, list[uuid.UUID]]]:
    return [(each.kind.value, each.label, [record.id for record in each.selection.records]) for each in listed]


ANA, BEN = ("ana", "Ana Lima"), ("ben", "Ben Ngo")
BOTH = results("1b", ANA, BEN, columns=(("quiz", "Quiz 1"),))


def test_people_come_by_their_placeholders_and_evaluations_by_their_titles_with_the_classroom_of_both() -> None:
    assert told(named(f"**Person-{TAG}-2** leads quiz 1, then person-{TAG}-1.", BOTH)) == [
        ("student", "Ben Ngo", [id_of("1b"), id_of("ben")]),
        ("student", "Ana Lima", [id_of("1b"), id_of("ana")]),
        ("exam", "Quiz 1", [id_of("1b"), id_of("quiz")]),
    ]


def test_a_classroom_is_of_itself_and_an_evaluation_of_the_one_beside_it() -> None:
    listed = named("Quiz 1 of Groupe 1B", Found([exam("quiz", "Quiz 1", "1b", "Groupe 1B")]))
    assert told(listed) == [
        ("class", "Groupe 1B", [id_of("1b")]),
        ("exam", "Quiz 1", [id_of("1b"), id_of("quiz")]),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "Ana Lima did well.",
        f"Person-{TAG}-3 did well.",
        f"Person-{TAG} did, Person-1 too.",
        "Person-zzzzzzzz-1 did well.",
        "Programmation en C, Pool one, Question one",
    ],
)
def test_nobody_is_named_by_less_than_a_placeholder_and_no_other_kind_of_thing_is(text: str) -> None:
    others = Found(
        [
            ref(EntityKind.COURSE, "c", "Programmation en C"),
            ref(EntityKind.POOL, "p", "Pool one"),
            ref(EntityKind.QUESTION, "q", "Question one"),
        ]
    )
    assert named(text, BOTH, others) == []


def test_whom_only_an_earlier_question_met_is_not_listed() -> None:
    known = Masks.of(Names(TAG), "Who?")
    known.mask(id_of("old"), "Old Pupil")
    assert told(named(f"Person-{TAG}-1 and Person-{TAG}-2", BOTH, before=known)) == [
        ("student", "Ana Lima", [id_of("1b"), id_of("ana")])
    ]


def test_where_results_are_open_people_come_by_their_names() -> None:
    listed = named("LIMA is nobody, Ana Lima leads.", BOTH, form=Disclosure.OPEN)
    assert told(listed) == [("student", "Ana Lima", [id_of("1b"), id_of("ana")])]


def test_somebody_of_two_classrooms_is_listed_without_one() -> None:
    listed = named(f"Person-{TAG}-1 and Person-{TAG}-2", BOTH, results("1c", ANA))
    assert told(listed) == [
        ("student", "Ana Lima", [id_of("ana")]),
        ("student", "Ben Ngo", [id_of("1b"), id_of("ben")]),
    ]


def test_two_of_one_title_are_told_apart_by_their_classroom_or_left_out() -> None:
    quizzes = [exam("q1", "Quiz 1", "1b", "Groupe 1B"), exam("q2", "quiz 1", "1c", "Groupe 1C")]
    assert [each.label for each in named("See Quiz 1.", Found(quizzes))] == ["Quiz 1 · Groupe 1B", "quiz 1 · Groupe 1C"]
    alike = [exam("q1", "Quiz 1", "1b", "Groupe 1B"), exam("q3", "Quiz 1", "1b", "Groupe 1B")]
    assert named("See Quiz 1.", Found(alike)) == []
    bare = results("1b", columns=(("q1", "Quiz 1"), ("q3", "Quiz 1")))
    assert named("See Quiz 1.", bare) == []


@pytest.mark.parametrize("depth", [0, 1, 2])
def test_a_classroom_is_told_apart_by_its_course_however_deep_it_stands(depth: int) -> None:
    def within(classroom: Record) -> Record:
        inner: Record = {"classrooms": (classroom,)}
        for _ in range(depth):
            inner = {"part": inner}
        return inner

    courses = [
        {**ref(EntityKind.COURSE, c, t), **within(ref(EntityKind.CLASSROOM, f"{c}-a", "Section A1"))}
        for c, t in (("math", "Algebra"), ("bio", "Biology"))
    ]
    assert [each.label for each in named("It is Section A1.", Found(courses))] == [
        "Section A1 · Algebra",
        "Section A1 · Biology",
    ]


def test_a_classroom_and_an_evaluation_of_one_title_are_both_told() -> None:
    both = Found([exam("x", "Year 7 maths", "y", "Year 7 maths"), ref(EntityKind.CLASSROOM, "y", "Year 7 maths")])
    assert told(named("Year 7 maths", both)) == [
        ("class", "Year 7 maths", [id_of("y")]),
        ("exam", "Year 7 maths · Year 7 maths", [id_of("y"), id_of("x")]),
    ]


def test_two_people_of_one_name_are_numbered_in_the_order_they_are_named() -> None:
    twins = results("1b", ("t1", "Ana Lima"), ("t2", "ana lima"))
    listed = named(f"Person-{TAG}-2 and Person-{TAG}-1", twins)
    assert [(each.label, each.selection.of(RecordKind.STUDENT)) for each in listed] == [
        ("ana lima (1)", id_of("t2")),
        ("Ana Lima (2)", id_of("t1")),
    ]


@pytest.mark.parametrize(
    "title", ["Ana Lima", f"Person-{TAG}-1", "Person-zzzzzzzz-1", "Person", "1", "the", TAG, f"{TAG}1", "lima", "Ana"]
)
def test_a_title_that_is_a_name_or_part_of_a_placeholder_is_not_found_in_one(title: str) -> None:
    hostile = results("1b", ANA, columns=(("x", title),))
    listed = named(f"The best is Person-{TAG}-1, with 12 points.", hostile)
    assert [each.kind for each in listed] == [RecordKind.STUDENT]


def test_a_title_that_is_a_name_is_not_found_by_who_is_called_so() -> None:
    listed = named(f"Person-{TAG}-1 leads.", BOTH, Found([exam("x", "Ana Lima", "1b", "Groupe 1B")]))
    assert [each.label for each in listed] == ["Ana Lima"]


def test_a_name_that_is_a_number_is_nobodys_where_people_have_placeholders() -> None:
    assert named('The best mark is "7".', results("1b", ("seven", "7"))) == []


def test_a_title_that_holds_a_name_is_found_as_the_model_reads_it() -> None:
    retake = results("1b", ANA, columns=(("x", "Retake of ANA LIMA"),))
    listed = named(f"The retake of Person-{TAG}-1 is closed.", retake)
    assert [(each.kind.value, each.label) for each in listed] == [
        ("student", "Ana Lima"),
        ("exam", "Retake of ANA LIMA"),
    ]


def test_a_long_title_is_found_as_it_was_cut_and_no_label_holds_what_nobody_sees() -> None:
    long = f"\u202eTitle\u202c number 1 {'very ' * 80}long"
    [listed] = named(f"See {('Title number 1 ' + 'very ' * 80)[:199]}…", results("1b", columns=(("x", long),)))
    assert listed.label.startswith("Title number 1 very")
    assert len(listed.label) <= 200


def selection(**records: str) -> Selection:
    return Selection(
        records=tuple(Picked(kind=RecordKind(kind.rstrip("_")), id=id_of(n)) for kind, n in records.items())
    )


def test_what_was_selected_in_the_same_classroom_stays_selected_and_no_other() -> None:
    text = f"Person-{TAG}-1"
    [same] = named(text, BOTH, selected=selection(class_="1b", exam="quiz", student="ben"))
    assert [each.id for each in same.selection.records] == [id_of("quiz"), id_of("1b"), id_of("ana")]
    [by_exam] = named(text, BOTH, selected=selection(exam="quiz", student="ben"))
    assert [each.id for each in by_exam.selection.records] == [id_of("quiz"), id_of("1b"), id_of("ana")]
    [unknown] = named(text, BOTH, selected=selection(exam="other", student="ben"))
    assert [each.id for each in unknown.selection.records] == [id_of("1b"), id_of("ana")]
    [other] = named(text, BOTH, selected=selection(class_="1c", exam="other"))
    assert [each.id for each in other.selection.records] == [id_of("1b"), id_of("ana")]


def test_at_most_some_tens_are_listed_and_hundreds_take_no_time() -> None:
    people = [(f"p{n}", f"Pupil Number{n}") for n in range(200)]
    columns = tuple((f"e{n}", f"Evaluation {n} of term {n % 3}") for n in range(500))
    everything = results("1b", *people, columns=columns)
    text = " ".join([*(f"Person-{TAG}-{n}" for n in range(1, 201)), *(title for _, title in columns)])
    began = time.process_time()
    listed = named(text, everything)
    assert time.process_time() - began < 1.0
    assert len(listed) == MOST_NAMED
