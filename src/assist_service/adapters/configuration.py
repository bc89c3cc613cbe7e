"""The files a school configures the service with: its policy and its screens, refused whole when they are wrong."""

import json
import tomllib
from importlib.resources import files
from pathlib import Path
from typing import Any, TypeVar

import yaml
from pydantic import BaseModel, ValidationError
from yaml.constructor import SafeConstructor
from yaml.resolver import Resolver

from assist_service.domain.errors import ConfigurationError
from assist_service.domain.policy import Policy
from assist_service.domain.screens import Catalogue

Model = TypeVar("Model", bound=BaseModel)


class OnceKeyedLoader(yaml.SafeLoader):
    """Reads YAML in which no key of a mapping stands twice: the safe loader would silently take the last."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        keys: set[str] = set()
        for key, _ in node.value:
            if isinstance(key, yaml.ScalarNode):
                if key.value in keys:
                    raise yaml.constructor.ConstructorError(None, None, "a key stands twice", key.start_mark)
                keys.add(key.value)
        return super().construct_mapping(node, deep)


def _fast_loader() -> type[OnceKeyedLoader]:
    """The same loader on libyaml's parser, eight times as fast; itself where PyYAML was built without."""
    if not yaml.__with_libyaml__:
        return OnceKeyedLoader
    from yaml._yaml import CParser  # it is there only with libyaml

    class FastLoader(CParser, OnceKeyedLoader):
        def __init__(self, stream: str) -> None:
            CParser.__init__(self, stream)
            SafeConstructor.__init__(self)
            Resolver.__init__(self)

    return FastLoader


FAST_LOADER = _fast_loader()


def load_policy(name_or_path: str) -> Policy:
    """A shipped policy by its name, or the one of a TOML file. Raises ConfigurationError."""
    shipped = files("assist_service") / "policies" / f"{name_or_path}.toml"
    is_name = name_or_path.replace("-", "").isalnum()
    source = f"policy {_one_line(name_or_path)}"
    try:
        found = shipped if is_name and shipped.is_file() else Path(name_or_path)
        loaded = tomllib.loads(found.read_text("utf-8"))
    except OSError:
        raise ConfigurationError(f"ASSIST_POLICY: there is no {source} that can be read") from None
    except (ValueError, RecursionError) as error:
        raise ConfigurationError(f"{source}: not TOML: {_one_line(error)}") from None
    return _validated(Policy, loaded, source)


def load_catalogue(path: Path) -> Catalogue:
    """The screens of the LMS. Raises ConfigurationError."""
    source = _one_line(path)
    try:
        loaded = yaml.load(path.read_text("utf-8"), FAST_LOADER)  # noqa: S506 a safe loader by its base
    except OSError:
        raise ConfigurationError(f"ASSIST_SCREENS: {source} cannot be read") from None
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise ConfigurationError(f"{source}: not YAML: {_one_line(error)}") from None
    return _validated(Catalogue, loaded, source)


def _validated(model: type[Model], loaded: object, source: str) -> Model:
    """The model of a file, by way of JSON and strictly: a limit written as "6" or true is a slip, not a limit."""
    try:
        return model.model_validate_json(json.dumps(loaded, default=str), strict=True)
    except ValidationError as error:
        faults = "; ".join(f"{'.'.join(map(str, e['loc'])) or 'file'}: {e['msg']}" for e in error.errors()[:5])
        raise ConfigurationError(f"{source}: {_one_line(faults)}") from None
    except (ValueError, TypeError, RecursionError):
        raise ConfigurationError(f"{source}: holds a key that is no text, or refers to itself") from None


def _one_line(said: object) -> str:
    return " ".join(str(said).split())
