"""People lose seats, roles, accounts and sessions, and sit exams; `undo` gives everything back but the sessions."""

from collections.abc import Callable, Mapping

from examples.reference_lms.campus import Campus
from examples.reference_lms.fault_orders import AnyPersonOrder, PersonOrder, RoleOrder, SeatOrder
from examples.reference_lms.store import Row


class NoSuchThing(LookupError):
    """The order names a person, a seat or a thing that there is not."""


class PeopleChanges:
    """Changes to people, in force for tokens that live already."""

    def __init__(self, campus: Campus) -> None:
        self._campus = campus
        self._undo: list[Callable[[], None]] = []

    def make(self, order: AnyPersonOrder) -> None:
        row = self._campus.store.row(
            "SELECT id, role, active, exam FROM person WHERE id = :id", id=_plain(order.person)
        )
        if row is None:
            raise NoSuchThing
        match order:
            case SeatOrder():
                self._revoke_seat(order)
            case RoleOrder():
                self._set(row, role=order.role.value)
            case PersonOrder(fault="end_session"):
                self._campus.sessions.ended.end(person=row["id"])
                self._campus.tokens.end(person=row["id"])
            case PersonOrder():
                self._set(row, **_STATES[order.fault])

    def undo(self) -> None:
        while self._undo:
            self._undo.pop()()

    def _set(self, row: Row, **changes: object) -> None:
        self._undo.append(lambda: self._write(row))
        self._write({**row, **changes})

    def _write(self, row: Row) -> None:
        self._campus.store.run("UPDATE person SET role = :role, active = :active, exam = :exam WHERE id = :id", **row)

    def _revoke_seat(self, order: SeatOrder) -> None:
        seat = self._campus.store.row(
            "DELETE FROM seat WHERE course = :course AND person = :person RETURNING course, person, role",
            course=_plain(order.course),
            person=order.person,
        )
        if seat is None:
            raise NoSuchThing
        self._undo.append(lambda: self._campus.store.run("INSERT INTO seat VALUES (:course, :person, :role)", **seat))


_STATES: Mapping[str, Mapping[str, int]] = {
    "end_account": {"active": 0},
    "start_exam": {"exam": 1},
    "end_exam": {"exam": 0},
}


def _plain(text: str) -> str:
    return text.encode("utf-8", "replace").decode()
