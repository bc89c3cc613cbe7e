"""Picks out of a list of the person's own: those that search words fit, the one that was picked, each once."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar
from uuid import UUID

from assist_service.domain.live.asking import Brought, Several
from assist_service.domain.live.matching import Beside, matches
from assist_service.domain.school import Classroom


class _HasId(Protocol):
    @property
    def id(self) -> UUID: ...


Identified = TypeVar("Identified", bound=_HasId)
Item = TypeVar("Item")


def _id_of(item: Any) -> UUID:
    found: UUID = item.id
    return found


@dataclass(frozen=True)
class Fitting(Generic[Identified]):
    """What some words fit, or what was picked; `is_exact` where it is called just that."""

    items: tuple[Identified, ...]
    is_exact: bool = True


def fitting(
    items: Sequence[Identified],
    names: Sequence[str],
    beside: Beside | None = None,
    *,
    words: str | None,
    picked: UUID | None,
) -> Fitting[Identified]:
    """Those of the items that the words fit best, or the one that was picked."""
    if words is None:
        return Fitting(tuple(each for each in items if each.id == picked))
    matched = matches(words, names, beside)
    return Fitting(tuple(items[at] for at in matched.places), matched.is_exact)


def fitting_classes(classes: Sequence[Classroom], *, words: str | None, picked: UUID | None) -> Fitting[Classroom]:
    """A class is found by its title, by its course, and by both."""
    courses = Beside([each.course.title for each in classes], is_enough=True)
    return fitting(classes, [each.title for each in classes], courses, words=words, picked=picked)


def items_of(brought: Brought) -> Several[Any]:
    assert isinstance(brought, Several)
    return brought


def once_each(items: Iterable[Item], *, key: Callable[[Item], UUID] = _id_of) -> tuple[Item, ...]:
    """Each the first time it comes: a list that changes while its pages are followed may bring one twice."""
    found: dict[UUID, Item] = {}
    for each in items:
        found.setdefault(key(each), each)
    return tuple(found.values())
