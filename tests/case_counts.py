"""How many cases the suites of many cases ran: told by the tests themselves, printed when all have ended."""

from collections.abc import Callable, Iterable, Mapping
from typing import Literal, get_args

Suite = Literal[
    "axe",
    "axe, rules",
    "browser",
    "confirms cut short",
    "cut bodies",
    "executed bytes",
    "hostile acts",
    "hostile answers",
    "hostile answers, requests",
    "hostile reads",
    "injections",
    "kill -9",
    "kolibri",
    "kolibri, time taken",
    "lookups",
    "masked questions",
    "rotation under traffic",
    "stopped confirms",
    "stopped questions",
    "two processes",
]

CountCases = Callable[[Suite, int, str], None]
"""Tells a suite, how many cases of it this test ran, and of what kind they were."""

PROPERTY = "cases of "
"""A report carries what was told under this and the suite's name: it travels from xdist's workers as it is."""

WORDS: Mapping[Suite, str] = {
    "axe": "states without a fault: {each}",
    "axe, rules": "{cases:,} times a rule had something to judge",
    "browser": "acts shown: {each}",
    "confirms cut short": "{cases:,} confirms met by a stop or a removal, {kinds} ways",
    "cut bodies": "{cases:,} cuts over {kinds} wires",
    "executed bytes": "{cases:,} writes compared with what was frozen, of {kinds} tools",
    "hostile acts": "{cases:,} turns of a model that acts, under {kinds} policies",
    "hostile answers": "{cases:,} texts shown in the panel, {names}",
    "hostile answers, requests": "{cases:,} requests that any of them led to",
    "hostile reads": "{cases:,} turns of a hostile model, under {kinds} policies",
    "injections": "{cases:,} answers of a model that obeys, under {kinds} policies",
    "kill -9": "{cases:,} kills",
    "kolibri": "{cases:,} checks in {kinds} tests",
    "kolibri, time taken": "{cases:,} s, filling and starting it included",
    "lookups": "{cases:,} lookups answered as the database has it, {kinds} ways",
    "masked questions": "{cases:,} questions without a name, {kinds} ways",
    "rotation under traffic": "{cases:,} questions answered while keys rotate and the purge runs, {names}",
    "stopped confirms": "{cases:,} stops, at every await, {kinds} ways",
    "stopped questions": "{cases:,} stops, at every await, {kinds} ways",
    "two processes": "{cases:,} questions and confirms in {kinds} races",
}


def lines_of(properties: Iterable[tuple[str, object]]) -> list[str]:
    """A line for each suite of which something ran."""
    told: dict[str, dict[str, int]] = {}
    for name, value in properties:
        if name.startswith(PROPERTY) and isinstance(value, list):
            cases, kind = value
            of_suite = told.setdefault(name.removeprefix(PROPERTY), {})
            of_suite[kind] = of_suite.get(kind, 0) + cases
    return [f"{suite}: {_words(suite, told[suite])}" for suite in get_args(Suite) if suite in told]


def _words(suite: Suite, kinds: Mapping[str, int]) -> str:
    each = ", ".join(f"{cases:,} at {kind}" for kind, cases in sorted(kinds.items()))
    return WORDS[suite].format(cases=sum(kinds.values()), kinds=len(kinds), names=", ".join(kinds), each=each)
