"""Every way the SDKs know a reply to end has its meaning in one table, and no end has two."""

from typing import Any, get_args

import pytest
from anthropic.types import StopReason
from openai.types.chat.chat_completion import Choice
from openai.types.responses import ResponseStatus
from openai.types.responses.response import IncompleteDetails

from assist_service.adapters.models import anthropic_reply, openai_chat_reply, openai_reply


def _named(annotation: Any) -> set[str]:
    """The words of a Literal, or of one that may be None."""
    words: set[str] = set()
    for part in get_args(annotation):
        words |= {part} if isinstance(part, str) else _named(part)
    return words


STATUSES = {(status, None) for status in _named(ResponseStatus) - {"incomplete", "failed"}}
REASONS = {("incomplete", reason) for reason in _named(IncompleteDetails.model_fields["reason"].annotation)}

TABLES: dict[str, tuple[Any, set[Any]]] = {
    "Messages": (anthropic_reply, _named(StopReason)),
    # A failed response goes by its error, whatever that is.
    "Responses": (openai_reply, STATUSES | REASONS),
    "Chat Completions": (openai_chat_reply, _named(Choice.model_fields["finish_reason"].annotation)),
}


@pytest.mark.parametrize(("module", "ends"), TABLES.values(), ids=TABLES)
def test_every_end_the_sdk_knows_is_in_one_table(module: Any, ends: set[Any]) -> None:
    assert len(ends) >= 5
    assert module.STOPS.keys() | module.FAULTY_STOPS.keys() == ends
    assert module.STOPS.keys() & module.FAULTY_STOPS.keys() == set()
