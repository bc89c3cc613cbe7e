"""A list that comes in pages is followed within bounds, and it is told whether there is more."""

from collections.abc import Awaitable, Callable
from typing import TypeVar

from assist_service.domain.school import Known, Page

Item = TypeVar("Item", bound=Known)

PAGES = 5
"""Pages of a list that are followed in one call."""


async def every(
    page_of: Callable[[str | None], Awaitable[Page[Item]]], *, may_follow: Callable[[], bool] = lambda: True
) -> tuple[list[Item], bool]:
    """The items of a list, its pages followed within bounds, and whether there are more.

    `may_follow` is asked before each page but the first.
    """
    items: list[Item] = []
    cursor: str | None = None
    for at in range(PAGES):
        if at and not may_follow():
            break
        page = await page_of(cursor)
        items += page.items
        cursor = page.next
        if cursor is None:
            return items, False
    return items, True
