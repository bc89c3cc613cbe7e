"""An answer of the service comes whole: rows that would not fit are left out, counted, and not referred to."""

from collections.abc import Sequence
from dataclasses import replace
from typing import NoReturn

import pytest
from markdown_it import MarkdownIt

from assist_service.adapters.configuration import load_policy
from assist_service.adapters.markdown.markup import MOST_TOKENS
from assist_service.domain.answer import ANSWER_CHARACTERS
from assist_service.domain.asked import Asked
from assist_service.domain.context import AssistContext
from assist_service.domain.live.finding import (
    Called,
    Column,
    Finding,
    Looked,
    Row,
    Say,
    Sentence,
    Share,
    Table,
    Unclear,
)
from assist_service.domain.live.finding import listed_in as references_of
from assist_service.domain.live.fitting import MOST_BLOCKS, MOST_CHARACTERS, fitted
from assist_service.domain.live.query import Lookup, Operation, RecordKind
from assist_service.domain.loop import LookedUp
from assist_service.domain.screens import Language
from assist_service.services.checks import Checks
from tests.unit.benches import bench
from tests.unit.live_findings import AT, WORDING, called, listed, query, unclear
from tests.unit.markup_harm import MARKUP, by_another_renderer
from tests.unit.test_wording_titles import Cells

pytestmark = pytest.mark.slow

FIGURES = (Column.MARK, Column.OUT_OF, Column.SHARE, Column.MEAN)


def write(looked: Sequence[Looked]) -> str:
    return WORDING.answer(looked, language=Language.FRENCH, at=AT)


def rows_of(number: int, *, name: str = "Student {}", columns: int = 1, figures: int = 0) -> Finding:
    """A table with so many columns of names, then of figures; each row can be asked on about."""
    values = (12.345, 20.0, Share(0.6172), 11.25)
    cells = [(*(Called(name.format(f"{at:03}")) for _ in range(columns)), *values[:figures]) for at in range(number)]
    rows = tuple(Row(each, listed(RecordKind.STUDENT, f"{at}")) for at, each in enumerate(cells))
    table = Table((*[Column.STUDENT] * columns, *FIGURES[:figures]), rows)
    return Finding(query(Lookup.STUDENTS, Operation.LIST, 200), table=table)


class NoManuals:
    """A lookup cites nothing: no manual is asked for."""

    def active(self) -> NoReturn:
        raise AssertionError

    def withdrawn(self) -> NoReturn:
        raise AssertionError


ASKED = Asked(
    conversation_id=None,
    question="Who is in my class?",
    context=AssistContext(route="/courses", language=Language.ENGLISH),
    editor=None,
    reference=None,
    canonical=b"",
)

LONG = "{} " + "x" * 56
"""A name of sixty characters."""


def shown(looked: Sequence[Looked]) -> tuple[tuple[Looked, ...], str]:
    """What fits and how it reads, which cleaning leaves as it is, and the renderer takes."""
    kept, text = fitted(looked, write)
    assert text == write(kept)
    cleaned = MARKUP.clean(text, cite=lambda handle: None)
    assert cleaned == text
    assert len(text) <= MOST_CHARACTERS < ANSWER_CHARACTERS
    assert len(MarkdownIt("commonmark").enable("table").parse(cleaned)) <= MOST_TOKENS
    assert not MARKUP.html(cleaned, markers=()).startswith("<p>**")
    return kept, cleaned


def rows(looked: Looked) -> int:
    assert isinstance(looked, Finding)
    assert looked.table is not None
    return len(looked.table.rows)


def test_two_hundred_long_names_in_five_columns_come_whole() -> None:
    finding = rows_of(200, name=LONG, figures=4)
    kept, text = shown([finding])
    assert kept == (finding,)
    cells = Cells(MARKUP.html(text, markers=())).texts["td"]
    assert len(cells) == 200 * 5
    assert cells[::5] == [LONG.format(f"{at:03}") for at in range(200)]


@pytest.mark.slow
def test_two_hundred_rows_of_seven_columns_come_whole() -> None:
    finding = rows_of(200, name="x", columns=3, figures=4)
    assert shown([finding])[0] == (finding,)


def test_of_long_names_in_every_column_as_many_rows_as_fit_are_written_and_the_others_counted() -> None:
    [kept], text = shown([rows_of(200, name=LONG, columns=5)])
    assert isinstance(kept, Finding)
    assert kept.table is not None
    assert 50 < rows(kept) < 70
    assert rows(kept) + kept.table.more == 200
    assert f"{kept.table.more} lignes de plus ne sont pas affichées : elles ne tiennent pas" in text
    one_more = replace(kept.table, rows=(*kept.table.rows, kept.table.rows[0]))
    assert len(write([replace(kept, table=one_more)])) > MOST_CHARACTERS, "another row would fit"


def test_what_was_left_out_before_counts_on() -> None:
    finding = rows_of(200, name=LONG, columns=5)
    assert finding.table is not None
    [kept], _ = fitted([replace(finding, table=replace(finding.table, more=1_000))], write)
    assert isinstance(kept, Finding)
    assert kept.table is not None
    assert kept.table.more + rows(kept) == 1_200


@pytest.mark.parametrize("columns", [1, *(pytest.param(each, marks=pytest.mark.slow) for each in (3, 5))])
def test_several_lookups_share_the_room(columns: int) -> None:
    short, long = rows_of(3), rows_of(200, name="{}", columns=columns, figures=2)
    kept, _ = shown([long, short, long])
    assert kept[1] == short
    assert rows(kept[0]) == rows(kept[2])
    assert rows(kept[0]) < 200 or columns == 1
    assert rows(kept[0]) > 100


@pytest.mark.slow
def test_the_blocks_of_tables_are_bounded_too() -> None:
    """Short enough in characters, and more than the renderer would take."""
    long = rows_of(200, name="x", columns=4)
    assert len(write([long] * 3)) < MOST_CHARACTERS
    assert len(MarkdownIt("commonmark").enable("table").parse(write([long] * 3))) > MOST_TOKENS
    kept, _ = shown([long] * 3)
    assert [rows(each) for each in kept] == [113] * 3
    assert 3 * 115 * 14 > MOST_BLOCKS >= 3 * 114 * 14


@pytest.mark.slow
def test_hostile_options_are_bounded_too() -> None:
    labels = [f"{at:02}" + "*" * 198 for at in range(20)]
    kept, text = shown([unclear(RecordKind.EXAM, *labels, more=5)] * 3)
    [options] = {len(each.options) for each in kept if isinstance(each, Unclear)}
    assert 10 < options < 20
    assert {each.more for each in kept if isinstance(each, Unclear)} == {25 - options}
    assert len(Cells(by_another_renderer(text)).texts["li"]) == 3 * options


def test_a_tie_that_is_left_out_is_not_told() -> None:
    finding = replace(
        rows_of(200, name=LONG, columns=5), notes=(Sentence(Say.TIED, count=150), Sentence(Say.RANKED_BY_LMS))
    )
    [kept], _ = fitted([finding], write)
    assert isinstance(kept, Finding)
    left_out = 200 - rows(kept)
    assert kept.notes == (Sentence(Say.TIED, count=150 - left_out), Sentence(Say.RANKED_BY_LMS))
    [kept], _ = fitted([replace(finding, said=(Sentence(Say.TIED, count=20),), notes=())], write)
    assert isinstance(kept, Finding)
    assert kept.said == ()


def test_of_ties_that_do_not_fit_it_is_not_told_that_asking_for_more_shows_them() -> None:
    """Two were asked for, all are level: fewer rows fit than tie, and still more than were asked for."""
    finding = replace(rows_of(200, name=LONG, columns=5), notes=(Sentence(Say.TIED, count=198),))
    [kept], text = fitted([replace(finding, query=query(Lookup.RANKINGS, Operation.TOP, 2))], write)
    assert rows(kept) > 2
    assert text.endswith("ne sont pas affichées : elles ne tiennent pas dans une réponse.")


def test_a_finding_without_rows_stays_as_it_is() -> None:
    words = Finding(
        query(Lookup.STUDENTS, Operation.COUNT), said=(Sentence(Say.STUDENTS, count=3),), classes=called("A")
    )
    assert fitted([words], write) == ((words,), write([words]))
    assert fitted([], lambda looked: "") == ((), "")


def test_nothing_that_is_not_written_can_be_referred_to() -> None:
    checks = Checks(policy=load_policy("default"), manuals=NoManuals(), markup=MARKUP, wording=WORDING)
    finding = rows_of(200, name=LONG, columns=5)
    answer = checks(ASKED, LookedUp((finding,)), bench(), at=AT)
    [kept], _ = fitted([finding], lambda looked: WORDING.answer(looked, language=Language.ENGLISH, at=AT))
    assert answer.listed == references_of([kept])
    assert 0 < len(answer.listed) < 200
    seen = Cells(answer.html).texts["td"]
    assert len(seen) == 5 * len(answer.listed)
    assert answer.markdown.endswith("more are not shown: they do not fit into one answer.")
