"""What the data look-ups of a question came to: whether any found something, and what of them is still missing.

A look-up that failed and then succeeded is missing no more. Mistakes of the model are counted by tool, for nobody knows
what was meant by arguments that did not fit: each well-formed call of a later step makes up for one.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum


class Miss(StrEnum):
    """Why a look-up brought nothing, as far as the person may know it."""

    ABSENT = "absent"
    """No seat on its course, or nothing there; an id that nobody gave reads the same (row J2)."""
    SILENT = "silent"
    """The platform gave no answer, or none that can be used."""
    UNDONE = "undone"
    """What the model asked for did not fit, so nothing was asked."""


@dataclass(frozen=True)
class LookedUp:
    """What an answer may rest on, and what it must not pass over in silence."""

    found: bool = False
    missing: frozenset[Miss] = frozenset()


NOTHING = LookedUp()
"""Of a question that looked nothing up."""


@dataclass(frozen=True)
class LookUp:
    """One call of a data tool; `arguments` as they were understood, None where they were not."""

    tool: str
    arguments: str | None
    miss: Miss | None = None


@dataclass
class LookUps:
    """Those of one question, step by step."""

    _found: bool = False
    _missed: dict[tuple[str, str], Miss] = field(default_factory=dict)
    _mistakes: Counter[str] = field(default_factory=Counter)

    @property
    def outcome(self) -> LookedUp:
        mistaken = {Miss.UNDONE} if self._mistakes.total() else set()
        return LookedUp(self._found, frozenset({*self._missed.values(), *mistaken}))

    def note(self, step: Sequence[LookUp]) -> None:
        """Takes in the calls of one step, which ran together: none of them repeats another."""
        understood = Counter(each.tool for each in step if each.arguments is not None)
        mistaken = Counter(each.tool for each in step if each.arguments is None)
        for tool in {each.tool for each in step}:
            self._mistakes[tool] = max(self._mistakes[tool] - understood[tool], mistaken[tool])
        for each in sorted(step, key=lambda each: each.miss is None):  # of two that are alike one is enough
            if each.arguments is not None:
                self._take(each, (each.tool, each.arguments))

    def _take(self, look_up: LookUp, wanted: tuple[str, str]) -> None:
        if look_up.miss is not None:
            self._missed[wanted] = look_up.miss
        else:
            self._found = True
            self._missed.pop(wanted, None)
