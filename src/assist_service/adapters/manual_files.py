"""The manual as Markdown files: reads a folder, checks every header against its folder, cuts the pages.

Every fault is named with its file and line, and all of them at once.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

import yaml
from pydantic import AfterValidator, BaseModel, ConfigDict, StringConstraints, ValidationError

from assist_service.adapters.configuration import OnceKeyedLoader
from assist_service.adapters.manual_split import sections_of
from assist_service.domain.errors import AssistError, Code
from assist_service.domain.manual import (
    DEFAULT_LANGUAGE,
    Audience,
    ManualFault,
    ManualInvalid,
    ManualPage,
    Publication,
)
from assist_service.domain.screens import Language
from assist_service.domain.text import visible

MAX_FILE_BYTES = 5 * 1024 * 1024

FENCE = "---"

_ADMINISTRATORS: Mapping[str, Audience] = {
    "full": Audience.ADMINISTRATOR_FULL,
    "trainer": Audience.ADMINISTRATOR_TRAINER,
    "all": Audience.ADMINISTRATOR_ALL,
}

_FOLDERS: Mapping[str, Audience] = {
    "shared": Audience.SHARED,
    "student": Audience.STUDENT,
    "teacher": Audience.TEACHER,
}

ADMINISTRATOR = "administrator"


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

    audience: Literal["shared", "student", "teacher", "administrator"]
    title: Title
    admins: Literal["full", "trainer", "all"] | None = None


@dataclass
class _Fault(Exception):
    """A fault on a line of the file at hand."""

    line: int
    message: str


def read_manual(root: Path) -> Publication:
    """The publication of a folder of Markdown. Raises ManualInvalid with every fault found."""
    faults: list[ManualFault] = []
    pages: dict[tuple[str, str], ManualPage] = {}
    for file in sorted(root.rglob("*.md")) if root.is_dir() else ():
        name = file.relative_to(root).as_posix()
        try:
            page = _page(file, name)
            if (page.path, page.language) in pages:
                raise _Fault(1, f"the page {page.path} ({page.language}) stands twice")
            pages[page.path, page.language] = page
        except _Fault as fault:
            faults.append(ManualFault(_on_one_line(name), fault.line, fault.message))
    if not pages and not faults:
        faults.append(ManualFault(_on_one_line(str(root)), 1, "there is no Markdown file here"))
    if faults:
        raise ManualInvalid(faults)
    return Publication(tuple(pages.values()))


def _on_one_line(name: str) -> str:
    return name if name.isprintable() else ascii(name)


def _page(file: Path, name: str) -> ManualPage:
    if not name.isprintable() or visible(name) != name:
        raise _Fault(1, "the file's name holds characters that nobody can see or type")
    lines = _text(file).split("\n")
    header, body_line = _header(lines)
    audience = _audience(header, name, lines)
    path, language = _path_and_language(name)
    sections = sections_of(
        "\n".join(lines[body_line:]),
        page=path,
        page_title=header.title,
        language=language,
        audience=audience,
    )
    if not sections:
        raise _Fault(body_line + 1, "the page has no text")
    return ManualPage(path, language, header.title, audience, sections)


def _text(file: Path) -> str:
    try:
        data = file.read_bytes()
    except OSError as error:
        raise _Fault(1, f"the file cannot be read ({type(error).__name__})") from error
    if len(data) > MAX_FILE_BYTES:
        raise _Fault(1, f"the file has more than {MAX_FILE_BYTES} bytes")
    try:
        return data.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise _Fault(line, "the file is not UTF-8 here") from error


def _header(lines: list[str]) -> tuple[Header, int]:
    """The header and the number of lines it takes."""
    if lines[0].strip() != FENCE:
        raise _Fault(1, "the file does not start with a header (---) that says who may read it")
    end = next((at for at, line in enumerate(lines[1:], start=1) if line.strip() == FENCE), None)
    if end is None:
        raise _Fault(1, "the header has no end (---)")
    try:
        loaded = yaml.load("\n".join(lines[1:end]), OnceKeyedLoader)  # noqa: S506 a safe loader by its base
        return Header.model_validate(loaded), end + 1
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        raise _Fault(mark.line + 2 if mark else 1, f"the header is not YAML: {error.problem}") from error
    except ValidationError as error:
        first = error.errors()[0]
        if not first["loc"]:
            raise _Fault(1, "the header is no list of keys and values") from error
        key = str(first["loc"][0])
        raise _Fault(_line_of(key, lines), f"header {key}: {first['msg']}") from error
    except (yaml.YAMLError, ValueError, RecursionError) as error:  # a date that is none is a plain ValueError
        raise _Fault(1, "the header is not YAML") from error


def _line_of(key: str, lines: list[str]) -> int:
    """The line of a header's key; the header's first line where the key is missing."""
    written = re.compile(rf"""['"]?{re.escape(key)}['"]?\s*:""")
    return next((at for at, line in enumerate(lines, start=1) if written.match(line)), 1)


def _audience(header: Header, name: str, lines: list[str]) -> Audience:
    folder = name.split("/")[0]
    if folder != header.audience:
        words = f"the header says audience {header.audience}, the folder is {folder}"
        raise _Fault(_line_of("audience", lines), words)
    if header.admins is not None and folder != ADMINISTRATOR:
        raise _Fault(_line_of("admins", lines), "only a page of the administrator folder can carry admins")
    return _ADMINISTRATORS[header.admins or "full"] if folder == ADMINISTRATOR else _FOLDERS[folder]


def _path_and_language(name: str) -> tuple[str, str]:
    stem = name.removesuffix(".md")
    for language in Language:
        if stem.endswith(f".{language.value}"):
            return stem.removesuffix(f".{language.value}"), language.value
    return stem, DEFAULT_LANGUAGE


class LoadedManual:
    """Implements ports.Manuals with the one publication that was read at start."""

    def __init__(self, publication: Publication | None) -> None:
        self._publication = publication

    def active(self) -> Publication:
        if self._publication is None:
            raise AssistError(Code.MANUAL_UNAVAILABLE)
        return self._publication
