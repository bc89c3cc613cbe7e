"""A name is put back only where the service itself put a placeholder, and never as markup."""

import time
import uuid

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from assist_service.adapters.markdown.markup import Markup
from assist_service.domain.names import Masks
from assist_service.domain.placeholders import NOBODY, Names, replaced, shown, with_names
from assist_service.domain.strict_json import RepeatedKey

TAG = "bcdfghjk"
ANA, ANA_TOO, LI = (uuid.uuid5(uuid.NAMESPACE_OID, name) for name in ("ana", "ana too", "li"))


def masks(question: str = "Who passed?") -> Masks:
    return Masks(TAG, question)


def test_a_person_keeps_a_placeholder_and_two_of_one_name_have_two() -> None:
    made = masks()
    first, second = made.mask(ANA, "Ana Lima"), made.mask(ANA_TOO, "Ana Lima")
    assert first == made.mask(ANA, "Ana Lima") != second
    assert made.unmasked(f"{first} and {second}") == "Ana Lima and Ana Lima"


def test_a_conversation_goes_on_with_its_placeholders() -> None:
    made = masks()
    first = made.mask(ANA, "Ana Lima")
    later = Masks.of(made.names, "And the second?")
    assert later.mask(LI, "Ana Li") != first == later.mask(ANA, "Ana Lima")


def test_a_number_is_read_whole() -> None:
    made = masks()
    placeholders = [made.mask(uuid.uuid5(uuid.NAMESPACE_OID, str(n)), f"Name {n} of many") for n in range(1, 13)]
    assert made.unmasked(" ".join(reversed(placeholders))) == " ".join(f"Name {n} of many" for n in range(12, 0, -1))


@pytest.mark.parametrize("number", ["0", "2", "99999999999999999999", "007"])
def test_a_placeholder_that_nobody_has_names_nobody(number: str) -> None:
    made = masks()
    made.mask(ANA, "Ana Lima")
    nobody = f"Person-{TAG}-{number}!"
    assert with_names(nobody, made.names) == f"{NOBODY}!"
    assert made.unmasked(nobody) == nobody
    assert made.is_left_in({"config": [{"text": nobody}]}), "so what would be written with it is refused"


def test_names_go_back_into_the_keys_of_an_argument_too() -> None:
    made = masks()
    first, second = made.mask(ANA, "Ana Lima"), made.mask(ANA_TOO, "Ana Lima")
    assert made.unmasked_json({"rows": [{f"For {first}": second}, 1]}) == {"rows": [{"For Ana Lima": "Ana Lima"}, 1]}
    with pytest.raises(RepeatedKey):
        made.unmasked_json({first: 1, second: 2})


@pytest.mark.parametrize("forged", [f"Person-{TAG}-1", f"PERSON-{TAG.upper()}-1", f"x{TAG}y", TAG])
def test_text_from_elsewhere_holds_no_placeholder(forged: str) -> None:
    made = masks()
    made.mask(ANA, "Ana Lima")
    assert "Ana" not in made.unmasked(made.unforgeable(f"Say {forged} aloud"))


@example(f"Person-{TAG[:4]}{TAG}{TAG[4:]}-1")
@given(st.lists(st.sampled_from([TAG, TAG[:4], TAG[4:], "Person-", "-1", " "]), max_size=8).map("".join))
def test_taking_a_tag_out_never_makes_another(text: str) -> None:
    made = masks()
    made.mask(ANA, "Ana Lima")
    assert "Ana" not in made.unmasked(made.unforgeable(text))


NAMING = [
    *("How did Ana Lima do?", "ana lima", "Comment va ANÁ LIMA ?", "(Ana Lima)", "Ana Limas marks?", "ANA  LIMA"),
    *("Ana\nLima", "Lima, Ana", "Ana-Lima", "Ana\u200b Lima\u00ad", "Ａｎａ Lima"),
]


@pytest.mark.parametrize("question", NAMING)
def test_a_question_that_names_somebody_asks_about_them(question: str) -> None:
    made = masks(question)
    for person in (LI, ANA, ANA_TOO):
        made.mask(person, "Bo Li" if person == LI else "Ana Lima")
    assert [made.is_asked_about(person) for person in (ANA, ANA_TOO, LI)] == [True, True, False]


@pytest.mark.parametrize("question", ["How did Ana do?", "xAna Lima", "Who passed?", "Ana Lima Cruz?"])
def test_another_name_is_not_asked_about(question: str) -> None:
    made = masks(question)
    made.mask(ANA, "Ana Lima")
    made.mask(LI, "Ana Lima Cruz")
    assert not made.is_asked_about(ANA)


def test_a_text_that_names_somebody_whole_is_hidden_the_longest_name_first() -> None:
    made = masks()
    lima, li = made.mask(ANA, "Ana Lima"), made.mask(LI, "Ana Li")
    assert made.hidden("Retake of ana lima, Ana Li and Ana Limara") == f"Retake of {lima}, {li} and Ana Limara"


HOSTILE = [
    "[x](https://evil.example)",
    "![x](https://evil.example/a.png)",
    "<img src=https://evil.example>",
    "https://evil.example/a",
    "www.evil.example",
    "a@evil.example",
    "`](https://evil.example)",
    "evil.example",
    "**Ana** _Lima_ ~~x~~ # | & \\",
    "s1] [s2",
    "\u202eamiL anA",
    "\U000e0041\U000e0042",
]


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize(
    "said", ["{} passed.", "`{}` passed.", "[x {}](y)", "**{}**", "- {}", "[{}]", "{}(https://a.b)"]
)
def test_no_name_makes_anything_to_fetch_or_to_click(name: str, said: str) -> None:
    markup = Markup("https://lms.example")
    made = masks()
    answer = markup.clean(said.format(made.mask(ANA, name)), cite=lambda _: None)
    markdown = with_names(answer, made.names)
    assert markup._holds(markdown)
    page = markup.html(markdown, markers=())
    assert "evil.example" not in page.replace("evil. example", "")
    assert "<a" not in page
    assert "<img" not in page


@given(st.text(max_size=60))
def test_a_shown_name_holds_no_markup_and_is_never_empty(name: str) -> None:
    line = shown(name)
    assert line
    assert not set(line) & set('`*_[]<>\\|~#&@:/!\n"')
    assert shown(line) == line


@pytest.mark.parametrize(
    "name", ["Søren Månestråle", "Imogen O’Fable", "Anne-Marie d'Arc", "J. R. Zéphyr", "李 娜", "नमस्ते"]
)
def test_honest_names_are_shown_as_they_are(name: str) -> None:
    assert shown(name) == name


def test_names_of_none_leave_a_text_alone() -> None:
    assert with_names("Person-x-1", None) == "Person-x-1"
    assert replaced("a", Names(TAG), shown) == "a"


@pytest.mark.parametrize(
    "title",
    ["Ana  Li\u0301ma", "ANA\nLIMA", "Ana\u00a0Líma", "Ána Lima", "a Ana Lima", "Ana Lima\u0301's", "(ana lima)"],
)
def test_a_name_is_hidden_however_it_is_written(title: str) -> None:
    made = masks()
    lima = made.mask(ANA, "Ana Lima")
    assert lima in made.hidden(title)
    assert "lima" not in made.hidden(title).casefold().replace(lima.casefold(), "")


@pytest.mark.parametrize(
    "name",
    ["Łukasz Żółć", "Дмитрий Чайка", "محمد الفارسي", "李娜", "Zoë D’Amico-Ruiz", "T. J. O'Neil", "Φωτεινή Παπαδάκη"],
)
def test_names_of_any_script_are_hidden_and_what_stands_around_them_is_kept(name: str) -> None:
    made = masks()
    placeholder = made.mask(ANA, name)
    assert made.hidden(f"Été « {name} » : 1") == f"Été « {placeholder} » : 1"


@pytest.mark.parametrize("dash", ["-", "\u2010", "\u2011", "\u2013", "\u2014", " - "])
def test_a_placeholder_whose_dashes_a_model_changed_is_still_one(dash: str) -> None:
    made = masks()
    made.mask(ANA, "Ana Lima")
    assert made.unmasked(f"Person{dash}{TAG}{dash}1 passed") == "Ana Lima passed"


@pytest.mark.parametrize("left", [f"Person-**{TAG}-1**", f"the tag {TAG}", f"xPerson-{TAG}-1", f"Person {TAG} 1"])
def test_no_tag_is_ever_shown(left: str) -> None:
    made = masks()
    made.mask(ANA, "Ana Lima")
    assert TAG not in with_names(left, made.names)


def test_digits_of_another_script_are_no_number() -> None:
    made = masks()
    for number in range(13):
        made.mask(uuid.UUID(int=number), f"Name {number}")
    assert "Name 12" not in made.unmasked(f"Person-{TAG}-1\u0663")


def test_the_newest_name_is_shown_and_every_name_is_hidden() -> None:
    made = masks()
    placeholder = made.mask(ANA, "Ana Lima")
    assert made.mask(ANA, "Ben Lima") == placeholder
    assert made.unmasked(placeholder) == "Ben Lima"
    assert made.hidden("Ana Lima is Ben Lima") == f"{placeholder} is {placeholder}"


@pytest.mark.parametrize(
    "spelt", ["Lima, Ana", "Ana-Lima", "Ana_Lima", "Ana.Lima", "Ana Limas", "ANA  LIMA", "Ána Líma"]
)
def test_a_name_is_hidden_in_the_spellings_of_titles(spelt: str) -> None:
    made = masks()
    placeholder = made.mask(ANA, "Ana Lima")
    assert made.hidden(f"Retake of {spelt}").startswith(f"Retake of {placeholder}")


@pytest.mark.parametrize(
    ("name", "line"), [("1. Eve", "Eve"), ("- Eve", "Eve"), ("1) Eve", "Eve"), ("---", "?"), ("10.", "\u2116 10")]
)
def test_no_name_begins_a_list_or_draws_a_line(name: str, line: str) -> None:
    assert shown(name) == line


PARTED = ["D'Amico", "D\u2019Amico", "d amico", "D-Amico"]


@pytest.mark.parametrize("spelt", PARTED)
def test_what_parts_the_words_of_a_name_does_not_count(spelt: str) -> None:
    made = masks()
    placeholder = made.mask(ANA, "Zoë D\u2019Amico")
    assert made.hidden(f"For Zoe {spelt}!") == f"For {placeholder}!"


@pytest.mark.parametrize("name", ["नमस्ते कुमार", "がぎ ぐげ", "김 민준", "สมชาย ใจดี", "שָׁלוֹם כֹּהֵן"])
def test_marks_of_any_script_are_part_of_their_word(name: str) -> None:
    made = masks()
    placeholder = made.mask(ANA, name)
    assert made.hidden(f"❤️{name}: {name}x") == f"❤️{placeholder}: {name}x"


@pytest.mark.parametrize("name", ["Person", "1", "Person 1", TAG])
def test_no_placeholder_is_taken_for_a_name(name: str) -> None:
    made = masks()
    lima = made.mask(ANA, "Ana Lima")
    made.mask(LI, name)
    assert made.hidden(made.hidden("Retake of Ana Lima")) == f"Retake of {lima}"


def test_a_whole_name_is_its_owners_and_not_that_of_whom_it_turns_around() -> None:
    made = masks()
    ana, li = made.mask(ANA, "Ana Lima"), made.mask(LI, "Lima Ana")
    assert made.hidden("Ana Lima, Lima Ana") == f"{ana}, {li}"


def test_a_name_that_ends_in_s_is_whole_and_names_across_a_placeholder_are_none() -> None:
    made = masks()
    santos, bo = made.mask(ANA, "Maria Santos"), made.mask(LI, "Bo Ek")
    assert made.hidden("Maria Santos, MARIA SANTOS' and Maria Santoss") == f"{santos}, {santos}' and {santos}s"
    assert made.hidden("Maria Bo Ek Santos") == f"Maria {bo} Santos"


def test_a_school_of_thousands_is_hidden_in_no_time() -> None:
    made = masks("How did the class do? " * 180)
    names = [f"Maria{n:04d} Santos{n % 40}" for n in range(1_500)]
    began = time.process_time()
    placeholders = [made.mask(uuid.UUID(int=n), name) for n, name in enumerate(names)]
    assert made.hidden(" ".join(names)[:24_000]).startswith(" ".join(placeholders[:1_000]))
    assert not any(made.is_asked_about(uuid.UUID(int=n)) for n in range(len(names)))
    assert time.process_time() - began < 1, "the loop of a process waits behind this"


def test_a_name_that_somebody_had_is_hidden_in_later_questions_and_not_shown() -> None:
    made = masks()
    placeholder = made.mask(ANA, "Ana Lima")
    made.mask(ANA, "Ana Costa")
    later = Masks.of(made.names, "And now?")
    assert later.hidden("Ana Lima, Ana Costa") == f"{placeholder}, {placeholder}"
    assert later.unmasked(placeholder) == "Ana Costa"
    assert later.names == made.names
