"""No Accept header is too odd to be read: whoever does not plainly ask for events gets JSON (RFC 9110, 12.5.1)."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assist_service.domain.screens import Language
from assist_service.web.preferences import READ_CHARACTERS, preferred_language, prefers_events

EVENTS = "text/event-stream"
MANY = ", ".join(f"text/x-{number}" for number in range(1_000))


@pytest.mark.parametrize(
    ("accepted", "wanted"),
    [
        (EVENTS, True),
        ("Text/Event-Stream; charset=utf-8", True),
        ("TEXT/EVENT-STREAM;Q=0.5", True),
        (f"{EVENTS}, application/json", True),
        (f"application/json;q=0.5, {EVENTS}; q=0.9", True),
        (f"application/json, {EVENTS};q=0.9", False),
        ("application/json", False),
        ("text/*, */*", False),
        # What is no weight makes its element none.
        *((f"{EVENTS};q={weight}", False) for weight in ["0", "0.000", "abc", "2", "-1", "nan", "inf", "", '"1"']),
        *((f"{EVENTS};q={weight}", False) for weight in ["1.001", "1e0", "1_0", "+1", "0.5555", ".5", "0,5", "²"]),
        *((f"{EVENTS};q={weight}", True) for weight in ["1", "1.", "1.000", "0.001", "0.5", " 1 "]),
        (f"application/json;q=abc, {EVENTS};q=0.1", True),
        # A weight counts wherever it stands, and what else there is says nothing.
        (f"{EVENTS};charset=utf-8;q=0", False),
        (f"{EVENTS};q=0;charset=utf-8", False),
        (f"{EVENTS};q=0.5;q=0", True),
        (f"{EVENTS};ext", True),
        # A comma or a semicolon within quotes parts nothing.
        (f'{EVENTS}; charset="a,b"', True),
        (f'{EVENTS}; charset="a,b";q=0', False),
        (f'{EVENTS}; charset=";q=0"', True),
        (f'{EVENTS}; charset="a\\",b;q=0"', True),
        (f'text/plain; x="a, {EVENTS}, b"', False),
        (f'text/plain; x="a, {EVENTS}', False),
        (f'{EVENTS}; x="', True),
        (f'{EVENTS}; x="\\', True),
        # Nothing, here and there.
        *((nothing, False) for nothing in ["", " ", ",", ";", ",,;,;q=1, ,", "q", "=", ";;;", '"', '""', "\\", "/"]),
        (f",, ,{EVENTS},,", True),
        (f";, {EVENTS} ;", True),
        ("text / event-stream", False),
        # JSON weighs what names it most precisely.
        (f"{EVENTS}, */*", True),
        (f"{EVENTS};q=0.5, */*", False),
        (f"{EVENTS};q=0.5, */*, application/json;q=0.1", True),
        (f"{EVENTS};q=0.5, application/*;q=0.4, */*", True),
        (f"{EVENTS}, {EVENTS};q=0", True),
        (f"{EVENTS};q=0, {EVENTS}", False),
        # Only so much is read, and nothing by half.
        (f"{EVENTS}, {MANY}", True),
        (f"{MANY}, {EVENTS}", False),
        (EVENTS.rjust(READ_CHARACTERS), True),
        (EVENTS.rjust(READ_CHARACTERS + 1), False),
        (f"{',':>{READ_CHARACTERS - len(EVENTS)}}{EVENTS}", True),
        (f"{',':>{READ_CHARACTERS - len(EVENTS)}}{EVENTS};q=0", False),
    ],
)
def test_events_are_for_who_names_them_and_does_not_prefer_json(accepted: str, wanted: bool) -> None:
    assert prefers_events(accepted) is wanted


@given(st.text(alphabet=st.sampled_from('text/event-stream*,;="\\q01. é\t\x85')))
def test_nothing_that_is_sent_fails(header: str) -> None:
    prefers_events(header)
    preferred_language(header)


@pytest.mark.parametrize("piece", ['"', '\\"', '"\\', ";", ",", "q=", "\\", 'a"', ';q="'])
def test_no_header_takes_long(piece: str) -> None:
    began = time.perf_counter()
    prefers_events(piece * 30_000)
    assert time.perf_counter() - began < 0.5


@pytest.mark.parametrize(
    ("accepted", "language"),
    [
        ("fr-CH, en;q=0.5", Language.FRENCH),
        ("en;q=0.5, TL", Language.FILIPINO),
        ("fil-PH;q=0.9, fr;q=0.8", Language.FILIPINO),
        ("fr;q=2, fil;q=0.1", Language.FILIPINO),
        ("fr;q=nan", Language.ENGLISH),
        ("fr;q=0", Language.ENGLISH),
        ("*", Language.ENGLISH),
        ("", Language.ENGLISH),
    ],
)
def test_the_language_is_the_heaviest_of_ours(accepted: str, language: Language) -> None:
    assert preferred_language(accepted) is language
