"""Who moderates: the policy and the settings together. A wrong setting is one line at start."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

from assist_service.adapters.moderation.words import WordListModerator, load_moderator
from assist_service.domain.budget import Price
from assist_service.domain.errors import ConfigurationError
from assist_service.domain.moderation import MODERATORS, OPENAI, WORDS
from assist_service.domain.policy import ModerationRule, Policy
from assist_service.ports import Clock, Moderator
from assist_service.services.moderation import Moderation, Moderators
from assist_service.settings import Settings

FREE = frozenset({"openai:omni-moderation-latest", "openai:omni-moderation-2024-09-26"})
"""Models whose requests the provider does not charge for, by its price list; recheck with the prices."""

NOTHING = Price(input=0, cached_input=0, cache_write=0, output=0)


def refuse_moderation(settings: Settings, policy: Policy, prices: Mapping[str, Price]) -> None:
    """Raises ConfigurationError for a moderator that is none, is not free, or is missing where one is required."""
    wanted = settings.moderation
    if wanted is None:
        if policy.moderation is ModerationRule.REQUIRED:
            raise ConfigurationError(
                f"ASSIST_MODERATION is not set: the policy {policy.name} answers nothing that is not moderated. "
                f"Set it to {WORDS} or {OPENAI}:<model>"
            )
    elif wanted != WORDS:
        _refuse_model(wanted, prices)
    if policy.moderation is not ModerationRule.OFF:
        _refuse_own_texts(load_moderator(settings.moderation_words), policy)


def _refuse_model(wanted: str, prices: Mapping[str, Price]) -> None:
    kind, _, model_id = wanted.partition(":")
    if kind not in MODERATORS or kind == WORDS or not model_id:
        raise ConfigurationError(f"ASSIST_MODERATION: {wanted!r} is neither {WORDS} nor {OPENAI}:<model>")
    if wanted not in FREE and prices.get(wanted) != NOTHING:
        raise ConfigurationError(
            f"ASSIST_MODERATION: {wanted!r} has no price that is nothing, so no budget could hold it"
        )


def _refuse_own_texts(local: WordListModerator, policy: Policy) -> None:
    """Raises ConfigurationError for a list that refuses the refusals, which then nobody could be told."""
    for name in type(policy.texts).model_fields:
        for language, text in getattr(policy.texts, name).items():
            if local.holds(text):
                raise ConfigurationError(f"ASSIST_MODERATION_WORDS: refuses the policy's own text {name} ({language})")


@asynccontextmanager
async def open_moderation(settings: Settings, policy: Policy, *, clock: Clock) -> AsyncIterator[Moderation]:
    """The moderation of what `refuse_moderation` let pass. Raises ConfigurationError where a provider has no key."""
    if settings.moderation is None or policy.moderation is ModerationRule.OFF:
        yield Moderation(None, clock)
        return
    local = load_moderator(settings.moderation_words)
    moderators = Moderators(_chosen(settings.moderation, local, clock=clock), local)
    try:
        yield Moderation(moderators, clock)
    finally:
        await moderators.close()


def _chosen(wanted: str, local: Moderator, *, clock: Clock) -> Moderator:
    kind, _, model_id = wanted.partition(":")
    if kind == WORDS:
        return local
    # Here, since an SDK takes seconds to import.
    from assist_service.adapters.models.openai_moderation import OpenAIModeration

    return OpenAIModeration(model_id, clock=clock)
