"""Each sentence of a lookup reads well, and where there is nothing it is said in words and never in an empty table."""

import itertools

import pytest

from assist_service.adapters.wording import messages
from assist_service.domain.live.finding import Called, Cell, Column, Finding, Say, Sentence, Share, Topic, Word
from assist_service.domain.live.query import OPERATIONS, Lookup, Operation, RecordKind
from assist_service.domain.school import EvaluationState
from assist_service.domain.screens import Language
from tests.unit.live_findings import AT, called, listed, of_table, query, table, unclear, words

VALUES: dict[str, Cell] = {
    "student": Called("Ana Cruz"),
    "exam": Called("Midterm"),
    "state": EvaluationState.CLOSED,
    **dict.fromkeys(("mark", "mean", "median"), 17.456),
    "out_of": 20.0,
    "share": Share(0.7),
    "points": 1.0,
    "rank": 3,
    "of": 25,
}
NEEDS = {
    Say.NOT_RELEASED: {"exam", "state"},
    Say.MEAN: {"mean", "out_of"},
    Say.MEDIAN: {"median", "out_of"},
    Say.HIGHEST: {"mark", "out_of"},
    Say.LOWEST: {"mark", "out_of"},
    Say.MEAN_SHARE: {"share"},
    Say.BEST_EXAM: {"exam", "share"},
    Say.WEAKEST_EXAM: {"exam", "share"},
    Say.STUDENT_MARK: {"student", "mark", "out_of"},
    Say.STUDENT_ABSENT: {"student"},
    Say.STUDENT_UNMARKED: {"student"},
    Say.STUDENT_NO_ENTRY: {"student"},
    Say.NOT_RANKED: {"student"},
    Say.PLACE: {"student", "rank", "points"},
    Say.TOOK_PART: {"of", "share"},
}
"""The values that `Say` says a sentence has: it is worded with these and no others."""


def _said(say: Say, kind: RecordKind | None = None, count: int | None = None) -> Finding:
    values = {place: VALUES[place] for place in NEEDS.get(say, ())}
    return Finding(query(Lookup.CLASSES, Operation.COUNT), said=(Sentence(say, count, kind, values),))


def _sentence(finding: Finding, language: Language = Language.ENGLISH) -> str:
    heading, sentence = words(finding, language=language).split("\n\n")
    assert heading.startswith("**")
    return sentence


@pytest.mark.parametrize("language", Language)
def test_every_sentence_is_worded_whole(language: Language) -> None:
    for (say, kind), count in itertools.product(messages.SENTENCES, (0, 1, 2, 5, 1_000)):
        sentence = _sentence(_said(say, kind, count), language)
        assert sentence[-1] in ".?"
        assert not {"{", "}"} & set(sentence)
        for place in NEEDS.get(say, ()):
            assert VALUES[place] is None or _shown(place, language) in sentence


def _shown(place: str, language: Language) -> str:
    shown = {"mark": "17.46", "mean": "17.46", "median": "17.46", "out_of": "20", "points": "1", "rank": "3"}
    texts = {"student": "Ana Cruz", "exam": "Midterm", "of": "25", "share": "70", "state": ""}
    return (shown | texts)[place].replace(".", "," if language is Language.FRENCH else ".")


READ = {
    (Say.NO_CLASSES, None): "You have no class on the platform.",
    (Say.NO_STUDENTS, None): "There are no students.",
    (Say.NO_EXAMS, None): "There are no exams.",
    (Say.NO_RELEASED_EXAMS, None): "No exam has been released yet.",
    (Say.NOT_RELEASED, None): "The results of Midterm have not been released. State of the exam: closed.",
    (Say.NO_MARKS, None): "There is no final mark yet.",
    (Say.NO_RANKING, None): "There is no ranking yet.",
    (Say.MISSED_EXAMS, 0): "No released exam was missed.",
    (Say.MISSED_EXAMS, 1): "1 released exam was missed.",
    (Say.HIGHEST, 1): "Highest mark: 17.46 out of 20 (1 student).",
    (Say.HIGHEST, 3): "Highest mark: 17.46 out of 20 (3 students).",
    (Say.STUDENT_MARK, None): "Mark of Ana Cruz: 17.46 out of 20.",
    (Say.STUDENT_ABSENT, None): "Ana Cruz was absent from the exam.",
    (Say.PLACE, 25): "Ana Cruz: place 3 of 25, points: 1.",
    (Say.STUDENT_NO_ENTRY, None): "Ana Cruz has no entry for this exam.",
    (Say.NO_ENTRY, 1): "1 student of the class has no entry for this exam.",
    (Say.NO_ENTRY, 2): "2 students of the class have no entry for this exam.",
    (Say.NOBODY_HAS_ENTRY, None): "Nobody has an entry for this exam.",
    (Say.NOT_RANKED, None): "Ana Cruz is not in the ranking.",
    (Say.GONE, None): "What you selected is not there any more, or no longer yours.",
    (Say.SHARED_PLACE, 1): "1 other shares this place.",
    (Say.SHARED_PLACE, 2): "2 others share this place.",
    (Say.TOOK_PART, 1): "1 of 25 students took the exam (70%).",
}


@pytest.mark.parametrize(("say", "count"), READ)
def test_a_sentence_reads(say: Say, count: int | None) -> None:
    assert _sentence(_said(say, count=count)) == READ[say, count]


def test_whoever_is_not_found_is_not_found_in_the_same_words() -> None:
    assert [_sentence(_said(Say.NO_SUCH, kind)) for kind in RecordKind] == [
        "You have no class of that name.",
        "There is no student of that name in your classes.",
        "There is no exam of that name in your classes.",
    ]
    assert [_sentence(_said(Say.NO_SUCH_IN_CLASS, kind)) for kind in (RecordKind.STUDENT, RecordKind.EXAM)] == [
        "There is no student of that name in this class.",
        "There is no exam of that name in this class.",
    ]
    name_one = _said(Say.NAME_ONE, RecordKind.STUDENT)
    assert _sentence(name_one, Language.FRENCH) == "Qui ? Repose la question avec le nom."


@pytest.mark.parametrize("language", Language)
def test_every_lookup_has_a_heading_of_its_own(language: Language) -> None:
    pairs = [(lookup, operation) for lookup, some in OPERATIONS.items() for operation in some]
    headings = {words(Finding(query(*pair)), language=language).partition(" · ")[0] for pair in pairs}
    assert len(headings) == len(pairs)


@pytest.mark.parametrize("language", Language)
def test_what_was_answered_instead_has_a_heading_of_its_own(language: Language) -> None:
    pairs = [(lookup, operation) for lookup, some in OPERATIONS.items() for operation in some]
    asked = {words(Finding(query(*pair)), language=language).partition(" · ")[0] for pair in pairs}
    missing = query(Lookup.PARTICIPATION, Operation.MISSING)
    told = [words(Finding(missing, topic=each), language=language).partition(" · ")[0] for each in Topic]
    assert len({*told, *asked}) == len(told) + len(asked)


@pytest.mark.parametrize("language", Language)
def test_every_column_has_a_name_of_its_own(language: Language) -> None:
    head = words(of_table(*Column, rows=[[None] * len(Column)]), language=language).split("\n\n")[1].split("\n")[0]
    names = head.strip("| ").split(" | ")
    assert len(set(names)) == len(Column)


def test_columns_of_numbers_are_aligned_to_the_right() -> None:
    texts = (Column.CLASS, Column.COURSE, Column.STUDENT, Column.EXAM, Column.STATE, Column.OPENS, Column.CLOSES)
    ruler = words(of_table(*Column, rows=[[None] * len(Column)])).split("\n")[3]
    assert ruler.strip("| ").split(" | ") == ["---" if column in texts else "--:" for column in Column]


CELLS: list[tuple[Cell, Column, str]] = [
    (None, Column.MEAN, "none"),
    (None, Column.OPENS, "no date"),
    (float("nan"), Column.MARK, "none"),
    (Share(float("inf")), Column.SHARE, "none"),
    (0, Column.MARKED, "0"),
    (0.0, Column.MARK, "0"),
    (Share(0.0), Column.SHARE, "0%"),
    (Word.UNMARKED, Column.MARK, "being marked"),
    (EvaluationState.SCHEDULED, Column.STATE, "scheduled"),
    (AT, Column.OPENS, "Nov 30, 2026, 6:01 PM"),
]


@pytest.mark.parametrize(("value", "column", "read"), CELLS)
def test_a_cell_reads(value: Cell, column: Column, read: str) -> None:
    assert words(of_table(column, rows=[[value]])).split("\n")[-1] == f"| {read} |"


NOTHING = {
    Language.ENGLISH: "There is nothing to list.",
    Language.FRENCH: "Il n'y a rien dans la liste.",
    Language.FILIPINO: "Walang maililista.",
}


@pytest.mark.parametrize("language", Language)
def test_an_empty_table_is_a_sentence(language: Language) -> None:
    empty = table([Column.STUDENT])
    assert _sentence(Finding(query(Lookup.STUDENTS, Operation.LIST), table=empty), language) == NOTHING[language]
    assert _sentence(Finding(query(Lookup.STUDENTS, Operation.LIST)), language) == NOTHING[language]
    everybody = (Sentence(Say.ALL_TOOK_PART),)
    missing = Finding(query(Lookup.PARTICIPATION, Operation.MISSING), said=everybody, table=empty)
    assert _sentence(missing) == "Everybody took the exam."


def test_a_question_without_options_is_a_question() -> None:
    assert words(unclear(RecordKind.STUDENT)) == "Which student do you mean?"


MORE = [
    (2, 2, 180, "180 more are not shown: ask for up to 200."),
    (2, 2, 1, "1 more is not shown: ask for up to 200."),
    (2, 3, 180, "180 more are not shown: they do not fit into one answer."),
    (200, 200, 1, "1 more is not shown."),
]


@pytest.mark.parametrize(("rows", "limit", "more", "read"), MORE)
def test_what_is_not_shown_is_counted_and_how_to_see_it_is_told(rows: int, limit: int, more: int, read: str) -> None:
    finding = of_table(Column.MARK, rows=[[1]] * rows, more=more, limit=limit)
    assert words(finding).split("\n\n")[-1] == read


def test_a_heading_names_whom_and_what_it_is_about() -> None:
    about = (listed(RecordKind.STUDENT, "Ana *Cruz*"), listed(RecordKind.EXAM, "\u200b"))
    finding = Finding(query(Lookup.EXAM_RESULTS, Operation.LIST), about=about, classes=called(" "))
    assert words(finding).startswith("**Results of an exam: Ana \\*Cruz\\*; (no title) · class: (no title) · as of Nov")


def test_a_class_it_is_about_is_among_the_classes() -> None:
    about = (listed(RecordKind.CLASS, "1A"),)
    summary = query(Lookup.CLASS_PERFORMANCE, Operation.SUMMARY)
    read = "**Performance of a class · class: 1A · as of"
    assert words(Finding(summary, about=about)).startswith(read)
    assert words(Finding(summary, about=about, classes=called("1A"))).startswith(read)


def test_three_classes_are_named_and_of_more_how_many() -> None:
    exams = query(Lookup.EXAMS, Operation.COUNT)
    told = [words(Finding(exams, classes=called(*"ABCDE"[:count]))).split(" · ")[1] for count in range(1, 6)]
    assert told == [
        "class: A",
        "classes: A; B",
        "classes: A; B; C",
        "classes: A; B; C; 1 more",
        "classes: A; B; C; 2 more",
    ]
