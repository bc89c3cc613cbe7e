"""A name in an answer breaks no address, and no cut makes it another person's."""

import uuid

import pytest

from assist_service.adapters.markdown.markup import Markup
from assist_service.domain.answer import ANSWER_CHARACTERS
from assist_service.domain.placeholders import with_names
from tests.unit.small_manual import masks
from tests.unit.test_names import ANA, TAG

LINKED = [
    "[her pools](/pools?search={})",
    "[her pools](/pools/{}/a)",
    "[her pools](https://lms.example/pools?search={})",
    "[her pools](</pools?search={}>)",
    "[her pools][a]\n\n[a]: /pools?search={}",
]


@pytest.mark.parametrize("said", LINKED)
@pytest.mark.parametrize("written", [f"Person-{TAG}-1", f"Person-{TAG.upper()}-1", f"Person-%62{TAG[1:]}-1", TAG])
def test_an_address_that_would_hold_a_name_is_none(said: str, written: str) -> None:
    made = masks()
    made.mask(ANA, "Ana Lima")
    markup = Markup("https://lms.example")
    markdown = with_names(markup.clean(said.format(written), cite=lambda _: None, tag=TAG), made.names)
    assert markdown == "her pools"


def test_a_bare_address_that_would_hold_a_name_is_shown_and_leads_nowhere_and_a_link_may_be_called_by_one() -> None:
    made = masks()
    lima = made.mask(ANA, "Ana Lima")
    markup = Markup("https://lms.example")
    said = f"https://lms.example/pools/{lima} or <https://lms.example/{lima}> or [{lima}](/pools)"
    markdown = with_names(markup.clean(said, cite=lambda _: None, tag=TAG), made.names)
    assert markdown == "`https://lms.example/pools/Ana Lima` or `https://lms.example/Ana Lima` or [Ana Lima](/pools)"
    assert markup.html(markdown, markers=()).count("<a ") == 1


@pytest.mark.parametrize("after", ["…", " …", "… and others", "…**"])
def test_a_placeholder_before_three_points_is_shown_by_its_name(after: str) -> None:
    made = masks()
    made.mask(ANA, "Ana Lima")
    assert with_names(f"Person-{TAG}-1{after}", made.names) == f"Ana Lima{after}"


@pytest.mark.parametrize("dash", ["-", " - ", "\u2013"])
def test_a_placeholder_that_an_answer_is_cut_in_is_left_out(dash: str) -> None:
    made = masks()
    placeholders = [made.mask(uuid.UUID(int=n), f"Name {chr(65 + n)}") for n in range(12)]
    markup, last = Markup("https://lms.example"), placeholders[-1].replace("-", dash)
    for left in range(len(last) + 3):
        before = "word " * ((ANSWER_CHARACTERS - left) // 5)
        said = before + "x" * (ANSWER_CHARACTERS - left - len(before) - 1) + " " + last + " passed, as did others"
        shown_to = with_names(markup.clean(said, cite=lambda _: None, tag=TAG), made.names)
        assert shown_to.endswith("…")
        assert "Name B" not in shown_to
        assert TAG[:2] not in shown_to
        assert ("Name L" in shown_to) == (left > len(last))
