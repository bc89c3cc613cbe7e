"""Which plan answers which lookup: the closed list of all there are."""

from collections.abc import Callable, Mapping

from assist_service.domain.live.asking import Plan
from assist_service.domain.live.classes import classes
from assist_service.domain.live.query import Lookup
from assist_service.domain.live.scope import Ask

PLANS: Mapping[Lookup, Callable[[Ask], Plan]] = {
    Lookup.CLASSES: classes,
}


def plan(ask: Ask) -> Plan:
    """The reads that answer a lookup, step by step, and then what came of them."""
    return PLANS[ask.query.lookup](ask)
