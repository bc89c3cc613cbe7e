"""A pending write is taken, ended and cancelled as its state allows, by whose it is (rows A16 to A18, B4)."""

import datetime as dt
import uuid

import pytest

from assist_service.domain.writes import CONFIRMING, PENDING, REPEATABLE, WriteState
from assist_service.ports import Taken
from tests.fakes.clocks import START
from tests.postgres.exchanges import ADA, BOB, Stores
from tests.postgres.prepared import (
    ARRANGED,
    LATER,
    MOMENT,
    arranged,
    cancel,
    end,
    prepare,
    row_of,
    send,
    take,
    try_take,
)

NOT, FIRST, REPEATED = None, False, True
"""What a take has: nothing, a write never sent, or one that may have been."""

NOW = dt.timedelta(0)

# Where it stands, how long after START a confirm comes, what the confirm has, whether a cancel there forgets it.
MOVES = [
    ("pending", NOW, FIRST, True),
    ("pending", PENDING - MOMENT, FIRST, True),
    ("pending", PENDING, NOT, False),
    ("confirming, not sent", NOW, NOT, False),
    ("confirming, not sent", CONFIRMING - MOMENT, NOT, False),
    ("confirming, not sent", CONFIRMING, FIRST, True),
    ("confirming, not sent", PENDING - MOMENT, FIRST, True),
    ("confirming, not sent", PENDING, NOT, False),
    ("confirming", NOW, NOT, False),
    ("confirming", CONFIRMING - MOMENT, NOT, False),
    ("confirming", CONFIRMING, REPEATED, False),
    ("confirming", PENDING, REPEATED, False),
    ("confirming", REPEATABLE - MOMENT, REPEATED, False),
    ("confirming", REPEATABLE, NOT, False),
    ("done", NOW, NOT, False),
    ("done", CONFIRMING, NOT, False),
    ("refused", NOW, NOT, False),
    ("refused", CONFIRMING, NOT, False),
    ("unknown", NOW, REPEATED, False),
    ("unknown", PENDING, REPEATED, False),
    ("unknown", REPEATABLE - MOMENT, REPEATED, False),
    ("unknown", REPEATABLE, NOT, False),
    ("unknown, then done", CONFIRMING, NOT, False),
    ("unknown again nine minutes later", REPEATABLE - MOMENT, REPEATED, False),
    ("unknown again nine minutes later", REPEATABLE, NOT, False),
    ("cancelled", NOW, NOT, False),
    ("given back", NOW, FIRST, True),
    ("given back", PENDING - MOMENT, FIRST, True),
    ("given back", PENDING, NOT, False),
    ("given back, unknown nine minutes later", LATER, REPEATED, False),
    ("given back, unknown nine minutes later", LATER + REPEATABLE - MOMENT, REPEATED, False),
    ("given back, unknown nine minutes later", LATER + REPEATABLE, NOT, False),
    ("unknown, then given back", NOW, REPEATED, False),
    ("unknown, then given back", PENDING, REPEATED, False),
    ("unknown, then given back", REPEATABLE, NOT, False),
    ("left by a dead process, then given back", CONFIRMING, REPEATED, False),
    ("left by a dead process, then given back", PENDING, REPEATED, False),
    ("left by a dead process, then given back", REPEATABLE, NOT, False),
]

NAMES = [f"{name}, after {after}" for name, after, _, _ in MOVES]


async def entries_of(stores: Stores) -> list[tuple[object, ...]]:
    rows = await stores.pool.fetch(
        "SELECT at, actor, action, subject, conversation_id, tool, outcome FROM audit ORDER BY at, action"
    )
    return [tuple(row) for row in rows]


def test_no_place_a_write_can_stand_in_is_left_out() -> None:
    assert {name for name, _, _, _ in MOVES} == set(ARRANGED)


@pytest.mark.parametrize(("name", "after", "expected", "_"), MOVES, ids=NAMES)
async def test_a_confirm_has_what_may_be_sent_and_says_whether_it_may_have_been(
    stores: Stores, name: str, after: dt.timedelta, expected: bool | None, _: bool
) -> None:
    write = await arranged(stores, name)
    before, entries = await row_of(stores, write), await stores.count("audit")
    taken = await try_take(stores, write, START + after)
    assert (None if taken is None else taken.is_repeated) is expected
    if taken is None:
        assert await row_of(stores, write) == before
        assert await stores.count("audit") == entries
    else:
        assert taken.write == write
        assert await try_take(stores, write, START + after) is None


@pytest.mark.parametrize(("name", "after", "_", "expected"), MOVES, ids=NAMES)
async def test_a_cancel_forgets_what_was_never_sent_and_nothing_else(
    stores: Stores, name: str, after: dt.timedelta, _: bool | None, expected: bool
) -> None:
    write = await arranged(stores, name)
    before, entries = await row_of(stores, write), await stores.count("audit")
    assert await cancel(stores, write, START + after) is expected
    assert await stores.count("audit") == entries
    row = await row_of(stores, write)
    if expected:
        assert row is not None
        assert (row["state"], row["sealed"], row["key_id"]) == ("cancelled", None, None)
        assert await try_take(stores, write, START + after) is None
    else:
        assert row == before


@pytest.mark.parametrize("name", ["pending", "unknown"])
async def test_a_write_of_another_person_or_conversation_or_that_never_was_is_not_there(
    stores: Stores, name: str
) -> None:
    hers, other, his = await arranged(stores, name), await prepare(stores), await prepare(stores, BOB)
    places = [
        (BOB, hers.conversation_id, hers.id),
        (BOB, his.conversation_id, hers.id),
        (ADA, other.conversation_id, hers.id),
        (ADA, hers.conversation_id, other.id),
        (ADA, hers.conversation_id, uuid.uuid4()),
        (ADA, uuid.uuid4(), hers.id),
    ]
    before, entries = await row_of(stores, hers), await stores.count("audit")
    for place in places:
        assert await stores.pending.take(*place, now=START) is None
        assert not await stores.pending.cancel(*place, now=START)
    assert await row_of(stores, hers) == before
    assert await stores.count("audit") == entries
    assert await try_take(stores, hers) is not None


async def test_a_confirm_and_its_outcome_are_entered_each_for_itself(stores: Stores) -> None:
    write = await prepare(stores)
    taken = await send(stores, write)
    about = ("assistant", "assist.confirm", ADA, write.conversation_id, "link_pool_to_course", None)
    assert await entries_of(stores) == [(START, *about)]
    await stores.pending.end(taken, WriteState.UNKNOWN, now=START + MOMENT)
    await end(stores, write, WriteState.DONE, START + 2 * MOMENT)
    assert [(row[0], row[2], row[6]) for row in await entries_of(stores)] == [
        (START, "assist.confirm", None),
        (START + MOMENT, "assist.write", "unknown"),
        (START + 2 * MOMENT, "assist.confirm", None),
        (START + 2 * MOMENT, "assist.write", "done"),
    ]
    assert {(row[1], *row[3:6]) for row in await entries_of(stores)} == {(about[0], *about[2:5])}


@pytest.mark.parametrize(
    ("state", "stands", "kept", "entered"),
    [
        (WriteState.DONE, "done", False, ["done"]),
        (WriteState.REFUSED, "refused", False, ["refused"]),
        (WriteState.UNKNOWN, "unknown", True, ["unknown"]),
        (WriteState.PENDING, "pending", True, []),
    ],
)
async def test_an_end_is_entered_once_and_keeps_the_arguments_only_where_they_may_be_sent_again(
    stores: Stores, state: WriteState, stands: str, kept: bool, entered: list[str]
) -> None:
    write = await prepare(stores)
    taken = await send(stores, write)
    assert await stores.pending.end(taken, state, now=START)
    row = await row_of(stores, write)
    assert row is not None
    assert (row["state"], row["lease"], row["lease_until"]) == (stands, None, None)
    assert (row["sealed"] is not None, row["key_id"] is not None) == (kept, kept)
    assert row["sent_at"] == (None if stands == "pending" else START)
    assert not await stores.pending.end(taken, state, now=START)
    outcomes = [outcome for *_, action, _, _, _, outcome in await entries_of(stores) if action == "assist.write"]
    assert outcomes == entered


@pytest.mark.parametrize("state", [WriteState.CONFIRMING, WriteState.CANCELLED])
async def test_a_confirm_ends_as_nothing_else(stores: Stores, state: WriteState) -> None:
    write = await prepare(stores)
    taken = await send(stores, write)
    with pytest.raises(ValueError, match="does not end as"):
        await stores.pending.end(taken, state, now=START)
    assert await stores.pending.end(taken, WriteState.DONE, now=START)


@pytest.mark.parametrize("state", [WriteState.DONE, WriteState.REFUSED, WriteState.UNKNOWN, WriteState.PENDING])
async def test_a_confirm_whose_lease_another_has_ends_nothing(stores: Stores, state: WriteState) -> None:
    write = await prepare(stores)
    slow = await send(stores, write)
    quick = await send(stores, write, START + CONFIRMING)
    before, entries = await row_of(stores, write), await stores.count("audit")
    assert not await stores.pending.end(slow, state, now=START + CONFIRMING)
    assert (await row_of(stores, write), await stores.count("audit")) == (before, entries)
    assert await stores.pending.end(quick, WriteState.DONE, now=START + CONFIRMING)
    assert not await stores.pending.end(slow, state, now=START + CONFIRMING)


async def test_a_slow_confirm_that_nobody_followed_still_ends(stores: Stores) -> None:
    write = await prepare(stores)
    slow = await send(stores, write)
    assert await stores.pending.end(slow, WriteState.DONE, now=START + 2 * CONFIRMING)
    assert await try_take(stores, write, START + 2 * CONFIRMING) is None


async def test_a_token_that_was_never_given_ends_nothing(stores: Stores) -> None:
    write = await prepare(stores)
    taken = await send(stores, write)
    for state in (WriteState.DONE, WriteState.PENDING):
        assert not await stores.pending.end(Taken(write, uuid.uuid4(), False), state, now=START)
    assert await stores.pending.end(taken, WriteState.DONE, now=START)


async def test_deleting_a_conversation_takes_its_writes_along_and_what_became_of_one_is_still_entered(
    stores: Stores,
) -> None:
    write, other = await prepare(stores), await prepare(stores)
    taken = await send(stores, write)
    assert await stores.conversations.delete(ADA, write.conversation_id, now=START)
    assert [row["id"] for row in await stores.pool.fetch("SELECT id FROM pending_writes")] == [other.id]
    assert await try_take(stores, write, START + CONFIRMING) is None
    assert not await stores.pending.end(taken, WriteState.PENDING, now=START)
    assert await stores.pending.end(taken, WriteState.DONE, now=START)
    told = ("assistant", "assist.write", ADA, write.conversation_id, "link_pool_to_course", "done")
    assert (START, *told) in await entries_of(stores)


async def test_a_slow_confirm_of_a_write_that_was_cancelled_meanwhile_sends_nothing(stores: Stores) -> None:
    write = await prepare(stores)
    slow = await take(stores, write)
    assert not await cancel(stores, write)
    assert await cancel(stores, write, START + CONFIRMING)
    assert not await stores.pending.sending(slow, now=START)
    assert await try_take(stores, write, START + CONFIRMING) is None


async def test_a_confirm_whose_lease_is_over_sends_nothing(stores: Stores) -> None:
    write = await prepare(stores)
    slow = await take(stores, write)
    assert not await stores.pending.sending(slow, now=START + CONFIRMING)
    quick = await take(stores, write, START + CONFIRMING)
    assert not quick.is_repeated
    assert not await stores.pending.sending(slow, now=START + CONFIRMING)
    assert await stores.pending.sending(quick, now=START + CONFIRMING)
    row = await row_of(stores, write)
    assert row is not None
    assert row["sent_at"] == START + CONFIRMING
