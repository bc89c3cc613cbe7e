"""Reads what a form of a page has sent."""

from typing import TypeVar
from urllib.parse import parse_qs

from pydantic import TypeAdapter, ValidationError
from starlette.requests import Request

from examples.reference_lms.api.bodies import Line
from examples.reference_lms.api.refusals import Refusal

FORM_BYTES = 64_000

Checked = TypeVar("Checked")

_LINE: TypeAdapter[str] = TypeAdapter(Line)


class BadForm(ValueError):
    """Too long, or no form."""


class Form:
    """Fields by name; what was not sent is empty."""

    def __init__(self, fields: dict[str, list[str]]) -> None:
        self._fields = fields

    def one(self, name: str) -> str:
        """Its first value as one line without spaces at its ends."""
        return " ".join(self._fields.get(name, [""])[0].split())

    def text(self, name: str) -> str:
        return self._fields.get(name, [""])[0].replace("\r\n", "\n")

    def all(self, name: str) -> list[str]:
        return self._fields.get(name, [])


def checked(kind: TypeAdapter[Checked], values: object) -> Checked:
    """What a form says, as the API takes it. Raises Refusal where it would not."""
    try:
        return kind.validate_python(values)
    except ValidationError:
        raise Refusal("invalid") from None


def title_of(form: Form) -> str:
    """Raises Refusal where there is none, or one too long."""
    return checked(_LINE, form.one("title"))


async def read_form(request: Request) -> Form:
    """Raises BadForm."""
    body = await request.body()
    if len(body) > FORM_BYTES:
        raise BadForm("too long")
    try:
        return Form(parse_qs(body.decode("ascii"), keep_blank_values=True, errors="strict"))
    except ValueError:
        raise BadForm("not a form") from None
