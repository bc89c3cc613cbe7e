"""Reads the manual: a page or a section of what this person may read, under handles the answer can cite."""

import difflib
from collections.abc import Sequence
from typing import Annotated

from pydantic import BaseModel, Field, StringConstraints

from assist_service.domain.manual import NAME_CHARACTERS, ManualPage, Section
from assist_service.domain.prompt import section_block
from assist_service.domain.text import one_line
from assist_service.tools.tool import ARGUMENTS, OPEN_ONLY, RESULT_CHARACTERS, Desk, Effect, Family, Said, Tool

Name = Annotated[str, StringConstraints(min_length=1, max_length=NAME_CHARACTERS)]

NAMES_LISTED = 60
"""Names listed in answer to a wrong one, at most, the nearest first."""

NARROWING_CHARACTERS = 2_000
"""Kept free in a result for the names of the sections that did not fit."""

BLOCK_CHARACTERS = 20
"""What a block holds beside its section's own words: handle, separators, line ends."""


LIKENESS = 0.5
"""From which share of letters in common a name counts as near; a higher one also spares comparing most of them."""


class ReadGuideArguments(BaseModel):
    """A page of the index and, if only a part is wanted, one of its sections."""

    model_config = ARGUMENTS

    page: Name = Field(description="The page's path as the index writes it.")
    section: Name | None = Field(default=None, description="A section's anchor as the index writes it.")


async def _read_guide(arguments: ReadGuideArguments, desk: Desk) -> Said:
    page = desk.publication.page(arguments.page, desk.audiences, desk.language.value)
    if page is None:
        paths = dict.fromkeys(found.path for found in desk.publication.readable(desk.audiences))
        return Said(_no_such("page", arguments.page, list(paths)), is_error=True)
    if arguments.section is None:
        return Said(_within_bounds(page.sections, desk))
    section = _named(page, arguments.section) or _in_first_language(arguments, desk)
    if section is None:
        anchors = [found.anchor for found in page.sections]
        return Said(_no_such("section", arguments.section, anchors), is_error=True)
    return Said(_within_bounds((section,), desk))


def _named(page: ManualPage | None, name: str) -> Section | None:
    wanted = name.strip().casefold()
    sections = page.sections if page is not None else ()
    return next((s for s in sections if wanted in (s.anchor.casefold(), s.title.casefold())), None)


def _in_first_language(arguments: ReadGuideArguments, desk: Desk) -> Section | None:
    """The index names a page's sections in its first language; a translation may name them otherwise."""
    first = desk.publication.page(arguments.page, desk.audiences, desk.publication.language)
    return _named(first, arguments.section or "")


def _no_such(what: str, wanted: str, names: Sequence[str]) -> str:
    """The names there are, those most like the wrong one first."""
    nearest = difflib.get_close_matches(wanted, names, n=NAMES_LISTED, cutoff=LIKENESS)
    listed = list(dict.fromkeys((*nearest, *names)))[:NAMES_LISTED]
    more = f" and {len(names) - len(listed)} more" if len(names) > len(listed) else ""
    return f"There is no such {what}. Those there are, the nearest first: {', '.join(listed)}{more}"


def _within_bounds(sections: Sequence[Section], desk: Desk) -> str:
    """The sections' text; those that would pass the bound are named instead, to be asked for one by one."""
    all_fit = sum(map(_size, sections)) <= RESULT_CHARACTERS
    left = RESULT_CHARACTERS if all_fit else RESULT_CHARACTERS - NARROWING_CHARACTERS
    blocks: list[str] = []
    for position, section in enumerate(sections):
        left -= _size(section)
        if position and left < 0:
            rest = ", ".join(other.anchor for other in sections[position:])
            words = f"Too long for one result: narrow your request to one of the sections {rest}"
            blocks.append(one_line(words, NARROWING_CHARACTERS))
            break
        blocks.append(section_block(section, desk.given))
    return "\n".join(blocks)


def _size(section: Section) -> int:
    """The characters of a section's block, without giving it; a section that is given can be cited."""
    named = len(section.page) + len(section.anchor) + len(section.full_title)
    return len(section.text) + named + BLOCK_CHARACTERS


READ_GUIDE = Tool(
    name="read_guide",
    description=(
        "Returns a page of the manual, or one section of it, as this person may read it. Use it before you "
        "answer anything about the platform; take the names from the index."
    ),
    family=Family.MANUAL,
    effect=Effect.READ,
    disclosures=OPEN_ONLY,
    arguments=ReadGuideArguments,
    run=_read_guide,
)
