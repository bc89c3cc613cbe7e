"""Rankings of different kinds joined by ranks alone: reciprocal rank fusion (Cormack, Clarke, Büttcher, 2009)."""

from collections import defaultdict
from collections.abc import Iterable, Sequence

DAMPING = 10
"""What is added to each rank. The paper's 60 is for lists of a thousand; these have twenty names."""


def fused(rankings: Iterable[tuple[float, Sequence[str]]]) -> tuple[tuple[str, float], ...]:
    """Each name once with its score, best first, equal ones by name. A ranking comes with its weight."""
    scores: dict[str, float] = defaultdict(float)
    for weight, names in rankings:
        for rank, name in enumerate(names, start=1):
            scores[name] += weight / (DAMPING + rank)
    return tuple(sorted(scores.items(), key=lambda item: (-item[1], item[0])))
