"""Numbers, shares and moments read as people of each language write them."""

import datetime as dt
from zoneinfo import ZoneInfo

import pytest

from assist_service.adapters.wording.figures import Figures
from assist_service.domain.screens import Language

ZONE = ZoneInfo("Asia/Manila")
EN, FR, FIL = (Figures(language, ZONE) for language in (Language.ENGLISH, Language.FRENCH, Language.FILIPINO))

NUMBERS = {
    0: ("0", "0", "0"),
    7: ("7", "7", "7"),
    17.5: ("17.5", "17,5", "17.5"),
    17.0: ("17", "17", "17"),
    12.344: ("12.34", "12,34", "12.34"),
    12.345: ("12.35", "12,35", "12.35"),  # halves up, as marks are rounded; the nearest float is below
    0.125: ("0.13", "0,13", "0.13"),
    1234.5: ("1,234.5", "1\u202f234,5", "1,234.5"),
    -2.5: ("-2.5", "-2,5", "-2.5"),
    -0.001: ("0", "0", "0"),
}


@pytest.mark.parametrize("number", NUMBERS)
def test_a_number_has_at_most_two_decimals_and_no_zeros_at_its_end(number: float) -> None:
    assert (EN.number(number), FR.number(number), FIL.number(number)) == NUMBERS[number]


SHARES = {
    0: ("0%", "0\u00a0%", "0%"),
    1: ("100%", "100\u00a0%", "100%"),
    0.875: ("87.5%", "87,5\u00a0%", "87.5%"),
    0.72345: ("72.3%", "72,3\u00a0%", "72.3%"),
    0.0005: ("0.1%", "0,1\u00a0%", "0.1%"),
    2 / 3: ("66.7%", "66,7\u00a0%", "66.7%"),
}


@pytest.mark.parametrize("share", SHARES)
def test_a_share_is_told_in_percent(share: float) -> None:
    assert (EN.share(share), FR.share(share), FIL.share(share)) == SHARES[share]


@pytest.mark.parametrize("number", [float("nan"), float("inf"), float("-inf")])
def test_what_is_no_number_is_none(number: float) -> None:
    assert EN.number(number) is None
    assert EN.share(number) is None


@pytest.mark.parametrize("number", [1e300, 1.7976931348623157e308, 5e-324, 10**30])
def test_no_number_is_too_large_or_too_small(number: float) -> None:
    assert FR.number(number)


def test_a_moment_is_on_the_clock_of_the_school() -> None:
    night = dt.datetime(2026, 11, 30, 17, 5, tzinfo=dt.UTC)
    assert EN.moment(night) == "Dec 1, 2026, 1:05\u202fAM"
    assert FR.moment(night) == "1 déc. 2026, 01:05"
    assert FIL.moment(night) == "Dis 1, 2026, 1:05\u202fAM"
    assert EN.moment(night.astimezone(dt.timezone(dt.timedelta(hours=-9)))) == EN.moment(night)


def test_a_moment_goes_by_summer_time() -> None:
    paris = Figures(Language.FRENCH, ZoneInfo("Europe/Paris"))
    assert paris.moment(dt.datetime(2026, 7, 1, 12, 0, tzinfo=dt.UTC)) == "1 juil. 2026, 14:00"
    assert paris.moment(dt.datetime(2026, 1, 1, 12, 0, tzinfo=dt.UTC)) == "1 janv. 2026, 13:00"
