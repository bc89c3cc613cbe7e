"""Fifty questions for a pool: five types, each about one of its ten terms."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from examples.reference_lms.making.hostile import STATEMENT, TITLES
from examples.reference_lms.making.subjects import Subject

Config = dict[str, object]

DIFFICULTIES = ("easy", "medium", "hard")
DRAFT_EVERY = 4
"""Every fourth question is a draft."""
HOSTILE_AT = 23
"""The place in each pool of the question that means harm; its neighbour has a harmless title and a hostile text."""


@dataclass(frozen=True)
class MadeQuestion:
    """A question before it has an id."""

    type: str
    title: str
    config: Config
    explanation: str
    status: str
    difficulty: str

    @property
    def statement(self) -> str:
        return str(self.config["statement"])

    @property
    def config_json(self) -> str:
        return json.dumps(self.config, ensure_ascii=False)


@dataclass(frozen=True)
class Wording:
    """How one type of question asks, by language, and how the rest of its config is made."""

    titles: Mapping[str, str]
    statements: Mapping[str, str]
    config: Callable[[str, Sequence[tuple[str, str]], int], Config] = field(repr=False)


def _choices(term: str, terms: Sequence[tuple[str, str]], place: int) -> Config:
    others = [meaning for other, meaning in terms if other != term][place % 6 :][:3]
    right = dict(terms)[term]
    texts = sorted([right, *others])
    return {"multiple": False, "choices": [{"text": text, "correct": text == right} for text in texts]}


def _cloze(term: str, terms: Sequence[tuple[str, str]], _: int) -> Config:
    return {"text": f"[[1]] : {dict(terms)[term]}.", "gaps": [{"id": 1, "answers": [term]}]}


def _categories(term: str, terms: Sequence[tuple[str, str]], place: int) -> Config:
    other = terms[(place + 1) % len(terms)]
    pair = [(term, dict(terms)[term]), other]
    return {
        "categories": [name for name, _ in pair],
        "items": [{"text": meaning, "category": number} for number, (_, meaning) in enumerate(pair)],
    }


def _number(_: str, __: Sequence[tuple[str, str]], place: int) -> Config:
    return {"answer": 2.5 * (place + 1), "tolerance": 0.5, "unit": "cm"}


def _open(term: str, terms: Sequence[tuple[str, str]], _: int) -> Config:
    return {"guidance": f"{term} : {dict(terms)[term]}", "max_words": 150}


WORDINGS: Mapping[str, Wording] = {
    "mcq": Wording(
        {"en": "Which is true of {}?", "fr": "Que peut-on dire de : {} ?"},
        {"en": "Pick the one right statement about {}.", "fr": "Choisis la seule affirmation juste sur : {}."},
        _choices,
    ),
    "cloze": Wording(
        {"en": "Fill in the missing term: {}", "fr": "Complète avec le bon terme : {}"},
        {"en": "Write the term that fits into the gap.", "fr": "Écris le terme qui manque."},
        _cloze,
    ),
    "categorize": Wording(
        {"en": "What belongs to {}?", "fr": "Qu'est-ce qui va avec : {} ?"},
        {"en": "Drag each description to its term.", "fr": "Place chaque description sous son terme."},
        _categories,
    ),
    "numeric": Wording(
        {"en": "Read the scale in the figure on {}", "fr": "Lis la mesure sur la figure : {}"},
        {"en": "How long is the marked part of {{figure}}? See asset:figure-1.", "fr": "Mesure asset:figure-1."},
        _number,
    ),
    "open": Wording(
        {"en": "Explain {} in your own words", "fr": "Explique avec tes mots : {}"},
        {"en": "Two or three sentences about {} are enough.", "fr": "Deux ou trois phrases suffisent sur : {}."},
        _open,
    ),
}


def make_questions(subject: Subject, *, pool_number: int) -> Iterator[MadeQuestion]:
    """The questions of one pool, always the same ones in the same order."""
    terms = tuple(subject.terms.items())
    place = 0
    for type_, wording in WORDINGS.items():
        for number, (term, meaning) in enumerate(terms):
            title = wording.titles[subject.language].format(term)
            statement = wording.statements[subject.language].replace("{}", term)
            yield MadeQuestion(
                type=type_,
                title=TITLES[pool_number % len(TITLES)] if place == HOSTILE_AT else title,
                config={
                    "statement": STATEMENT if place == HOSTILE_AT + 1 else statement,
                    **wording.config(term, terms, number),
                },
                explanation=meaning[:1].upper() + meaning[1:] + ".",
                status="draft" if place % DRAFT_EVERY == DRAFT_EVERY - 1 else "published",
                difficulty=DIFFICULTIES[place % len(DIFFICULTIES)],
            )
            place += 1
