"""An exchange keeps who was in its own results or is named in its own texts, and no number means two people."""

import uuid
from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assist_service.domain.conversation import Exchange, HistoryWindow, names_of, window
from assist_service.domain.messages import AssistantText
from assist_service.domain.names import Masks
from assist_service.domain.placeholders import NOBODY, KnownName, Names, numbers_in, with_names
from tests.postgres.exchanges import exchange

TAG, OTHER_TAG = "bcdfghjk", "kjhgfdcb"

ANA, LI, BO = (uuid.UUID(int=number) for number in (1, 2, 3))


def later(question: str, *earlier: Names) -> Masks:
    """The masks of a question in a conversation whose exchanges keep these."""
    united = names_of([replace(exchange(), names=names) for names in earlier])
    return Masks.of(united or Names(TAG), question)


def kept_of(masks: Masks, answer: str, *others: str) -> dict[int, str]:
    names = masks.kept(answer, masks.question, *others)
    return {} if names is None else {number: known.name for number, known in names.people.items()}


@pytest.fixture
def whole_class() -> Names:
    masks = Masks(TAG, "Who passed?")
    for person, name in ((ANA, "Ana Lima"), (LI, "Bo Li"), (BO, "Cy Bo")):
        masks.mask(person, name)
    names = masks.kept("They did well.", masks.question)
    assert names is not None
    assert [known.name for known in names.people.values()] == ["Ana Lima", "Bo Li", "Cy Bo"], "in a result of its own"
    return names


KEPT: dict[str, tuple[str, str, str, dict[int, str]]] = {
    "nobody": ("And my pools?", "You have two.", "", {}),
    "a placeholder": ("And the second?", f"Person-{TAG}-2 failed.", "", {2: "Bo Li"}),
    "a placeholder in capitals": ("And?", f"PERSON \u2013 {TAG.upper()}\u20132", "", {2: "Bo Li"}),
    "a name in the question": ("And how is bo li?", "Well.", "", {2: "Bo Li"}),
    "a name that was read unmasked": ("And?", "A retake for Li, Bo.", "", {2: "Bo Li"}),
    "a name on a card": ("And?", "It waits.", "For Cy Bo", {3: "Cy Bo"}),
    "a placeholder typed into the question": (f"Person-{TAG}-1?", "Who?", "", {}),
}


@pytest.mark.parametrize(("question", "answer", "card", "kept"), KEPT.values(), ids=KEPT)
def test_of_an_earlier_result_only_who_is_named_is_kept_again(
    whole_class: Names, question: str, answer: str, card: str, kept: dict[int, str]
) -> None:
    assert kept_of(later(question, whole_class), answer, card) == kept


def test_who_is_in_a_result_again_is_kept_again_under_the_same_number_with_the_names_of_before(
    whole_class: Names,
) -> None:
    masks = later("And the second?", whole_class)
    masks.mask(LI, "Bo Costa")
    masks.mask(uuid.UUID(int=9), "Di Eng")
    names = masks.kept("He failed.")
    assert names is not None
    assert {number: known.name for number, known in names.people.items()} == {2: "Bo Costa", 4: "Di Eng"}
    assert names.former == (KnownName(LI, "Bo Li"),)
    both = names_of([replace(exchange(), names=each) for each in (whole_class, names)])
    assert both is not None
    assert {number: known.name for number, known in both.people.items()} == {
        1: "Ana Lima",
        2: "Bo Costa",
        3: "Cy Bo",
        4: "Di Eng",
    }
    assert masks.kept("Person") == names
    assert later("And?", whole_class, names).kept(f"Person-{TAG}-1") == Names(TAG, {1: whole_class.people[1]}, (), 4)


def test_a_placeholder_of_nobody_stays_nobodys_and_its_tag_unseen(whole_class: Names) -> None:
    masks = later("And?", replace(whole_class, people={}))
    answer = f"PERSON-{TAG.upper()}-2 failed."
    names = masks.kept(answer)
    assert names is not None
    assert names.people == {}
    assert with_names(answer, names) == f"{NOBODY} failed."
    assert masks.mask(LI, "Bo Li") == f"Person-{TAG}-4", "a number that was given is not given again"


def test_an_exchange_of_another_tag_is_neither_sent_nor_does_it_name_anybody(whole_class: Names) -> None:
    other = Names(OTHER_TAG, {1: KnownName(BO, "Di Eng")}, (), 1)
    old = replace(exchange(answer=f"Person-{OTHER_TAG}-1 passed."), names=other)
    new = [replace(exchange(answer="Yes."), names=whole_class), exchange(answer="No.")]
    assert names_of([old, *new]) == whole_class
    sent = window([exchange(answer="Older."), old, *new], HistoryWindow(pairs=6, characters=9_000))
    assert [message.text for message in sent if isinstance(message, AssistantText)] == ["Yes.", "No."]


def test_a_person_who_was_forgotten_and_met_again_has_two_numbers_and_one_name() -> None:
    old = Names(TAG, {1: KnownName(ANA, "Ana Lima")}, (), 4)
    new = Names(TAG, {3: KnownName(ANA, "Ana Costa")}, (), 3)
    masks = later("And?", old, new)
    assert masks.hidden("Ana Lima, Ana Costa") == f"Person-{TAG}-3, Person-{TAG}-3"
    assert masks.mask(ANA, "Ana Cruz") == f"Person-{TAG}-3" == masks.hidden("Ana Cruz")
    assert masks.unmasked(f"Person-{TAG}-1, Person-{TAG}-3") == "Ana Cruz, Ana Cruz"
    assert masks.mask(LI, "Bo Li") == f"Person-{TAG}-5"


PEOPLE = st.integers(0, 5)


@st.composite
def questions(draw: st.DrawFn) -> tuple[dict[int, int], list[int], list[int], list[int]]:
    """Who is in a result, with how often they were renamed; of whom is spoken; and which exchanges are purged then."""
    met = draw(st.dictionaries(PEOPLE, st.integers(0, 1), max_size=3))
    numbers = st.lists(st.integers(0, 9), max_size=2)
    return met, draw(numbers), draw(numbers), draw(numbers)


def _asked(
    opened: Sequence[Exchange], met: dict[int, int], spoken: list[int], typed: list[int], tag: str
) -> tuple[Exchange, Masks]:
    """An exchange after those of the window: its answer has placeholders, its question names."""
    before = Masks.of(names_of(opened) or Names(tag), "").names
    question = " and ".join(f"Eve{number}" for number in typed)
    masks = Masks.of(before, question)
    for person, renamed in met.items():
        masks.mask(uuid.UUID(int=person + 1), f"{('Eve', 'Eva')[renamed]}{person}")
    known = list(masks.names.people)
    read = [number for each in opened for number in numbers_in(each.answer, masks.tag)]
    numbers = [*known, *read]
    chosen = [numbers[each % len(numbers)] for each in spoken if numbers]
    answer = ", ".join(["It is", *(f"Person-{masks.tag}-{number}" for number in chosen)])
    one = replace(exchange(question=question, answer=answer), names=masks.kept(answer, question))
    return one, masks


@given(st.lists(questions(), max_size=14), st.integers(1, 4))
def test_no_number_in_what_is_sent_means_two_people_whatever_is_met_forgotten_and_purged(
    asked: list[tuple[dict[int, int], list[int], list[int], list[int]]], pairs: int
) -> None:
    rows: list[Exchange] = []
    meant: dict[uuid.UUID, dict[int, uuid.UUID]] = {}
    for place, (met, spoken, typed, purged) in enumerate(asked):
        opened = rows[-pairs:]
        one, masks = _asked(opened, met, spoken, typed, f"bcdfghj{'kmnpqrstvwxzbc'[place]}")
        shown = with_names(one.answer, masks.names)
        assert one.shown_answer == shown
        assert NOBODY not in shown, "whoever is spoken of in what is sent is known"
        ours = {number: known.person for number, known in masks.names.people.items()}
        for each in opened:
            same_tag = each.names is not None and each.names.tag == masks.tag
            for number in numbers_in(each.answer, masks.tag) if same_tag else ():
                assert ours[number] == meant[each.id][number]
        for person in {known.person for known in (one.names.people.values() if one.names else ())}:
            is_met = person.int - 1 in met
            numbers = {number for number, each in ours.items() if each == person}
            assert is_met or person.int - 1 in typed or numbers & set(numbers_in(one.answer, masks.tag))
        meant[one.id] = ours
        rows.append(one)
        rows = [row for place, row in enumerate(rows) if place not in purged]
