"""Whatever can be said of a lookup has words in every language, and no catalogue holds anything else."""

import re
from importlib.resources import files
from itertools import product
from string import Formatter

import pytest
from babel.messages.catalog import Catalog
from hatchling.builders.wheel import WheelBuilder

from assist_service.adapters.wording import messages
from assist_service.adapters.wording.catalogues import Translator, read_catalogue, worded
from assist_service.adapters.wording.messages import Message
from assist_service.domain.live.finding import Column, Say, Topic, Word
from assist_service.domain.live.query import OPERATIONS, RecordKind
from assist_service.domain.school import EvaluationState
from assist_service.domain.screens import Language
from assist_service.settings import ROOT

CATALOGUES = {language: read_catalogue(language) for language in Language}
OF_A_KIND = {
    *product([Say.NO_SUCH], RecordKind),
    *product([Say.NO_SUCH_IN_CLASS], [RecordKind.STUDENT, RecordKind.EXAM]),
    (Say.NAME_ONE, RecordKind.STUDENT),
}
"""Sentences whose words differ by what they are about. Only of students there may be too many to choose from."""


def _key(context: str | None, ids: object) -> tuple[object, ...]:
    return (context, *ids) if isinstance(ids, tuple | list) else (context, ids)


def _wanted() -> set[tuple[object, ...]]:
    return {
        _key(each.context, (each.one,) if each.many is None else (each.one, each.many))
        for each in messages.all_messages()
    }


def _held(catalogue: Catalog) -> list[tuple[object, ...]]:
    return [_key(each.context, each.id) for each in catalogue if each.id]


def test_whatever_can_be_said_has_a_message() -> None:
    of_a_kind = {say for say, _ in OF_A_KIND}
    assert set(messages.SENTENCES) == {*((say, None) for say in Say if say not in of_a_kind), *OF_A_KIND}
    assert set(messages.HEADINGS) == {(lookup, each) for lookup, some in OPERATIONS.items() for each in some}
    assert set(messages.TOPICS) == set(Topic)
    assert set(messages.COLUMNS) == set(Column)
    assert set(messages.WORDS) == {*Word, *EvaluationState}
    assert set(messages.WHICH) == set(RecordKind)


def test_every_message_of_the_module_is_among_all_of_them() -> None:
    loose = [each for each in vars(messages).values() if isinstance(each, Message)]
    assert len(loose) > 10
    assert {id(each) for each in loose} <= {id(each) for each in messages.all_messages()}


@pytest.mark.parametrize("language", Language)
def test_a_catalogue_holds_every_message_once_and_nothing_else(language: Language) -> None:
    held = _held(CATALOGUES[language])
    assert set(held) == _wanted()
    assert len(held) == len(set(held))
    # The parser keeps the last of two alike: count them where they stand.
    text = (files("assist_service.adapters.wording") / "catalogues" / f"{language.value}.po").read_text("utf-8")
    assert len(re.findall("(?m)^msgid ", text)) == len(held) + 1
    assert not re.search("(?m)^#[~,]", text), "an obsolete or a fuzzy one"


@pytest.mark.parametrize("language", Language)
def test_a_translation_is_whole_and_has_the_places_of_its_message(language: Language) -> None:
    for entry in CATALOGUES[language]:
        if not entry.id:
            continue
        ids = entry.id if isinstance(entry.id, tuple | list) else (entry.id,)
        texts = entry.string if isinstance(entry.string, tuple | list) else (entry.string,)
        assert len(texts) == len(ids), entry.id
        assert not entry.fuzzy
        for text in texts:
            assert text
            assert text.strip() == text
            assert _places(text) == _places(ids[0]) == _places(ids[-1]), text
            assert text[-1] in ".?" or ids[0][-1] not in ".?", text


def _places(text: str) -> list[str]:
    return sorted(name for _, name, _, _ in Formatter().parse(text) if name is not None)


def test_the_english_catalogue_says_what_the_code_says() -> None:
    assert all(each.string == each.id for each in CATALOGUES[Language.ENGLISH] if each.id)


@pytest.mark.parametrize("language", [Language.FRENCH, Language.FILIPINO])
def test_no_other_language_says_it_in_english(language: Language) -> None:
    same = {str(each.id) for each in CATALOGUES[language] if each.id and each.string == each.id}
    assert same <= {"{heading}: {names}", "{one}; {other}", "Points"}


def test_french_is_familiar() -> None:
    texts = " ".join(str(each.string) for each in CATALOGUES[Language.FRENCH])
    assert not re.search(r"\b(vous|votre|vos)\b|\b\w+ez\b", texts, re.IGNORECASE)


def test_a_number_of_things_takes_the_linker_in_filipino() -> None:
    """After `pa` it is -ng already; what stands at an end, or before what is no thing, is linked to nothing."""
    for text in worded(Language.FILIPINO):
        unlinked = re.findall(r"\{(?:count|of)\}(?! na | pa(?:ng)?\b|[.,)]| sa \{of\})", text)
        assert unlinked == [], text


COUNTED = {
    Language.ENGLISH: {
        0: "There are no students.",
        1: "There is 1 student.",
        2: "There are 2 students.",
        5: "There are 5 students.",
    },
    Language.FRENCH: {
        0: "Il n'y a pas d'élèves.",
        1: "Il y a 1 élève.",
        2: "Il y a 2 élèves.",
        5: "Il y a 5 élèves.",
    },
    Language.FILIPINO: {
        0: "Walang mag-aaral.",
        1: "May 1 na mag-aaral.",
        2: "May 2 na mag-aaral.",
        5: "May 5 na mag-aaral.",
    },
}
WITHOUT_ZERO = {
    Language.ENGLISH: {0: "classes: T", 1: "class: T", 2: "classes: T", 5: "classes: T"},
    Language.FRENCH: {0: "classe : T", 1: "classe : T", 2: "classes : T", 5: "classes : T"},
    Language.FILIPINO: {0: "klase: T", 1: "klase: T", 2: "mga klase: T", 4: "mga klase: T", 5: "mga klase: T"},
}


@pytest.mark.parametrize("language", Language)
def test_a_plural_goes_by_the_count(language: Language) -> None:
    translator = Translator(language)
    students = messages.SENTENCES[Say.STUDENTS, None]
    assert {n: translator.say(students, n, count=str(n)) for n in COUNTED[language]} == COUNTED[language]
    said = {n: translator.say(messages.OF_CLASSES, n, titles="T") for n in WITHOUT_ZERO[language]}
    assert said == WITHOUT_ZERO[language]


def test_the_catalogues_are_in_the_wheel() -> None:
    built = WheelBuilder(str(ROOT)).recurse_included_files()
    shipped = {each.distribution_path for each in built if each.path.endswith(".po")}
    assert shipped == {f"assist_service/adapters/wording/catalogues/{each.value}.po" for each in Language}
