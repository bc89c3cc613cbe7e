"""The pages of the reference LMS: which there are for whom, what is out of reach, and what no page lets happen."""

import json
from collections.abc import AsyncIterator
from typing import Any

import pytest
import yaml

from assist_service.settings import ROOT
from examples.reference_lms.school import ADMIN, FRENCH_TEACHER, STUDENTS, TRAINER_ADMIN, Person
from tests.web.lms_face import (
    DRAFT,
    FOREIGN_POOL,
    POOL,
    QUESTION,
    RUNNING,
    Browser,
    links_of,
    main_of,
    open_lms,
)

CATALOGUE: dict[str, Any] = yaml.safe_load((ROOT / "contracts" / "screens.yaml").read_text("utf-8"))
COURSE = "15836ecc-3473-4a44-96ca-e5bf72eccaa6"
CLOSED = "ff75a79c-8e39-5e1d-be6b-f9376a069d27"
CLASSROOM = "7061f74d-4306-450b-939a-358c5243912d"

THINGS = {
    "teacher": {
        "course": COURSE,
        "pool": POOL,
        "question": QUESTION,
        "evaluation": RUNNING,
        "classroom": CLASSROOM,
        "template": "2f1fc48c-8df8-4547-91aa-91877c2a488a",
    },
    "admin": {
        "course": "d5b0799e-4686-4941-b6dd-835e132950e5",
        "pool": FOREIGN_POOL,
        "question": "4ee8e431-d881-46ee-bbdc-234a849d098c",
        "evaluation": "5bd56536-f6c2-4db7-a838-299c03c3e0d9",
        "classroom": "7ffadcca-4172-441d-9600-07a5cd56aab0",
        "template": "ff22bb4c-d77e-4b66-8712-e01b6e028500",
    },
    "student": {"course": COURSE, "evaluation": RUNNING},
    "trainer_admin": {},
}
"""Something of each kind that the person with this role reaches."""

FOLLOWED = 20
"""How many of the links that a role's pages have are followed."""


@pytest.fixture
async def lms() -> AsyncIterator[Browser]:
    async with open_lms() as opened:
        yield opened


def routes_of(role: str) -> set[str]:
    """Every route a question may come from in this role, by the catalogue."""
    screens = [screen for screen in CATALOGUE["screens"].values() if role in screen["roles"]]
    tabs = {f"{each['pattern']}?tab={tab}" for each in screens for tab in each["params"].get("tab", [])}
    students = {route for route in CATALOGUE["other_routes"] if route.startswith("/my-")}
    everybodys = {"/", "/account", "/privacy"}
    staffs = set(CATALOGUE["other_routes"]) - students - everybodys
    others = {"student": students, "trainer_admin": set()}.get(role, staffs)
    return {each["pattern"] for each in screens} | tabs | others | everybodys


def path_of(route: str, things: dict[str, str]) -> str:
    kind = {"my-courses": "course", "my-evaluations": "evaluation"}.get(route.split("/")[1], route.split("/")[1][:-1])
    return route.replace(":id", things.get(kind, ""))


@pytest.mark.parametrize("person", [FRENCH_TEACHER, ADMIN, TRAINER_ADMIN, STUDENTS[0]], ids=lambda each: each.role)
async def test_every_route_of_the_role_is_a_page_and_links_lead_to_pages(lms: Browser, person: Person) -> None:
    await lms.sign_in(person.sub)
    links: list[str] = []
    for route in sorted(routes_of(person.role.value)):
        page = await lms.get(path_of(route, THINGS[person.role.value]))
        assert (page.status_code, main_of(page).get("route")) == (200, route)
        links += links_of(page)
    for path in list(dict.fromkeys(links))[:FOLLOWED]:
        assert (await lms.get(path)).status_code == 200, path


@pytest.mark.parametrize("person", [FRENCH_TEACHER, ADMIN, TRAINER_ADMIN, STUDENTS[0]], ids=lambda each: each.role)
async def test_the_screens_of_other_roles_are_not_there(lms: Browser, person: Person) -> None:
    await lms.sign_in(person.sub)
    things = THINGS.get(person.role.value) or THINGS["teacher"]
    for role in THINGS:
        for route in routes_of(role) - routes_of(person.role.value):
            page = await lms.get(path_of(route, THINGS["teacher"] | things))
            assert (page.status_code, "screen" in main_of(page)) == (404, False), route


OUT_OF_REACH = (
    f"/pools/{FOREIGN_POOL}",
    "/pools/00000000-0000-0000-0000-000000000009",
    "/pools/nothing",
    f"/pools/{FOREIGN_POOL}/print",
    f"/pools/{FOREIGN_POOL}/questions/new",
    "/questions/4ee8e431-d881-46ee-bbdc-234a849d098c/try",
    "/evaluations/5bd56536-f6c2-4db7-a838-299c03c3e0d9/live",
    "/evaluations/5bd56536-f6c2-4db7-a838-299c03c3e0d9/projection",
    "/no/such/page",
)


async def test_out_of_reach_and_not_there_are_one_page(lms: Browser) -> None:
    await lms.sign_in()
    pages = [await lms.get(path) for path in OUT_OF_REACH]
    assert {page.status_code for page in pages} == {404}
    assert len({page.content for page in pages}) == 1
    assert "Cells and tissues" not in pages[0].text


async def test_a_seat_that_is_lost_closes_the_page(lms: Browser) -> None:
    await lms.sign_in()
    assert (await lms.get(f"/pools/{POOL}")).status_code == 200
    await lms.inject("revoke_seat", person=FRENCH_TEACHER.sub, course=COURSE)
    assert (await lms.get(f"/pools/{POOL}")).status_code == 404


async def test_students_see_their_own_and_only_what_is_released(lms: Browser) -> None:
    await lms.sign_in(STUDENTS[0].sub)
    results = (await lms.get("/my-results")).text
    assert "Contrôle nº 1 : les pointeurs" in results
    assert "Contrôle nº 2" not in results
    assert CLOSED not in results
    assert (await lms.get(f"/my-evaluations/{RUNNING}")).status_code == 200
    for foreign in (DRAFT, "5bd56536-f6c2-4db7-a838-299c03c3e0d9"):
        assert (await lms.get(f"/my-evaluations/{foreign}")).status_code == 404
    assert (await lms.get("/my-courses/d5b0799e-4686-4941-b6dd-835e132950e5")).status_code == 404


async def test_the_page_tells_the_panel_the_pattern_and_never_an_id_or_a_search(lms: Browser) -> None:
    await lms.sign_in()
    main = main_of(await lms.get(f"/pools/{POOL}?tab=stats&search=secret"))
    assert main["route"] == "/pools/:id?tab=stats"
    assert (main["screen"], main["topic"], json.loads(main["entities"])) == ("pool", "pool", {"pool": POOL})
    assert main_of(await lms.get(f"/pools/{POOL}?tab=nonsense"))["route"] == "/pools/:id"
    question = main_of(await lms.get(f"/questions/{QUESTION}"))
    assert json.loads(question["entities"]) == {"question": QUESTION, "pool": POOL}


async def test_the_search_is_in_the_address(lms: Browser) -> None:
    await lms.sign_in()
    assert (await lms.get(f"/pools/{POOL}")).text.count('href="/questions/') == 50
    found = await lms.get(f"/pools/{POOL}", params={"search": "MALLOC"})
    assert 0 < found.text.count('href="/questions/') < 10
    assert 'value="MALLOC"' in found.text
    assert "Structures et fichiers" not in (await lms.get("/pools", params={"search": "pointeurs"})).text


HOSTILE = "<img src=x onerror=alert(1)>\"'</script><b>"


async def test_titles_are_text(lms: Browser) -> None:
    await lms.sign_in()
    for kind, id_, path in (
        ("pool", POOL, f"/pools/{POOL}"),
        ("question", QUESTION, f"/questions/{QUESTION}"),
        ("evaluation", RUNNING, f"/evaluations/{RUNNING}"),
        ("classroom", CLASSROOM, f"/classrooms/{CLASSROOM}"),
        ("course", COURSE, f"/courses/{COURSE}"),
    ):
        await lms.inject("rename", kind=kind, id=id_, title=HOSTILE)
        page = await lms.get(path)
        assert "&lt;img src=x onerror=alert(1)&gt;&#34;&#39;" in page.text
        assert "<img src=x" not in page.text
    searched = await lms.get("/pools", params={"search": HOSTILE})
    assert "<img src=x" not in searched.text
    assert "<img src=x" not in (await lms.get("/sign-in", params={"name": HOSTILE})).text


async def test_a_title_that_is_a_word_of_the_pages_stays_a_title(lms: Browser) -> None:
    await lms.sign_in()
    await lms.post("/language", language="fr", back="/")
    await lms.inject("rename", kind="pool", id=POOL, title="courses")
    assert "<h1>courses</h1>" in (await lms.get(f"/pools/{POOL}")).text
