"""The files a school configures the service with: its policy and its screens, refused whole when they are wrong."""

import tomllib
from importlib.resources import files
from pathlib import Path
from typing import TypeVar

import yaml
from pydantic import BaseModel, ValidationError

from assist_service.domain.errors import ConfigurationError
from assist_service.domain.policy import Policy
from assist_service.domain.screens import Catalogue

Model = TypeVar("Model", bound=BaseModel)


def load_policy(name_or_path: str) -> Policy:
    """A shipped policy by its name, or the one of a TOML file. Raises ConfigurationError."""
    shipped = files("assist_service") / "policies" / f"{name_or_path}.toml"
    is_name = name_or_path.replace("-", "").isalnum()
    source = shipped if is_name and shipped.is_file() else Path(name_or_path)
    if not source.is_file():
        raise ConfigurationError(f"ASSIST_POLICY: there is no policy {name_or_path}")
    try:
        return _validated(Policy, tomllib.loads(source.read_text("utf-8")), f"policy {name_or_path}")
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigurationError(f"policy {name_or_path}: not TOML: {error}") from None


def load_catalogue(path: Path) -> Catalogue:
    """The screens of the LMS. Raises ConfigurationError."""
    try:
        return _validated(Catalogue, yaml.safe_load(path.read_text("utf-8")), str(path))
    except OSError:
        raise ConfigurationError(f"ASSIST_SCREENS: {path} cannot be read") from None
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise ConfigurationError(f"{path}: not YAML: {' '.join(str(error).split())}") from None


def _validated(model: type[Model], loaded: object, source: str) -> Model:
    try:
        return model.model_validate(loaded)
    except ValidationError as error:
        faults = "; ".join(f"{'.'.join(map(str, e['loc'])) or 'file'}: {e['msg']}" for e in error.errors()[:5])
        raise ConfigurationError(f"{source}: {faults}") from None
