"""`GET /assist/manual/{publication}/{section}`: a cited section, for whoever may read it."""

import re
from typing import Annotated

from fastapi import APIRouter, Path

from assist_service.domain.errors import AssistError, Code
from assist_service.services.manual import SectionPage
from assist_service.web.deps import ReaderDep, ServiceDep
from assist_service.web.schemas import TO_READ, problems

router = APIRouter(prefix="/assist")

_ID = re.compile(r"[0-9a-f]{1,64}")
"""What ids of publications and sections are made of; anything else names neither."""


@router.get(
    "/manual/{publication}/{section}",
    responses=problems(*TO_READ, Code.SECTION_NOT_FOUND, Code.MANUAL_UNAVAILABLE),
    operation_id="openSection",
)
async def open_section(
    publication: Annotated[str, Path()],
    section: Annotated[str, Path()],
    person: ReaderDep,
    service: ServiceDep,
) -> SectionPage:
    """Opens a section of the manual as HTML."""
    if not (_ID.fullmatch(publication) and _ID.fullmatch(section)):
        raise AssistError(Code.SECTION_NOT_FOUND)
    return await service.manual.section(person, publication, section)
