"""How much of a conversation goes on to a later question, what it is called, and how long it takes questions."""

import dataclasses
import datetime as dt
import uuid

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assist_service.domain.citations import Citation
from assist_service.domain.conversation import (
    TITLE_CHARACTERS,
    ConversationTimes,
    Exchange,
    HistoryWindow,
    Kind,
    Span,
    is_open,
    title_of,
    window,
)
from assist_service.domain.messages import AssistantText, Message, UserText, faults_of
from assist_service.domain.own_words import NOTHING_CHANGED, NOTHING_PREPARED
from assist_service.domain.screens import Language
from tests.fakes.clocks import START


def exchange(question: str, answer: str, *, cites: int = 0) -> Exchange:
    citations = tuple(Citation(number + 1, "v1", f"id-{number}", "teacher/pools", "Pools") for number in range(cites))
    return Exchange(
        id=uuid.UUID(int=1),
        conversation_id=uuid.UUID(int=2),
        owner="person-1",
        at=START,
        kind=Kind.MANUAL,
        language="en",
        route="/pools/:id",
        topic="pool",
        model="stub",
        corpus_version="v1",
        question=question,
        answer=answer,
        citations=citations,
    )


def sent(*exchanges: Exchange, pairs: int = 6, characters: int = 12_000) -> list[tuple[str, str]]:
    """The pairs of question and answer that go on."""
    messages = window(exchanges, HistoryWindow(pairs=pairs, characters=characters))
    return [(_question(messages[at]), _answer(messages[at + 1])) for at in range(0, len(messages), 2)]


def _question(message: Message) -> str:
    assert isinstance(message, UserText)
    return message.text


def _answer(message: Message) -> str:
    assert isinstance(message, AssistantText)
    return message.text


THREE = (exchange("q1", "a1"), exchange("q2", "a2"), exchange("q3", "a3"))


@pytest.mark.parametrize(
    ("pairs", "characters", "kept"),
    [
        (6, 12_000, ["q1", "q2", "q3"]),
        (3, 12_000, ["q1", "q2", "q3"]),
        (2, 12_000, ["q2", "q3"]),
        (1, 12_000, ["q3"]),
        (0, 12_000, []),
        (6, 12, ["q1", "q2", "q3"]),
        (6, 11, ["q2", "q3"]),
        (6, 8, ["q2", "q3"]),
        (6, 7, ["q3"]),
        (6, 3, []),
        (6, 0, []),
    ],
)
def test_the_newest_whole_pairs_within_the_bounds_go_on(pairs: int, characters: int, kept: list[str]) -> None:
    assert [question for question, _ in sent(*THREE, pairs=pairs, characters=characters)] == kept


def test_a_pair_that_is_too_long_ends_the_window_for_older_ones_too() -> None:
    assert sent(exchange("q1", "a1"), exchange("q2", "a" * 100), exchange("q3", "a3"), characters=50) == [("q3", "a3")]


def test_nothing_goes_on_of_a_conversation_that_starts() -> None:
    assert sent() == []


MARKS: dict[str, tuple[str, int, str]] = {
    "a mark": ("Press New. [1]", 1, "Press New."),
    "two marks": ("Press New. [1] [2] Then save. [1]", 2, "Press New. Then save."),
    "a mark without a space": ("Press New.[1]", 1, "Press New."),
    "a number that is no mark": ("Press F[1] or [3].", 2, "Press F or [3]."),
    "no citation": ("See [1].", 0, "See [1]."),
    "a number out of reason": (f"`[{'9' * 5_000}]`", 1, f"`[{'9' * 5_000}]`"),
    "a number of another script": ("[١] here", 1, "[١] here"),
    "a number with a nought before": ("[01] here", 1, "[01] here"),
    "marks only": ("[1] [2]", 2, "[1] [2]"),
}


@pytest.mark.parametrize(("answer", "cites", "told"), MARKS.values(), ids=MARKS)
def test_citation_marks_mean_nothing_later_and_are_left_out(answer: str, cites: int, told: str) -> None:
    assert sent(exchange("q", answer, cites=cites)) == [("q", told)]


CHANGED, UNPREPARED = NOTHING_CHANGED[Language.ENGLISH], NOTHING_PREPARED[Language.FRENCH]

SAID = {
    "under an answer": (f"Press New. [1]\n\nOpens: Pools. {CHANGED}", 1, "Press New."),
    "before what is missing": (f"Two pools.\n\n{CHANGED} {UNPREPARED}\n\nCut short.", 0, "Two pools.\n\nCut short."),
    "in another language": ("Voici.\n\nS'ouvre : Banques.", 0, "Voici."),
    "nothing else": (f"Opens: Pools. {CHANGED}", 0, f"Opens: Pools. {CHANGED}"),
    "nothing else but a mark": ("[1]\n\nOpens: Pools.", 1, "[1]\n\nOpens: Pools."),
}


@pytest.mark.parametrize(("answer", "cites", "told"), SAID.values(), ids=SAID)
def test_what_the_service_said_under_an_answer_is_not_sent_to_be_imitated(answer: str, cites: int, told: str) -> None:
    assert sent(exchange("q", answer, cites=cites)) == [("q", told)]


words = st.text(min_size=1, max_size=30).filter(str.strip) | st.sampled_from(("[1]", "[1] [2]", " [1]", "x [2]"))


@given(
    pairs=st.lists(st.tuples(words, words, st.integers(0, 3)), max_size=8),
    most=st.integers(0, 8),
    characters=st.integers(0, 200),
)
def test_a_window_is_well_formed_and_within_its_bounds(
    pairs: list[tuple[str, str, int]], most: int, characters: int
) -> None:
    exchanges = [exchange(question, answer, cites=cites) for question, answer, cites in pairs]
    messages = window(exchanges, HistoryWindow(pairs=most, characters=characters))
    assert faults_of([*messages, UserText("And now?")]) == []
    assert len(messages) <= 2 * most
    assert sum(len(_question(m) if isinstance(m, UserText) else _answer(m)) for m in messages) <= characters
    kept = [_question(message) for message in messages[::2]]
    assert kept == [question for question, _, _ in pairs][len(pairs) - len(kept) :]


@pytest.mark.parametrize(
    ("question", "title"),
    [
        ("How do I create a pool?", "How do I create a pool?"),
        ("  How\n\ndo  I\tcreate a pool?\n", "How do I create a pool?"),
        ("How\u200b do\U000e0041 I\u202e?", "How do I?"),
        ("x" * TITLE_CHARACTERS, "x" * TITLE_CHARACTERS),
        ("x" * (TITLE_CHARACTERS + 1), "x" * (TITLE_CHARACTERS - 1) + "…"),
    ],
)
def test_a_conversation_is_called_by_its_first_question_on_one_line(question: str, title: str) -> None:
    assert title_of(question) == title


@pytest.mark.parametrize(
    ("idle_minutes", "total_hours", "since_last", "since_start", "takes"),
    [
        (30, 24, dt.timedelta(minutes=29), dt.timedelta(hours=23), True),
        (30, 24, dt.timedelta(minutes=30), dt.timedelta(hours=1), False),
        (30, 24, dt.timedelta(0), dt.timedelta(hours=24), False),
        (30, None, dt.timedelta(0), dt.timedelta(days=365), True),
        (None, 24, dt.timedelta(hours=23), dt.timedelta(hours=23), True),
        (None, None, dt.timedelta(days=365), dt.timedelta(days=365), True),
    ],
)
def test_a_conversation_takes_questions_until_it_is_idle_or_old(
    idle_minutes: int | None,
    total_hours: int | None,
    since_last: dt.timedelta,
    since_start: dt.timedelta,
    takes: bool,
) -> None:
    times = ConversationTimes(idle_minutes=idle_minutes, total_hours=total_hours)
    span = Span(START - since_start, START - since_last)
    assert is_open(span, times, now=START) is takes
    assert not is_open(dataclasses.replace(span, ended_at=START), times, now=START)
