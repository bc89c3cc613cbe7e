"""Searches the manual for what the index does not name: the best sections a person may read, to be read in full."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Annotated

from pydantic import BaseModel, Field, StringConstraints

from assist_service.domain.search import QUERY_CHARACTERS, Hit
from assist_service.domain.text import one_line
from assist_service.tools.tool import ARGUMENTS, OPEN_ONLY, Desk, Effect, Family, Said, Tool

FOUND = 8
"""Pages a search names."""

SNIPPET_CHARACTERS = 200


class SearchGuideArguments(BaseModel):
    """What to look for."""

    model_config = ARGUMENTS

    query: Annotated[str, StringConstraints(min_length=1, max_length=QUERY_CHARACTERS)] = Field(
        description="A few words, as the manual might use them, in its language or the person's."
    )


SEARCH_THREADS = 2
"""For searches that take their time, of all questions together: further ones wait here, and nothing else for them."""

_SEARCHERS = ThreadPoolExecutor(SEARCH_THREADS, thread_name_prefix="search")


async def _hits(query: str, desk: Desk) -> tuple[Hit, ...]:
    search = partial(desk.index.search, query, audiences=desk.audiences, language=desk.language.value, limit=FOUND)
    if not desk.index.takes_time:
        return search()
    return await asyncio.get_running_loop().run_in_executor(_SEARCHERS, search)


async def _search_guide(arguments: SearchGuideArguments, desk: Desk) -> Said:
    hits = await _hits(arguments.query, desk)
    found = [desk.publication.section(hit.section_id, desk.audiences) for hit in hits]
    lines = [
        f"- {section.page} | {section.anchor} | {section.full_title} | {one_line(section.text, SNIPPET_CHARACTERS)}"
        for section in found
        if section is not None
    ]
    if not lines:
        return Said("Nothing found. Try other words, or call `decline` if it is not about the platform.")
    return Said("Found (page | anchor | title | how it begins); read what you need:\n" + "\n".join(lines))


SEARCH_GUIDE = Tool(
    name="search_guide",
    description=(
        "Finds pages and sections of the manual by words, best first. Use it when the index does not show where "
        "something is explained; then read the section with `read_guide`. What it lists cannot be cited yet."
    ),
    family=Family.MANUAL,
    effect=Effect.READ,
    disclosures=OPEN_ONLY,
    arguments=SearchGuideArguments,
    run=_search_guide,
)
