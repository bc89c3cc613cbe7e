"""The manual as one file: built once from its folder, read back whole or refused, the same bytes for the same content.

Who can write the file decides what is said in it: its id tells a file that was damaged, and signs nothing.
"""

import base64
import gzip
import io
import json
import os
import re
import secrets
import zlib
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, BinaryIO, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, FailFast, Field, StringConstraints, ValidationError

from assist_service.adapters.manual.bounds import SECTION_CHARACTERS
from assist_service.adapters.manual.files import on_one_line
from assist_service.adapters.search.glossary import GLOSSARY_NAMES, GROUP_NAMES
from assist_service.domain.manual import (
    NAME_CHARACTERS,
    Audience,
    ManualFault,
    ManualInvalid,
    ManualPage,
    Publication,
    Section,
)
from assist_service.domain.screens import Language
from assist_service.domain.search import NAME_WORDS, Glossary, words
from assist_service.domain.text import visible
from assist_service.domain.vectors import Vectors, vectors_fault

FORMAT: Literal[1] = 1
"""Changes whenever a release could not read what another has built."""

WITH_VECTORS: Literal[2] = 2
"""Of a file that holds vectors too; one without them is what it was before there were any, byte for byte."""

MAX_UNPACKED_BYTES = 64 * 1024 * 1024
"""Some 10,000 sections as long as they may be; a file of a few kilobytes can unpack to anything."""

MAX_STRINGS = 400_000
"""Of JSON, keys too: six for a section, so some 60,000 short sections."""

MAX_BYTES_BETWEEN = 4 * 1024 * 1024
"""Between those strings: commas, brackets. Before the parser complains of a number it has made values of them all."""

_STRING = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+(?:"|\\?\Z)', re.DOTALL)
"""A string of JSON; one without an end takes the rest, or each quotation mark in it would be begun at again."""

READ_BYTES = 1024 * 1024
"""Unpacked at a time."""

_JOINERS = {0x200C: None, 0x200D: None, 0xFE0E: None, 0xFE0F: None}
"""Seen or not by what stands beside them, so a text that was cut may end in one."""


def _seen(text: str) -> str:
    if visible(text).translate(_JOINERS) != text.translate(_JOINERS):
        raise ValueError("holds characters that nobody can see")
    return text


def _one_line(text: str) -> str:
    if "\n" in text:
        raise ValueError("is not one line")
    return text


def _name(name: str) -> str:
    if not 1 <= len(words(name)) <= NAME_WORDS:
        raise ValueError(f"a name has one to {NAME_WORDS} words")
    return name


_Line = Annotated[
    str, StringConstraints(min_length=1, max_length=NAME_CHARACTERS), AfterValidator(_seen), AfterValidator(_one_line)
]
_Text = Annotated[str, StringConstraints(min_length=1, max_length=SECTION_CHARACTERS), AfterValidator(_seen)]
_Name = Annotated[str, AfterValidator(_seen), AfterValidator(_name)]
_Group = Annotated[tuple[_Name, ...], Field(min_length=2, max_length=GROUP_NAMES), FailFast()]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class _WrittenSection(_Strict):
    anchor: _Line
    title: _Line
    text: _Text


class _WrittenPage(_Strict):
    path: _Line
    language: Language
    title: _Line
    audience: Audience
    sections: Annotated[tuple[_WrittenSection, ...], Field(min_length=1), FailFast()]

    def page(self) -> ManualPage:
        sections = (
            Section(self.path, self.title, self.language.value, self.audience, one.anchor, one.title, one.text)
            for one in self.sections
        )
        return ManualPage(self.path, self.language.value, self.title, self.audience, tuple(sections))


class _WrittenVectors(_Strict):
    """Those of all sections in the order of the file, as one text: a number of JSON takes twice the room."""

    model: _Line
    packed: str


class _Written(_Strict):
    """The file as it is written. Fails at the first fault of a list: one of millions would fill the memory."""

    format: Literal[1, 2]
    id: str
    glossary: dict[Language, Annotated[tuple[_Group, ...], Field(min_length=1), FailFast()]]
    pages: Annotated[tuple[_WrittenPage, ...], Field(min_length=1), FailFast()]
    vectors: _WrittenVectors | None = None


@dataclass(frozen=True)
class Artifact:
    """What a file that was built holds; `vectors` are no part of the publication's id."""

    publication: Publication
    vectors: Vectors | None = None


def read_artifact(path: Path) -> Artifact:
    """What a file that was built holds. Raises ManualInvalid for one that is not whole, OSError."""
    with path.open("rb") as file:
        return _read(file, path.name)


def write_artifact(publication: Publication, path: Path, vectors: Vectors | None = None) -> None:
    """Writes the file whole or not at all. Raises ManualInvalid for what could not be read back, OSError."""
    packed = _packed(publication, vectors)
    _read(io.BytesIO(packed), path.name)
    unfinished = path.with_name(f".{secrets.token_hex(8)}.unfinished")
    try:
        with unfinished.open("xb") as file:
            file.write(packed)
            file.flush()
            os.fsync(file.fileno())
        unfinished.replace(path)
    finally:
        with suppress(OSError):
            unfinished.unlink()


def _packed(publication: Publication, vectors: Vectors | None) -> bytes:
    pages = sorted(publication.pages, key=lambda page: (page.path, page.language))
    written: dict[str, Any] = {
        "format": FORMAT if vectors is None else WITH_VECTORS,
        "id": publication.id,
        "glossary": dict(publication.glossary.groups),
        "pages": [_row(page) for page in pages],
    }
    if vectors is not None:
        inside = b"".join(vectors.by_section.get(section.id, b"") for page in pages for section in page.sections)
        written["vectors"] = {"model": vectors.model, "packed": base64.b64encode(inside).decode()}
    plain = json.dumps(written, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()
    packed = io.BytesIO()
    # Neither the moment nor a file's name goes in, so that equal content is equal bytes.
    with gzip.GzipFile(filename="", mode="wb", fileobj=packed, mtime=0) as file:
        file.write(plain)
    return packed.getvalue()


def _row(page: ManualPage) -> Mapping[str, Any]:
    sections = [{"anchor": one.anchor, "title": one.title, "text": one.text} for one in page.sections]
    return {
        "path": page.path,
        "language": page.language,
        "title": page.title,
        "audience": page.audience.value,
        "sections": sections,
    }


def _read(file: BinaryIO, name: str) -> Artifact:
    try:
        return _artifact(_unpacked(file))
    except _NotWhole as refused:
        raise ManualInvalid([ManualFault(on_one_line(name), 1, str(refused))]) from None


class _NotWhole(Exception):
    """Why a file is no manual that was built."""


def _unpacked(file: BinaryIO) -> bytearray:
    plain = bytearray()
    try:
        with gzip.GzipFile(fileobj=file, mode="rb") as packed:
            # A read of as much as there may be would take that much memory for the smallest file.
            while len(plain) <= MAX_UNPACKED_BYTES and (piece := packed.read(READ_BYTES)):
                plain += piece
    except EOFError:
        raise _NotWhole("it is cut short") from None
    except (gzip.BadGzipFile, zlib.error):
        raise _NotWhole("it is no manual that was built: not gzip, or damaged") from None
    if len(plain) > MAX_UNPACKED_BYTES:
        raise _NotWhole(f"it unpacks to more than {MAX_UNPACKED_BYTES} bytes")
    return plain


def _artifact(plain: bytearray) -> Artifact:
    _refuse_too_many(plain)
    try:
        written = _Written.model_validate_json(plain)
    except ValidationError as error:
        raise _NotWhole(_told(error)) from None
    publication = _publication(written)
    if (written.vectors is not None) != (written.format == WITH_VECTORS):
        raise _NotWhole(f"vectors belong to format {WITH_VECTORS}, and it to them")
    return Artifact(publication, None if written.vectors is None else _vectors(written.vectors, publication))


def _vectors(written: _WrittenVectors, publication: Publication) -> Vectors:
    """As many as there are sections, in their order."""
    sections = [section.id for page in publication.pages for section in page.sections]
    try:
        packed = base64.b64decode(written.packed, validate=True)
    except ValueError:
        raise _NotWhole("vectors: they are not base64") from None
    size, left = divmod(len(packed), len(sections))
    if left:
        raise _NotWhole("vectors: there is not one of the same size for each section")
    parts = {section: packed[at * size : (at + 1) * size] for at, section in enumerate(sections)}
    vectors = Vectors(written.model, parts)
    if fault := vectors_fault(vectors):
        raise _NotWhole(f"vectors: {fault}")
    return vectors


def _publication(written: _Written) -> Publication:
    pages = tuple(each.page() for each in written.pages)
    _refuse_twice("page", (f"{page.path} ({page.language})" for page in pages))
    _refuse_twice("section", (f"{page.path}, {one.anchor}, {one.id}" for page in pages for one in page.sections))
    if sum(len(names) for groups in written.glossary.values() for names in groups) > GLOSSARY_NAMES:
        raise _NotWhole(f"a glossary has at most {GLOSSARY_NAMES} names")
    publication = Publication(pages, Glossary({key.value: groups for key, groups in written.glossary.items()}))
    if publication.id != written.id:
        raise _NotWhole("its content is not what its id says: it was changed after it was built")
    return publication


def _refuse_too_many(plain: bytearray) -> None:
    """Of a few bytes each, millions of values would fill the memory before the first of them is looked at."""
    strings = inside = 0
    for found in _STRING.finditer(plain):
        strings, inside = strings + 1, inside + len(found[0])
        if strings > MAX_STRINGS:
            raise _NotWhole(f"it holds more than {MAX_STRINGS} keys and texts")
    if len(plain) - inside > MAX_BYTES_BETWEEN:
        raise _NotWhole(f"it holds more than {MAX_BYTES_BETWEEN} bytes outside its texts")


def _told(error: ValidationError) -> str:
    """The first fault in words without the content; a file of another format has many, and that is the one."""
    faults = error.errors(include_url=False, include_input=False)
    if any(fault["loc"] == ("format",) for fault in faults):
        return f"it is not of format {FORMAT} or {WITH_VECTORS}, which this release reads: build it with this release"
    where = ".".join(str(part) for part in faults[0]["loc"])
    return on_one_line(f"it is no manual that was built: {where or 'the file'}: {faults[0]['msg']}")


def _refuse_twice(kind: str, names: Iterable[str]) -> None:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise _NotWhole(on_one_line(f"the {kind} {name} stands twice"))
        seen.add(name)
