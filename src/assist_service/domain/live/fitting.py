"""An answer of the service is written whole: what would not fit is left out before, row by row, and counted.

Whatever cleans an answer cuts a longer one anywhere. So the findings are cut, and with them what can be asked on about.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

from assist_service.domain.live.finding import Finding, Looked, Say, Sentence, Unclear

MOST_CHARACTERS = 19_500
"""Of all that lookups found for one question, as it is written: below where an answer is cut (`domain/answer.py`)."""

MOST_BLOCKS = 4_800
"""Blocks of the tables of one answer, as its renderer counts them: it takes no text of more than 5,000."""

_BLOCKS_OF_A_CELL = 3
_BLOCKS_OF_A_ROW = 2


def fitted(looked: Sequence[Looked], write: Callable[[Sequence[Looked]], str]) -> tuple[tuple[Looked, ...], str]:
    """The findings with as many rows and options as fit, the same most for each, and how `write` words them.

    What is left out is added to `more`. With not even one row too long, it is no finding's rows that make it so: they
    are all left out, and nothing else can be.
    """
    whole = tuple(looked)
    if _blocks(whole) <= MOST_BLOCKS and len(text := write(whole)) <= MOST_CHARACTERS:
        return whole, text
    too_many = max(map(_length, whole), default=0)
    fits, best = 0, (kept := tuple(_cut(each, 0) for each in whole), write(kept))
    while too_many - fits > 1:
        tried = (fits + too_many) // 2
        kept = tuple(_cut(each, tried) for each in whole)
        if _blocks(kept) <= MOST_BLOCKS and len(text := write(kept)) <= MOST_CHARACTERS:
            fits, best = tried, (kept, text)
        else:
            too_many = tried
    return best


def _length(looked: Looked) -> int:
    if isinstance(looked, Unclear):
        return len(looked.options)
    return len(looked.table.rows) if looked.table else 0


def _blocks(looked: Sequence[Looked]) -> int:
    tables = [each.table for each in looked if isinstance(each, Finding) and each.table]
    return sum((len(table.rows) + 1) * (_BLOCKS_OF_A_ROW + _BLOCKS_OF_A_CELL * len(table.columns)) for table in tables)


def _cut(looked: Looked, most: int) -> Looked:
    """At most so many rows or options."""
    left_out = _length(looked) - most
    if left_out <= 0:
        return looked
    if isinstance(looked, Unclear):
        return replace(looked, options=looked.options[:most], more=looked.more + left_out)
    assert looked.table is not None
    table = replace(looked.table, rows=looked.table.rows[:most], more=looked.table.more + left_out, is_fitted=True)
    return replace(looked, table=table, said=_said(looked.said, left_out), notes=_said(looked.notes, left_out))


def _said(sentences: Sequence[Sentence], left_out: int) -> tuple[Sentence, ...]:
    """Without what is true no more: rows beyond the limit are the first to go."""
    said = (
        replace(each, count=each.count - left_out) if each.say is Say.TIED and each.count is not None else each
        for each in sentences
    )
    return tuple(each for each in said if each.say is not Say.TIED or (each.count or 0) > 0)
