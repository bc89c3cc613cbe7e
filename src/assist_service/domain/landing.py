"""Where a confirmed write is to be seen: the app's own path to what it made or changed."""

from collections.abc import Callable, Mapping
from uuid import UUID

from assist_service.domain.interface import open_screen
from assist_service.domain.reply import Confirmed, OpenScreen
from assist_service.domain.screens import Language, Screen
from assist_service.domain.text import one_line
from assist_service.domain.writes import WriteRequest, WriteTool

HOME = "/"
"""Where the LMS has no screen of its own for something."""

TITLE_CHARACTERS = 200

Place = tuple[str, UUID, Mapping[str, str]]
"""A screen, its id, and its parameters."""


def _of_pool(request: WriteRequest, made: UUID) -> Place:
    assert request.entity is not None
    return "pool", request.entity, {"category": str(made)}


_PLACES: Mapping[WriteTool, Callable[[WriteRequest, UUID], Place]] = {
    WriteTool.CREATE_QUESTION: lambda _, made: ("question", made, {}),
    WriteTool.CREATE_CATEGORY: _of_pool,
    WriteTool.CREATE_TEMPLATE: lambda _, made: ("template", made, {}),
    WriteTool.ADD_QUESTIONS_TO_TEMPLATE: lambda _, made: ("template", made, {}),
    WriteTool.LINK_POOL_TO_COURSE: lambda _, made: ("course", made, {"tab": "pools"}),
}


def landing(
    request: WriteRequest, made: UUID, *, title: str, screens: Mapping[str, Screen], language: Language
) -> Confirmed:
    """The path by the one rule for screens, without parameters where the screen has none, and the thing's title."""
    screen, identifier, params = _PLACES[request.tool](request, made)
    for given in (params, {}):
        opened = open_screen(screens, screen, {"id": str(identifier)}, given, language=language)
        if isinstance(opened, OpenScreen):
            return Confirmed(path=opened.path, title=one_line(title, TITLE_CHARACTERS) or opened.title)
    return Confirmed(path=HOME, title=one_line(title, TITLE_CHARACTERS))
