"""Things change behind the back of who has just read them: titles, and whether a question is published."""

from collections.abc import Mapping

from examples.reference_lms.fault_orders import AnyThingOrder, RenameOrder, StatusChangeOrder
from examples.reference_lms.people_changes import NoSuchThing
from examples.reference_lms.school import EntityKind
from examples.reference_lms.store import Store

_TITLES: Mapping[str, str] = {
    kind: f"UPDATE {kind} SET title = :title WHERE id = :id RETURNING id"  # noqa: S608 a closed list of tables
    for kind in (*EntityKind, "category")
}

_STATUSES: Mapping[str, str] = {"publish": "published", "unpublish": "draft"}


def change_thing(store: Store, order: AnyThingOrder) -> None:
    """Raises NoSuchThing for an id that nothing of its kind has."""
    match order:
        case RenameOrder():
            changed = store.row(_TITLES[order.kind], id=str(order.id), title=order.title)
        case StatusChangeOrder():
            changed = store.row(
                "UPDATE question SET status = :status WHERE id = :id RETURNING id",
                id=str(order.id),
                status=_STATUSES[order.fault],
            )
    if changed is None:
        raise NoSuchThing
