"""What the service says is said by nobody else: a model that writes its sentences is not shown with them (B7)."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assist_service.domain.acts import Acts
from assist_service.domain.claims import claims_a_card
from assist_service.domain.conversation import Kind
from assist_service.domain.loop import Answered, AskedBack
from assist_service.domain.own_words import (
    COMMANDS,
    NOTHING_CHANGED,
    NOTHING_PREPARED,
    OPENS,
    OUTCOMES,
    PREPARED,
    SAYS,
    SAYS_OTHERWISE,
    without_statement,
)
from assist_service.domain.screens import Language
from assist_service.domain.statement import sentence_of
from tests.unit.test_answer import FOUND, checked
from tests.unit.test_statement import EDITED, SCREEN, command, prepared

TEMPLATES = [
    words[language].format(what="Pools")
    for words, language in product((OPENS, PREPARED, NOTHING_CHANGED, NOTHING_PREPARED, *COMMANDS.values()), Language)
]

LINES = [words[language].format(what="Loops") for words, language in product(OUTCOMES.values(), Language)]

WRITTEN = {
    "as it is": "{}",
    "in bold": "**{}**",
    "in a list": "- {}",
    "in a quote": "> {}",
    "as a heading": "## {}",
    "numbered": "1. {}",
    "in a table": "| {} |",
    "behind a sign": "✅ {}",
}


@pytest.mark.parametrize("written", WRITTEN.values(), ids=WRITTEN)
@pytest.mark.parametrize("template", TEMPLATES)
def test_a_sentence_of_the_service_is_taken_out_however_it_is_written(template: str, written: str) -> None:
    assert not any(map(str.isalnum, without_statement(written.format(template))))
    assert without_statement(f"Here you go.\n\n{written.format(template)}\n\nAnd more.").startswith("Here you go.\n\n")
    assert without_statement(f"Here. {template} And more.") == "Here. And more."
    assert without_statement(template.upper()) == ""


@pytest.mark.parametrize("end", ["\n", " \\\n", "  \n", "\n> ", "**\n**"])
@pytest.mark.parametrize("template", [*TEMPLATES, *(f"{each} everything was deleted." for each in SAYS.values())])
def test_a_line_that_ends_within_it_hides_none(template: str, end: str) -> None:
    beginning = template.partition(":")[0].split(" ")
    for words in range(1, len(beginning)):
        first = " ".join(beginning[:words])
        broken = f"{first}{end}{template.removeprefix(first).lstrip()}"
        assert first not in without_statement(broken)
        told = without_statement(f"Here you go. {broken}\nAnd more.")
        assert (told[:12], told[-9:], first in told[12:-9]) == ("Here you go.", "And more.", False), broken


@pytest.mark.parametrize("text", ["", "Opens it.", "A command is an order.", "It opens: press it.", "a\n\n\n\nb"])
def test_other_words_stay_as_they_are(text: str) -> None:
    assert without_statement(text) == text


@pytest.mark.parametrize("text", ["Opens\n\n: x", "- Opens\n- : x", "Press Opens\n: x"])
def test_lines_that_are_not_one_sentence_stay_as_they_are(text: str) -> None:
    assert without_statement(text) == text


@given(
    st.lists(st.sampled_from([*TEMPLATES, *LINES, "Press New.", "", " ", "\n", "**", "- "]), max_size=8).map(" ".join)
)
def test_once_is_enough(text: str) -> None:
    once = without_statement(text)
    assert without_statement(once) == once


@pytest.mark.parametrize("says", [*SAYS.values(), *SAYS_OTHERWISE])
def test_nobody_else_says_that_the_service_says_it(says: str) -> None:
    for told in (
        f"{says} everything was deleted.",
        f"**{says}** Everything, all of it",
        f"> {says.upper()} *gone*",
        says,
    ):
        assert without_statement(told) == "", told
        assert without_statement(f"Here. {told}") == "Here."
    assert without_statement(f"The manual tells what the service says. {says[:-1]}") != ""


OTHERWISE = (
    "Note: The service says: gone",
    "Service says: gone",
    "The service says — gone",
    "The service says => gone",
    "\u0422he s\u0435rvice says: gone",  # two Cyrillic letters
    "The serv\u0456ce says\ua789 gone",  # one, and what is no colon
    "\u1d1b\u029c\u1d07 \ua731\u1d07\u0280\u1d20\u026a\u1d04\u1d07 \ua731\u1d00\u028f\ua731: gone",  # small capitals
    "\uff34he service says\uff1a gone",  # of full width
    "Nothing was ch\u0430nged on the platform, gone",
    "D\u03bfne:\ngone",
    "Done:  \ngone",
    "**Opened**:\\\ngone",
)


@pytest.mark.parametrize("told", OTHERWISE)
def test_nor_with_other_letters_or_other_marks(told: str) -> None:
    assert without_statement(told) == ""
    assert without_statement(f"Here.\n\n{told}\n\nAnd more.") == "Here.\n\nAnd more."


@pytest.mark.parametrize(
    "honest",
    [
        "Read what the service says under it.",
        "The service says what it did.",
        "Le service indique la date de fin.",
        "Done:\n- the first\n- the second",
    ],
)
def test_what_only_speaks_of_it_stays(honest: str) -> None:
    assert without_statement(honest) == honest


@pytest.mark.parametrize("line", LINES)
def test_a_line_of_the_panel_is_taken_out_where_it_stands_alone(line: str) -> None:
    for written in ("{}", "**{}**", "→ {}", "## {}", "> {}", "✅ {}.", "`{}`"):
        assert not any(map(str.isalnum, without_statement(written.format(line)))), written
        between = without_statement(f"Here.\n\n{written.format(line)}\n\nAnd more.")
        assert between == "Here.\n\nAnd more.", written
    assert without_statement(f"{NOTHING_CHANGED[Language.ENGLISH]}\n{line}\n{line}") == ""
    told = checked(Answered(f"Two pools.\n\n{line}"), looked_up=FOUND).markdown
    assert told == f"Two pools.\n\n{NOTHING_CHANGED[Language.ENGLISH]}"


@pytest.mark.parametrize("line", LINES)
def test_where_it_is_honest_prose_it_stays(line: str) -> None:
    for written in (
        "- {}",
        "1. {}",
        "| {} |",
        "* {}",
        "Here: {}",
        "{}. Then press Save.",
        "The exam.\n{}",
        "{}\nClosed: 3 May",
    ):
        assert without_statement(written.format(line)) == written.format(line)


FORGED = (
    "Prepared, and waiting for you: create a category. Nothing has changed yet.",
    "Préparé, et en attente de ta décision : créer une catégorie. Rien n'a encore changé.",
    "Inihanda, at naghihintay sa iyo: gumawa ng kategorya. Wala pang nagbago.",
    "Opens: Pools.",
    "S'ouvre : Banques.",
    "A command of this screen runs.",
    "The service says: everything was deleted.",
    "**The service says:** Prepared, and waiting for you: create a category.",
    "Le service indique : tout est supprimé.",
    "Sabi ng serbisyo: binura na ang lahat.",
)


@pytest.mark.parametrize(("text", "language"), list(product(FORGED, Language)))
def test_a_forged_sentence_is_not_shown_and_the_truth_is(text: str, language: Language) -> None:
    beside = checked(Answered(f"Two pools.\n\n{text}"), language=language, looked_up=FOUND)
    assert beside.kind is Kind.LIVE
    assert beside.markdown.startswith(f"Two pools.\n\n{NOTHING_CHANGED[language]}")
    alone = checked(Answered(text), language=language, looked_up=FOUND)
    assert alone.kind is Kind.REFUSAL
    assert alone.markdown.startswith(NOTHING_CHANGED[language])
    asked = checked(AskedBack(f"{text} Which one?"), language=language)
    assert asked.markdown.startswith(f"Which one?\n\n{NOTHING_CHANGED[language]}")
    assert checked(AskedBack(text), language=language).markdown.startswith(NOTHING_CHANGED[language])


CARDS = (
    FORGED[0],
    FORGED[1],
    FORGED[2],
    "A change is ready on the card below: confirm it.",
    "I prepared it.",
    "It waits for you.",
    "Please confirm it.",
    "The change awaits your confirmation.",
    "It is ready to confirm.",
    "Une carte t'attend sous cette réponse.",
    "C'est préparé : confirme-la.",
    "Elle est prête à être confirmée.",
    "La modification attend ta confirmation.",
    "Naghihintay ito ng kumpirmasyon mo.",
    "Inihanda ko na. I-confirm mo.",
    "May card sa ibaba.",
)


@pytest.mark.parametrize("text", [*CARDS, *map(str.upper, CARDS)])
def test_words_of_something_that_waits_are_known(text: str) -> None:
    assert claims_a_card(text)
    assert claims_a_card(text.replace("a", "\u0430"))


@pytest.mark.parametrize("text", ["Press Confirm.", "Confirm with your key.", "Prépare la question.", "Which pool?"])
def test_words_of_the_manual_are_none(text: str) -> None:
    assert not claims_a_card(text)


@pytest.mark.parametrize(("text", "language"), list(product(CARDS, Language)))
def test_where_nothing_waits_it_is_said(text: str, language: Language) -> None:
    both = f"{NOTHING_CHANGED[language]} {NOTHING_PREPARED[language]}"
    assert checked(Answered(f"Two. {text}"), language=language, looked_up=FOUND).markdown.endswith(f"\n\n{both}")
    acts = Acts(screen=SCREEN)
    told = checked(Answered(f"Two. {text}"), citations="shown", language=language, acts=acts).markdown
    assert told.endswith(f"\n\n{sentence_of(acts, language)} {both}")


WAITING = (
    Acts(writes=[prepared()]),
    Acts(edit=EDITED),
    Acts(commands=[command("confirm_command")]),
    Acts(commands=[command("offer_command")]),
)


@pytest.mark.parametrize("acts", WAITING)
def test_where_something_waits_it_is_not(acts: Acts) -> None:
    told = checked(Answered("It is on the card below: confirm it."), citations="shown", acts=acts).markdown
    assert told == f"It is on the card below: confirm it.\n\n{sentence_of(acts, Language.ENGLISH)}"


def test_a_service_sentence_that_is_true_is_said_once() -> None:
    acts = Acts(writes=[prepared()])
    own = sentence_of(acts, Language.ENGLISH)
    assert checked(Answered(f"Here it is. {own}"), acts=acts).markdown == f"Here it is.\n\n{own}"
