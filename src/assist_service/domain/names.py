"""People's names kept from the model: a placeholder each for the length of a question, which may give more of them.

Who has which placeholder stays the same over a conversation, so that "the second one" means the same person in its
next question.
"""

import unicodedata
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any
from uuid import UUID

from assist_service.domain.folding import folded
from assist_service.domain.placeholders import CASES, KnownName, Names, is_one_word, numbers_in, put_back, without_tag
from assist_service.domain.roll import Place, Roll, Word, words_of
from assist_service.domain.strict_json import each_text
from assist_service.domain.text import visible


@dataclass
class Masks:
    """The placeholders of one question, which may give more of them."""

    tag: str
    question: str
    _people: dict[int, KnownName] = field(default_factory=dict)
    _given: int = 0
    _former: dict[KnownName, None] = field(default_factory=dict)
    _numbers: dict[UUID, int] = field(default_factory=dict)
    """Of somebody who was forgotten and met again while an old text was kept, the newest."""
    _met: set[UUID] = field(default_factory=set)
    """Who was in a result of this question."""
    _changes: int = 0
    _roll: Roll | None = None
    """Everyone by their names, once somebody was looked for; None again after each change."""
    _asked: frozenset[int] | None = None
    """Whom the question names, by that roll."""

    @classmethod
    def of(cls, names: Names, question: str) -> "Masks":
        """Goes on with the placeholders that a conversation has."""
        return cls(
            names.tag,
            question,
            _people=dict(names.people),
            _given=names.given,
            _former=dict.fromkeys(names.former),
            _numbers={known.person: number for number, known in sorted(names.people.items())},
            _changes=len(names.people),
        )

    @property
    def names(self) -> Names:
        """Everyone who is known in this question."""
        return Names(self.tag, dict(self._people), tuple(self._former), self._given)

    def kept(self, answer: str, *others: str) -> Names | None:
        """What is kept with the exchange, sealed: of who was in a result of its question, and whom its texts name.

        Whoever is known from an earlier exchange alone is kept there, and gone when that is. None where nobody is
        left and the answer reads the same without.
        """
        texts = [self.hidden(answer), *map(self.kept_from, others)]
        named = {number for text in texts for number in numbers_in(text, self.tag)}
        numbers = self._people.keys() & (named | {self._numbers[person] for person in self._met})
        if not numbers and not self.is_left_in(answer):
            return None
        people = {number: self._people[number] for number in sorted(numbers)}
        persons = {known.person for known in people.values()}
        former = tuple(known for known in self._former if known.person in persons)
        return Names(self.tag, people, former, self._given)

    @property
    def known(self) -> int:
        """How often a name was given to somebody: where it grew, an earlier text may name somebody, or another."""
        return self._changes

    def mask(self, person: UUID, name: str) -> str:
        """The placeholder of somebody in a result; two people of one name have two. The newest name is shown."""
        self._met.add(person)
        known = KnownName(person, name)
        if person not in self._numbers:
            self._given += 1
            self._people[self._given] = known
            self._numbers[person] = self._given
            self._change()
        before = self._people[self._numbers[person]]
        if before != known:
            self._former[before] = None
            self._people |= {number: known for number, each in self._people.items() if each.person == person}
            self._change()
        return self.placeholder(person)

    def placeholder(self, person: UUID) -> str:
        """That of somebody who was met, whatever they are called in the place it is for."""
        return f"Person-{self.tag}-{self._numbers[person]}"

    def is_asked_about(self, person: UUID) -> bool:
        """Whether the question names somebody who was met: then the model has that name already."""
        roll = self._whole_roll()
        if self._asked is None:
            decomposed = unicodedata.normalize("NFD", self.unforgeable(visible(self.question)))
            places = roll.places(decomposed, words_of(decomposed))
            self._asked = frozenset(number for place in places for number in place.numbers)
        return self._numbers[person] in self._asked

    def unforgeable(self, text: str) -> str:
        """Text from elsewhere, in which nothing can be taken for a placeholder."""
        return without_tag(text, self.tag)

    def kept_from(self, text: str) -> str:
        """Text from elsewhere as the model may read it: nothing in it is a placeholder but those of whom it names."""
        return self.hidden(self.unforgeable(visible(text)))

    def hidden(self, text: str) -> str:
        """The text with the placeholder of everyone it names whole, however it is written, the longest names first.

        What is a placeholder stays one, whatever people are called.
        """
        return self._with_each_name(text, lambda placeholder, _: placeholder)

    def respelt(self, text: str, before: str) -> str:
        """The text with everyone whom another one names spelt as there, which it is to replace.

        A model that was shown placeholders writes them back, so how a name stood is not for it to change: a name that
        stands otherwise than the LMS has it, in the name of a file too, is as it was.
        """
        spellings: dict[str, list[str]] = {}

        def note(placeholder: str, spelt: str) -> str:
            spellings.setdefault(placeholder, []).append(spelt)
            return spelt

        def as_before(placeholder: str, spelt: str) -> str:
            stood = spellings.get(placeholder, [spelt])
            return stood.pop(0) if len(stood) > 1 else stood[0]

        self._with_each_name(visible(before), note)
        return self._with_each_name(text, as_before)

    def _with_each_name(self, text: str, put: Callable[[str, str], str]) -> str:
        """The text with what is put for each name in it, by its placeholder and as it is written."""
        if not self._numbers:  # the rule for a manual's sections: nobody was met, so no word need be looked at
            return text
        decomposed = unicodedata.normalize("NFD", text)
        words = self._unmasked_words(decomposed)
        places = self._whole_roll().places(decomposed, words)
        if not places:
            return text
        pieces, done = [], 0
        for place in places:
            start, end = words[place.first].start, words[place.first + place.length - 1].end
            end -= place.has_s
            written = decomposed[start:end]
            pieces += [decomposed[done:start], put(self._written_as(place, written), written)]
            done = end
        return unicodedata.normalize("NFC", "".join([*pieces, decomposed[done:]]))

    def _written_as(self, place: Place, written: str) -> str:
        """The placeholder for a name that is written so."""
        number = place.numbers[0]
        name = self._people[number].name
        cased = (word for word, case in CASES.items() if case(written) == written and case(name) != name)
        is_cased = place.length == 1 and is_one_word(name)
        return f"{next(cased, 'Person') if is_cased else 'Person'}-{self.tag}-{number}"

    def _change(self) -> None:
        self._changes += 1
        self._roll = self._asked = None

    def _whole_roll(self) -> Roll:
        """The roll of everyone met; a question that hides nothing does without."""
        if self._roll is None:
            self._roll = Roll()
            for number in sorted(self._numbers.values()):
                self._roll.add(self._people[number].name, number)
            for known in self._former:
                self._roll.add_former(known.name, self._numbers[known.person])
        return self._roll

    def _unmasked_words(self, decomposed: str) -> list[Word]:
        """The words of a text; those of a placeholder are nobody's name."""
        words = words_of(decomposed)
        for place in [place for place, word in enumerate(words) if word.folded == self.tag]:
            for beside in range(max(place - 1, 0), min(place + 2, len(words))):
                words[beside] = replace(words[beside], folded="")
        return words

    def unmasked(self, text: str) -> str:
        """The text with the names as the LMS has them: for what goes to the LMS, never for what is shown.

        What is nobody's placeholder, or a broken one, stays: `is_left_in` finds it.
        """
        return put_back(text, self.names, lambda name: name)

    def unmasked_json(self, value: Any) -> Any:
        """The same in every text of a JSON value, keys too. Raises RepeatedKey where two keys become one."""
        return each_text(value, self.unmasked)

    def is_left_in(self, value: Any) -> bool:
        """Whether a text or a key of a JSON value holds the tag, whatever stands between its letters."""
        match value:
            case str():
                return self.tag in "".join(filter(str.isalpha, folded(value)))
            case list():
                return any(map(self.is_left_in, value))
            case dict():
                return any(self.is_left_in(each) for pair in value.items() for each in pair)
            case _:
                return False
