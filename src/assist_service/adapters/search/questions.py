"""A file of questions to evaluate the search with: a list, in JSON or in YAML."""

from pathlib import Path

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from assist_service.adapters.configuration import OnceKeyedLoader
from assist_service.adapters.plain_files import read_at_most
from assist_service.domain.errors import ConfigurationError
from assist_service.domain.evaluation import Expected
from assist_service.domain.text import one_line

MAX_QUESTIONS_BYTES = 5 * 1024 * 1024

FAULTS_SHOWN = 5


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid")

    questions: list[Expected] = Field(min_length=1)


def read_questions(file: Path) -> tuple[Expected, ...]:
    """The questions of a file, each once. Raises ConfigurationError that says which is wrong, counted from 1."""
    source = one_line(str(file), 200)
    try:
        data = read_at_most(file, MAX_QUESTIONS_BYTES)
        if len(data) > MAX_QUESTIONS_BYTES:
            raise ConfigurationError(f"{source}: has more than {MAX_QUESTIONS_BYTES} bytes")
        loaded = yaml.load(data.decode("utf-8-sig"), OnceKeyedLoader)  # noqa: S506 a safe loader by its base
    except OSError as error:
        raise ConfigurationError(f"{source}: cannot be read ({type(error).__name__})") from None
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise ConfigurationError(f"{source}: neither JSON nor YAML: {one_line(str(error), 300)}") from None
    try:
        questions = tuple(_File.model_validate({"questions": loaded}).questions)
    except ValidationError as error:
        faults = [_fault(each["loc"][1:], each["msg"]) for each in error.errors()[:FAULTS_SHOWN]]
        raise ConfigurationError(f"{source}: {'; '.join(faults)}") from None
    first_places: dict[object, int] = {}
    for number, question in enumerate(questions, start=1):
        if (first := first_places.setdefault(question.asked, number)) != number:
            raise ConfigurationError(f"{source}: question {number} stands there already, as question {first}")
    return questions


def _fault(where: tuple[int | str, ...], message: str) -> str:
    """`question 3, role: …`: a list of hundreds has no other way to say which."""
    named = [f"question {part + 1}" if isinstance(part, int) else str(part) for part in where]
    return one_line(f"{', '.join(named) or 'the list'}: {message}", 300)
