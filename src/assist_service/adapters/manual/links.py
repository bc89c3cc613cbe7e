"""What is worth a look in a manual and keeps nobody from publishing it: links to nowhere, pages without text."""

import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from pathlib import Path
from urllib.parse import unquote, urlsplit

from markdown_it.token import Token

from assist_service.adapters.manual.files import PAGE_ENDING, Source, on_one_line, sources
from assist_service.adapters.manual.folders import IGNORE, ManualFolders
from assist_service.adapters.manual.outline import INLINE_CHARACTERS, Outline, inline_tokens
from assist_service.adapters.manual.split import has_text, slug_of
from assist_service.adapters.plain_files import names_under
from assist_service.domain.manual import ManualFault
from assist_service.domain.text import one_line

LINK_CHARACTERS = 200
"""Of a link that a warning names."""

_HTML_NAMES = re.compile(r"""\b(?:id|name)\s*=\s*["']([^"'<>]{1,200})["']""")


_LOOKS_LIKE_A_PAGE = re.compile(r"\.(?:md|markdown|mdown|mkd)\Z", re.IGNORECASE)


def find_warnings(root: Path, folders: ManualFolders | None = None) -> tuple[ManualFault, ...]:
    """What is worth a look in a manual, each with its file and line."""
    pages = {page.name: page for page in sources(root, folders) if isinstance(page, Source)}
    names = [name for name, is_linked in names_under(root) if not is_linked]
    found = list(_no_pages(names, folders))
    files = {name for name in names if name.endswith(PAGE_ENDING)}
    fragments: dict[str, frozenset[str]] = {}
    for page in pages.values():
        found += [ManualFault(page.name, line, words) for line, words in page.oddities]
        if not page.needs_text and not has_text(page.outlined):
            found.append(ManualFault(page.name, page.first_line, "the page has no text and is left out"))
        found += _dead_links(page, pages, files, fragments)
    return tuple(found)


def _no_pages(names: Iterable[str], folders: ManualFolders | None) -> Iterator[ManualFault]:
    """Files whose names say Markdown and do not end as a page's does."""
    for name in names:
        is_page = name.endswith(PAGE_ENDING) or (folders is not None and folders.of_file(name) == IGNORE)
        if _LOOKS_LIKE_A_PAGE.search(name) and not is_page:
            yield ManualFault(on_one_line(name), 1, f"the file is no page: its name does not end with {PAGE_ENDING}")


def _dead_links(
    page: Source, pages: Mapping[str, Source], files: Set[str], fragments: dict[str, frozenset[str]]
) -> Iterator[ManualFault]:
    for line, href in links_of(page.outlined):
        path, fragment = _target(page.name, href)
        if path is None:
            continue
        if path not in files:
            words = "leads to no file of the manual"
        elif fragment and path in pages and fragment not in _fragments(pages[path], fragments):
            words = f"leads to no heading of {path}"
        else:
            continue
        told = on_one_line(one_line(href, LINK_CHARACTERS))
        yield ManualFault(page.name, page.first_line + line, f"the link {told} {words}")


def links_of(page: Outline) -> Iterator[tuple[int, str]]:
    """Every link of a page with its line, counted from 0; an image is none."""
    for line, content in page.linked:
        yield from _links_among(inline_tokens(content[:INLINE_CHARACTERS], page.references), line)


def _links_among(children: Sequence[Token], line: int) -> Iterator[tuple[int, str]]:
    for child in children:
        if child.type in ("softbreak", "hardbreak"):
            line += 1
        elif child.type == "link_open":
            yield line, str(child.attrGet("href") or "")


def _target(name: str, href: str) -> tuple[str | None, str]:
    """The file a link means and the name within it; no file for an address, an image, or another kind of file."""
    try:
        parts = urlsplit(href)
    except ValueError:
        return None, ""
    path = unquote(parts.path)
    is_relative = not parts.scheme and not parts.netloc and not path.startswith("/")
    if not is_relative or (path and not path.endswith(".md")) or not (path or parts.fragment):
        return None, ""
    fragment = slug_of(unquote(parts.fragment)) if parts.fragment else ""
    return (posixpath.normpath(posixpath.join(posixpath.dirname(name), path)) if path else name), fragment


def _fragments(page: Source, known: dict[str, frozenset[str]]) -> frozenset[str]:
    """The names within a page: its headings however a renderer numbers equal ones, and the ids of its HTML."""
    if page.name not in known:
        slugs = [slug_of(heading.title) for heading in page.outlined.headings]
        seen: dict[str, int] = {}
        names = {slug_of(name) for name in _HTML_NAMES.findall(page.body)}
        for slug in slugs:
            seen[slug] = seen.get(slug, 0) + 1
            names |= {slug, f"{slug}-{seen[slug]}", f"{slug}-{seen[slug] - 1}"}
        known[page.name] = frozenset(names)
    return known[page.name]
