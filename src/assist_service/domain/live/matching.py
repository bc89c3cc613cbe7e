"""Finds whom or what a few search words mean among names: forgivingly, and never by a guess between two that fit."""

from collections.abc import Sequence

from assist_service.domain.folding import folded


def matches(words: str, names: Sequence[str]) -> tuple[int, ...]:
    """The places of the names that fit best, in order: none, the one, or several that fit equally well."""
    wanted = folded(words).split()
    whole = tuple(at for at, name in enumerate(names) if folded(name).split() == wanted)
    return whole or tuple(at for at, name in enumerate(names) if set(wanted) <= set(folded(name).split()))
