"""Whatever is asked, and in whatever script, gets an answer or nothing."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.unit.small_index import ABOUT_POOLS, EVERYONE, SHIPPED, SMALL, found, index, page

# Bad input

HOSTILE = {
    "nothing": "",
    "brackets": "(" * 5_000,
    "quotes": '"' * 301,
    "a field": "title:*",
    "operators": 'pool AND NOT (grading OR "question"~2)^9 +x -y /re.*/ [a TO z] {} \\ ~',
    "10,000 characters": "pool " * 2_000,
    "10,000 letters": "a" * 10_000,
    "10,000 marks": "a" + "\u0301" * 10_000,
    "stop words": "how do I do this",
    "French stop words": "est-ce que je peux le faire",
    "emoji": "👍🏽👩‍👩‍👧🇫🇷",
    "Chinese": "如何发布考试",
    "Arabic": "كيف أنشر الامتحان",
    "Hebrew with points": "שָׁלוֹם",
    "Hindi": "परीक्षा कैसे प्रकाशित करें",
    "Thai": "จะเผยแพร่แบบทดสอบได้อย่างไร",
    "NUL": "pool\x00grading",
    "lone surrogates": "pool \ud800 \udfff",
    "turned around": "\u202epool\u202c",
    "a separator of terms": "pool\x1fgrading \ufffe",
    "an expanding capital": "ŉ ﬃ ß İ" * 80,
}


@pytest.mark.parametrize("language", ["en", "fr", "fil", "", "\ud800"])
@pytest.mark.parametrize("query", HOSTILE.values(), ids=HOSTILE)
def test_any_query_gets_an_answer_or_nothing(query: str, language: str) -> None:
    for one in (SMALL, SHIPPED):
        assert len(found(one, query, language=language)) <= 5


@pytest.mark.slow
@given(st.text(st.characters(), max_size=400), st.sampled_from(["en", "fr", "fil"]))
@settings(max_examples=60, deadline=None)
def test_any_text_is_a_query_and_a_page(text: str, language: str) -> None:
    assert len(found(SMALL, text, language=language)) <= 3
    written = page("teacher/a", "Any", text.encode("utf-8", "ignore").decode() or "-", language=language)
    found(index(written), text, language=language)


@pytest.mark.parametrize("limit", [-1, 0])
def test_no_hits_are_asked_for_and_none_given(limit: int) -> None:
    assert found(SMALL, "pool", limit=limit) == []


@pytest.mark.parametrize("section_id", ["", "\x00", "\ud800", "x" * 100_000])
def test_any_id_is_held_or_not(section_id: str) -> None:
    assert not SMALL.holds(section_id, audiences=EVERYONE)


def test_an_empty_publication_has_nothing() -> None:
    assert found(index(), "pool") == []
    assert found(index(page("teacher/a", "Withdrawn")), "withdrawn") == []


SCRIPTS = {
    "Chinese": ("发布考试的方法", "如何发布考试？", "删除课程"),
    "Japanese": ("テストを公開する", "公開したい", "科目"),
    "Korean": ("시험을 게시하는 방법", "시험", "과목"),
    "Thai": ("การเผยแพร่แบบทดสอบ", "เผยแพร่", "ลบ"),
    "Arabic": ("نشر الامتحان", "الامتحان", "حذف"),
    "Hindi": ("परीक्षा प्रकाशित करना", "परीक्षा", "हटाना"),
    "Greek": ("Δημοσίευση εξέτασης", "δημοσιευση", "διαγραφή"),
}


@pytest.mark.parametrize(("text", "near", "far"), SCRIPTS.values(), ids=SCRIPTS)
def test_other_scripts_find_their_own_words_and_not_everything(text: str, near: str, far: str) -> None:
    scripts = index(page("teacher/a", "A", text), ABOUT_POOLS)
    assert found(scripts, near) == ["teacher/a"]
    assert found(scripts, far) == []
