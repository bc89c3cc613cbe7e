"""The panel's own rules, run by Node, say of every vector and of every character what this service says."""

import re
import sys
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from pathlib import Path
from random import Random
from typing import Any

import pytest

from assist_service.domain.availability import ScreenLine
from assist_service.domain.interface import parse_path
from assist_service.domain.people import Role
from assist_service.domain.text import one_line
from tests.contracts.test_vectors import CASES, CATALOGUE, opening, told
from tests.panel.node import failures, in_node

SCREENS = CATALOGUE.of_roles(Role.ADMIN)

ID = "3f2a1b4c-5d6e-4f70-8a91-b2c3d4e5f607"

PIECES = (
    *"aZ0 -._~!*'();:@&=+$,/?#[]%\n\t",
    *("\u00e9", "\u6f22", "\U0001f600", "\u00a0", "\u200b", "\u200d", "\ufe0f", "\u2764", "\u0915", "\ud83d"),
    *("%41", "%c3%a9", "%C3%A9", "%FF", "..", "//", "tab", "stats", "search", "__proto__", ID, ID.upper()),
)
"""What a made-up text is put together from."""

AT_RANDOM = 3_000
"""Calls and paths that are made up, of each."""

QUESTIONS = (("a", "a"), ("", "\u200d\u0915"), ("", "\u200d\U0001f600"), ("\U0001f600\u200d", ""), ("a", "\ufe0fa"))
"""What a character stands between: letters, a joiner of a script, a joiner of emoji on either side, a selector."""

CHUNK = 512
"""Characters that are asked about at once."""


def screens_by_role() -> dict[str, Any]:
    """The screens of each role as `GET /assist/availability` gives them."""
    return {
        role.value: [
            ScreenLine(screen=name, **screen.model_dump(exclude={"roles"})).model_dump(mode="json")
            for name, screen in CATALOGUE.of_roles(role).items()
        ]
        for role in Role
    }


async def test_every_vector_holds_for_the_panel(tmp_path: Path) -> None:
    outcomes = await in_node("vectors.test.mjs", folder=tmp_path, given={"screens": screens_by_role()})
    assert failures(outcomes) == {}
    assert outcomes.keys() == CASES.keys()
    assert len(outcomes) >= 290


async def test_an_edit_takes_no_room(tmp_path: Path) -> None:
    assert set((await in_node("limits.test.mjs", folder=tmp_path, given={})).values()) == {None}


def any_text(random: Random) -> str:
    """A text as a search may be, or nearly: of what is taken, what is not, and what an address is made of."""
    return "".join(random.choices(PIECES, k=random.randint(0, 4)))


def any_call(random: Random) -> dict[str, Any]:
    """A call that is right as often as not, and otherwise wrong in one place."""
    name, screen = random.choice(list(SCREENS.items()))
    tab = random.choice(screen.params.tab or ("stats",))
    values = {"tab": tab, "search": any_text(random), "category": ID, "item": ID}
    declared = [each for each in values if getattr(screen.params, each)]
    ids, params = dict.fromkeys(screen.ids, ID), {each: values[each] for each in declared if random.random() < 0.5}
    if (spoilt := random.choice([None, None, ids, params])) is not None:
        spoilt[random.choice([*spoilt, *values, "id", "__proto__", any_text(random)])] = any_text(random)
    return {"screen": name, "ids": ids, "params": params, "language": random.choice(["en", "fr", "fil"])}


def any_path(random: Random, path: str) -> str:
    """A path that leads somewhere, with up to two pieces of it exchanged, put in or taken out."""
    parts = re.split(r"([/?&=]|%..)", path)
    others = [*parts, *PIECES, path.upper(), parts[-1].lower()]
    for _ in range(random.randint(0, 2)):
        at = random.randrange(len(parts) + 1)
        parts[at : at + random.randint(0, 2)] = random.choices(others, k=random.randint(0, 2))
    return "".join(parts)


async def test_calls_and_paths_at_random_come_to_the_same_on_both_sides(tmp_path: Path) -> None:
    random = Random(9)
    calls = [any_call(random) for _ in range(AT_RANDOM)]
    outcomes = [told(opening({**call, "role": Role.ADMIN})) for call in calls]
    opened = [outcome["action"]["path"] for outcome in outcomes if "action" in outcome]
    paths = [any_path(random, random.choice(opened)) for _ in range(AT_RANDOM)]
    places = [parse_path(SCREENS, path) for path in paths]
    facts = {
        "screens": screens_by_role()[Role.ADMIN],
        "calls": [{"given": call, "expect": outcome} for call, outcome in zip(calls, outcomes, strict=True)],
        "paths": [{"path": path, "place": place and asdict(place)} for path, place in zip(paths, places, strict=True)],
    }
    ran = await in_node("both_sides.test.mjs", folder=tmp_path, given={"both_sides": facts})
    assert ran == {"calls": None, "paths": None}
    assert AT_RANDOM / 4 < len(opened) < AT_RANDOM * 3 / 4
    assert AT_RANDOM / 4 < places.count(None) < AT_RANDOM * 3 / 4


def lines_around(before: str, after: str) -> Iterator[int]:
    """The code points that between these two make a line that may stand in an address.

    Many are asked about at once, with a space between: it is to both neighbours what an end of the text would be.
    """
    joiner = "\u200d" in before + after
    for first in range(0, sys.maxunicode + 1, CHUNK):
        texts = {point: f"{before}{chr(point)}{after}" for point in range(first, first + CHUNK)}
        together = " ".join(texts.values())
        seen = one_line(together, len(together))
        if seen == together:
            yield from texts
        elif not joiner or "\u200d" in seen:
            yield from (point for point, text in texts.items() if one_line(text, 200) == text)


def ranges(points: Iterable[int]) -> list[tuple[int, int]]:
    """Ascending numbers as their runs: the first and the last of each."""
    runs: list[tuple[int, int]] = []
    for point in points:
        if runs and runs[-1][1] == point - 1:
            runs[-1] = (runs[-1][0], point)
        else:
            runs.append((point, point))
    return runs


@pytest.mark.slow
async def test_the_panel_sees_each_code_point_as_the_service_does(tmp_path: Path) -> None:
    assigned = ranges(point for point in range(sys.maxunicode + 1) if unicodedata.category(chr(point)) != "Cn")
    questions = [
        {"before": before, "after": after, "lines": ranges(lines_around(before, after))} for before, after in QUESTIONS
    ]
    facts = {"unicode": unicodedata.unidata_version, "assigned": assigned, "questions": questions}
    outcomes = await in_node("text.test.mjs", folder=tmp_path, given={"characters": facts})
    assert failures(outcomes) == {}
    assert len(outcomes) == len(QUESTIONS)
