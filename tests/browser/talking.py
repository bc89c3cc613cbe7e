"""Questions asked one after the other, the list of conversations, and who signs in beside the first teacher."""

from examples.reference_lms.school import SCHOOL
from examples.reference_lms.sessions import SessionKind
from tests.browser.panel_house import SID, Panel
from tests.browser.steering import SAID
from tests.fakes.house import OTHER_TEACHER, House

RULED = {
    "limits": {"questions_per_minute": 1000, "questions_per_day": None},
    "conversation": {"idle_minutes": 30, "total_hours": None, "one_active": False},
}


async def ask_each(panel: Panel, *questions: str) -> None:
    for question in questions:
        panel.house.clock.move(1)  # exchanges are in the order of their time
        await panel.ask(question)
        await panel.answered(SAID)


async def titles_listed(panel: Panel) -> list[str]:
    """The titles of the list, which is opened."""
    await panel.element.get_by_role("button", name="Earlier conversations").click()
    await panel.element.locator(".history").wait_for()
    return await panel.element.locator(".conversation-title").all_inner_texts()


def other_persons(house: House, kind: SessionKind = SessionKind.PORTAL) -> str:
    known = next(each for each in SCHOOL.people if each.sub == OTHER_TEACHER)
    return house.sessions.mint(known, kind=kind, elevated=False, sid=SID)
