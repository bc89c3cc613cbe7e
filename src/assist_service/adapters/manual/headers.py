"""The front matter of a page: ours, which says who may read it, or that of a manual that was written elsewhere."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Literal, TypeVar

import yaml
from pydantic import AfterValidator, BaseModel, ConfigDict, StringConstraints, ValidationError

from assist_service.adapters.configuration import FAST_LOADER, OnceKeyedLoader
from assist_service.domain.text import visible

FENCE = "---"

_KEY = re.compile(r"""['"]?\w[\w -]*['"]?\s*:(\s|$)""")

_ORDINARY = re.compile(r"(?:\w[\w-]*: [\w(][^:#\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff]*(?:\n|\Z))*")
"""A header of nothing but keys and plain values. There libyaml and PyYAML agree; on others they differ in places."""

OUR_KEYS = ("audience", "title", "admins")

Said = Literal["shared", "student", "teacher", "administrator"]
Admins = Literal["full", "trainer", "all"]
Model = TypeVar("Model", bound=BaseModel)


def _visible_line(title: str) -> str:
    if visible(title) != title or "\n" in title:
        raise ValueError("must be one line of visible characters")
    return title


Title = Annotated[
    str,
    StringConstraints(min_length=1, max_length=120, strip_whitespace=True),
    AfterValidator(_visible_line),
]
"""Stands in the prompt's index and in citations."""


class Header(BaseModel):
    """The front matter of a file: who may read it, its title, and which administrators if it is for them."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    audience: Said
    title: Title
    admins: Admins | None = None


class ForeignHeader(BaseModel):
    """The front matter of a manual whose folders say who may read it: what it says besides is its author's."""

    model_config = ConfigDict(extra="ignore", strict=True, frozen=True)

    audience: Said | None = None
    title: Title | None = None
    admins: Admins | None = None


@dataclass
class FileFault(Exception):
    """A fault on a line of the file at hand."""

    line: int
    message: str


def header_of(lines: list[str]) -> tuple[Header, int]:
    """The header and the number of lines it takes. Raises FileFault, also where there is none."""
    if lines[0].strip() != FENCE:
        raise FileFault(1, "the file does not start with a header (---) that says who may read it")
    return _read(lines, Header)


def foreign_header_of(lines: list[str]) -> tuple[ForeignHeader, int]:
    """The header and the number of lines it takes: none where a page begins with text or with a line across."""
    written = (line for line in lines[1:] if line.strip() and not line.startswith("#"))
    if lines[0].strip() != FENCE or not _KEY.match(next(written, "")):
        return ForeignHeader(), 0
    return _read(lines, ForeignHeader)


def oddities_of(lines: list[str]) -> Iterator[tuple[int, str]]:
    """Where a foreign page begins with what looks like a header and is not read as one, and keys nearly ours."""
    begins = next((at for at, line in enumerate(lines) if line.strip()), 0)
    fence, first = lines[begins].strip(), next((line.strip() for line in lines[begins + 1 :] if line.strip()), "")
    _, size = foreign_header_of(lines)
    if size:
        for at, line in enumerate(lines[1 : size - 1], start=2):
            key = line.split(":")[0].strip("'\" ")
            if ":" in line and key not in OUR_KEYS and key.casefold() in OUR_KEYS:
                yield at, f"the header's {key} is not read: it is written {key.casefold()}"
    elif fence == "+++":
        yield begins + 1, "this looks like a header and is text: a header stands between two lines of ---"
    elif fence == FENCE and begins and _KEY.match(first):
        yield begins + 1, "this looks like a header and is text: a header begins on the first line"
    elif fence == FENCE and first.startswith("{"):
        yield begins + 1, "this looks like a header and is text: each key of a header has a line of its own"


def line_of(key: str, lines: list[str]) -> int:
    """The line of a header's key; the header's first line where the key is missing."""
    written = re.compile(rf"""['"]?{re.escape(key)}['"]?\s*:""")
    return next((at for at, line in enumerate(lines, start=1) if written.match(line)), 1)


def _read(lines: list[str], model: type[Model]) -> tuple[Model, int]:
    end = next((at for at, line in enumerate(lines[1:], start=1) if line.strip() == FENCE), None)
    if end is None:
        raise FileFault(1, "the header has no end (---)")
    try:
        text = "\n".join(lines[1:end])
        loader = FAST_LOADER if _ORDINARY.fullmatch(text) else OnceKeyedLoader
        loaded = yaml.load(text, loader)  # noqa: S506 a safe loader by its base
        return model.model_validate(loaded), end + 1
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        raise FileFault(mark.line + 2 if mark else 1, f"the header is not YAML: {error.problem}") from error
    except ValidationError as error:
        first = error.errors()[0]
        if not first["loc"]:
            raise FileFault(1, "the header is no list of keys and values") from error
        key = str(first["loc"][0])
        raise FileFault(line_of(key, lines), f"header {key}: {first['msg']}") from error
    except (yaml.YAMLError, ValueError, RecursionError) as error:  # a date that is none is a plain ValueError
        raise FileFault(1, "the header is not YAML") from error
