"""To find whom a few words mean takes a bounded time, whatever the names are; real ones are found as before."""

import random
import time
from collections.abc import Sequence

import pytest

from assist_service.domain.live.bounds import CHARACTERS, WORDS, bounded, looked_at
from assist_service.domain.live.matching import matches

pytestmark = pytest.mark.slow

ROSTERS, OF_EACH = 24, 200
"""As many classes as are read one by one, each with a page of students."""

PROCESSOR_SECONDS = 6.0
"""Twice what it takes here: without bounds it took more than a minute."""

CHANCE = random.Random(3)
HOSTILE_WORDS = ("x-y'z " * 16, "the quiz de a-b'c d-e " * 4, "the quiz 3 b of a-b'c-1 d", "zzyzx qwertz")
FIRST = ("Anne-Marie", "Jean-Luc", "Lea", "Noé", "Maria", "José", "Paul", "Marie-Claire")
LAST = ("Martin", "Dupont-Moretti", "Santos", "De la Cruz", "O'Neil", "Reyes")

HOSTILE: dict[str, list[str]] = {
    "signs": [("a-b'c d-e " * 49)[:480] + str(at) for at in range(ROSTERS * OF_EACH)],
    "numbered": [f"{at} " + "a-b'c d-e " * 40 for at in range(ROSTERS * OF_EACH)],
    "any": ["".join(CHANCE.choice("abcd-' 1") for _ in range(480)) for _ in range(ROSTERS * OF_EACH)],
    "few signs": [
        "".join(CHANCE.choice("abcd 1") for _ in range(20)) + " a-b'c-3 d" * 3 for _ in range(ROSTERS * OF_EACH)
    ],
    "small words": [f"the quiz de l'algebre-{at} b of " * 20 for at in range(ROSTERS * OF_EACH)],
    "alike": ["a-b'c d-e " * 49] * ROSTERS * OF_EACH,
}


def seconds(words: str, names: Sequence[str]) -> float:
    """Of the processor."""
    begun = time.process_time()
    matches(words, names)
    return time.process_time() - begun


@pytest.mark.slow
@pytest.mark.parametrize("kind", HOSTILE)
def test_hostile_names_take_a_bounded_time(kind: str) -> None:
    for words in HOSTILE_WORDS:
        assert seconds(words, HOSTILE[kind]) < PROCESSOR_SECONDS, words


def test_a_large_school_takes_little_time() -> None:
    names = [f"{CHANCE.choice(FIRST)} {CHANCE.choice(LAST)} {at}" for at in range(5_000)]
    for words in ("zzyzx qwertz", "Jean Luc Martn", "marie-claire o'neil"):
        assert seconds(words, names) < 2.0, words


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        ("oneil", "Tess O'Neil"),
        ("o neil", "Tess O'Neil"),
        ("Tess O'Nail", "Tess O'Neil"),
        ("marieclaire", "Marie-Claire Zed"),
        ("the quiz of Marie Claire", "Marie-Claire Zed"),
        ("wilhemina", "Wilhelmina Ota"),
        ("wilh", "Wilhelmina Ota"),
        ("Q. X.", "Quentin Xu"),
        ("QX", "Quentin Xu"),
        ("크루즈", "마리아 크루즈"),
    ],
)
def test_one_is_found_among_thousands(words: str, meant: str) -> None:
    names = [f"{first} {last} {at}" for at in range(40) for first in FIRST[2:7] for last in LAST[:4]]
    assert matches(words, [*names, meant]).places == (len(names),)


def test_those_of_one_name_are_found_each_at_its_place() -> None:
    assert matches("ana", ["Ana", "Bea", "Ana", "Carl", "Ana"]).places == (0, 2, 4)


def test_a_hostile_name_hides_nobody() -> None:
    assert matches("oneil", [*HOSTILE["any"], "Tess O'Neil"]).places == (ROSTERS * OF_EACH,)


def test_of_a_long_name_the_beginning_counts() -> None:
    title = "Examen de mathématiques"
    assert matches("mathematiques", [title + " blabla" * 60, "Other"]).places == (0,)
    assert len(looked_at("x" * 500)) == CHARACTERS
    assert len(looked_at("ab-" * 100).split()) == WORDS
    assert looked_at("Anne-Marie O'Neil") == "Anne-Marie O'Neil"


def test_what_is_said_beside_a_name_may_be_what_is_meant() -> None:
    few = bounded("3B algebra", ["3B", "3B", "Zoo", "3B"], ["Algebra", "Botany", "Music", "Algebra"])
    assert sorted(zip(few.names, few.beside, strict=True)) == [("3B", "Algebra"), ("3B", "Botany")]
    assert few.places([few.beside.index("Algebra")]) == (0, 3)
