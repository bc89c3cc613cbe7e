"""What each model costs: the shipped table, an operator's file on top; anything unclear is refused."""

import tomllib
from collections.abc import Mapping
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path

from pydantic import ValidationError

from assist_service.domain.budget import Price
from assist_service.domain.errors import ConfigurationError

MAX_MICROS_PER_MILLION = 10**12
"""A USD per token, long prompts included: above it a price is a slip, and sums leave the ledger's range."""


def load_prices(override: Path | None) -> Mapping[str, Price]:
    """The price of every model known. An entry of `override` replaces the shipped one whole.

    Raises ConfigurationError with one line that names file and entry.
    """
    prices = _read(resources.files("assist_service") / "prices.toml", name="prices.toml")
    if override is not None:
        prices |= _read(override, name=str(override))
    return prices


def _read(file: Traversable | Path, *, name: str) -> dict[str, Price]:
    try:
        table = tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigurationError(f"{name}: cannot be read ({type(error).__name__})") from error
    except UnicodeDecodeError as error:
        raise ConfigurationError(f"{name}: is not UTF-8") from error
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise ConfigurationError(f"{name}: is not TOML: {_one_line(error)}") from error
    return {model: _price(entry, where=f"{name}: entry {model!r}") for model, entry in table.items()}


def _price(entry: object, *, where: str) -> Price:
    try:
        # Strict: a price written as "2" or 2.0 or true is a slip, not a price.
        price = Price.model_validate(entry, strict=True)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        field = ".".join(map(str, first["loc"]))
        raise ConfigurationError(f"{where}: {field + ': ' if field else ''}{first['msg']}") from error
    dearest = max(price.input, price.cached_input, price.cache_write, price.output)
    if dearest * price.long_prompt_factor > MAX_MICROS_PER_MILLION:
        raise ConfigurationError(f"{where}: a price above {MAX_MICROS_PER_MILLION} micro-units")
    if (price.long_prompt_tokens is None) != (price.long_prompt_factor == 1):
        raise ConfigurationError(f"{where}: long_prompt_tokens and long_prompt_factor go together")
    return price


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())
