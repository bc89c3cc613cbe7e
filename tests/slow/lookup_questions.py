"""Lookups as people might ask for them, drawn at random: every operation, every way to name something, any limit."""

import random
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from assist_service.domain.text import one_line
from tests.slow.lookup_expected import Ask, Handle, Kinds, Query
from tests.slow.lookup_records import Records

OPERATIONS: Mapping[str, tuple[str, ...]] = {
    "query_classes": ("list", "count"),
    "query_students": ("list", "count"),
    "query_exams": ("list", "count"),
    "query_class_performance": ("summary", "by_exam"),
    "query_student_performance": ("summary", "by_exam"),
    "query_exam_results": ("list", "highest", "lowest", "summary"),
    "query_rankings": ("top", "bottom", "place"),
    "query_participation": ("missing", "taken", "rate"),
}

NARROWED: Mapping[str, tuple[str, ...]] = {
    "query_classes": ("class",),
    "query_students": ("class", "student"),
    "query_exams": ("class", "exam"),
    "query_class_performance": ("class",),
    "query_student_performance": ("class", "student"),
    "query_exam_results": ("class", "exam", "student"),
    "query_rankings": ("class", "student"),
    "query_participation": ("class", "exam"),
}

EVERY = tuple((lookup, operation) for lookup, operations in OPERATIONS.items() for operation in operations)

SEARCH_CHARACTERS = 100

LIMITS = (1, 2, 3, 7, 20, 20, 20, 60, 200)

NONSENSE = ("Qwxzv Plugh", "zzz", "!!!", "Nobody Whatsoever Atall", "日本語", "0", "' OR 1=1 --")

AMBIGUOUS: Mapping[str, tuple[str, ...]] = {
    "class": ("groupe", "section", "salle", "group", "Section A", "crowd"),
    "student": ("Mei Chen", "Ana", "Éloïse Ferrand", "lea", "Mei", "crowd", "Juan dela Cruz", "pupil"),
    "exam": ("partiel", "contrôle", "quiz", "test", "défi", "shared sheet", "placement"),
}

POINTING: Mapping[str, tuple[str, ...]] = {
    "class": ("this class", "the class", "ang klase", "cette classe", "The selected class.", "my class", "klase ko"),
    "student": ("the student", "l'élève sélectionné", "ang mag-aaral na ito", "“the selected student”"),
    "exam": ("the exam", "this test", "cet examen", "selected exam", "l'examen", "ang pagsusulit", "class exam"),
}

ASKED: Mapping[str, tuple[str, ...]] = {
    "en": ("Please show me the results of", "I would like to know how they are doing:", "Which of the students are in"),
    "fr": ("Montre-moi s'il te plaît les résultats de", "Je voudrais savoir comment vont les élèves :"),
    "fil": ("Ipakita mo po sa akin ang mga resulta ng", "Gusto kong malaman kung kumusta ang mga estudyante:"),
}


@dataclass(frozen=True)
class Drawn:
    """A question and what the model makes of it."""

    words: str
    language: str
    ask: Ask

    @property
    def arguments(self) -> dict[str, object]:
        query = self.ask.query
        searches = {f"{kind}_search": words for kind, words in query.searches.items()}
        return {"operation": query.operation, "limit": query.limit, **searches}


@dataclass
class Drawing:
    """Draws the questions of one person."""

    chance: random.Random
    records: Records
    others: Sequence[Records]
    ways: dict[str, int] = field(default_factory=dict)
    """How often a name was written in which way."""

    def draw(self, lookup: str, operation: str, number: int, selected: Kinds | None = None) -> Drawn:
        chance = self.chance
        on_screen = self._on_screen() if chance.random() < 0.2 else {}
        searches = self._searches(lookup, selected, on_screen)
        query = Query(lookup, operation, searches, chance.choice(LIMITS))
        language = chance.choice(sorted(ASKED))
        words = " / ".join([chance.choice(ASKED[language]), *searches.values(), f"({number})"])
        return Drawn(words, language, Ask(query, selected or {}, on_screen))

    def about(self, handle: Handle, number: int) -> Drawn:
        """A question that goes on from a record: of a lookup that can be about it."""
        fitting = [each for each in EVERY if handle.kind in NARROWED[each[0]]]
        return self.draw(*self.chance.choice(fitting), number, handle.selected)

    def _searches(self, lookup: str, selected: Kinds | None, on_screen: Kinds) -> dict[str, str]:
        chance, searches = self.chance, {}
        source = self.records
        classroom = chance.choice(source.classes).id if source.classes else None
        for kind in NARROWED[lookup]:
            if kind in {**(selected or {}), **on_screen}:
                if chance.random() < 0.5:
                    searches[kind] = f"the selected {kind}"
                continue
            if chance.random() < (0.6 if selected else 0.35):
                continue
            words = one_line(self._words(kind, classroom), 1_000)
            if 0 < len(words) <= SEARCH_CHARACTERS:
                searches[kind] = words
        return searches

    def _on_screen(self) -> dict[str, str]:
        seen = {}
        if self.records.classes:
            seen["class"] = self.chance.choice(self.records.classes).id
        if self.records.exams and self.chance.random() < 0.4:
            seen["exam"] = self.chance.choice(self.records.exams).id
        return seen

    def _words(self, kind: str, classroom: str | None) -> str:
        way = self.chance.choice((*WAYS, "exact", "another's", "nonsense", "ambiguous", "label", "pointed at"))
        self.ways[way] = self.ways.get(way, 0) + 1
        if way == "nonsense":
            return self.chance.choice(NONSENSE)
        if way == "pointed at":
            return self.chance.choice(POINTING[kind])
        if way == "label":
            return self.chance.choice(self._labels(kind, classroom) or NONSENSE)
        if way == "ambiguous":
            return self.chance.choice(AMBIGUOUS[kind])
        source = self.chance.choice(self.others) if way == "another's" else self.records
        names = self._names(kind, source, classroom if source is self.records else None)
        if not names:
            return self.chance.choice(NONSENSE)
        if way in OF_PEOPLE and kind != "student":
            way = "exact"  # nobody writes "Section S."
        name = self.chance.choice(names)
        return WAYS[way](name, self.chance) if way in WAYS else name

    def _labels(self, kind: str, classroom: str | None) -> Sequence[str]:
        """As a choice is called, and the same with a number or in other signs; of a class its course alone, too."""
        classes = [each for each in self.records.classes if classroom in (None, each.id)]
        match kind:
            case "class":
                labels = [text for each in classes for text in (each.label, each.course)]
            case "exam":
                titles = {each.id: each.title for each in classes}
                exams = [each for each in self.records.exams if each.classroom in titles]
                labels = [f"{each.title} · {titles[each.classroom]}" for each in exams]
            case _:
                seats = [(who.name, each.title) for each in classes[:6] for who in self.records.students(each.id)]
                labels = [f"{name} · {title}" for name, title in seats]
        return [self.chance.choice((each, f"{each} (2)", each.replace(" · ", " "))) for each in labels]

    def _names(self, kind: str, source: Records, classroom: str | None) -> list[str]:
        match kind:
            case "class":
                return [each.title for each in source.classes if classroom in (None, each.id)]
            case "exam":
                exams = [each for each in source.exams if classroom in (None, each.classroom)]
                return [each.title for each in exams for _ in range(4 if each.state == "released" else 1)]
            case _:
                classes = [each.id for each in source.classes if classroom in (None, each.id)]
                return [each.name for id_ in classes[:6] for each in source.students(id_)]


def _bare(name: str, _: random.Random) -> str:
    return "".join(c for c in unicodedata.normalize("NFD", name) if not unicodedata.combining(c))


def _shuffled(name: str, chance: random.Random) -> str:
    words = name.split()
    chance.shuffle(words)
    return " ".join(words)


def _part(name: str, chance: random.Random) -> str:
    words = name.split()
    return " ".join(chance.sample(words, max(1, len(words) - chance.randint(1, 2))))


def _initials(name: str, _: random.Random) -> str:
    first, *rest = name.split()
    return f"{first} {rest[-1][0]}." if rest and rest[-1][0].isalpha() else name


def _typo(name: str, chance: random.Random) -> str:
    """One letter of the longest word left out, doubled, other, or changed with its neighbour."""
    longest = max(name.split(), key=len)
    if len(longest) < 6 or not longest.isalpha():
        return name
    at = chance.randint(1, len(longest) - 3)
    wrong = chance.choice(
        (
            longest[:at] + longest[at + 1 :],
            longest[:at] + longest[at] + longest[at:],
            longest[:at] + "x" + longest[at + 1 :],
            longest[:at] + longest[at + 1] + longest[at] + longest[at + 2 :],
        )
    )
    return name.replace(longest, wrong, 1)


WAYS: dict[str, Callable[[str, random.Random], str]] = {
    "without accents": _bare,
    "in capitals": lambda name, _: name.upper(),
    "in other order": _shuffled,
    "part of it": _part,
    "with an initial": _initials,
    "with a typo": _typo,
    "with a title": lambda name, chance: f"{chance.choice(('Mr', 'Ms.', 'Mme', 'Gng.'))} {name}",
    "possessive": lambda name, _: f"{name}'s",
}

OF_PEOPLE = frozenset({"with an initial", "with a title", "possessive"})
