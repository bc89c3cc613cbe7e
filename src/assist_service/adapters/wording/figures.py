"""Numbers, shares and moments as people of a locale write them, in the zone of the school."""

import datetime as dt
import math
from decimal import ROUND_HALF_UP, Context, Decimal, localcontext
from functools import lru_cache

from babel import Locale
from babel.dates import format_date, format_time, get_datetime_format
from babel.numbers import NumberPattern, parse_pattern

from assist_service.domain.screens import Language

NO_YEARS = frozenset({dt.MINYEAR, dt.MAXYEAR})
"""How platforms write that something never began or never ends; in another zone such a moment may not exist."""

_HUNDREDTH = Decimal("0.01")
"""Of a mark: what stands behind it nobody marks by."""

_TENTH_OF_PERCENT = Decimal("0.001")

_EXACT = Context(prec=400)
"""Digits enough for any float, so that rounding never fails."""

_REMEMBERED = 4_096
"""Numbers whose form is kept: the marks of a school are few."""


class Figures:
    """Writes the figures of one language."""

    def __init__(self, language: Language, zone: dt.tzinfo) -> None:
        self._locale = Locale.parse(language.value)
        self._zone = zone
        self._decimal = parse_pattern(self._locale.decimal_formats[None].pattern.replace(".###", ".##"))
        self._percent = parse_pattern(self._locale.percent_formats[None].pattern.replace("0", "0.#"))
        self.number = lru_cache(_REMEMBERED)(self._number)
        self.share = lru_cache(_REMEMBERED)(self._share)

    def moment(self, at: dt.datetime) -> str | None:
        """Day and minute, on the school's clock; None for the first and the last year there are."""
        if at.year in NO_YEARS:
            return None
        local = at.astimezone(self._zone).replace(tzinfo=None)
        day, minute = format_date(local, "medium", self._locale), format_time(local, "short", locale=self._locale)
        return str(get_datetime_format("medium", self._locale)).format(minute, day)

    def _number(self, value: float) -> str | None:
        """At most two decimals, halves up, no zeros at the end; None for what is no number."""
        return self._written(self._decimal, value, _HUNDREDTH)

    def _share(self, of_one: float) -> str | None:
        """In percent, at most one decimal."""
        return self._written(self._percent, of_one, _TENTH_OF_PERCENT)

    def _written(self, pattern: NumberPattern, value: float, step: Decimal) -> str | None:
        if not math.isfinite(value):
            return None
        with localcontext(_EXACT):
            rounded = Decimal(repr(value)).quantize(step, ROUND_HALF_UP)
            return str(pattern.apply(rounded or Decimal(0), self._locale))  # a rounded -0.001 is no minus nought
