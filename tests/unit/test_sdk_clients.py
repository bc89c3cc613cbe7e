"""The first client takes what there is while it has room; others are made when it has not, and all are closed."""

from contextlib import ExitStack

import pytest

from assist_service.adapters.models.clients import WIDTH, Clients


class CountedClient:
    made = 0

    def __init__(self) -> None:
        CountedClient.made += 1
        self.is_closed = False

    async def close(self) -> None:
        self.is_closed = True


async def test_the_first_is_used_while_it_has_room_and_again_once_it_has() -> None:
    CountedClient.made = 0
    clients = Clients(CountedClient)
    first = clients.first
    with ExitStack() as stack:
        taken = [stack.enter_context(clients.one()) for _ in range(WIDTH)]
        assert {id(client) for client in taken} == {id(first)}
        with clients.one() as second, clients.one() as third:
            assert second is third is not first
    with clients.one() as again:
        assert again is first
    assert CountedClient.made == 2

    await clients.close()

    assert first.is_closed
    assert second.is_closed


async def test_a_request_that_fails_gives_its_place_back() -> None:
    clients = Clients(CountedClient)
    for _ in range(WIDTH + 1):
        with pytest.raises(ValueError, match="lost"), clients.one() as client:
            raise ValueError("lost")
        assert client is clients.first
