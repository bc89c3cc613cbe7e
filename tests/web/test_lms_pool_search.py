"""What the search above a pool's questions finds, by words, operators and quotes, as the manual says."""

from collections.abc import AsyncIterator

import pytest

from examples.reference_lms.face.pool_search import OPERATORS, Term, terms_of
from tests.web.lms_face import POOL, Browser, open_lms


@pytest.fixture
async def lms() -> AsyncIterator[Browser]:
    async with open_lms() as opened:
        await opened.sign_in()
        yield opened


FOUND = {
    "": 50,
    "malloc": 5,
    "MALLOC": 5,
    **dict.fromkeys(("type:choice", "type:categorise", "type:cloze", "Type:Numeric", "type:text"), 10),
    "status:draft": 12,
    "status:published": 38,
    "type:cloze status:draft": 3,
    "type:cloze type:numeric": 0,
    "malloc type:cloze": 1,
    "tag:malloc": 5,
    "tag:malloc type:cloze": 1,
    "tag:phrases": 0,
    "phrases": 10,
    "tag:": 0,
    "type:essay": 0,
    "status:": 0,
    "colour:red": 0,
    '"type:cloze"': 0,
    "malloc cloze:malloc": 0,
    "% _": 0,
}
"""How many of the pool's fifty questions each search finds; what is no operator is looked for as it stands."""


async def test_operators_narrow_and_every_word_is_found(lms: Browser) -> None:
    for search, count in FOUND.items():
        page = await lms.get(f"/pools/{POOL}", params={"search": search})
        assert page.text.count('href="/questions/') == count, search
    hard = await lms.get(f"/pools/{POOL}", params={"search": "difficulty:hard"})
    assert 0 < hard.text.count('href="/questions/') < 50


async def test_words_are_found_apart_and_quoted_ones_together(lms: Browser) -> None:
    searches = {"malloc mots": True, "malloc capitale": False, '"tes mots"': True, '"mots tes"': False}
    for search, is_found in searches.items():
        page = await lms.get(f"/pools/{POOL}", params={"search": search})
        assert (page.text.count('href="/questions/') > 0) == is_found, search


async def test_a_search_is_only_ever_a_value(lms: Browser) -> None:
    for hostile in ("' OR 1=1 --", "type:cloze' OR \"1", "type:$[0]", '"'):
        page = await lms.get(f"/pools/{POOL}", params={"search": hostile})
        assert (page.status_code, page.text.count('href="/questions/')) == (200, 0), hostile


@pytest.mark.parametrize("operator", OPERATORS)
def test_each_value_is_read_in_any_case(operator: str) -> None:
    for typed, value in OPERATORS[operator].items():
        assert terms_of(f"{operator}:{typed}".upper()) == [Term(operator, value)]
