"""Words of any script are told apart, folded, mistyped and taken apart as the search does it."""

import pytest

from assist_service.domain.search import QUERY_CHARACTERS, fold, near_words, query_words, split_word, words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Don't stop", ("don", "t", "stop")),
        ("L'Évaluation_finale", ("l", "évaluation", "finale")),
        ("ﬁle №5", ("file", "no5")),
        ("eva\u00adluation", ("evaluation",)),
        ("中文字", ("中文", "文字")),
        ("中", ("中",)),
        ("e-mail 3.5", ("e", "mail", "3", "5")),
        ("!?", ()),
    ],
)
def test_words(text: str, expected: tuple[str, ...]) -> None:
    assert words(text) == expected


def test_a_query_is_cut() -> None:
    assert query_words("a " * 10_000) == ("a",) * (QUERY_CHARACTERS // 2)


@pytest.mark.parametrize(
    ("word", "bare"),
    [("publiée", "publiee"), ("œuvre", "oeuvre"), ("straße", "straße"), ("시험", "시험"), ("pool", "pool")],
)
def test_fold(word: str, bare: str) -> None:
    assert fold(word) == bare


def test_near_and_split_words() -> None:
    known = {"grading": 3, "trading": 5, "grade": 9, "book": 1}
    assert near_words("gradin", known) == ("grading",)
    assert near_words("brading", known) == ("trading", "grading")
    assert near_words("grad", known) == ()
    assert near_words("оценка", known) == ()
    assert split_word("gradebook", known) == ("grade", "book")
    assert split_word("grading", known) is None
