"""Who moderates: the policy and the settings together. A wrong setting is one line at start."""

from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager

from assist_service.adapters.markdown.markup import Markup
from assist_service.adapters.moderation.words import WordListModerator, load_moderator
from assist_service.adapters.wording.catalogues import worded
from assist_service.domain.answer import HOLDS_A_WORD, ONLY_LOOKED_UP
from assist_service.domain.budget import Price
from assist_service.domain.errors import ConfigurationError
from assist_service.domain.moderation import MODERATORS, OPENAI, WORDS
from assist_service.domain.policy import ModerationRule, Policy
from assist_service.domain.screens import Language
from assist_service.ports import Clock, Moderator
from assist_service.services.moderation import Moderation, Moderators
from assist_service.settings import Settings

FREE = frozenset({"openai:omni-moderation-latest", "openai:omni-moderation-2024-09-26"})
"""Models whose requests the provider does not charge for, by its price list; recheck with the prices."""

NOTHING = Price(input=0, cached_input=0, cache_write=0, output=0)


def read_moderation(settings: Settings, policy: Policy, prices: Mapping[str, Price]) -> WordListModerator | None:
    """The list of words, or None where the policy wants nobody to judge.

    Raises ConfigurationError for a moderator that is none, is not free, or is missing where one is required.
    """
    wanted = settings.moderation
    if wanted is None:
        if policy.moderation is ModerationRule.REQUIRED:
            raise ConfigurationError(
                f"ASSIST_MODERATION is not set: the policy {policy.name} answers nothing that is not moderated. "
                f"Set it to {WORDS} or {OPENAI}:<model>"
            )
    elif wanted != WORDS:
        _refuse_model(wanted, prices)
    if settings.moderation_base_url is not None and settings.moderation_key is None:
        # The key that there is belongs to another server.
        raise ConfigurationError(
            "ASSIST_MODERATION_BASE_URL: has no ASSIST_MODERATION_KEY; any word will do for a server that asks for none"
        )
    if policy.moderation is ModerationRule.OFF:
        return None
    local = load_moderator(settings.moderation_words)
    _refuse_own_texts(local, policy)
    return local


def _refuse_model(wanted: str, prices: Mapping[str, Price]) -> None:
    kind, _, model_id = wanted.partition(":")
    if kind not in MODERATORS or kind == WORDS or not model_id:
        raise ConfigurationError(f"ASSIST_MODERATION: {wanted!r} is neither {WORDS} nor {OPENAI}:<model>")
    if wanted not in FREE and prices.get(wanted) != NOTHING:
        raise ConfigurationError(
            f"ASSIST_MODERATION: {wanted!r} has no price that is nothing, so no budget could hold it"
        )


def _refuse_own_texts(local: WordListModerator, policy: Policy) -> None:
    """Raises ConfigurationError for a list that refuses what this service says itself, which then nobody could be told.

    So an answer from a lookup is refused for the titles and names in it alone.
    """
    for name in type(policy.texts).model_fields:
        for language, text in getattr(policy.texts, name).items():
            if local.holds(text):
                raise ConfigurationError(f"ASSIST_MODERATION_WORDS: refuses the policy's own text {name} ({language})")
    for language in Language:
        for text in _own_texts(language):
            if local.holds(text):
                raise ConfigurationError(f"ASSIST_MODERATION_WORDS: refuses the service's own text {text!r}")


def _own_texts(language: Language) -> Iterator[str]:
    """What is said of lookups."""
    yield from (HOLDS_A_WORD[language], ONLY_LOOKED_UP[language], *worded(language))


@asynccontextmanager
async def open_moderation(
    settings: Settings, local: WordListModerator | None, *, clock: Clock
) -> AsyncIterator[Moderation]:
    """The moderation of what `read_moderation` let pass. Raises ConfigurationError where a provider has no key."""
    markup = Markup(settings.lms_origin)
    if settings.moderation is None or local is None:
        yield Moderation(None, markup, clock)
        return
    moderators = Moderators(_chosen(settings.moderation, local, settings, clock=clock), local)
    try:
        yield Moderation(moderators, markup, clock)
    finally:
        await moderators.close()


def _chosen(wanted: str, local: Moderator, settings: Settings, *, clock: Clock) -> Moderator:
    kind, _, model_id = wanted.partition(":")
    if kind == WORDS:
        return local
    # Here, since an SDK takes seconds to import.
    from assist_service.adapters.models.openai_moderation import OpenAIModeration

    if settings.moderation_key is None:
        return OpenAIModeration(model_id, clock=clock)
    key = settings.moderation_key.get_secret_value()
    return OpenAIModeration(
        model_id, clock=clock, api_key=key, base_url=settings.moderation_base_url, key_variable="ASSIST_MODERATION_KEY"
    )
