"""Which rows are a person's, said once: counting, exporting and erasing are made of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from assist_service.domain.person_data import ERASED

NOT_BY_PEOPLE = frozenset({"assist.confirm", "assist.write", "assist.export", "assist.erase"})
"""Audit entries whose actor is `assistant`, a back end or the operator, and a back end may be named as a person is."""

_NAMED = ", ".join(f"'{action}'" for action in sorted(NOT_BY_PEOPLE))


@dataclass(frozen=True)
class Whose:
    """A column that holds a person's id, and what an erasure makes of a row in which it is theirs."""

    column: str
    only: str = "true"
    """The rows in which it names a person, where others name a service."""
    stays: bool = False
    """The row is needed without them, and their id is blanked; else it is deleted."""


PERSONS: Mapping[str, Sequence[Whose]] = {
    # Whatever the foreign keys say: a row that was moved to another's conversation is still its owner's.
    "conversations": (Whose("owner"),),
    "exchanges": (Whose("owner"),),
    "idempotent_replies": (Whose("owner"),),
    "pending_writes": (Whose("owner"),),
    "question_rates": (Whose("person"),),
    "llm_calls": (Whose("person", only="purpose = 'assist'", stays=True),),
    "audit": (
        Whose("subject"),
        Whose("actor", only=f"action NOT IN ({_NAMED})", stays=True),
    ),
}
"""By table, in the order of an erasure."""


def theirs(table: str) -> str:
    """The condition under which a row is $1's."""
    return " OR ".join(f"({whose.column} = $1 AND {whose.only})" for whose in PERSONS[table])


def count_of(table: str) -> str:
    return f"SELECT count(*) FROM {table} WHERE {theirs(table)}"  # noqa: S608 constants


def erase_of(table: str, whose: Whose) -> str:
    """Deletes or blanks $1's rows of one column."""
    return f"{_made_of(table, whose)} WHERE {whose.column} = $1 AND {whose.only}"


def erase_noted(table: str, whose: Whose, late: str) -> str:
    """The same for everybody whose erasure is noted, in the rows `t` that are `late` after the note `e`."""
    notes = "FROM erasures AS e" if whose.stays else "USING erasures AS e"
    return f"{_made_of(table, whose)} {notes} WHERE {digest_in('t.' + whose.column)} = e.person_digest" + (
        f" AND {whose.only} AND {late}"
    )


def digest_in(column: str) -> str:
    """The digest under which the erasure is noted of whom the column names."""
    return f"encode(sha256(convert_to({column}, 'UTF8')), 'hex')"


def _made_of(table: str, whose: Whose) -> str:
    if whose.stays:
        return f"UPDATE {table} AS t SET {whose.column} = '{ERASED}'"  # noqa: S608 constants
    return f"DELETE FROM {table} AS t"  # noqa: S608 constants


ANY = f"SELECT {' OR '.join(f'EXISTS (SELECT FROM {table} WHERE {theirs(table)})' for table in PERSONS)}"  # noqa: S608
"""Whether there is anything of $1."""
