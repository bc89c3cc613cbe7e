"""What every page of the reference LMS is under: its policy, where the panel is, what stands without a cookie."""

import re
from collections.abc import AsyncIterator
from html import unescape

import pytest

from assist_service.settings import ROOT
from examples.reference_lms.face.pool_search import OPERATORS, TAG
from examples.reference_lms.school import STUDENTS
from tests.web.lms_face import (
    ASSIST_URL,
    DRAFT,
    POOL,
    QUESTION,
    RUNNING,
    Browser,
    commands_of,
    open_lms,
)


@pytest.fixture
async def lms() -> AsyncIterator[Browser]:
    async with open_lms() as opened:
        yield opened


MANUAL = ROOT / "corpus" / "teacher"
COURSE = "/courses/15836ecc-3473-4a44-96ca-e5bf72eccaa6"

TEMPLATE = "/templates/2f1fc48c-8df8-4547-91aa-91877c2a488a"

POLICY = {
    "default-src 'none'",
    f"script-src 'self' {ASSIST_URL}",
    f"style-src 'self' {ASSIST_URL}",
    f"connect-src 'self' {ASSIST_URL}",
    "img-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types assist-panel lms-pages",
}


async def test_no_page_runs_what_is_not_ours(lms: Browser) -> None:
    for path in ("/", f"/pools/{POOL}", "/pools/nothing"):
        policy = (await lms.get(path)).headers["content-security-policy"]
        assert {"default-src 'none'", "script-src 'self'"} <= set(policy.split("; ")), path
    await lms.sign_in()
    for path in ("/sign-in", "/", f"/pools/{POOL}", "/pools/nothing", f"/evaluations/{RUNNING}/projection"):
        page = await lms.get(path)
        assert set(page.headers["content-security-policy"].split("; ")) == POLICY, path
        assert page.headers["cache-control"] == "no-store"
        assert " style=" not in page.text
        assert "<style" not in page.text
        assert " onclick=" not in page.text


PANEL = "<assist-panel"


async def test_the_panel_is_the_services_and_only_where_one_is_oneself(lms: Browser) -> None:
    await lms.sign_in()
    page = (await lms.get(f"/pools/{POOL}")).text
    assert PANEL in page
    assert f'src="{ASSIST_URL}/assist/panel/assist-panel.js"' in page
    for path in (f"/evaluations/{RUNNING}/projection", f"/pools/{POOL}/print", f"/questions/{QUESTION}/try"):
        bare = (await lms.get(path)).text
        assert PANEL not in bare
        assert ASSIST_URL not in bare
    for kind in ("student_view", "impersonation"):
        await lms.sign_in(kind=kind)
        other = (await lms.get(f"/pools/{POOL}")).text
        assert PANEL not in other
        assert ASSIST_URL not in other


async def test_without_a_service_no_page_has_a_panel() -> None:
    async with open_lms(assist_url=None) as lms:
        await lms.sign_in()
        page = await lms.get(f"/pools/{POOL}")
        assert PANEL not in page.text
        assert "script-src 'self'" in page.headers["content-security-policy"].split("; ")


async def test_a_projected_evaluation_names_nobody(lms: Browser) -> None:
    await lms.sign_in()
    assert STUDENTS[0].name in (await lms.get(f"/evaluations/{RUNNING}?tab=results")).text
    assert STUDENTS[0].name not in (await lms.get(f"/evaluations/{RUNNING}/projection")).text


async def test_without_a_cookie_the_pages_are_for_everybody_and_lead_to_the_door(lms: Browser) -> None:
    page = await lms.get(f"/pools/{POOL}", params={"tab": "stats"})
    assert page.status_code == 200
    assert '<body data-screen="pool">' in page.text
    assert "<dt>pool</dt><dd>Pointeurs et tableaux</dd>" in page.text
    assert '<p class="sign-in"><a href="/sign-in">' in page.text
    assert 'href="/static/page.css"' in page.text
    assert PANEL not in page.text
    for path in ("/account", f"/evaluations/{RUNNING}/live", f"/pools/{POOL}/print"):
        assert (await lms.get(path)).headers["location"] == "/sign-in"
    assert '<a href="/sign-in">' in (await lms.get("/")).text


FOLLOWED: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("pools", "Create a pool", ("/pools", f"/pools/{POOL}")),
    ("pools", "Sort questions into categories", (f"/pools/{POOL}",)),
    ("pools", "Find a question", (f"/pools/{POOL}",)),
    ("pools", "Archive or delete a pool", (f"/pools/{POOL}",)),
    ("help/pool", "The tabs of a pool", (f"/pools/{POOL}",)),
    ("help/pool", "Find and sort questions", (f"/pools/{POOL}",)),
    ("tags-and-search", "Instead of tags", (f"/pools/{POOL}",)),
    ("tags-and-search", "Search in one pool", (f"/pools/{POOL}",)),
    ("classrooms", "Create a classroom", (COURSE,)),
    ("templates", "Make a template", ("/templates", TEMPLATE)),
    ("help/template", "Fill a template", (TEMPLATE,)),
    ("classrooms.fr", "Créer une classe", (COURSE,)),
    ("help/template.fr", "Remplir un modèle", (TEMPLATE,)),
    ("courses", "Create a course", ("/courses", COURSE)),
    ("courses", "Link a pool to a course", (COURSE,)),
    ("help/courses", "Create a course", ("/courses", COURSE)),
    ("help/course", "Link a pool to this course", (COURSE,)),
    ("evaluations", "Create an evaluation", ("/evaluations",)),
    ("help/evaluation", "Find and create evaluations", ("/evaluations", f"/evaluations/{DRAFT}")),
    ("pools.fr", "Créer une banque", ("/pools", f"/pools/{POOL}")),
    ("pools.fr", "Ranger les questions par catégories", (f"/pools/{POOL}",)),
    ("pools.fr", "Trouver une question", (f"/pools/{POOL}",)),
    ("pools.fr", "Archiver ou supprimer une banque", (f"/pools/{POOL}",)),
    ("help/pool.fr", "Les onglets d'une banque", (f"/pools/{POOL}",)),
    ("help/courses.fr", "Créer un cours", ("/courses", COURSE)),
    ("help/course.fr", "Lier une banque à ce cours", (COURSE,)),
    ("evaluations.fr", "Créer une évaluation", ("/evaluations",)),
    ("help/evaluation.fr", "Trouver et créer une évaluation", ("/evaluations", f"/evaluations/{DRAFT}")),
)
"""Sections of the manual whose steps are taken on these pages: every name in bold is there."""


async def test_the_pages_have_what_the_manual_names(lms: Browser) -> None:
    """The manual that is answered from: what it says to press is there, under that name, in its languages."""
    await lms.sign_in()
    for language in ("en", "fr"):
        await lms.post("/language", language=language, back="/")
        for manual, heading, paths in FOLLOWED:
            if manual.endswith(".fr") != (language == "fr"):
                continue
            text = (MANUAL / f"{manual}.md").read_text("utf-8").split(f"## {heading}\n")[1].split("\n## ")[0]
            shown = {found for path in paths for found in _names_on((await lms.get(path)).text)}
            named = set(re.findall(r"\*\*([^*]+)\*\*", text))
            assert named <= shown, (manual, heading)
            for operator, value in re.findall(r"`(\w+):(\w*)", text):
                assert operator in (*OPERATORS, TAG), (manual, heading)
                assert not value or operator == TAG or value in OPERATORS[operator], (manual, heading)


def _names_on(page: str) -> set[str]:
    """Whole texts of the page, and what its search says of itself."""
    texts = [text for text in re.findall(r">([^<>]+)<", page) if text.strip()]
    return {unescape(text).strip() for text in (*texts, *re.findall(r'placeholder="([^"]+)"', page))}


async def test_a_pools_categories_stand_beside_its_list_with_what_each_holds(lms: Browser) -> None:
    await lms.sign_in()
    pool = await lms.get(f"/pools/{POOL}", params={"search": "malloc"})
    shelves = re.findall(r'href="(/pools/[^"]*)"[^>]*><span>([^<]*)</span> <span class="number">(\d+)<', pool.text)
    assert (shelves[0][1], shelves[0][2], shelves[-1][1]) == ("All categories", "50", "Uncategorised")
    assert sum(int(count) for _, _, count in shelves[1:]) == 50
    assert all("search=malloc" in address for address, _, _ in shelves)
    for address, _, count in shelves:
        shown = (await lms.get(unescape(address).replace("&search=malloc", "").replace("search=malloc", ""))).text
        assert shown.count('href="/questions/') == int(count)
        assert 'aria-current="true"' in shown


async def test_commands_are_those_of_the_state_at_hand(lms: Browser) -> None:
    await lms.sign_in()
    assert commands_of(await lms.get("/pools")) == {"pool.new"}
    assert commands_of(await lms.get("/courses")) == {"course.new"}
    assert commands_of(await lms.get("/evaluations")) == {"evaluation.new"}
    pool = {"question.new", "category.new", "pool.print", "pool.delete"}
    assert commands_of(await lms.get(f"/pools/{POOL}")) == pool
    looks = {"results", "live", "grading", "project"}
    assert commands_of(await lms.get(f"/evaluations/{RUNNING}")) == looks | {"close"}
    assert commands_of(await lms.get(f"/evaluations/{DRAFT}")) == looks | {"start", "evaluation.add"}
    assert {"preview", "try-it", "unpublish"} <= commands_of(await lms.get(f"/questions/{QUESTION}"))
    await lms.sign_in(kind="student_view")
    assert commands_of(await lms.get(f"/pools/{POOL}")) == {"pool.print"}
    assert commands_of(await lms.get(f"/evaluations/{RUNNING}")) == looks


async def test_the_files_are_a_closed_list(lms: Browser) -> None:
    script = await lms.get("/static/router.js")
    assert script.headers["content-type"].startswith("text/javascript")
    for name in ("nothing.js", "..%2fface.py", "%2e%2e%2fface.py"):
        assert (await lms.get(f"/static/{name}")).status_code == 404


async def test_what_is_no_page_is_under_the_policy_too(lms: Browser) -> None:
    for path in ("/nothing", "/demo/school", "/demo/requests", "/healthz", "/api/pools", "/sign-out"):
        answer = await lms.get(path)
        assert answer.headers["content-type"].startswith("application/json"), path
        assert "default-src 'none'" in answer.headers["content-security-policy"].split("; "), path
        assert answer.headers["x-content-type-options"] == "nosniff", path
