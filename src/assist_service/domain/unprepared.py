"""Why a change that was asked for was not prepared, as far as the person may know it: each reason has its sentence."""

from enum import StrEnum


class Unprepared(StrEnum):
    """The closed reasons; what the model reads of a refusal says more."""

    UNPUBLISHED = "unpublished"
    """A draft was to go into a template."""
    SEARCH_FIRST = "search_first"
    """Nobody had looked for a question like the new one."""
    TOO_LONG = "too_long"
    """More than a person can be asked to read on one card."""
    NO_SEAT = "no_seat"
    """No seat on its course, or nothing there; an id that nobody gave reads the same (row J2)."""
    UNFIT = "unfit"
    """What the model wrote for it did not fit: its arguments, or the rules of the type."""
    UNCHECKED = "unchecked"
    """Nothing says whether the type takes it."""
    LIMIT = "limit"
    """One more than an answer prepares."""
    SILENT = "silent"
    """The platform gave no answer, or none that can be used."""
    REFUSED = "refused"
    """The platform did not take a request, or its answer was longer than is read."""
