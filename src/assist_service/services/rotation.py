"""Brings every sealed row under the first key, while traffic runs, until none is left that a key opens."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from assist_service.ports import Clock, Rotating

LOOKS = 20
"""How often the tables are gone through at most. One or two are usual; with more, somebody seals with another key."""

PAUSE_SECONDS = 0.5
"""Between two looks: what was held or changed a moment ago is free then."""

IDS_TOLD = 20
"""Rows that no key opens are told by their ids up to so many: enough to look at, whatever their number."""


@dataclass
class Place:
    """What became of one sealed column's rows."""

    taken: Counter[str] = field(default_factory=Counter)
    """Rows brought under the first key, by the id of the key that they stood under."""
    unopened: int = 0
    """Rows that no key opens. They stay as they are."""
    ids: tuple[str, ...] = ()
    """Some of theirs."""
    left: int = 0
    """Rows that a key opens and that stand under another than the first one when the last look is over."""

    @property
    def changed(self) -> int:
        return self.taken.total()


@dataclass(frozen=True)
class Rotated:
    """What a rotation came to."""

    key_id: str
    """The first key's, which all is sealed with now."""
    places: Mapping[str, Place]

    @property
    def is_whole(self) -> bool:
        return not any(place.unopened or place.left for place in self.places.values())


@dataclass(frozen=True)
class KeyRows:
    """A key, and how many rows of which sealed column stand under it."""

    id: str
    position: int | None
    """In the setting, from 1 on; the first one seals. None for a key that is not there: its rows cannot be opened."""
    rows: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Rotation:
    """Safe beside traffic, safe to run again, and safe to run twice at once."""

    rotating: Rotating
    clock: Clock

    async def __call__(self) -> Rotated:
        """Goes through the tables until none is left: rows come in behind its back, and some are held by others."""
        told = {name: Place() for name in self.rotating.places}
        for look in range(LOOKS):
            if look:
                await self.clock.sleep(PAUSE_SECONDS)
            for name, place in told.items():
                await self._go_through(name, place)
                place.left = max(0, await self._stale(name) - place.unopened)
            if not any(place.left for place in told.values()):
                break
        return Rotated(self.rotating.key_ids[0], told)

    async def status(self) -> tuple[KeyRows, ...]:
        """Every key that is there or has rows, those there in their order."""
        counted = {name: await self.rotating.rows_by_key(name) for name in self.rotating.places}
        here = list(self.rotating.key_ids)
        gone = sorted({key for by_key in counted.values() for key in by_key}.difference(here))
        return tuple(
            KeyRows(
                key,
                here.index(key) + 1 if key in here else None,
                {name: by_key[key] for name, by_key in counted.items() if key in by_key},
            )
            for key in (*here, *gone)
        )

    async def _go_through(self, name: str, place: Place) -> None:
        place.unopened, place.ids = 0, ()
        after = None
        while True:
            batch = await self.rotating.reseal(name, after=after)
            place.taken.update(batch.taken)
            place.unopened += batch.unopened
            place.ids = (place.ids + batch.ids)[:IDS_TOLD]
            after = batch.after
            if after is None:
                return

    async def _stale(self, name: str) -> int:
        by_key = await self.rotating.rows_by_key(name)
        return sum(rows for key, rows in by_key.items() if key != self.rotating.key_ids[0])
