"""A withheld answer is its person's to read and export, and in no history: what a model may read stands for it."""

import datetime as dt
import json
from contextlib import aclosing
from dataclasses import replace
from typing import Any

import pytest

from assist_service.adapters.postgres.exporting import PostgresPersonData
from assist_service.adapters.postgres.sealed_exchanges import COLUMNS, exchange_of, row_of
from assist_service.domain.conversation import CHOSE, LOOKED_UP, Exchange, HistoryWindow, Withheld, window
from assist_service.domain.messages import AssistantText, UserText
from assist_service.domain.person_data import KeptExchange
from assist_service.ports import Binding, SealBroken
from tests.fakes.clocks import START
from tests.postgres.exchanges import ADA, ADMIN, SEALER, Stores, exchange, looked_up
from tests.postgres.rotated import NEW, OLD, Worlds

ANSWER, CHOSEN = "| Ana Canary | 19 |", "Canary class"

LATER = START + dt.timedelta(minutes=1)


async def _both(stores: Stores) -> tuple[Exchange, Exchange]:
    """A lookup that asked back, which begins a conversation, and the choice that went on with it."""
    first = await stores.start(looked_up("Which class?\n\n- Canary class", chosen=None))
    chosen = looked_up(ANSWER, chosen=CHOSEN, conversation_id=first.conversation_id, at=LATER)
    opened = await stores.open(first)
    assert await stores.conversations.add(chosen, lease=opened.lease, finished=None)
    return first, chosen


async def test_its_person_reads_it_and_what_they_chose_and_so_does_an_administrator_who_may(stores: Stores) -> None:
    both = await _both(stores)
    own = await stores.conversations.transcript(ADA, both[0].conversation_id, cursor=None, limit=9)
    read = await stores.audited.transcript(ADMIN, both[0].conversation_id, now=LATER, cursor=None, limit=9)
    for found in (own, read):
        assert found is not None
        assert found.items == both
        assert [(item.shown_question, item.shown_answer) for item in found.items] == [
            ("Who came first?", "Which class?\n\n- Canary class"),
            (CHOSEN, ANSWER),
        ]


async def test_a_conversation_that_a_choice_began_is_called_by_what_was_chosen(stores: Stores) -> None:
    """Its first exchange may have gone by age: what is left of it is a choice."""
    await stores.start(looked_up(ANSWER, chosen=CHOSEN))
    [listed] = (await stores.conversations.listing(ADA, cursor=None, limit=9)).items
    assert listed.title == CHOSEN


async def test_a_history_holds_what_a_model_may_read_in_its_place(stores: Stores) -> None:
    first, _ = await _both(stores)
    history = (await stores.open(first, at=LATER)).history
    messages = window(history, HistoryWindow(pairs=6, characters=12_000))
    assert messages == (
        UserText("Who came first?"),
        AssistantText(LOOKED_UP),
        UserText(CHOSE),
        AssistantText(LOOKED_UP),
    )
    assert "anary" not in str(messages)


async def test_an_export_has_it(stores: Stores) -> None:
    await _both(stores)
    told: list[Any] = []
    async with aclosing(PostgresPersonData(stores.pool, SEALER).export(ADA, actor="back-end", now=LATER)) as batches:
        async for field, rows in batches:
            told += rows if field == "exchanges" else ()
    assert all(isinstance(each, KeptExchange) for each in told)
    assert [(each.question, each.answer) for each in told] == [
        ("Who came first?", "Which class?\n\n- Canary class"),
        (CHOSEN, ANSWER),
    ]


async def test_a_rotation_reaches_it_and_leaves_it_as_it_was(stores: Stores) -> None:
    worlds = Worlds(stores.pool)
    before, after = worlds.stores(OLD), worlds.stores(NEW)
    both = await _both(before)
    with pytest.raises(SealBroken):
        await after.conversations.transcript(ADA, both[0].conversation_id, cursor=None, limit=9)
    changed, unopened = (await worlds.rotated(NEW, OLD))["exchanges.sealed"]
    assert (changed, unopened) == (2, 0)
    read = await after.conversations.transcript(ADA, both[0].conversation_id, cursor=None, limit=9)
    assert read is not None
    assert read.items == both
    assert read.items[1].withheld == Withheld(ANSWER, CHOSEN)


async def test_an_erasure_leaves_nothing_of_it(stores: Stores) -> None:
    await _both(stores)
    people = PostgresPersonData(stores.pool, SEALER)
    await people.erase(ADA, actor="back-end", now=LATER)
    assert await stores.count("exchanges") == 0
    assert set((await people.count(ADA)).values()) == {0}


def _words_of(kept: Exchange) -> dict[str, Any]:
    """What is sealed of an exchange."""
    columns: Any = dict(zip(COLUMNS.split(", "), row_of(kept, SEALER), strict=True))
    words: dict[str, Any] = json.loads(SEALER.open(columns["sealed"], key_id=columns["key_id"], binding=_of(kept)))
    return words


def _read(kept: Exchange, words: dict[str, Any]) -> Exchange:
    """The exchange of a row with other words under its seal."""
    columns: Any = dict(zip(COLUMNS.split(", "), row_of(kept, SEALER), strict=True))
    _, columns["sealed"] = SEALER.seal(json.dumps(words).encode(), _of(kept))
    return exchange_of(columns, SEALER)


def _of(kept: Exchange) -> Binding:
    return Binding(table="exchanges", row=str(kept.id), owner=kept.owner)


@pytest.mark.parametrize("chosen", [None, CHOSEN])
def test_a_release_that_knows_of_no_withheld_words_reads_the_placeholder(chosen: str | None) -> None:
    """While two releases run side by side, the older one shows and sends only what it knows of."""
    kept = looked_up(ANSWER, chosen=chosen)
    words = _words_of(kept)
    assert words.pop("withheld") == {"answer": ANSWER, "chosen": chosen}
    assert "anary" not in json.dumps(words)
    assert (words["question"], words["answer"]) == ("Who came first?" if chosen is None else CHOSE, LOOKED_UP)
    assert _read(kept, words).shown_answer == LOOKED_UP


def test_a_row_written_before_there_were_any_has_none() -> None:
    kept = exchange()
    words = _words_of(kept)
    assert words.pop("withheld") is None
    assert _read(kept, words) == replace(kept, withheld=None)
