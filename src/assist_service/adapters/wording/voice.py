"""One language: its texts and its figures, and how each value of a finding reads in it."""

import datetime as dt
from collections.abc import Sequence
from functools import reduce

from assist_service.adapters.wording import messages
from assist_service.adapters.wording.catalogues import Translator
from assist_service.adapters.wording.figures import Figures
from assist_service.adapters.wording.messages import Message
from assist_service.adapters.wording.titles import TITLE_CHARACTERS, plain
from assist_service.domain.live.finding import Called, Cell, Column, Sentence, Share, Word
from assist_service.domain.live.query import RecordKind
from assist_service.domain.live.telling import NO_NAME, NO_TITLE, is_legible
from assist_service.domain.school import EvaluationState
from assist_service.domain.screens import Language

_DATES = frozenset({Column.OPENS.value, Column.CLOSES.value})


class Voice:
    """Says in one language what the tables of messages hold."""

    def __init__(self, language: Language, zone: dt.tzinfo) -> None:
        self._translator = Translator(language)
        self._figures = Figures(language, zone)

    def say(self, message: Message, count: int = 0, /, **places: str) -> str:
        """The message for that many, its places filled in; what fills them is written already."""
        return self._translator.say(message, count, count=self.number(count), **places)

    def sentence(self, said: Sentence) -> str:
        """One sentence of a finding, in the words of its kind where it has one."""
        places = {place: self.cell(value, place) for place, value in said.values.items()}
        return self.say(messages.SENTENCES[said.say, said.kind], said.count or 0, **places)

    def cell(self, value: Cell, place: str) -> str:
        """A value as it is read in a column or at a place of a sentence; never empty."""
        match value:
            case Called(text):
                return self.plain(text, RecordKind.STUDENT if place == "student" else None)
            case Share(of_one):
                return self._figures.share(of_one) or self._no_value(place)
            case Word() | EvaluationState():
                return self.say(messages.WORDS[value])
            case dt.datetime():
                return self._figures.moment(value) or self._no_value(place)
            case None:
                return self._no_value(place)
            case _:
                return self._figures.number(value) or self._no_value(place)

    def number(self, count: int) -> str:
        return self._figures.number(count) or ""

    def as_of(self, at: dt.datetime) -> str:
        return self.say(messages.AS_OF, at=self._figures.moment(at) or "")

    def several(self, names: Sequence[str]) -> str:
        """Titles and names side by side, each to be told from the next: there may be commas in them."""
        return reduce(lambda one, other: self.say(messages.BETWEEN, one=one, other=other), names)

    def plain(self, text: str, kind: RecordKind | None, *, limit: int = TITLE_CHARACTERS) -> str:
        """A name or a title as it is written into an answer."""
        return plain(self.label(text, kind), instead=self.instead_of(kind), limit=limit)

    def label(self, text: str, kind: RecordKind | None) -> str:
        """A name or a title as it can be clicked on: words stand where there is none, in it or of it."""
        filled = text.replace(NO_NAME, self.say(messages.UNNAMED)).replace(NO_TITLE, self.say(messages.UNTITLED))
        return filled if is_legible(filled) else self.instead_of(kind)

    def instead_of(self, kind: RecordKind | None) -> str:
        """What stands where a name or a title has nothing that anybody sees."""
        return self.say(messages.UNNAMED if kind is RecordKind.STUDENT else messages.UNTITLED)

    def _no_value(self, place: str) -> str:
        return self.say(messages.NO_DATE if place in _DATES else messages.NO_VALUE)
