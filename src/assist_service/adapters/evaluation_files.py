"""The files of an evaluation: sets and the made school, which are read and checked, and reports, read and written."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any, TypeVar

import yaml
from pydantic import BaseModel, ValidationError

from assist_service.adapters.configuration import FAST_LOADER
from assist_service.adapters.memory.school import School
from assist_service.adapters.plain_files import read_at_most
from assist_service.adapters.search.questions import read_questions
from assist_service.domain.errors import ConfigurationError
from assist_service.domain.evaluating.markdown import markdown
from assist_service.domain.evaluating.questions import ConductItem, LiveItem, Question, SetName, asked_of_manual
from assist_service.domain.evaluating.report import SCHEMA_VERSION, Report
from assist_service.domain.text import one_line

MAX_BYTES = 50 * 1024 * 1024

FAULTS_SHOWN = 5

Model = TypeVar("Model", bound=BaseModel)


def _of_manual(file: Path) -> tuple[Question, ...]:
    return tuple(asked_of_manual(item) for item in read_questions(file))


def _of_live(file: Path) -> tuple[Question, ...]:
    return tuple(_validated(LiveItem, each, _source(file, at)).asked() for at, each in enumerate(_list(file), start=1))


def _of_conduct(file: Path) -> tuple[Question, ...]:
    return tuple(
        _validated(ConductItem, each, _source(file, at)).asked() for at, each in enumerate(_list(file), start=1)
    )


_READERS: Mapping[SetName, Callable[[Path], tuple[Question, ...]]] = {
    SetName.MANUAL: _of_manual,
    SetName.LIVE: _of_live,
    SetName.CONDUCT: _of_conduct,
}


def read_set(name: SetName, file: Path) -> tuple[Question, ...]:
    """The questions of a set. Raises ConfigurationError that says which is wrong, counted from 1."""
    return _READERS[name](file)


def read_school(file: Path) -> School:
    """Raises ConfigurationError."""
    return _validated(School, _yaml(file), _source(file))


def read_report(file: Path) -> Report:
    """A report that a run has written. Raises ConfigurationError, also for one of another version."""
    source, loaded = _source(file), _parsed(file, json.loads)
    version = loaded.get("schema_version") if isinstance(loaded, dict) else None
    if version != SCHEMA_VERSION:
        raise ConfigurationError(f"{source}: is no report of version {SCHEMA_VERSION}")
    return _validated(Report, loaded, source)


def refuse_unwritable(folder: Path) -> None:
    """Makes the folder and a file in it, which goes again. Raises ConfigurationError where a report could not be."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with NamedTemporaryFile(dir=folder, prefix=".report-"):
            pass
    except OSError as error:
        raise _unwritable(folder, error) from None


def write_report(report: Report, folder: Path) -> tuple[Path, Path]:
    """Writes the report as JSON and as Markdown; where they are. Raises ConfigurationError."""
    model = "".join(character if character.isalnum() or character in ".-" else "-" for character in report.model)
    stem = f"{report.set}-{model}-{report.started_at:%Y%m%dT%H%M%S}"
    data, text = folder / f"{stem}.json", folder / f"{stem}.md"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        data.write_text(report.model_dump_json(indent=2) + "\n", "utf-8")
        text.write_text(markdown(report), "utf-8")
    except OSError as error:
        raise _unwritable(folder, error) from None
    return data, text


def _unwritable(folder: Path, error: OSError) -> ConfigurationError:
    return ConfigurationError(f"{_source(folder)}: cannot be written ({type(error).__name__})")


def _list(file: Path) -> list[Any]:
    loaded = _yaml(file)
    if not isinstance(loaded, list) or not loaded:
        raise ConfigurationError(f"{_source(file)}: is no list of questions")
    return loaded


def _yaml(file: Path) -> Any:
    return _parsed(file, lambda text: yaml.load(text, FAST_LOADER))  # noqa: S506 a safe loader by its base


def _parsed(file: Path, parse: Callable[[str], Any]) -> Any:
    try:
        data = read_at_most(file, MAX_BYTES)
        if len(data) > MAX_BYTES:
            raise ConfigurationError(f"{_source(file)}: has more than {MAX_BYTES} bytes")
        return parse(data.decode("utf-8-sig"))
    except OSError as error:
        raise ConfigurationError(f"{_source(file)}: cannot be read ({type(error).__name__})") from None
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise ConfigurationError(f"{_source(file)}: cannot be understood: {one_line(str(error), 300)}") from None


def _source(file: Path, number: int | None = None) -> str:
    named = one_line(str(file), 200)
    return named if number is None else f"{named}: question {number}"


def _validated(model: type[Model], loaded: object, source: str) -> Model:
    try:
        return model.model_validate(loaded)
    except ValidationError as error:
        faults = [f"{'.'.join(map(str, e['loc'])) or 'all of it'}: {e['msg']}" for e in error.errors()[:FAULTS_SHOWN]]
        raise ConfigurationError(f"{source}: {one_line('; '.join(faults), 600)}") from None
