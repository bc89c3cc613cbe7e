"""Writes what lookups found as Markdown."""

import datetime as dt
from collections.abc import Sequence

from assist_service.domain.live.finding import Called, Looked, Unclear
from assist_service.domain.screens import Language


class BabelWording:
    """Implements ports.LiveWording."""

    def __init__(self, zone: dt.tzinfo) -> None:
        self._zone = zone

    def answer(self, looked: Sequence[Looked], *, language: Language, at: dt.datetime) -> str:
        lines: list[str] = []
        for each in looked:
            if isinstance(each, Unclear):
                lines.append(f"Which {each.kind.value}?")
                continue
            lines += [f"{said.say.value} {said.count}" for said in each.said]
            if each.table is not None:
                lines.append("| " + " | ".join(each.table.columns) + " |")
                lines.append("|" + "---|" * len(each.table.columns))
                lines += [
                    "| " + " | ".join(c.text if isinstance(c, Called) else str(c) for c in row.cells) + " |"
                    for row in each.table.rows
                ]
        return "\n".join(lines)
