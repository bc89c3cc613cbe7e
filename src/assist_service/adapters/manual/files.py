"""The manual as Markdown files: reads a folder, finds who may read each file, cuts the pages.

Who may read a file stands in its header and its folder, or in a mapping of folders where the manual was written
elsewhere. Every fault is named with its file and line, and all of them at once.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from assist_service.adapters.manual.folders import IGNORE, ManualFolders
from assist_service.adapters.manual.headers import (
    FileFault,
    ForeignHeader,
    Header,
    foreign_header_of,
    header_of,
    line_of,
    oddities_of,
)
from assist_service.adapters.manual.outline import TITLE_CHARACTERS, Outline, outline
from assist_service.adapters.manual.split import sections_of
from assist_service.adapters.plain_files import NotPlainError, names_under, read_inside
from assist_service.adapters.search.glossary import read_glossary
from assist_service.domain.manual import (
    DEFAULT_LANGUAGE,
    NAME_CHARACTERS,
    Audience,
    ManualFault,
    ManualInvalid,
    ManualPage,
    Publication,
)
from assist_service.domain.screens import Language
from assist_service.domain.search import Glossary
from assist_service.domain.text import one_line, visible

MAX_FILE_BYTES = 5 * 1024 * 1024

PAGE_ENDING = ".md"

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


@dataclass(frozen=True, kw_only=True)
class Source:
    """A file that is a page: where it stands in the manual, who may read it, and its Markdown."""

    name: str
    path: str
    language: str
    audience: Audience
    title: str
    body: str
    outlined: Outline
    first_line: int
    """Of the file, that the body begins with; from 1."""
    needs_text: bool
    """False for a manual written elsewhere: there a page of headings only is left out."""
    oddities: tuple[tuple[int, str], ...]
    """Lines that look like a header, or like a key of it, and are none."""

    def page(self) -> ManualPage | None:
        """The page cut into its sections; None where it has no text."""
        sections = sections_of(
            self.outlined, page=self.path, page_title=self.title, language=self.language, audience=self.audience
        )
        return ManualPage(self.path, self.language, self.title, self.audience, sections) if sections else None


def read_manual(root: Path, folders: ManualFolders | None = None) -> Publication:
    """The publication of a folder of Markdown and its glossary. Raises ManualInvalid with every fault found."""
    faults = list(folders.missing_from(root)) if folders is not None else []
    pages: dict[tuple[str, str], ManualPage] = {}
    files: dict[tuple[str, str], str] = {}
    is_empty = True
    for source in sources(root, folders):
        is_empty = False
        if isinstance(source, ManualFault):
            faults.append(source)
            continue
        page = source.page()
        if page is None:
            if source.needs_text:
                faults.append(ManualFault(source.name, source.first_line, "the page has no text"))
        elif (page.path, page.language) in pages:
            first = files[page.path, page.language]
            words = f"the page {page.path} ({page.language}) stands twice, in {first} too"
            faults.append(ManualFault(source.name, 1, words))
        else:
            pages[page.path, page.language] = page
            files[page.path, page.language] = source.name
    if not pages and not faults:
        words = "there is no Markdown file here" if is_empty else "none of the Markdown files here holds text"
        faults.append(ManualFault(on_one_line(str(root)), 1, words))
    glossary = _glossary(root, faults)
    if faults:
        raise ManualInvalid(faults)
    return Publication(tuple(pages[key] for key in sorted(pages)), glossary)


def _glossary(root: Path, faults: list[ManualFault]) -> Glossary:
    """The glossary beside the pages; what is wrong with it joins what is wrong with them."""
    try:
        return read_glossary(root)
    except ManualInvalid as invalid:
        faults += invalid.faults
        return Glossary()


def sources(root: Path, folders: ManualFolders | None) -> Iterator[Source | ManualFault]:
    """Every page of a folder in the order of the files' names, or what is wrong with its file."""
    for name, is_linked in names_under(root):
        if not is_linked and not name.endswith(PAGE_ENDING):
            continue
        try:
            if folders is not None and folders.of_file(f"{name}/any" if is_linked else name) == IGNORE:
                continue
            if is_linked:
                raise FileFault(1, "a link is no page, and what it leads to none of this manual's")
            yield _source(root, name, folders)
        except FileFault as fault:
            yield ManualFault(on_one_line(name), fault.line, fault.message)


def on_one_line(name: str) -> str:
    """A name as a line can hold it."""
    return name if name.isprintable() else ascii(name)


def _source(root: Path, name: str, folders: ManualFolders | None) -> Source:
    if not name.isprintable() or visible(name) != name:
        raise FileFault(1, "the file's name holds characters that nobody can see or type")
    target = folders.of_file(name) if folders is not None else None
    if folders is not None and not isinstance(target, Audience):
        raise FileFault(1, "the file is in no folder of the mapping")
    lines = _text(root, name).split("\n")
    path, language = _path_and_language(name, folders.language if folders is not None else DEFAULT_LANGUAGE)
    if len(path) > NAME_CHARACTERS:
        raise FileFault(1, f"the page's path has more than {NAME_CHARACTERS} characters")
    header, body_line = header_of(lines) if target is None else foreign_header_of(lines)
    if isinstance(target, Audience):
        _refuse_contradiction(header, target, lines)
    body = "\n".join(lines[body_line:])
    outlined = outline(body)
    return Source(
        name=name,
        path=path,
        language=language,
        audience=target if isinstance(target, Audience) else _audience(header, name, lines),
        title=header.title or next((heading.title for heading in outlined.headings), _words_of(path)),
        body=body,
        outlined=outlined,
        first_line=body_line + 1,
        needs_text=folders is None,
        oddities=tuple(oddities_of(lines)) if folders is not None else (),
    )


def _text(root: Path, name: str) -> str:
    try:
        data = read_inside(root, name, MAX_FILE_BYTES)
    except NotPlainError as refused:
        raise FileFault(1, str(refused)) from None
    except OSError as error:
        raise FileFault(1, f"the file cannot be read ({type(error).__name__})") from error
    if len(data) > MAX_FILE_BYTES:
        raise FileFault(1, f"the file has more than {MAX_FILE_BYTES} bytes")
    try:
        return data.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise FileFault(line, "the file is not UTF-8 here") from error


def _audience(header: Header | ForeignHeader, name: str, lines: list[str]) -> Audience:
    folder = name.split("/")[0]
    if folder != header.audience:
        words = f"the header says audience {header.audience}, the folder is {folder}"
        raise FileFault(line_of("audience", lines), words)
    if header.admins is not None and folder != ADMINISTRATOR:
        raise FileFault(line_of("admins", lines), "only a page of the administrator folder can carry admins")
    return _ADMINISTRATORS[header.admins or "full"] if folder == ADMINISTRATOR else _FOLDERS[folder]


def _refuse_contradiction(header: Header | ForeignHeader, target: Audience, lines: list[str]) -> None:
    """A header that says less than the mapping is fine, one that says another is not."""
    kind = target.value.split(":")[0]
    if header.audience not in (None, kind):
        raise FileFault(
            line_of("audience", lines), f"the header says audience {header.audience}, the mapping says {target.value}"
        )
    if header.admins is not None and _ADMINISTRATORS[header.admins] is not target:
        raise FileFault(
            line_of("admins", lines), f"the header says admins {header.admins}, the mapping says {target.value}"
        )


def _path_and_language(name: str, default: str) -> tuple[str, str]:
    stem = name.removesuffix(PAGE_ENDING)
    for language in Language:
        if stem.endswith(f".{language.value}"):
            return stem.removesuffix(f".{language.value}"), language.value
    return stem, str(default)


def _words_of(path: str) -> str:
    """A file's name as a title; the folder's for a README, which is the folder's first page."""
    place = PurePosixPath(path)
    name = place.parent.name if place.name.casefold() in ("readme", "index") and place.parent.name else place.name
    words = one_line(name.replace("-", " ").replace("_", " "), TITLE_CHARACTERS)
    return words[:1].upper() + words[1:] or place.name
