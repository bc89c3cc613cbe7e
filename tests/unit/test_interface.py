"""A path that the rule builds leads back to the very same screen, and no text whatever makes it build another (J5)."""

import json
import re
import uuid
from collections.abc import Mapping

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from assist_service.adapters.configuration import load_catalogue
from assist_service.domain import interface
from assist_service.domain.context import COMMANDS, Command, CommandEffect
from assist_service.domain.interface import (
    REFUSAL_CHARACTERS,
    Place,
    Reason,
    Refusal,
    open_screen,
    parse_path,
    run_command,
)
from assist_service.domain.people import Role
from assist_service.domain.reply import OpenScreen
from assist_service.domain.screens import EntityKind, Language, Screen, ScreenParams
from assist_service.domain.text import one_line
from assist_service.settings import ROOT

SCREENS = load_catalogue(ROOT / "contracts" / "screens.yaml").of_roles(Role.ADMIN)
POOL = "3f2a1b4c-5d6e-4f70-8a91-b2c3d4e5f607"
OTHER = "0a1b2c3d-4e5f-4a6b-9c7d-8e9fa0b1c2d3"

PATHS = re.compile(
    "|".join(
        re.sub(r":[a-zA-Z0-9]+", "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", screen.pattern)
        + r"(?:\?[a-z]+=[A-Za-z0-9._~%-]+(?:&[a-z]+=[A-Za-z0-9._~%-]+)*)?"
        for screen in SCREENS.values()
    )
)

any_text = st.text(st.characters(exclude_categories=[]), max_size=220)
trouble = st.sampled_from(
    [
        *(
            POOL,
            OTHER,
            POOL.upper(),
            f"{POOL}/x",
            f"{POOL}?tab=stats",
            "..",
            "%2e%2e",
            "//evil.example",
            "javascript:x",
        ),
        *("stats", "questions", "people", "a b", "#x", "a&b=c", "\u202e", "\U000e0041", "\ud800", "__proto__", ""),
    ]
)
texts = any_text | trouble


@st.composite
def right_calls(draw: st.DrawFn) -> tuple[str, dict[str, str], dict[str, str]]:
    """What the rule accepts: any screen, and of its params any, with any search that is one visible line."""
    name = draw(st.sampled_from(sorted(SCREENS)))
    takes, identifier = SCREENS[name].params, st.uuids().map(str)
    lines = any_text.map(lambda text: one_line(text, 200)).filter(bool)
    of_params: dict[str, st.SearchStrategy[str]] = {
        "tab": st.sampled_from(takes.tab or ("none",)),
        "search": lines,
        "category": identifier,
        "item": identifier,
    }
    declared = [each for each in of_params if getattr(takes, each)]
    chosen = draw(st.lists(st.sampled_from(declared), unique=True)) if declared else []
    return (
        name,
        {each: draw(identifier) for each in SCREENS[name].ids},
        {each: draw(of_params[each]) for each in chosen},
    )


@settings(deadline=None)
@given(right_calls())
def test_what_is_right_is_opened_by_a_path_that_leads_back(call: tuple[str, dict[str, str], dict[str, str]]) -> None:
    screen, ids, params = call
    action = open_screen(SCREENS, screen, ids, params, language="en")
    assert isinstance(action, OpenScreen)
    assert (action.screen, {name: str(each) for name, each in action.ids.items()}, action.params) == call
    assert parse_path(SCREENS, action.path) == Place(screen, action.ids, params)
    assert PATHS.fullmatch(action.path)


@settings(max_examples=400, deadline=None)
@given(
    st.sampled_from(sorted(SCREENS)) | texts,
    st.dictionaries(st.sampled_from(["id"]) | texts, texts, max_size=2),
    st.dictionaries(st.sampled_from(["tab", "search", "category", "item"]) | texts, texts, max_size=3),
)
def test_no_text_makes_a_path_outside_the_catalogue(screen: str, ids: dict[str, str], params: dict[str, str]) -> None:
    action = open_screen(SCREENS, screen, ids, params, language="en")
    if isinstance(action, Refusal):
        return
    assert PATHS.fullmatch(action.path)
    assert not action.path.startswith("//")
    assert ":" not in action.path
    assert parse_path(SCREENS, action.path) == Place(screen, {name: uuid.UUID(ids[name]) for name in ids}, params)


@settings(max_examples=400, deadline=None)
@given(
    st.text(st.characters(exclude_categories=[]), max_size=80)
    | st.lists(
        st.sampled_from(["/", "//", "pools", "?", "&", "=", "tab", "stats", "search", "%41", "+", "#", POOL])
    ).map("".join)
)
@example("/pools?search=\ud800")
@example("/pools?search=%FF")
def test_a_path_has_one_reading_or_none(path: str) -> None:
    place = parse_path(SCREENS, path)
    if place is not None:
        ids = {name: str(each) for name, each in place.ids.items()}
        action = open_screen(SCREENS, place.screen, ids, place.params, language="en")
        assert isinstance(action, OpenScreen)
        assert action.path == path


@pytest.mark.parametrize(
    "path",
    [
        "",
        "pools",
        "//pools",
        "/pools/",
        "/pools//",
        "/Pools",
        "/pools#x",
        "/pools?",
        "/pools?search",
        "/pools?search=",
        "/pools?search=a&search=b",
        "/pools?search=a&",
        "/pools?search=a;b=c",
        "/pools?search=a+b",
        "/pools?search=%c3%a9",
        "/pools?search=%C3",
        "/pools?search=%41",
        "/pools?search=a%0Ab",
        "/pools?tab=stats",
        "/pools?next=x",
        "/pools/:id",
        f"/pools/{POOL.upper()}",
        f"/pools/{POOL}/",
        f"/pools/{POOL}/../admin",
        f"/pools/%33{POOL[1:]}",
        f"/pools/{POOL}?tab=nothing",
        f"/pools/{POOL}?search=x&tab=stats",
        f"/pools/{POOL}?category=17",
        f"/pools/{POOL}?tab=stats#x",
        f"https://lms.example/pools/{POOL}",
        "/account",
        "/pools?search=a&search=a&search=a&search=a&search=a",
    ],
)
def test_a_path_that_the_rule_would_not_write_leads_nowhere(path: str) -> None:
    assert parse_path(SCREENS, path) is None


def test_an_id_that_stands_twice_in_a_pattern_is_one() -> None:
    screens = {"pair": screen("/pools/:id/again/:id", {"id": EntityKind.POOL})}
    action = open_screen(screens, "pair", {"id": POOL}, {}, language="en")
    assert isinstance(action, OpenScreen)
    assert action.path == f"/pools/{POOL}/again/{POOL}"
    assert parse_path(screens, f"/pools/{POOL}/again/{OTHER}") is None


def screen(pattern: str, ids: Mapping[str, EntityKind]) -> Screen:
    titles = {Language.ENGLISH: "One", Language.FRENCH: "Un"}
    return Screen(pattern=pattern, ids=dict(ids), titles=titles, roles=frozenset({Role.TEACHER}))


def test_the_params_of_the_rule_are_those_a_screen_may_declare() -> None:
    assert list(interface._PARAMS) == list(ScreenParams.model_fields)


def test_every_reason_has_words_and_every_command_its_act() -> None:
    assert set(interface._WORDS) == set(Reason)
    assert set(interface._COMMAND_ACTS) == {
        (effect, gesture, danger) for effect in CommandEffect for gesture in (False, True) for danger in (False, True)
    }


def refusal(of: object) -> str:
    assert isinstance(of, Refusal)
    return of.text


def test_a_refusal_names_what_is_allowed() -> None:
    ids, en = {"id": POOL}, Language.ENGLISH
    assert "my-courses" not in refusal(open_screen(SCREENS, "x", {}, {}, language=en))
    assert "admin, classroom, course, courses," in refusal(open_screen(SCREENS, "x", {}, {}, language=en))
    assert "id (of a pool)" in refusal(open_screen(SCREENS, "pool", {}, {}, language=en))
    assert "ids: none." in refusal(open_screen(SCREENS, "pools", ids, {}, language=en))
    assert "tab, search, category." in refusal(open_screen(SCREENS, "pool", ids, {"x": "y"}, language=en))
    assert "questions, stats, settings." in refusal(open_screen(SCREENS, "pool", ids, {"tab": "y"}, language=en))
    commands = [command("preview"), command("delete"), command("pool.delete", danger=True)]
    assert refusal(run_command(commands, "x")).endswith("Those you may name: preview, pool.delete.")
    assert refusal(run_command(commands, "delete")).endswith("Those you may name: preview, pool.delete.")
    assert refusal(run_command([], "x")).endswith("Those you may name: none.")


def command(name: str, *, danger: bool = False) -> Command:
    return Command.model_validate_json(json.dumps({"id": name, "label": "L", "effect": "none", "danger": danger}))


def test_a_refusal_is_bounded_however_much_is_allowed() -> None:
    many = {f"s{number}-{'x' * 55}": screen(f"/s{number}", {}) for number in range(200)}
    assert len(refusal(open_screen(many, "x", {}, {}, language="en"))) == REFUSAL_CHARACTERS
    commands = [command(f"c{number}-".ljust(64, "x")) for number in range(COMMANDS)]
    assert len(refusal(run_command(commands, "x"))) == REFUSAL_CHARACTERS


CANARY = "Ana Lima"


@pytest.mark.parametrize(
    ("name", "ids", "params"),
    [
        (CANARY, {}, {}),
        ("pool", {CANARY: POOL}, {}),
        ("pool", {"id": CANARY}, {}),
        ("pool", {"id": POOL}, {CANARY: "x"}),
        ("pool", {"id": POOL}, {"tab": CANARY}),
        ("pool", {"id": POOL}, {"search": f"{CANARY}\n"}),
        ("pool", {"id": POOL}, {"category": CANARY}),
    ],
)
def test_a_refusal_quotes_nothing_that_was_given(name: str, ids: dict[str, str], params: dict[str, str]) -> None:
    assert CANARY not in refusal(open_screen(SCREENS, name, ids, params, language="en"))
    assert CANARY not in refusal(run_command([command("preview")], CANARY))
