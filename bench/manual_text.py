"""Manuals and questions made of real words: those of `corpus/`, of the word lists, and rarer ones put together of both.

Drawn by Zipf's law from 20,000 in each language, so that some are in every section and most in few. The same seed makes
the same text.
"""

import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from assist_service.adapters.manual.files import read_manual
from assist_service.adapters.search.glossary import everyday_glossary, translated_glossary
from assist_service.domain.manual import Audience, ManualPage, Publication, Section
from assist_service.domain.search import QUERY_CHARACTERS, words
from assist_service.domain.telling import SMALL_TALK
from assist_service.settings import ROOT

VOCABULARY = 20_000
SECTIONS_A_PAGE = 5
WORDS_A_SECTION = 60
FEWEST_WORDS, MOST_WORDS = 3, 20
LONGEST_SHARE = 0.1
"""Questions that are as long as a query may be."""
FRENCH_SHARE = 1 / 3
TYPO_SHARE = 1 / 5
CORPUS = read_manual(ROOT / "corpus")


@dataclass(frozen=True)
class Tongue:
    """A language's words, the most frequent first, and what else a question is made of."""

    ranked: tuple[str, ...]
    names: tuple[str, ...]
    small_talk: tuple[str, ...]

    def text(self, drawing: random.Random, count: int) -> str:
        return " ".join(self._word(drawing) for _ in range(count))

    def question(self, drawing: random.Random) -> str:
        """What a person types: running text, small talk, names of things, and a slip in one of five."""
        is_longest = drawing.random() < LONGEST_SHARE
        count = QUERY_CHARACTERS if is_longest else drawing.randint(FEWEST_WORDS, MOST_WORDS)
        ways: list[Callable[[], str]] = [
            lambda: self._word(drawing),
            lambda: drawing.choice(self.small_talk),
            lambda: drawing.choice(self.names),
            lambda: self.ranked[drawing.randrange(2_000)],
        ]
        said = [drawing.choices(ways, (50, 15, 15, 20))[0]() for _ in range(count)]
        if drawing.random() < TYPO_SHARE:
            said.append(_mistyped(drawing, max(said[:FEWEST_WORDS], key=len)))
        return " ".join(said if is_longest else said[-count:])[:QUERY_CHARACTERS]

    def _word(self, drawing: random.Random) -> str:
        return self.ranked[int(len(self.ranked) ** drawing.random()) - 1]


def _mistyped(drawing: random.Random, word: str) -> str:
    at = drawing.randrange(len(word))
    return word[:at] + word[at + 1 :] if len(word) > 1 else word


def tongues() -> Mapping[str, Tongue]:
    """English and French."""
    return {language: _tongue(language) for language in ("en", "fr")}


def _tongue(language: str) -> Tongue:
    said = Counter(
        word
        for page in CORPUS.pages
        if page.language == language
        for section in page.sections
        for word in words(f"{section.full_title} {section.text}")
    )
    lists = (everyday_glossary(), CORPUS.glossary, translated_glossary())
    names = [name for glossary in lists[:2] for group in glossary.of(language) for name in group]
    foreign = lists[2].of("fr")
    names += [name for group in foreign for name in (group[:1] if language == "fr" else group[1:])]
    listed = sorted({word for name in names for word in words(name)} - set(said))
    random.Random(1).shuffle(listed)
    known = [word for word, _ in said.most_common()] + listed
    return Tongue(tuple(_filled_up(known)), tuple(sorted(set(names))), tuple(sorted(SMALL_TALK[language])))


def _filled_up(known: list[str]) -> list[str]:
    """With rarer words up to VOCABULARY: the head of one and the tail of another."""
    drawing = random.Random(2)
    whole = dict.fromkeys(known)
    long = [word for word in known if len(word) > 5]
    while len(whole) < VOCABULARY:
        head, tail = drawing.choice(long), drawing.choice(long)
        whole.setdefault(head[: len(head) // 2 + 1] + tail[len(tail) // 2 :])
    return list(whole)


def generated(sections: int, *, seed: int) -> Publication:
    """A manual of this many sections over the folders of all audiences, a third of it in French."""
    drawing = random.Random(seed)
    return Publication(tuple(_pages(sections, drawing)), CORPUS.glossary)


def _pages(sections: int, drawing: random.Random) -> Iterator[ManualPage]:
    spoken, audiences = tongues(), list(Audience)
    for number in range(sections // SECTIONS_A_PAGE):
        audience = audiences[number % len(audiences)]
        language = _language(drawing)
        tongue = spoken[language]
        path, title = f"{audience.value.split(':')[0]}/page-{number}", tongue.text(drawing, 3)
        parts = tuple(
            Section(
                path,
                title,
                language,
                audience,
                f"part-{part}",
                tongue.text(drawing, 4),
                tongue.text(drawing, WORDS_A_SECTION),
            )
            for part in range(SECTIONS_A_PAGE)
        )
        yield ManualPage(path, language, title, audience, parts)


def questions(count: int, *, seed: int) -> Iterator[tuple[str, str]]:
    """Languages and questions in them."""
    drawing, spoken = random.Random(seed), tongues()
    for _ in range(count):
        language = _language(drawing)
        yield language, spoken[language].question(drawing)


def _language(drawing: random.Random) -> str:
    return "fr" if drawing.random() < FRENCH_SHARE else "en"
