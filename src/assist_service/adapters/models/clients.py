"""Several clients of one SDK in place of one: an HTTP pool looks through all its connections at each request.

With a thousand requests in flight that alone would take most of a processor. The first client takes all there is
while there is little, so that its connections are used again; more are made when it has enough.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

WIDTH = 32
"""Requests of one client in flight before the next one is used."""


class Closable(Protocol):
    async def close(self) -> None: ...


Client = TypeVar("Client", bound=Closable)


@dataclass
class _Used(Generic[Client]):
    client: Client
    in_flight: int = 0


class Clients(Generic[Client]):
    """Hands out the first client that has room, and makes another where none has."""

    def __init__(self, make: Callable[[], Client]) -> None:
        """`make` is called once now, so that what is wrong with its settings shows at once."""
        self._make = make
        self._all = [_Used(make())]

    @property
    def first(self) -> Client:
        return self._all[0].client

    @contextmanager
    def one(self) -> Iterator[Client]:
        used = next((each for each in self._all if each.in_flight < WIDTH), None)
        if used is None:
            used = _Used(self._make())
            self._all.append(used)
        used.in_flight += 1
        try:
            yield used.client
        finally:
            used.in_flight -= 1

    async def close(self) -> None:
        for each in self._all:
            await each.client.close()
