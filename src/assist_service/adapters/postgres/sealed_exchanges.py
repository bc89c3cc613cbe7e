"""An exchange to a row and back: question and answer sealed, bound to the row and its owner."""

import json
import uuid
from collections.abc import Mapping, Sequence
from typing import Any

import asyncpg

from assist_service.domain.citations import Citation
from assist_service.domain.conversation import Exchange, Kind, Withheld
from assist_service.domain.placeholders import KnownName, Names
from assist_service.ports import Binding, SealBroken, Sealer

COLUMNS = (
    "id, conversation_id, owner, at, kind, language, route, topic, model, corpus_version, citations, key_id, sealed"
)

VALUES = "$1::uuid, $2::uuid, $3::text, $4::timestamptz, $5, $6, $7, $8, $9, $10, $11::jsonb, $12, $13"
"""The parameters of COLUMNS, as `row_of` has them."""


def _binding(exchange_id: object, owner: str) -> Binding:
    return Binding(table="exchanges", row=str(exchange_id), owner=owner)


def row_of(exchange: Exchange, sealer: Sealer) -> Sequence[Any]:
    """The values of COLUMNS."""
    words = json.dumps(
        {
            "conversation": str(exchange.conversation_id),
            "question": exchange.question,
            "answer": exchange.answer,
            "names": _names_row(exchange.names),
            "withheld": _withheld_row(exchange.withheld),
        }
    ).encode()
    key_id, sealed = sealer.seal(words, _binding(exchange.id, exchange.owner))
    return (
        exchange.id,
        exchange.conversation_id,
        exchange.owner,
        exchange.at,
        exchange.kind.value,
        exchange.language,
        exchange.route,
        exchange.topic,
        exchange.model,
        exchange.corpus_version,
        json.dumps([_citation_row(citation) for citation in exchange.citations]),
        key_id,
        sealed,
    )


def exchange_of(row: asyncpg.Record | Mapping[str, Any], sealer: Sealer) -> Exchange:
    """The exchange of a row. Raises SealBroken when the row was tampered with, or is of a kind not known here."""
    words = json.loads(sealer.open(row["sealed"], key_id=row["key_id"], binding=_binding(row["id"], row["owner"])))
    # The seal binds row and owner. One written before the conversation was among the words has none.
    if words.get("conversation") not in (None, str(row["conversation_id"])):
        raise SealBroken("of another conversation")
    try:
        kind, citations = Kind(row["kind"]), citations_of(row)
    except (TypeError, ValueError) as error:
        raise SealBroken("no such kind, or no citations") from error
    return Exchange(
        id=row["id"],
        conversation_id=row["conversation_id"],
        owner=row["owner"],
        at=row["at"],
        kind=kind,
        language=row["language"],
        route=row["route"],
        topic=row["topic"],
        model=row["model"],
        corpus_version=row["corpus_version"],
        question=words["question"],
        answer=words["answer"],
        citations=citations,
        names=_names_of(words.get("names")),
        withheld=_withheld_of(words.get("withheld")),
    )


def citations_of(row: asyncpg.Record | Mapping[str, Any]) -> tuple[Citation, ...]:
    """The citations of a row, which are not sealed."""
    return tuple(Citation(**citation) for citation in json.loads(row["citations"]))


def _names_row(names: Names | None) -> dict[str, object] | None:
    if names is None:
        return None
    return {
        "tag": names.tag,
        "people": [[number, str(known.person), known.name] for number, known in names.people.items()],
        "former": [[str(known.person), known.name] for known in names.former],
        "given": names.given,
    }


def _names_of(row: Any) -> Names | None:
    """The names of a row; one written before there were any has none."""
    match row:
        case None:
            return None
        case {"tag": tag, "people": people, "former": former, "given": given}:
            numbered = {number: _known(person, name) for number, person, name in people}
            return Names(tag, numbered, tuple(_known(*each) for each in former), given)
        case [tag, people, *rest]:  # everyone of the conversation, in order; the oldest without former names
            numbered = {number: _known(*each) for number, each in enumerate(people, start=1)}
            return Names(tag, numbered, tuple(_known(*each) for former in rest for each in former), len(numbered))
    raise ValueError("names of a form that no release wrote")


def _withheld_row(withheld: Withheld | None) -> dict[str, str | None] | None:
    return None if withheld is None else {"answer": withheld.answer, "chosen": withheld.chosen}


def _withheld_of(row: Any) -> Withheld | None:
    """What no model reads; a row written before there was any has none."""
    return None if row is None else Withheld(answer=row["answer"], chosen=row["chosen"])


def _known(person: str, name: str) -> KnownName:
    return KnownName(uuid.UUID(person), name)


def _citation_row(citation: Citation) -> dict[str, object]:
    return {
        "marker": citation.marker,
        "publication": citation.publication,
        "section": citation.section,
        "page": citation.page,
        "title": citation.title,
    }
