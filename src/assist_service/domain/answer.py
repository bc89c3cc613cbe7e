"""From what the model said to what the person sees: every claim checked, the kind worked out, the rest refused."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum

from assist_service.domain.citations import Citation, Numbering
from assist_service.domain.conversation import Kind
from assist_service.domain.loop import Answered, AskedBack, Declined
from assist_service.domain.policy import Citations, Policy
from assist_service.domain.screens import Language

ANSWER_CHARACTERS = 20_000
"""The longest answer that is shown, in characters; what comes after is cut, with a mark that says so."""

Clean = Callable[[str, Callable[[str], int | None]], str]
"""Makes a model's Markdown safe; the second argument numbers each citation handle or drops it."""


class LookedUp(IntEnum):
    """What the data tools of a question came to, the better outweighing the worse."""

    NOTHING = 0
    FAILED = 1
    FOUND = 2


@dataclass(frozen=True)
class Checked:
    """An answer that may be shown."""

    kind: Kind
    markdown: str
    citations: tuple[Citation, ...]


def check_answer(
    outcome: Answered | AskedBack | Declined,
    *,
    policy: Policy,
    language: Language,
    numbering: Numbering,
    clean: Clean,
    looked_up: LookedUp = LookedUp.NOTHING,
) -> Checked:
    """The answer with foreign links gone and citations counted; a refusal is always the policy's own words.

    What a data tool found, an empty list too, makes the answer one about live data, which need cite nothing. Where
    citations are required, all of them failed and nothing is cited, the service says so in its own words.
    """
    match outcome:
        case Declined():
            return Checked(Kind.REFUSAL, policy.texts.decline[language], ())
        case AskedBack(text):
            question = clean(text, _no_citation)
            if not question.strip():
                return Checked(Kind.REFUSAL, policy.texts.not_found[language], ())
            return Checked(Kind.QUESTION, question, ())
        case Answered(text):
            markdown = clean(text, numbering.cite)
            citations = tuple(each for each in numbering.citations if f"[{each.marker}]" in markdown)
            kind = Kind.LIVE if looked_up is LookedUp.FOUND else Kind.MANUAL
            uncited = policy.citations is Citations.REQUIRED and kind is Kind.MANUAL and not citations
            if uncited or not _has_words(markdown):
                texts = policy.texts.not_looked_up if looked_up is LookedUp.FAILED else policy.texts.not_found
                return Checked(Kind.REFUSAL, texts[language], ())
            return Checked(kind, markdown, citations)


def _has_words(markdown: str) -> bool:
    """Whether anything is said beside the citation marks."""
    return any(character.isalnum() for character in re.sub(r"\[\d+\]", "", markdown))


def _no_citation(handle: str) -> None:
    """Nothing is cited in a question back."""
