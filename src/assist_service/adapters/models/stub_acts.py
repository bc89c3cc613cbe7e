"""What the stub does beside reading: it shows, runs, edits, prepares and looks up, by plain words in three languages.

Each act goes through the same tools, checks and cards as a model's would, and none is done that was not asked for.
"""

from collections.abc import Sequence

from assist_service.adapters.models.stub_asked import Asked, Call, Plan
from assist_service.adapters.models.stub_commands import command
from assist_service.adapters.models.stub_editing import edit
from assist_service.adapters.models.stub_results import follow_up, results
from assist_service.adapters.models.stub_screens import show
from assist_service.adapters.models.stub_words import words
from assist_service.adapters.models.stub_writing import prepare

ACTS: Sequence[Plan] = (edit, prepare, command, show)
"""The first that the question asks for."""

READS: Sequence[Plan] = (follow_up, results)
"""What is looked up where the service answers no lookup itself."""

_HOW = words("how comment paano")
"""A question with one of these is the manual's, unless it is about what came of something."""


def next_act(asked: Asked) -> Call | str | None:
    """What a question asks to be done, if that is offered; None for any other question."""
    return None if asked.words & _HOW else _first_of(ACTS, asked)


def next_read(asked: Asked) -> Call | str | None:
    """What a question asks to know of results, or of a record they clicked on; None for any other question."""
    has_lookups = any(tool.startswith("query_") for tool in asked.offered)
    return None if has_lookups else _first_of(READS, asked)


def _first_of(plans: Sequence[Plan], asked: Asked) -> Call | str | None:
    return next((found for plan in plans if (found := plan(asked)) is not None), None)
