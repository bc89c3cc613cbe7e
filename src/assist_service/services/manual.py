"""Opens a section of the manual for the person who may read it; for anyone else it is not there."""

from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict

from assist_service.domain.errors import AssistError, Code
from assist_service.domain.people import Person
from assist_service.domain.policy import Policy
from assist_service.ports import Manuals, Markup, Publications


class SectionPage(BaseModel):
    """A section as the browser shows it; `active` says whether its publication is the one answers come from."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    title: str
    page: str
    html: str
    publication: str
    active: bool


@dataclass(frozen=True, kw_only=True)
class ManualDesk:
    """Reads the active publication by audience, an old one only where an exchange of the person cites it."""

    policy: Policy
    manuals: Manuals
    publications: Publications
    markup: Markup

    async def section(self, person: Person, publication_id: str, section_id: str) -> SectionPage:
        """Raises AssistError `section_not_found`, the same for a section of another audience as for none."""
        active = self.manuals.active().publication
        is_active = active.id == publication_id
        if is_active:
            section = active.section(section_id, self.policy.of_role(person.role).audiences)
        else:
            section = await self.publications.cited_section(person.sub, publication_id, section_id)
        if section is None or not self.policy.switches.manual:
            raise AssistError(Code.SECTION_NOT_FOUND)
        return SectionPage(
            title=section.full_title,
            page=section.page,
            html=self.markup.html(section.text, markers=()),
            publication=publication_id,
            active=is_active,
        )
