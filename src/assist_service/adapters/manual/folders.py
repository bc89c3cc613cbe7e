"""Whose folder is whose, for a manual written elsewhere: a TOML file that the setting or the option names."""

import json
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from assist_service.adapters.plain_files import read_at_most
from assist_service.domain.errors import ConfigurationError
from assist_service.domain.manual import Audience, ManualFault
from assist_service.domain.screens import Language

MAX_MAPPING_BYTES = 256 * 1024

IGNORE: Literal["ignore"] = "ignore"
"""Said of a folder whose files are no pages."""

Target = Audience | Literal["ignore"]


class _File(BaseModel):
    """The TOML file as it is written."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    language: Language = Language.ENGLISH
    folders: Annotated[dict[str, Target], Field(min_length=1)]


@dataclass(frozen=True)
class ManualFolders:
    """Who may read which folder, and the language of pages whose file names carry none."""

    language: Language
    targets: Mapping[str, Target]
    source: str = "the mapping"
    lines: Mapping[str, int] | None = None

    def of_file(self, name: str) -> Target | None:
        """What the nearest mapped folder above a file says; None where no folder above it is mapped."""
        above = (self.targets.get(str(folder)) for folder in PurePosixPath(name).parents)
        return next((target for target in above if target is not None), None)

    def missing_from(self, root: Path) -> tuple[ManualFault, ...]:
        """A fault for each folder that is not there: by a slip of the pen its pages would be another's."""
        return tuple(
            ManualFault(self.source, (self.lines or {}).get(folder, 1), f"the manual has no folder {folder}")
            for folder in self.targets
            if not (root / folder).is_dir()
        )


def load_folders(path: Path) -> ManualFolders:
    """The mapping of a TOML file. Raises ConfigurationError, one line."""
    source = _one_line(path)
    try:
        data = read_at_most(path, MAX_MAPPING_BYTES)
        if len(data) > MAX_MAPPING_BYTES:
            raise ConfigurationError(f"{source}: has more than {MAX_MAPPING_BYTES} bytes")
        text = data.decode("utf-8").replace("\r\n", "\n")
        written = _File.model_validate_json(json.dumps(tomllib.loads(text), default=str), strict=True)
        return _mapping(written, source, text)
    except OSError:
        raise ConfigurationError(f"the manual's folders: {source} cannot be read") from None
    except ValidationError as error:
        faults = "; ".join(f"{'.'.join(map(str, e['loc'])) or 'file'}: {e['msg']}" for e in error.errors()[:5])
        raise ConfigurationError(f"{source}: {_one_line(faults)}") from None
    except (ValueError, RecursionError) as error:
        raise ConfigurationError(f"{source}: {_one_line(error)}") from None


def _mapping(written: _File, source: str, text: str) -> ManualFolders:
    targets: dict[str, Target] = {}
    lines: dict[str, int] = {}
    for folder, target in written.folders.items():
        path = PurePosixPath(folder)
        if path.is_absolute() or ".." in path.parts or not folder.isprintable() or not folder:
            raise ValueError(f"folders: {folder!a} is no folder of a manual")
        if str(path) in targets:
            raise ValueError(f"folders: {path} stands twice")
        targets[str(path)] = target
        lines[str(path)] = _line_of(folder, text)
    return ManualFolders(written.language, targets, source, lines)


def _line_of(folder: str, text: str) -> int:
    key = re.compile(rf"""\s*["']?{re.escape(folder)}["']?\s*=""")
    return next((at for at, line in enumerate(text.split("\n"), start=1) if key.match(line)), 1)


def _one_line(said: object) -> str:
    return " ".join(ascii(said).strip("'").split()) if not str(said).isprintable() else " ".join(str(said).split())
