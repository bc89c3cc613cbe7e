"""The stable prefixes of the publication at hand: the same bytes for everyone of a role, made once."""

from assist_service.domain.manual import Publication
from assist_service.domain.people import Role
from assist_service.domain.policy import Policy
from assist_service.domain.prompt import stable_prefix
from assist_service.domain.screens import Catalogue


class Prefixes:
    """Keeps the prefixes of one publication; those of the last go when another is asked for."""

    def __init__(self, policy: Policy, catalogue: Catalogue) -> None:
        self._policy = policy
        self._catalogue = catalogue
        self._publication: Publication | None = None
        self._made: dict[Role, str] = {}

    def of(self, role: Role, publication: Publication) -> str:
        """The prefix of a role. The very publication counts, not its id: sections of it may be withdrawn."""
        if publication is not self._publication:
            self._publication, self._made = publication, {}
        if role not in self._made:
            self._made[role] = stable_prefix(self._policy, role, publication, self._catalogue)
        return self._made[role]
