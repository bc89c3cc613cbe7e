"""The outline is as fine as fits, and bounded whatever the manual."""

import pytest

from assist_service.domain.manual import Audience, ManualPage, Section
from assist_service.domain.outline import OUTLINE_BYTES, outline


def pages(count: int, *, sections: int = 3, folder: str = "teacher", title: str = "Page") -> list[ManualPage]:
    made = []
    for number in range(count):
        path = f"{folder.format(number)}/page-{number}"
        cut = tuple(
            Section(path, title, "en", Audience.TEACHER, f"part-{part}", f"Part {part}", "Words.")
            for part in range(sections)
        )
        made.append(ManualPage(path, "en", title, Audience.TEACHER, cut))
    return made


@pytest.mark.parametrize(
    ("manual", "shown", "hidden"),
    [
        (pages(50), ["- teacher/page-7 | Page", "  - part-2 | Part 2"], ["search_guide"]),
        (pages(300), ["- teacher/page-299 | Page"], ["part-2"]),
        (pages(3_000), ["- teacher | 3000"], ["page-7"]),
        (pages(10_000, folder="teacher/area-{0}"), ["- teacher | 10000"], ["area-7 "]),
        (pages(10_000, folder="area-of-the-manual-{0}"), ["too large to list"], ["area-of"]),
        (pages(400, title="é" * 60), ["- teacher | 400"], ["page-7"]),
    ],
    ids=["sections", "pages", "folders", "first folders", "nothing", "bytes, not characters"],
)
def test_the_finest_that_fits(manual: list[ManualPage], shown: list[str], hidden: list[str]) -> None:
    text = outline(manual)
    assert len(text.encode()) <= OUTLINE_BYTES
    for words in shown:
        assert words in text
    for words in hidden:
        assert words not in text
