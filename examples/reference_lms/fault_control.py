"""Hands each ordered fault to the part of the LMS that goes wrong, and ends them all with `none`."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import assert_never

from examples.reference_lms.campus import Campus
from examples.reference_lms.fault_orders import (
    AnyOrder,
    DelayOrder,
    KeyOrder,
    NonceOrder,
    PersonOrder,
    PlainAnswerOrder,
    RenameOrder,
    RoleOrder,
    RuleOrder,
    SeatOrder,
    StatusChangeOrder,
    StatusOrder,
    TrickleOrder,
)
from examples.reference_lms.faults import Fault, KeyService
from examples.reference_lms.misbehaving import Misbehaviour
from examples.reference_lms.people_changes import PeopleChanges
from examples.reference_lms.thing_changes import change_thing


@dataclass(frozen=True)
class FaultControl:
    """All that can be broken."""

    campus: Campus
    key_services: Sequence[KeyService]
    misbehaviour: Misbehaviour
    people: PeopleChanges

    def inject(self, order: AnyOrder) -> None:
        """Raises NoSuchThing for a person, a seat or a thing that there is not."""
        match order:
            case KeyOrder():
                self._inject_key_fault(order.fault)
            case PlainAnswerOrder() | StatusOrder() | DelayOrder() | TrickleOrder():
                self.misbehaviour.inject(order)
            case PersonOrder() | SeatOrder() | RoleOrder():
                self.people.make(order)
            case RenameOrder() | StatusChangeOrder():
                change_thing(self.campus.store, order)
            case NonceOrder():
                self.campus.proofs.nonces.renew()
            case RuleOrder():
                self.campus.rules.switch_off(order.fault)
            case _:
                assert_never(order)

    def _inject_key_fault(self, fault: Fault) -> None:
        for key_service in self.key_services:
            key_service.inject(fault)
        if fault is Fault.NONE:
            self.misbehaviour.stop()
            self.people.undo()
            self.campus.rules.restore()
