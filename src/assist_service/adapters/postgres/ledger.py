"""The day's money in Postgres: one conditional statement reserves, one settles, exact over all processes."""

import datetime as dt

import asyncpg

from assist_service.domain.budget import ASSIST, Allowance
from assist_service.domain.messages import Usage
from assist_service.domain.outcomes import Bound
from assist_service.ports import CallOrigin, Exhausted, PurposeMoney, Reservation

# Share before cap, both under the row lock that the upsert takes: that is what makes it exact. The SELECT of
# the answer sees the day as it was before: enough to say whether waiting for others may help, and what was met.
_RESERVE = """
WITH admitted AS (
    INSERT INTO llm_days AS d (day, reserved_micros, chat_reserved_micros)
    SELECT $1::date, $2::bigint, $3::bigint
    WHERE $3 <= $5::bigint AND $2 <= $4::bigint
    ON CONFLICT (day) DO UPDATE
    SET reserved_micros = d.reserved_micros + $2, chat_reserved_micros = d.chat_reserved_micros + $3
    WHERE d.chat_spent_micros + d.chat_reserved_micros + $3 <= $5
      AND d.spent_micros + d.reserved_micros + $2 <= $4
    RETURNING d.day
), call AS (
    INSERT INTO llm_calls
        (id, day, purpose, model, person, question_id, reserved_at, lease_until, worst_micros)
    SELECT gen_random_uuid(), day, $6, $7, $8, $9, $10, $11, $2 FROM admitted
    RETURNING id
)
SELECT (SELECT id FROM call) AS id,
       coalesce(before.spent_micros, 0) AS spent,
       coalesce(before.reserved_micros, 0) AS reserved,
       coalesce(before.chat_spent_micros, 0) AS chat_spent,
       coalesce(before.chat_reserved_micros, 0) AS chat_reserved
FROM (SELECT) AS always LEFT JOIN llm_days AS before ON before.day = $1
"""

# It waits for no disk, nor does the next request behind it: what a crash of the database forgets of it is a
# reservation that still stands, and is settled at its worst. A reservation waits, and with it all that came before.
_SETTLE = """
WITH unwaited AS (
    SELECT set_config('synchronous_commit', 'off', true)
), call AS (
    UPDATE llm_calls
    SET settled_at = $2, outcome = $3, cost_micros = $4, input_tokens = $5, cached_input_tokens = $6,
        cache_write_tokens = $7, output_tokens = $8
    FROM unwaited
    WHERE id = $1 AND settled_at IS NULL
    RETURNING day, worst_micros, CASE WHEN purpose = 'assist' THEN 1 ELSE 0 END AS chat
)
UPDATE llm_days AS d
SET reserved_micros = d.reserved_micros - call.worst_micros,
    spent_micros = d.spent_micros + $4,
    chat_reserved_micros = d.chat_reserved_micros - call.worst_micros * call.chat,
    chat_spent_micros = d.chat_spent_micros + $4::bigint * call.chat
FROM call WHERE d.day = call.day
"""

_SETTLE_DEAD = """
WITH dead AS (
    UPDATE llm_calls SET settled_at = $1, outcome = 'left_behind', cost_micros = worst_micros
    WHERE settled_at IS NULL AND lease_until < $1
    RETURNING day, worst_micros, CASE WHEN purpose = 'assist' THEN worst_micros ELSE 0 END AS chat_micros
), sums AS (
    SELECT day, sum(worst_micros) AS micros, sum(chat_micros) AS chat_micros, count(*) AS calls
    FROM dead GROUP BY day
), settled AS (
    UPDATE llm_days AS d
    SET reserved_micros = d.reserved_micros - sums.micros,
        spent_micros = d.spent_micros + sums.micros,
        chat_reserved_micros = d.chat_reserved_micros - sums.chat_micros,
        chat_spent_micros = d.chat_spent_micros + sums.chat_micros
    FROM sums WHERE d.day = sums.day
)
SELECT coalesce(sum(calls), 0)::int FROM sums
"""

_NOTE_CAP_REFUSED = """
INSERT INTO llm_calls
    (id, day, purpose, model, person, question_id, reserved_at, lease_until, worst_micros, settled_at, outcome,
     cost_micros)
VALUES (gen_random_uuid(), $1, $2, $3, $4, $5, $6, $6, $7, $6, 'cap_refused', 0)
"""

# A share refused leaves no row and is no fault; a cap refused leaves one (row A4).
_CAP_REFUSED = "SELECT EXISTS (SELECT FROM llm_calls WHERE day = $1 AND outcome = 'cap_refused')"

_MONEY_OF = """
SELECT purpose, coalesce(sum(cost_micros), 0)::bigint AS spent_micros,
       coalesce(sum(worst_micros) FILTER (WHERE settled_at IS NULL), 0)::bigint AS reserved_micros
FROM llm_calls WHERE day = $1 GROUP BY purpose
"""

_UNBOUND = 2**62
"""Stands for "no bound of its own" in a purpose's allowance."""


class PostgresLedger:
    """Implements ports.Ledger."""

    def __init__(self, pool: asyncpg.Pool) -> None:
        self._pool = pool

    async def reserve(
        self,
        origin: CallOrigin,
        *,
        worst_micros: int,
        allowance: Allowance,
        day: dt.date,
        now: dt.datetime,
        lease_until: dt.datetime,
    ) -> Reservation | Exhausted:
        chat_micros = worst_micros if origin.purpose == ASSIST else 0
        purpose_bound = _UNBOUND if allowance.purpose_micros is None else allowance.purpose_micros
        row = await self._pool.fetchrow(
            _RESERVE,
            day,
            worst_micros,
            chat_micros,
            allowance.day_micros,
            purpose_bound,
            origin.purpose,
            origin.model,
            origin.person,
            origin.question_id,
            now,
            lease_until,
        )
        assert row is not None
        if row["id"] is not None:
            return Reservation(row["id"], worst_micros)
        day_room = allowance.day_micros - row["spent"] - worst_micros
        purpose_room = purpose_bound - row["chat_spent"] - chat_micros
        return Exhausted(
            fits_once_settled=day_room >= 0 and purpose_room >= 0,
            bound=_bound_met(day_room - row["reserved"], purpose_room - row["chat_reserved"]),
        )

    async def settle(
        self,
        reservation: Reservation,
        *,
        cost_micros: int,
        usage: Usage | None,
        outcome: str,
        now: dt.datetime,
    ) -> None:
        counted = (
            (usage.input_tokens, usage.cached_input_tokens, usage.cache_write_tokens, usage.output_tokens)
            if usage is not None
            else (None, None, None, None)
        )
        await self._pool.execute(_SETTLE, reservation.id, now, outcome, cost_micros, *counted)

    async def note_cap_refused(self, origin: CallOrigin, *, worst_micros: int, day: dt.date, now: dt.datetime) -> None:
        await self._pool.execute(
            _NOTE_CAP_REFUSED,
            day,
            origin.purpose,
            origin.model,
            origin.person,
            origin.question_id,
            now,
            worst_micros,
        )

    async def settle_dead(self, *, now: dt.datetime) -> int:
        settled = await self._pool.fetchval(_SETTLE_DEAD, now)
        assert isinstance(settled, int)
        return settled

    async def money_of(self, day: dt.date) -> tuple[PurposeMoney, ...]:
        return tuple(PurposeMoney(**row) for row in await self._pool.fetch(_MONEY_OF, day))

    async def cap_refused(self, day: dt.date) -> bool:
        """Whether a request met the day's cap."""
        return bool(await self._pool.fetchval(_CAP_REFUSED, day))


def _bound_met(day_room: int, purpose_room: int) -> Bound:
    """Share before cap. Where another's request took the room meanwhile neither is below 0: the closer one was it."""
    if purpose_room < 0:
        return Bound.SHARE
    if day_room < 0:
        return Bound.CAP
    return Bound.SHARE if purpose_room <= day_room else Bound.CAP
