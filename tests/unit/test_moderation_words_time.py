"""No text takes the list of words long: a replica whose interpreter is held answers nobody."""

import itertools
import threading
import time
from typing import Any

import pytest

from assist_service.adapters.moderation.words import AT_ONCE_CHARACTERS, WordListModerator, load_moderator
from assist_service.domain.moderation import MODERATED_CHARACTERS

SHIPPED = load_moderator(None)

CLASSES = {
    "letters": "f",
    "letters with accents": "\u00e9",
    "digits": "1",
    "at signs": "@",
    "dollars": "$",
    "exclamations": "!",
    "bars": "|",
    "marks": "*",
    "backslashes": "\\",
    "combining marks": "\u0301",
    "joiners": "\u200d",
    "spaces": " ",
    "hyphens": "-",
}
"""One character of each kind that the reading tells apart."""

HOSTILE = {
    **CLASSES,
    "an at sign and a dollar": "@$",
    "a letter and an at sign": "a@",
    "a letter and an exclamation": "a!",
    "signs": "@$!|",
    "the first word of phrases": "kill ",
    "all but the last word": "i am going to kill ",
    "two combining marks": "\u0301\u0327",
    "marks that are their own composition": "\u0f73",
    "letters of eighteen": "\ufdfa",
    "vowels": "ao",
    "emoji": "\U0001f469\u200d",
}
PAIRS = list(itertools.combinations(CLASSES, 2))

SLOWEST_SECONDS = 5.0
"""Of processor time: ten times what any text takes here. The square of 20,000 steps takes longer."""


def refuse_slowness(text: str) -> None:
    """Raises AssertionError unless the text is read to its end, soon."""
    started = time.process_time()
    assert not SHIPPED.holds(text)
    assert SHIPPED.holds(f"{text} fuck")
    assert time.process_time() - started < SLOWEST_SECONDS


@pytest.mark.parametrize("length", [20_000, pytest.param(MODERATED_CHARACTERS, marks=pytest.mark.slow)])
@pytest.mark.parametrize("unit", HOSTILE.values(), ids=HOSTILE)
def test_hostile_text_is_read_to_its_end(unit: str, length: int) -> None:
    refuse_slowness(unit * (length // len(unit)))


@pytest.mark.slow
@pytest.mark.parametrize("pair", PAIRS, ids=" and ".join)
def test_so_is_one_of_any_two_classes(pair: tuple[str, str]) -> None:
    one, other = (CLASSES[name] for name in pair)
    for half in (10_000, MODERATED_CHARACTERS // 2):
        refuse_slowness((one + other) * half)
        refuse_slowness(one * half + other * half)
        refuse_slowness(other * half + one * half)


class InAnotherThread(WordListModerator):
    """Refuses what it reads in another thread than the main one."""

    def holds(self, text: str) -> bool:
        return threading.current_thread() is not threading.main_thread()


async def test_a_long_text_is_read_beside_the_event_loop() -> None:
    assert await InAnotherThread([]).refuses("a" * (AT_ONCE_CHARACTERS + 1))
    assert not await InAnotherThread([]).refuses("a" * AT_ONCE_CHARACTERS)


class CountedWords(list[str]):
    """Words that count how many of them were looked at."""

    looked_at = 0

    def __getitem__(self, at: Any) -> Any:
        found = super().__getitem__(at)
        self.looked_at += len(found) if isinstance(found, list) else 1
        return found


def test_steps_grow_with_the_length_and_no_faster() -> None:
    taken = []
    for length in (1_000, 10_000):
        words = CountedWords(["kill"] * length)
        assert not SHIPPED.has_any(words)
        taken.append(words.looked_at)
    assert 1_000 < taken[1] <= 10 * taken[0] + 100
