"""Which replies of a model are rejected whole where lookups are offered: one rule, and nothing of them is run (J7)."""

from collections.abc import Collection, Sequence

from assist_service.domain.messages import ToolCall

MOST_CALLS = 3
"""Calls of one reply, where lookups are offered."""


def is_rejected(
    calls: Sequence[ToolCall], *, offered: Collection[str], lookups: Collection[str], manual: Collection[str]
) -> bool:
    """Whether a reply names an unknown tool, makes more than three calls, or mixes the manual with a lookup.

    `offered` are the names of all tools that the model was given, `lookups` and `manual` those of these two families.
    Where no lookup was given, the loop's own rules are all there are.
    """
    if not lookups:
        return False
    names = {call.name for call in calls}
    mixes = not names.isdisjoint(lookups) and not names.isdisjoint(manual)
    return len(calls) > MOST_CALLS or not names <= set(offered) or mixes
