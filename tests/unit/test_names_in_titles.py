"""A title that names somebody hides that person and no other, and reads as it stood when the names are back."""

import uuid
from collections.abc import Mapping, Sequence

import pytest

from assist_service.adapters.markdown.markup import Markup
from assist_service.domain.names import Masks
from assist_service.domain.placeholders import shown, with_names

TAG = "bcdfghjk"


def met(*names: str) -> Masks:
    """The placeholders of these people, numbered from 1."""
    made = Masks(TAG, "Who passed?")
    for number, name in enumerate(names):
        made.mask(uuid.UUID(int=number), name)
    return made


def hidden(names: Sequence[str], title: str) -> str:
    """The title with P1 for the first of these people."""
    return met(*names).hidden(title).replace(f"Person-{TAG}-", "P")


TITLES: Mapping[str, tuple[Sequence[str], str, str]] = {
    "a list of two is not a third who stands across": (("Ana Cruz", "Ed Cruz", "Ana Go"), "Ed Cruz, Ana Go", "P2, P3"),
    "though it is longer": (("Anabella Cruz", "Ed Cruz"), "Ed Cruz, Anabella Go", "P2, Anabella Go"),
    "a semicolon parts": (("Anne-Marie Roux",), "Annemarie Roux; Anne Marie Roux", "Annemarie Roux; P1"),
    "a slash parts what is turned": (("Ana Cruz",), "Ed Cruz/Ana Go", "Ed Cruz/Ana Go"),
    "a sentence does": (("Ana Cruz",), "Ed Cruz. Ana Go", "Ed Cruz. Ana Go"),
    "a comma elsewhere does": (("Ana Maria Cruz",), "Cruz Ana, Maria", "Cruz Ana, Maria"),
    "a turned name that holds a whole one": (("Ana", "Ana Cruz"), "Cruz, Ana and Ana", "P2 and P1"),
    "a name within": (("Ana Maria", "Ana Maria Cruz"), "Cruz, Ana Maria", "P2"),
    "a surname of several words": (("Juan de la Cruz",), "De la Cruz, Juan", "P1"),
    "of two": (("Juan Dela Cruz",), "DELA CRUZ , JUAN", "P1"),
    "several given names": (("Maria Clara Santos",), "Santos, Maria Clara", "P1"),
    "a hyphen within": (("Anne-Marie Roux",), "Roux, Anne-Marie", "P1"),
    "initials": (("J. R. Cruz",), "Cruz, J. R. (late)", "P1. (late)"),
    "one word of two": (("Ana Lima",), "lima-ana or lima_ana", "P1 or P1"),
    "letters that are not taken apart": (("Łukasz Wójcik", "Søren Ågård"), "Lukasz Wojcik, Soren Agard", "P1, P2"),
    "wide letters": (
        ("\uff25\uff56\uff41 Tan", "Fe Uy"),
        "Eva Tan, \U0001d405\U0001d41e \U0001d414\U0001d432",
        "P1, P2",
    ),
    "ligatures": (("Æsa Þór", "Jan Weiß"), "aesa thor, JAN WEISS", "P1, P2"),
    "a number is no name": (("1", "20231234", "Ana Lima"), "Quiz 1 of 20231234", "Quiz 1 of 20231234"),
    "a name with a number is": (("Ana 1",), "Quiz 1 of ana 1", "Quiz 1 of P1"),
}


@pytest.mark.parametrize(("names", "title", "wanted"), TITLES.values(), ids=TITLES)
def test_a_title_hides_whom_it_names(names: Sequence[str], title: str, wanted: str) -> None:
    assert hidden(names, title) == wanted


BACK: Mapping[str, tuple[str, str]] = {
    "Will": ("What will be? WILL Wills wills", "person-1"),
    "mark": ("The MARK of mark", "Person-1"),
    "Cher": ("Cher's retake; cherry", "Person-1"),
    "MIA": ("Mamma mia, MIA", "person-1"),
    "J": ("Part J", "Person-1"),
}


@pytest.mark.parametrize("name", BACK)
def test_a_word_that_is_a_name_too_is_hidden_and_reads_as_it_stood(name: str) -> None:
    title, holds = BACK[name]
    made = met(name)
    masked = made.hidden(title)
    assert name.casefold() not in masked.casefold().replace("cherry", "").replace("part j", "").split()
    assert holds in masked.replace(f"-{TAG}", "")
    assert made.unmasked(masked) == with_names(masked, made.names) == title


def test_a_whole_name_is_shown_as_the_platform_has_it_however_a_model_writes_its_placeholder() -> None:
    made = met("Ana Lima")
    assert made.unmasked(f"person-{TAG}-1, PERSON-{TAG}-1") == "Ana Lima, Ana Lima"


def test_who_is_called_so_now_comes_before_who_was_in_whichever_order_they_are_met() -> None:
    first, second = uuid.UUID(int=1), uuid.UUID(int=2)
    renames = [(first, "Bea Lopez"), (second, "Ana Cruz")]
    for order in (renames, renames[::-1]):
        made = met()
        made.mask(first, "Ana Cruz")
        assert made.hidden("For Ana Cruz") == f"For Person-{TAG}-1"
        known = made.known
        for person, name in order:
            made.mask(person, name)
        assert made.known > known, "what was hidden before leads to another now"
        for each in (made, Masks.of(made.names, "")):
            assert each.hidden("For Ana Cruz, cruz ana") == f"For Person-{TAG}-2, Person-{TAG}-2"
            assert each.hidden("For Bea Lopez") == f"For Person-{TAG}-1"


@pytest.mark.parametrize("said", ["_{}_", "__{}__", "_{}_s", "(_{}_)"])
def test_a_placeholder_in_underscores_keeps_its_name(said: str) -> None:
    made = met("Ana Lima")
    assert with_names(said.format(f"Person-{TAG}-1"), made.names) == said.format("Ana Lima")


SHOWN = {
    **dict.fromkeys(
        ["Ana\u00a0Cruz", "Ana\tCruz", "Ana\nCruz", "Ana_Cruz", "Ana/Cruz", " Ana & Cruz", "Ana\u2028Cruz"], "Ana Cruz"
    ),
    "Ana/Anita Cruz": "Ana Anita Cruz",
    "D\u2018Souza": "D\u2018Souza",
    "A\u00adna\u200b Cruz\ufeff": "Ana Cruz",
    "20231234": "\u2116 20231234",
    "#1": "\u2116 1",
    "\u2603": "?",
}


@pytest.mark.parametrize(("name", "line"), SHOWN.items())
def test_what_parts_a_name_parts_it_when_it_is_shown(name: str, line: str) -> None:
    assert shown(name) == line
    assert shown(line) == line


@pytest.mark.parametrize("said", ["{}. Second", "[{}]", "x\n{}) y", "[x]{}", "- {}"])
def test_a_name_of_digits_is_no_list_no_citation_and_no_address(said: str) -> None:
    markup = Markup("https://lms.example")
    named = said.format(f"Person-{TAG}-1")
    markdown = with_names(markup.clean(named, cite=lambda _: None, tag=TAG), met("1").names)
    page = markup.html(markdown, markers={1})
    assert "\u2116 1" in page
    assert not any(made in page for made in ("<ol", "<sup", "<a"))


STOOD = [
    ("By Ana Lima.", "So says {0}!", "So says Ana Lima!"),
    ("By LIMA, ana.", "So says {0}!", "So says LIMA, ana!"),
    ("See asset:ana-lima.png", "Here: asset:{0}.png", "Here: asset:ana-lima.png"),
    ("ana lima, then Ana LIMA", "{0} and {0} and {0}", "ana lima and Ana LIMA and Ana LIMA"),
    ("Nobody.", "By {0}.", "By Ana Lima."),
    ("By Ana\u200b Lima.", "By {0}: {1}", "By Ana Lima: Bo Li"),
]


@pytest.mark.parametrize(("before", "rewritten", "after"), STOOD)
def test_names_come_back_into_a_text_as_they_stood_in_it(before: str, rewritten: str, after: str) -> None:
    made = met("Ana Lima", "Bo Li")
    given = made.unmasked(rewritten.format(f"Person-{TAG}-1", f"Person-{TAG}-2"))
    assert made.respelt(given, before) == after
    assert made.respelt(made.unmasked(made.kept_from(before)), before) == before.replace("\u200b", "")
