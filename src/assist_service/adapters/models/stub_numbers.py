"""How many rows a question wants: a number beside a word for the first or the last, in digits or in three languages."""

import re
from collections.abc import Mapping

from assist_service.domain.live.query import MOST_ROWS

NUMBERS: Mapping[str, int] = {
    word: number
    for number, words in enumerate(
        (
            "one un une isa isang",
            "two deux dalawa dalawang",
            "three trois tatlo tatlong",
            "four quatre apat",
            "five cinq lima limang",
            "six anim",
            "seven sept pito pitong",
            "eight huit walo walong",
            "nine neuf siyam",
            "ten dix sampu sampung",
        ),
        start=1,
    )
    for word in words.split()
}

NUMBER = rf"(?:\d{{1,4}}|{'|'.join(NUMBERS)})"
"""One of them, as a part of a pattern."""

_LIMIT = re.compile(
    rf"\b(?:top|first|best|last|bottom|highest|lowest|worst|premiers|derniers|meilleure?s|pinaka\w+|"
    rf"nangunguna(?:ng)?|huling)(?: na)? (?P<after>{NUMBER})\b|\b(?P<before>{NUMBER}) (?:na |may )?(?:top|first|best|"
    rf"last|highest|lowest|worst|weakest|students|learners|pupils|premiere?s|derniere?s|meilleure?s|eleves|"
    rf"pinaka\w+|nangunguna|estudyante|mag-aaral)\b"
)


def limit_of(told: str) -> Mapping[str, int]:
    """The argument for it; none where the question says nothing of it. `told` is folded."""
    found = _LIMIT.search(told)
    if found is None:
        return {}
    said = found["after"] or found["before"]
    return {"limit": min(max(NUMBERS.get(said) or int(said), 1), MOST_ROWS)}
