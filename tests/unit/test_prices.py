"""Prices are read exactly or not at all."""

from pathlib import Path

import pytest

from assist_service.adapters.models.prices import load_prices
from assist_service.domain.budget import Price, cost_micros, worst_case_micros
from assist_service.domain.errors import ConfigurationError
from assist_service.domain.messages import Usage

WHOLE = "input = 1\ncached_input = 1\ncache_write = 1\noutput = 1\n"


def _file(tmp_path: Path, text: str | bytes) -> Path:
    path = tmp_path / "my-prices.toml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def test_the_shipped_table() -> None:
    assert dict(load_prices(None)) == {
        "anthropic:claude-sonnet-5-5": Price(
            input=2_000_000, cached_input=200_000, cache_write=2_500_000, output=10_000_000
        ),
        "anthropic:claude-haiku-5-5": Price(
            input=100_000,
            cached_input=10_000,
            cache_write=125_000,
            output=500_000,
            long_prompt_tokens=100_000,
            long_prompt_factor=5,
        ),
        "openai:gpt-6.2-sol": Price(input=2_000_000, cached_input=200_000, cache_write=2_500_000, output=10_000_000),
        "openai:gpt-6-luna": Price(input=100_000, cached_input=10_000, cache_write=125_000, output=500_000),
        "stub": Price(input=2_000_000, cached_input=200_000, cache_write=2_500_000, output=10_000_000),
    }


def test_the_units_are_micro_usd_per_million_tokens() -> None:
    sonnet = load_prices(None)["anthropic:claude-sonnet-5-5"]
    million = 1_000_000
    # 2 USD of input, 0.2 of cached reads, 2.5 of cache writes, 10 of output.
    assert cost_micros(sonnet, Usage(million, million, million, million)) == 14_700_000


def test_a_long_prompt_costs_five_times_as_much_on_haiku() -> None:
    haiku = load_prices(None)["anthropic:claude-haiku-5-5"]
    assert cost_micros(haiku, Usage(100_000, 0, 0, 0)) == 10_000
    assert cost_micros(haiku, Usage(100_000, 1, 0, 0)) == 50_001  # 50,000.05, rounded up
    assert worst_case_micros(haiku, input_token_bound=200_000, max_tokens=0) == 125_000


def test_entries_of_the_override_replace_and_add(tmp_path: Path) -> None:
    path = _file(tmp_path, f'["anthropic:claude-haiku-5-5"]\n{WHOLE}["openai-chat:local"]\n{WHOLE}')
    prices = load_prices(path)
    assert prices["anthropic:claude-haiku-5-5"] == Price(input=1, cached_input=1, cache_write=1, output=1)
    assert prices["openai-chat:local"].output == 1
    assert prices["stub"] == load_prices(None)["stub"]


MALFORMED: dict[str, tuple[str | bytes, str]] = {
    "not TOML": ("[x\ninput = 1", "is not TOML"),
    "not UTF-8": (b"# \xff\n", "is not UTF-8"),
    "nested out of reason": ("x = " + "[" * 20_000, "is not TOML"),
    "no table": ("stub = 3", "entry 'stub'"),
    "a list of tables": (f"[[stub]]\n{WHOLE}", "entry 'stub'"),
    "an unknown key": (f"[stub]\n{WHOLE}discount = 1", "entry 'stub': discount"),
    "a price missing": ("[stub]\ninput = 1\ncached_input = 1\ncache_write = 1", "entry 'stub': output"),
    "a negative price": (f"[stub]\n{WHOLE}".replace("output = 1", "output = -1"), "entry 'stub': output"),
    "a fraction": (f"[stub]\n{WHOLE}".replace("output = 1", "output = 1.5"), "entry 'stub': output"),
    "a whole fraction": (f"[stub]\n{WHOLE}".replace("output = 1", "output = 2.0"), "entry 'stub': output"),
    "a text": (f"[stub]\n{WHOLE}".replace("output = 1", 'output = "2"'), "entry 'stub': output"),
    "a boolean": (f"[stub]\n{WHOLE}".replace("output = 1", "output = true"), "entry 'stub': output"),
    "out of reason": (
        f"[stub]\n{WHOLE}".replace("output = 1", "output = 1000000000001"),
        "entry 'stub': a price",
    ),
    "out of reason for a long prompt": (
        f"[stub]\n{WHOLE}long_prompt_tokens = 1\nlong_prompt_factor = 1000000000001",
        "entry 'stub': a price above",
    ),
    "a factor without its threshold": (f"[stub]\n{WHOLE}long_prompt_factor = 5", "go together"),
    "a threshold without its factor": (f"[stub]\n{WHOLE}long_prompt_tokens = 5", "go together"),
    "a threshold of nothing": (
        f"[stub]\n{WHOLE}long_prompt_tokens = 0\nlong_prompt_factor = 5",
        "entry 'stub': long_prompt_tokens",
    ),
    "an entry named over two lines": (f'["a\\nb"]\n{WHOLE}more = 1', r"entry 'a\nb': more"),
    "an entry twice": (f"[stub]\n{WHOLE}[stub]\n{WHOLE}", "is not TOML"),
}


@pytest.mark.parametrize(("text", "told"), MALFORMED.values(), ids=MALFORMED)
def test_a_malformed_file_is_refused_in_one_line(tmp_path: Path, text: str | bytes, told: str) -> None:
    path = _file(tmp_path, text)
    with pytest.raises(ConfigurationError) as refused:
        load_prices(path)
    line = str(refused.value)
    assert line.startswith(str(path))
    assert told in line
    assert "\n" not in line


@pytest.mark.parametrize("missing", ["no-such-file.toml", "."])
def test_a_file_that_cannot_be_read_is_refused_in_one_line(tmp_path: Path, missing: str) -> None:
    path = tmp_path / missing
    with pytest.raises(ConfigurationError) as refused:
        load_prices(path)
    assert str(refused.value).startswith(f"{path}: cannot be read")
    assert "\n" not in str(refused.value)
