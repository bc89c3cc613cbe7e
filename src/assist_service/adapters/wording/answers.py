"""Writes what lookups found as Markdown: a heading, sentences, a table, and what is to be known of it."""

import datetime as dt
from collections.abc import Iterator, Sequence
from dataclasses import replace

from assist_service.adapters.wording import messages
from assist_service.adapters.wording.voice import Voice
from assist_service.domain.live.finding import Called, Column, Finding, Looked, Row, Sentence, Table, Unclear
from assist_service.domain.live.query import MOST_ROWS, Query, RecordKind
from assist_service.domain.references import LABEL_CHARACTERS, Listed
from assist_service.domain.screens import Language

TITLES = 3
"""Classes that a heading names; of more it says how many."""

_NUMBERS = frozenset(Column) - {
    *(Column.CLASS, Column.COURSE, Column.STUDENT, Column.EXAM, Column.STATE, Column.OPENS, Column.CLOSES),
}
"""Columns of numbers: their figures stand one under the other."""


class BabelWording:
    """Implements ports.LiveWording."""

    def __init__(self, zone: dt.tzinfo) -> None:
        self._voices = {language: Voice(language, zone) for language in Language}

    def labelled(self, looked: Sequence[Looked], *, language: Language) -> tuple[Looked, ...]:
        return tuple(_labelled(each, self._voices[language]) for each in looked)

    def answer(self, looked: Sequence[Looked], *, language: Language, at: dt.datetime) -> str:
        voice = self._voices[language]
        return "\n\n".join(
            block
            for each in looked
            for block in (_question(each, voice) if isinstance(each, Unclear) else _found(each, voice, at))
        )


def _labelled(looked: Looked, voice: Voice) -> Looked:
    if isinstance(looked, Unclear):
        options = tuple(replace(each, label=voice.label(each.label, looked.kind)) for each in looked.options)
        return replace(looked, options=options)
    table = looked.table
    if table is not None:
        table = replace(table, rows=tuple(_labelled_row(each, voice) for each in table.rows))
    return replace(looked, table=table, about=tuple(_labelled_one(each, voice) for each in looked.about))


def _labelled_row(row: Row, voice: Voice) -> Row:
    return row if row.listed is None else replace(row, listed=_labelled_one(row.listed, voice))


def _labelled_one(listed: Listed, voice: Voice) -> Listed:
    return replace(listed, label=voice.label(listed.label, listed.kind))


def _question(unclear: Unclear, voice: Voice) -> Iterator[str]:
    yield voice.say(messages.WHICH[unclear.kind])
    labels = (voice.plain(each.label, unclear.kind, limit=LABEL_CHARACTERS) for each in unclear.options)
    if options := "\n".join(f"- {label}" for label in labels):
        yield options
    if unclear.more:
        yield voice.say(messages.MORE_OPTIONS, unclear.more)
    if unclear.others:
        others = messages.OTHER_QUESTION if unclear.others == 1 else messages.OTHER_QUESTIONS
        yield voice.say(others, unclear.others)


def _found(finding: Finding, voice: Voice, at: dt.datetime) -> Iterator[str]:
    yield f"**{_heading(finding, voice, at)}**"
    table = finding.table if finding.table is not None and finding.table.rows else None
    if finding.said:
        yield _sentences(finding.said, voice)
    elif table is None:
        yield voice.say(messages.NOTHING_LISTED)
    if table is not None:
        yield _table(table, voice)
    more = [_more(finding.table, finding.query, voice)] if finding.table is not None and finding.table.more else []
    cut = [voice.say(messages.IS_CUT)] if finding.is_cut else []
    if notes := [*(voice.sentence(each) for each in finding.notes), *more, *cut]:
        yield " ".join(notes)


def _sentences(said: Sequence[Sentence], voice: Voice) -> str:
    return " ".join(voice.sentence(each) for each in said)


def _heading(finding: Finding, voice: Voice, at: dt.datetime) -> str:
    """What was answered, of whom or which exam, in which classes, and as of when."""
    query, topic = finding.query, finding.topic
    asked = messages.HEADINGS[query.lookup, query.operation]
    heading = voice.say(asked if topic is None else messages.TOPICS[topic])
    about = [each for each in finding.about if each.kind is not RecordKind.CLASS]
    if about:
        names = voice.several([voice.plain(each.label, each.kind) for each in about])
        heading = voice.say(messages.ABOUT, heading=heading, names=names)
    named = [Called(each.label) for each in finding.about if each.kind is RecordKind.CLASS]
    classes = finding.classes or tuple(named)
    parts = [heading, *([_classes(classes, voice)] if classes else []), voice.as_of(at)]
    return " · ".join(parts)


def _classes(classes: Sequence[Called], voice: Voice) -> str:
    titles = voice.several([voice.plain(each.text, RecordKind.CLASS) for each in classes[:TITLES]])
    if more := len(classes[TITLES:]):
        titles = voice.say(messages.MORE_CLASSES, more, titles=titles)
    return voice.say(messages.OF_CLASSES, len(classes), titles=titles)


def _table(table: Table, voice: Voice) -> str:
    rows = [
        [voice.say(messages.COLUMNS[column]) for column in table.columns],
        ["--:" if column in _NUMBERS else "---" for column in table.columns],
        *([voice.cell(*each) for each in zip(row.cells, table.columns, strict=True)] for row in table.rows),
    ]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in rows)


def _more(table: Table, query: Query, voice: Voice) -> str:
    """How many rows are not shown, and how to see them where asking for more would show them."""
    if table.is_fitted or len(table.rows) < query.limit:
        return voice.say(messages.MORE_THAN_FIT, table.more)
    if query.limit < MOST_ROWS:
        return voice.say(messages.MORE_ON_ASKING, table.more, most=voice.number(MOST_ROWS))
    return voice.say(messages.MORE, table.more)
