"""Every table is about nobody, or known to export and to erase, column by column (S4)."""

from collections.abc import Iterable, Mapping

import pytest
from sqlalchemy import Column, MetaData, Table, Text

from assist_service.adapters.postgres.exporting import PARTS
from assist_service.adapters.postgres.persons import PERSONS
from assist_service.adapters.postgres.tables import METADATA
from assist_service.domain.person_data import PersonDocument

ABOUT_NOBODY: Mapping[str, str] = {
    "llm_days": "sums of a day",
    "erasures": "a digest of who was erased, kept so that they stay erased, and for little more than an hour",
    "manual_publications": "the manual",
    "manual_sections": "the manual",
    "manual_vectors": "the manual",
    "manual_switches": "the manual",
    "manual_withdrawn": "the manual",
    "manual_withdrawals": "the manual",
}

PEOPLE = frozenset({"owner", "person", "actor", "subject"})
"""What a column is called that holds somebody's id."""

ITSELF = "is the person, whom the document names once"
INTERNAL = "says which process holds the row at the moment"
OPENED = "stands opened in other fields"

UNTOLD: Mapping[str, Mapping[str, str]] = {
    "conversations": {"owner": ITSELF, "lease": INTERNAL, "lease_until": INTERNAL},
    "exchanges": {"owner": ITSELF, "key_id": OPENED},
    "idempotent_replies": {
        "owner": ITSELF,
        "token": INTERNAL,
        "lease_until": INTERNAL,
        "key_id": OPENED,
        "reply_key_id": OPENED,
        "sealed_reply": OPENED,
        "sealed_body_digest": "a digest of the question, whose words stand in its exchange",
    },
    "pending_writes": {"owner": ITSELF, "lease": INTERNAL, "lease_until": INTERNAL, "key_id": OPENED},
    "question_rates": {"person": ITSELF},
    "llm_calls": {"person": ITSELF, "lease_until": INTERNAL},
    "audit": {"id": "says nothing"},
}
"""Columns that the export has not under their own name, and why."""


def faults_of(tables: Iterable[Table]) -> list[str]:
    """What export and erasure do not know of these tables."""
    models = {part.table: part.model for part in PARTS.values()}
    faults: list[str] = []
    for table in tables:
        columns = set(table.columns.keys())
        if table.name in ABOUT_NOBODY:
            faults += [f"{table.name}.{name} is about somebody" for name in columns & PEOPLE]
            continue
        if table.name not in models:
            faults.append(f"{table.name} is not exported")
            continue
        if table.name not in PERSONS:
            faults.append(f"{table.name} is not erased")
        named = {whose.column for whose in PERSONS.get(table.name, ())}
        faults += [f"{table.name}.{name} is not erased" for name in sorted(columns & PEOPLE - named)]
        known = set(models[table.name].model_fields) | set(UNTOLD[table.name])
        faults += [f"{table.name}.{name} is not exported" for name in sorted(columns - known)]
    return faults


def test_every_table_and_column_is_known() -> None:
    assert faults_of(METADATA.tables.values()) == []
    assert set(ABOUT_NOBODY) | set(PERSONS) == set(METADATA.tables)


def test_the_document_has_a_list_for_each_table_about_people() -> None:
    assert list(PersonDocument.model_fields)[2:] == list(PARTS)
    assert {part.table for part in PARTS.values()} == set(PERSONS)


def test_nothing_is_excused_that_is_not_there() -> None:
    for table, columns in UNTOLD.items():
        assert set(columns) <= set(METADATA.tables[table].columns.keys())


@pytest.mark.parametrize(
    ("table", "fault"),
    [
        (Table("notes", MetaData(), Column("owner", Text)), "notes is not exported"),
        (Table("notes", MetaData(), Column("words", Text)), "notes is not exported"),
        (Table("llm_days", MetaData(), Column("person", Text)), "llm_days.person is about somebody"),
        (Table("audit", MetaData(), Column("words", Text)), "audit.words is not exported"),
        (Table("llm_calls", MetaData(), Column("owner", Text)), "llm_calls.owner is not erased"),
    ],
)
def test_a_new_one_fails(table: Table, fault: str) -> None:
    assert faults_of([table])[0] == fault
