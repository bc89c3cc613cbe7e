"""Checks what came of a question, and puts it into the form it is shown in: no word of a model's passes beside it."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

from assist_service.domain.answer import Checked, check_answer, live_answer, refused_answer
from assist_service.domain.asked import Asked
from assist_service.domain.citations import Numbering, markers
from assist_service.domain.conversation import Kind
from assist_service.domain.live.finding import Unclear, listed_in, with_one_question
from assist_service.domain.live.fitting import fitted
from assist_service.domain.loop import Answered, AskedBack, Declined, LookedUp, Rejected
from assist_service.domain.moderation import texts_of
from assist_service.domain.names import Masks
from assist_service.domain.naming import named_in
from assist_service.domain.placeholders import Names, with_names
from assist_service.domain.policy import Policy
from assist_service.domain.prompt import Ability
from assist_service.domain.references import Listed, Option, once
from assist_service.domain.screens import Language
from assist_service.ports import LiveWording, Manuals, Markup
from assist_service.services.bench import Bench


@dataclass(frozen=True)
class Shown:
    """A checked answer as the person reads it, and what stands under it to go on with.

    `checked` is masked where names were kept from the model; `markdown` and `html` are as the person reads them.
    """

    checked: Checked
    markdown: str
    html: str
    names: Names | None
    listed: tuple[Listed, ...] = ()
    options: tuple[Option, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Checks:
    """The checks of every answer. A second of work, if it is hostile: call it in a thread."""

    policy: Policy
    manuals: Manuals
    markup: Markup
    wording: LiveWording

    def __call__(
        self,
        asked: Asked,
        outcome: Answered | AskedBack | Declined | LookedUp | Rejected,
        bench: Bench,
        *,
        at: dt.datetime,
    ) -> Shown:
        if isinstance(outcome, LookedUp):
            return self._of_lookups(asked, outcome, bench, at=at)
        desk = bench.desk
        checked = check_answer(
            outcome,
            policy=self.policy,
            language=desk.language,
            numbering=Numbering(desk.given, desk.audiences, self.manuals.withdrawn()),
            clean=lambda text, cite: self.markup.clean(text, cite=cite, tag=bench.masks.tag),
            looked_up=bench.look_ups.outcome,
            acts=desk.acts,
            may_act=not bench.toolbox.abilities.isdisjoint((Ability.SHOWING, Ability.PREPARING)),
        )
        return self._shown(asked, checked, bench.masks, listed=self._named(asked, checked, bench))

    def _named(self, asked: Asked, checked: Checked, bench: Bench) -> tuple[Listed, ...]:
        """Who and what of its own look-ups the answer names: a refusal and a question back name nobody."""
        if not bench.found or not bench.toolbox.keeps_back or checked.kind in (Kind.REFUSAL, Kind.QUESTION):
            return ()
        text = self.markup.text(checked.markdown)
        return named_in(checked.markdown, text, bench.found, bench.masks, selected=asked.selected)

    def refused(self, asked: Asked, language: Language, masks: Masks, *, is_withheld: bool = False) -> Shown:
        """What is said instead of an answer that may not be shown: fixed words, and nothing is done or listed."""
        return self._shown(asked, refused_answer(self.policy, language, is_withheld=is_withheld), masks)

    def _of_lookups(self, asked: Asked, outcome: LookedUp, bench: Bench, *, at: dt.datetime) -> Shown:
        """The service's own words. They go through the same cleaning: titles in them are anybody's."""
        desk = bench.desk
        looked, words = fitted(
            self.wording.labelled(with_one_question(outcome.looked), language=desk.language),
            lambda found: self.wording.answer(found, language=desk.language, at=at) if found else "",
        )
        options = _options(looked)
        checked = live_answer(
            self.markup.clean(words, cite=_no_citation, tag=bench.masks.tag) if words else "",
            asks=bool(options),
            policy=self.policy,
            language=desk.language,
            looked_up=bench.look_ups.outcome,
            acts=desk.acts,
        )
        return self._shown(asked, checked, bench.masks, listed=once(listed_in(looked)), options=options)

    def _shown(
        self,
        asked: Asked,
        checked: Checked,
        masks: Masks,
        *,
        listed: tuple[Listed, ...] = (),
        options: tuple[Option, ...] = (),
    ) -> Shown:
        markdown = checked.markdown if checked.is_withheld else with_names(checked.markdown, masks.names)
        html = self.markup.html(markdown, markers=markers(checked.citations))
        return Shown(checked, markdown, html, _kept(asked, checked, masks), listed, options)


def _options(looked: Sequence[object]) -> tuple[Option, ...]:
    """The ways to go on of the lookup that needs a choice: one waits at a time."""
    return next((each.options for each in looked if isinstance(each, Unclear)), ())


def _no_citation(handle: str) -> None:
    """A lookup cites nothing."""


def _kept(asked: Asked, checked: Checked, masks: Masks) -> Names | None:
    """The names that stay with the exchange, as long as it does: nobody's of whom it holds nothing.

    What it proposes with a name may stand in the LMS by the next question, and what is named in the question or was
    read unmasked must be known as a name when it goes to a model again. A withheld answer goes to none.
    """
    answer = "" if checked.is_withheld else checked.markdown
    return masks.kept(answer, asked.question, *texts_of(checked.acts))
