"""What `POST /demo/faults` takes: a closed word, and the parameters that belong to it."""

from typing import Annotated, Literal
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field, RootModel, StringConstraints

from examples.reference_lms.faults import Fault
from examples.reference_lms.rules import Break
from examples.reference_lms.school import EntityKind, Role

LONGEST_SECONDS = 600

Title = Annotated[str, StringConstraints(min_length=1, max_length=500)]


class Order(BaseModel):
    """A body with no other keys than those named."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class KeyOrder(Order):
    fault: Fault


class AnswerOrder(Order):
    """An answer goes wrong; without a path, every one of `/api` but those about standing."""

    path: Annotated[str, StringConstraints(pattern=r"^/(api|oauth)/")] | None = None
    """Paths that begin with this."""
    after: bool = False
    """The request is carried out first, and only its answer is lost."""
    times: Annotated[int, Field(ge=1)] | None = None
    """For so many requests; until `none` where it is not given."""


class PlainAnswerOrder(AnswerOrder):
    fault: Literal["reset", "not_json", "other_schema", "html", "redirect", "huge"]


class StatusOrder(AnswerOrder):
    fault: Literal["status"]
    status: Annotated[int, Field(ge=400, le=599)]


class DelayOrder(AnswerOrder):
    """The right answer, late."""

    fault: Literal["delay"]
    seconds: Annotated[float, Field(gt=0, le=LONGEST_SECONDS)]


class TrickleOrder(AnswerOrder):
    """A long answer, one byte each `seconds`."""

    fault: Literal["trickle"]
    seconds: Annotated[float, Field(gt=0, le=LONGEST_SECONDS)] = 0.5


class PersonOrder(Order):
    fault: Literal["end_account", "end_session", "start_exam", "end_exam"]
    person: str


class SeatOrder(Order):
    fault: Literal["revoke_seat"]
    person: str
    course: str


class RoleOrder(Order):
    fault: Literal["change_role"]
    person: str
    role: Role


class RenameOrder(Order):
    """For good: a thing has another title from now on."""

    fault: Literal["rename"]
    kind: EntityKind | Literal["category"]
    id: UUID
    title: Title


class StatusChangeOrder(Order):
    """For good: a question is published, or a draft again."""

    fault: Literal["publish", "unpublish"]
    id: UUID


class NonceOrder(Order):
    """Once: every nonce given out before is void."""

    fault: Literal["renew_nonces"]


class RuleOrder(Order):
    fault: Break


AnyAnswerOrder = PlainAnswerOrder | StatusOrder | DelayOrder | TrickleOrder
AnyPersonOrder = PersonOrder | SeatOrder | RoleOrder
AnyThingOrder = RenameOrder | StatusChangeOrder
AnyOrder = KeyOrder | AnyAnswerOrder | AnyPersonOrder | AnyThingOrder | NonceOrder | RuleOrder


class FaultOrder(RootModel[AnyOrder]):
    """One of them."""
