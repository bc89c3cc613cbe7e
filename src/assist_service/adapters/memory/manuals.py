"""One edition of the manual, the only one there is."""

from dataclasses import dataclass

from assist_service.domain.withdrawals import NOTHING_WITHDRAWN, Withdrawals
from assist_service.ports import Edition


@dataclass(frozen=True)
class OneManual:
    """Implements ports.Manuals."""

    edition: Edition

    def active(self) -> Edition:
        return self.edition

    def withdrawn(self) -> Withdrawals:
        return NOTHING_WITHDRAWN
