"""Which models there are, and their adapters, imported only when chosen: an SDK takes seconds."""

import importlib
from collections.abc import Callable, Mapping

from assist_service.domain.budget import Price
from assist_service.domain.errors import ConfigurationError
from assist_service.domain.moderation import OPENAI_COMPATIBLE
from assist_service.ports import ModelProvider
from assist_service.settings import Environment, Settings

STUB = "stub"

PROVIDERS: Mapping[str, tuple[str, str]] = {
    STUB: ("assist_service.adapters.models.stub", "StubModel"),
    "anthropic": ("assist_service.adapters.models.anthropic", "AnthropicModel"),
    "openai": ("assist_service.adapters.models.openai", "OpenAIModel"),
    "openai-chat": ("assist_service.adapters.models.openai_chat", "OpenAIChatModel"),
}
"""Where each provider's adapter lies: module and class."""

PROVIDER_NAMES: Mapping[str, str] = {
    STUB: "stub",
    "anthropic": "Anthropic",
    "openai": "OpenAI",
    "openai-chat": OPENAI_COMPATIBLE,
}
"""What the notice calls a provider."""


def models_of(settings: Settings) -> tuple[str, ...]:
    """Every model in use, each once: who is asked first comes first, then who stands in."""
    chat = (settings.model, settings.fallback_model) if settings.fallback_model else (settings.model,)
    return tuple(dict.fromkeys((*chat, *settings.completion_models)))


def refuse_models(settings: Settings, prices: Mapping[str, Price]) -> None:
    """Raises ConfigurationError for a model that is none, is not for here, or has no price."""
    _refuse_model("ASSIST_MODEL", settings.model, settings, prices)
    if settings.fallback_model is not None:
        _refuse_model("ASSIST_FALLBACK_MODEL", settings.fallback_model, settings, prices)
        if settings.fallback_model == settings.model:
            raise ConfigurationError("ASSIST_FALLBACK_MODEL: is the model it should stand in for")
    for model in settings.completion_models:
        _refuse_model("ASSIST_COMPLETION_MODELS", model, settings, prices)


def _refuse_model(variable: str, model: str, settings: Settings, prices: Mapping[str, Price]) -> None:
    if model == STUB and settings.env is Environment.PRODUCTION:
        raise ConfigurationError(f"{variable}: the stub answers nobody in production (ASSIST_ENV)")
    refuse_unknown(variable, model, prices)


def refuse_unknown(variable: str, model: str, prices: Mapping[str, Price]) -> None:
    """Raises ConfigurationError for a model that is none or has no price; `variable` is what named it."""
    provider, _, model_id = model.partition(":")
    if provider not in PROVIDERS or bool(model_id) == (provider == STUB):
        known = " nor ".join(f"{name}:<id>" for name in PROVIDERS if name != STUB)
        raise ConfigurationError(f"{variable}: {model!r} is neither stub nor {known}")
    if model not in prices:
        raise ConfigurationError(f"{variable}: {model!r} has no price, so no budget could hold it")


def make_provider(model: str) -> ModelProvider:
    """The adapter of a model that `refuse_models` has let pass."""
    provider, _, model_id = model.partition(":")
    module, name = PROVIDERS[provider]
    adapter: Callable[..., ModelProvider] = getattr(importlib.import_module(module), name)
    return adapter(model_id) if model_id else adapter()


def provider_names(settings: Settings, moderator: str | None) -> tuple[str, ...]:
    """Whom a person's question may reach: every provider of the chat and who moderates it, each once."""
    chat = (settings.model, settings.fallback_model or settings.model)
    names = [PROVIDER_NAMES[model.partition(":")[0]] for model in chat]
    return tuple(dict.fromkeys([*names, *([moderator] if moderator is not None else [])]))
