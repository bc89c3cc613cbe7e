"""From what the model said to what the person sees: every claim checked, the kind worked out, the rest refused."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from assist_service.domain.acts import Acts
from assist_service.domain.citations import Citation, Numbering
from assist_service.domain.claims import claims_a_card, claims_an_act
from assist_service.domain.conversation import Kind
from assist_service.domain.looked_up import NOTHING, LookedUp, Miss
from assist_service.domain.loop import Answered, AskedBack, Declined, Rejected
from assist_service.domain.own_words import NOTHING_CHANGED, NOTHING_PREPARED, Words, without_statement
from assist_service.domain.policy import Citations, Policy, Texts, Wording
from assist_service.domain.screens import Language
from assist_service.domain.statement import says_unchanged, sentence_of, unprepared_of, waits

ANSWER_CHARACTERS = 20_000
"""The longest answer that is shown, in characters; what comes after is cut, with a mark that says so."""

ONLY_LOOKED_UP: Words = {
    Language.ENGLISH: "Only the lookup was run; ask again for the rest.",
    Language.FRENCH: "Seule la recherche a été faite ; redemande pour le reste.",
    Language.FILIPINO: "Ang paghahanap lang ang isinagawa; humiling muli para sa iba.",
}
"""Where a reply asked for other reads beside a lookup."""

HOLDS_A_WORD: Words = {
    Language.ENGLISH: "Something was found, but it holds a word that may not be shown here.",
    Language.FRENCH: "Quelque chose a été trouvé, mais avec un mot qui ne peut pas être affiché ici.",
    Language.FILIPINO: "May nahanap, pero may salita roon na hindi maaaring ipakita rito.",
}
"""In place of an answer from a lookup that the list of words refuses."""

Clean = Callable[[str, Callable[[str], int | None]], str]
"""Makes a model's Markdown safe; the second argument numbers each citation handle or drops it."""


@dataclass(frozen=True)
class Checked:
    """An answer that may be shown."""

    kind: Kind
    markdown: str
    citations: tuple[Citation, ...]
    acts: Acts = field(default_factory=Acts)
    """What it does and proposes; a refusal and a question back do nothing."""
    is_withheld: bool = False
    """Whether it was looked up where no model reads: then none reads it later either."""
    words: str = field(default="", compare=False)
    """How `markdown` begins: what of it the model said. The rest is the service's own."""

    @property
    def added(self) -> str:
        """What of `markdown` the service said."""
        return self.markdown.removeprefix(self.words).strip()


def check_answer(
    outcome: Answered | AskedBack | Declined | Rejected,
    *,
    policy: Policy,
    language: Language,
    numbering: Numbering,
    clean: Clean,
    looked_up: LookedUp = NOTHING,
    acts: Acts | None = None,
    may_act: bool = True,
) -> Checked:
    """The answer with foreign links gone and citations counted; a refusal is always the policy's own words.

    What a data tool found, an empty list too, makes the answer one about live data, which need cite nothing. What one
    did not find, the service says in its own words under every answer and every question back: the model may have
    passed over it. So it does of what the answer opens and prepares, of what was not prepared and why, and that nothing
    was changed or waits where the words could be taken for it. Sentences that only the service says leave the model's;
    where it said nothing else, what is true in their place is said only where something could be done (`may_act`).
    """
    acts = acts or Acts()
    kept = acts if isinstance(outcome, Answered) else Acts()
    unprepared = unprepared_of(acts, language, is_any_prepared=kept.propose)
    missing = " ".join(part for part in (_missing(looked_up, policy.texts, language), unprepared) if part)
    match outcome:
        case Declined() | Rejected():
            return Checked(Kind.REFUSAL, policy.texts.decline[language], ())
        case AskedBack(text):
            cleaned = clean(text, _no_citation)
            question, true = without_statement(cleaned), _truth(cleaned, kept, language)
            if not question.strip():
                return _refusal(policy, language, "" if question == cleaned or not may_act else true, missing)
            return Checked(Kind.QUESTION, _paragraphs(question, true, missing), (), words=question)
        case Answered(text):
            cleaned = clean(text, numbering.cite)
            markdown = without_statement(cleaned)
            citations = tuple(each for each in numbering.citations if f"[{each.marker}]" in markdown)
            said = Checked(_kind(looked_up, acts, citations), markdown, citations, acts)
            return _answer(said, cleaned, policy, language, missing, may_act=may_act)


def _kind(looked_up: LookedUp, acts: Acts, citations: Sequence[Citation]) -> Kind:
    """What an answer is, by what it did: the model has no word in it."""
    if acts.propose:
        return Kind.PROPOSAL
    if looked_up.found:
        return Kind.LIVE
    return Kind.INTERFACE if acts.are_any and not citations else Kind.MANUAL


def _answer(said: Checked, cleaned: str, policy: Policy, language: Language, missing: str, *, may_act: bool) -> Checked:
    """The answer with what the service has to say under it, or a refusal where it rests on nothing.

    `cleaned` is what the model said with the sentences in it that were not its to say.
    """
    must_cite = policy.citations is Citations.REQUIRED
    has_words = _has_words(said.markdown)
    is_worded_here = not has_words or (said.kind is Kind.INTERFACE and must_cite)
    if (said.kind is Kind.MANUAL and must_cite and not said.citations) or (is_worded_here and not said.acts.are_any):
        is_untrue = may_act and not has_words
        return _refusal(policy, language, _truth(cleaned, said.acts, language) if is_untrue else "", missing)
    if is_worded_here:
        return replace(said, markdown=_paragraphs(_truth("", said.acts, language), missing), citations=())
    truth = _truth(cleaned, said.acts, language)
    return replace(said, markdown=_paragraphs(said.markdown, truth, missing), words=said.markdown)


def live_answer(
    markdown: str, *, asks: bool, policy: Policy, language: Language, looked_up: LookedUp, acts: Acts
) -> Checked:
    """The answer that the service wrote of lookups, in `markdown`; empty where all of them failed.

    `asks` says that the person is to choose. What brought nothing is told under it, as under every answer.
    """
    missing = _missing(looked_up, policy.texts, language)
    unprepared = unprepared_of(acts, language, is_any_prepared=acts.propose)
    done = _truth("", acts, language) if acts.are_any else ""
    said = _paragraphs(markdown, done, missing, unprepared)
    if not markdown and not acts.are_any:
        return _refusal(policy, language, said)
    kind = Kind.PROPOSAL if acts.propose else Kind.CHOICE if asks else Kind.LIVE
    return Checked(kind, said, (), acts, is_withheld=bool(markdown))


def refused_answer(policy: Policy, language: Language, *, is_withheld: bool = False) -> Checked:
    """What is said in place of an answer that may not be shown: it cites, opens and prepares nothing.

    In place of one from a lookup (`is_withheld`) it says that something was found, and stays withheld: that there was
    such a name or title is of what no model reads.
    """
    if is_withheld:
        return Checked(Kind.REFUSAL, HOLDS_A_WORD[language], (), is_withheld=True)
    return _refusal(policy, language)


def _refusal(policy: Policy, language: Language, *said: str) -> Checked:
    """In the words of the service where it has any, else in the policy's."""
    return Checked(Kind.REFUSAL, _paragraphs(*said) or policy.texts.not_found[language], ())


def _paragraphs(*parts: str) -> str:
    return "\n\n".join(part for part in parts if part)


def _truth(words: str, acts: Acts, language: Language) -> str:
    """What the service says under these words: what was done, and what was not where they could be taken for it."""
    is_card = not waits(acts) and claims_a_card(words)
    is_forged = not acts.are_any and without_statement(words) != words
    said = [sentence_of(acts, language)]
    # A screen that opens makes no other claim true.
    if (is_card or is_forged or claims_an_act(words)) and not says_unchanged(acts):
        said.append(NOTHING_CHANGED[language])
    if is_card:
        said.append(NOTHING_PREPARED[language])
    return " ".join(part for part in said if part)


def _missing(looked_up: LookedUp, texts: Texts, language: Language) -> str:
    """What was looked up in vain or not to its end, a sentence for each reason; empty where nothing was."""
    wordings: Mapping[Miss, Wording | Words] = {
        Miss.ABSENT: texts.not_found_there,
        Miss.SILENT: texts.lms_silent,
        Miss.REFUSED: texts.lms_refused,
        Miss.UNDONE: texts.not_looked_up,
        Miss.BESIDE: ONLY_LOOKED_UP,
        Miss.CUT: texts.cut_short,
    }
    return " ".join(wordings[miss][language] for miss in Miss if miss in looked_up.missing)


def _has_words(markdown: str) -> bool:
    """Whether anything is said beside the citation marks."""
    return any(character.isalnum() for character in re.sub(r"\[\d+\]", "", markdown))


def _no_citation(handle: str) -> None:
    """Nothing is cited in a question back."""
