"""Which models there are, and their adapters, imported only when chosen: an SDK takes seconds."""

import importlib
from collections.abc import Callable, Mapping

from assist_service.domain.budget import Price
from assist_service.domain.errors import ConfigurationError
from assist_service.ports import ModelProvider
from assist_service.settings import Environment, Settings

STUB = "stub"

PROVIDERS: Mapping[str, tuple[str, str]] = {
    STUB: ("assist_service.adapters.models.stub", "StubModel"),
    "anthropic": ("assist_service.adapters.models.anthropic", "AnthropicModel"),
}
"""Where each provider's adapter lies: module and class."""

PROVIDER_NAMES: Mapping[str, str] = {STUB: "stub", "anthropic": "Anthropic"}
"""What the notice calls a provider."""


def refuse_model(settings: Settings, prices: Mapping[str, Price]) -> None:
    """Raises ConfigurationError for a model that is none, is not for here, or has no price."""
    provider, _, model_id = settings.model.partition(":")
    if provider not in PROVIDERS or bool(model_id) == (provider == STUB):
        raise ConfigurationError(f"ASSIST_MODEL: {settings.model!r} is neither stub nor anthropic:<id>")
    if provider == STUB and settings.env is Environment.PRODUCTION:
        raise ConfigurationError("ASSIST_MODEL: the stub answers nobody in production (ASSIST_ENV)")
    if settings.model not in prices:
        raise ConfigurationError(f"ASSIST_MODEL: {settings.model!r} has no price, so no budget could hold it")


def make_provider(model: str) -> ModelProvider:
    """The adapter of a model that `refuse_model` has let pass."""
    provider, _, model_id = model.partition(":")
    module, name = PROVIDERS[provider]
    adapter: Callable[..., ModelProvider] = getattr(importlib.import_module(module), name)
    return adapter(model_id) if model_id else adapter()
