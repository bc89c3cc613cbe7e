"""From what the model said to what the person sees: every claim checked, the kind worked out, the rest refused."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from assist_service.domain.citations import Citation, Numbering
from assist_service.domain.conversation import Kind
from assist_service.domain.looked_up import NOTHING, LookedUp, Miss
from assist_service.domain.loop import Answered, AskedBack, Declined
from assist_service.domain.policy import Citations, Policy, Texts, Wording
from assist_service.domain.screens import Language

ANSWER_CHARACTERS = 20_000
"""The longest answer that is shown, in characters; what comes after is cut, with a mark that says so."""

Clean = Callable[[str, Callable[[str], int | None]], str]
"""Makes a model's Markdown safe; the second argument numbers each citation handle or drops it."""


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
    looked_up: LookedUp = NOTHING,
) -> Checked:
    """The answer with foreign links gone and citations counted; a refusal is always the policy's own words.

    What a data tool found, an empty list too, makes the answer one about live data, which need cite nothing. What one
    did not find, the service says in its own words under every answer: the model may have passed over it.
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
            kind = Kind.LIVE if looked_up.found else Kind.MANUAL
            missing = _missing(looked_up, policy.texts, language)
            uncited = policy.citations is Citations.REQUIRED and kind is Kind.MANUAL and not citations
            if uncited or not _has_words(markdown):
                return Checked(Kind.REFUSAL, missing or policy.texts.not_found[language], ())
            return Checked(kind, f"{markdown}\n\n{missing}" if missing else markdown, citations)


def _missing(looked_up: LookedUp, texts: Texts, language: Language) -> str:
    """What was looked up in vain, a sentence for each reason; empty where nothing was."""
    wordings: Mapping[Miss, Wording] = {
        Miss.ABSENT: texts.not_found_there,
        Miss.SILENT: texts.lms_silent,
        Miss.UNDONE: texts.not_looked_up,
    }
    return " ".join(wordings[miss][language] for miss in Miss if miss in looked_up.missing)


def _has_words(markdown: str) -> bool:
    """Whether anything is said beside the citation marks."""
    return any(character.isalnum() for character in re.sub(r"\[\d+\]", "", markdown))


def _no_citation(handle: str) -> None:
    """Nothing is cited in a question back."""
