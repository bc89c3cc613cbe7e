"""Opens a section of the manual for the person who may read it; for anyone else it is not there."""

from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict

from assist_service.domain.errors import AssistError, Code
from assist_service.domain.people import Person
from assist_service.domain.policy import Policy
from assist_service.ports import Manuals, Markup


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
    """Reads the active publication by audience."""

    policy: Policy
    manuals: Manuals
    markup: Markup

    def section(self, person: Person, publication_id: str, section_id: str) -> SectionPage:
        """Raises AssistError `section_not_found`, the same for a section of another audience as for none."""
        publication = self.manuals.active()
        audiences = self.policy.of_role(person.role).audiences
        section = publication.section(section_id, audiences) if publication.id == publication_id else None
        if section is None or not self.policy.switches.manual:
            raise AssistError(Code.SECTION_NOT_FOUND)
        return SectionPage(
            title=section.full_title,
            page=section.page,
            html=self.markup.html(section.text, markers=()),
            publication=publication.id,
            active=True,
        )
