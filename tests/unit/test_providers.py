"""Each provider is named, and only the one in use is imported."""

import subprocess
import sys

import pytest

from assist_service.adapters.models.prices import load_prices
from assist_service.bootstrap.providers import PROVIDER_NAMES, PROVIDERS, STUB

pytestmark = pytest.mark.slow

MADE = """
import sys
from assist_service.bootstrap.providers import make_provider
provider = make_provider(sys.argv[1])
print(provider.model, *sorted({"anthropic", "openai"} & sys.modules.keys()))
"""

IMPORTED = {
    "stub": "stub",
    "anthropic:claude-sonnet-5-5": "anthropic:claude-sonnet-5-5 anthropic",
    "openai:gpt-6-luna": "openai:gpt-6-luna openai",
    "openai-chat:qwen/qwen3:8b": "openai-chat:qwen/qwen3:8b openai",
}


@pytest.mark.parametrize(("model", "told"), IMPORTED.items())
def test_only_the_sdk_in_use_is_imported(model: str, told: str) -> None:
    environment = {
        "ANTHROPIC_API_KEY": "sk-ant-x",
        "OPENAI_API_KEY": "sk-x",
        "OPENAI_BASE_URL": "http://127.0.0.1:9/v1",
    }
    made = subprocess.run(
        [sys.executable, "-c", MADE, model], env=environment, capture_output=True, text=True, check=True
    )
    assert made.stdout.strip() == told


def test_every_provider_has_a_name_and_an_example_here() -> None:
    assert PROVIDERS.keys() == PROVIDER_NAMES.keys() == {model.partition(":")[0] for model in IMPORTED}


def test_a_server_of_ones_own_has_no_shipped_price() -> None:
    shipped = {model.partition(":")[0] for model in load_prices(None)}
    assert shipped == {STUB, "anthropic", "openai"}


def test_what_openais_cache_costs() -> None:
    for model, price in load_prices(None).items():
        if model.startswith("openai:"):
            assert price.cached_input * 10 == price.input
            assert price.cache_write * 4 == price.input * 5
