"""What a lookup found, in words people read."""

import datetime as dt
from collections.abc import Sequence
from typing import Protocol

from assist_service.domain.live.finding import Looked
from assist_service.domain.screens import Language


class LiveWording(Protocol):
    """Writes what lookups found as Markdown, in each language of the contract."""

    def labelled(self, looked: Sequence[Looked], *, language: Language) -> tuple[Looked, ...]:
        """The same, what can be clicked on called as `answer` calls it: where there is no name, by words for that."""
        ...

    def answer(self, looked: Sequence[Looked], *, language: Language, at: dt.datetime) -> str:
        """Tables and short sentences: what was looked up, for which classes, as of `at`, and how many more there are.

        Names and titles stand in it as plain text whatever they hold. Never empty where there is anything looked up.
        """
        ...
