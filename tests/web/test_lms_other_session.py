"""A page of an old tab writes under nobody's new cookie: what it sends is refused, and is on no log."""

import re
from collections.abc import AsyncIterator

import pytest

from examples.reference_lms.face.changes import CHANGES
from examples.reference_lms.face.same_session import HEADER
from examples.reference_lms.face.screens import screens
from examples.reference_lms.school import FILIPINO_TEACHER, FRENCH_TEACHER
from tests.web.lms_face import DRAFT, POOL, QUESTION, Browser, open_lms

SAID = "You have signed in as somebody else, or anew, in another tab."

IDS = {"pools": POOL, "questions": QUESTION, "evaluations": DRAFT, "courses": "15836ecc-3473-4a44-96ca-e5bf72eccaa6"}
PATHS = ["/language", *(path.replace("{id}", IDS.get(path.split("/")[1], "x")) for path, _, _ in CHANGES)]
"""Every form there is, but to sign in and out."""

FIELDS = {"title": "T", "language": "fr", "type": "mcq", "statement": "S"}


@pytest.fixture
async def lms() -> AsyncIterator[Browser]:
    async with open_lms() as opened:
        await opened.sign_in()
        yield opened


@pytest.mark.parametrize("person", [FILIPINO_TEACHER.sub, FRENCH_TEACHER.sub])
async def test_a_form_of_an_old_tab_changes_nothing(lms: Browser, person: str) -> None:
    """Whoever the other tab signed in, the same person included: their seats, kind and powers may be others."""
    pools, of_old_tab = (await lms.get("/pools")).text, lms.page_of
    await lms.sign_in(person)
    for sent in (of_old_tab, {"session": ""}, {"session": "é" * 22}):
        for path in PATHS:
            answer = await lms.post(path, **FIELDS, **sent)
            assert answer.status_code == 409, (path, sent)
            assert SAID in answer.text, path
            assert f'data-session="{lms.page_of["session"]}"' in answer.text, path
    assert await lms.log() == []
    await lms.sign_in()
    strip = re.compile(r'(data-session|value)="[\w-]{20,}"')
    assert strip.sub("", (await lms.get("/pools")).text) == strip.sub("", pools)
    assert f'data-session="{lms.page_of["session"]}"' in (await lms.post(PATHS[1], **FIELDS, session="")).text


async def test_a_save_of_an_old_tab_stores_nothing(lms: Browser) -> None:
    path, here = f"/questions/{QUESTION}/draft", {"Origin": lms.base}
    before = (await lms.get(path)).json()
    order = {"base": before["base"], "config": before["config"], "explanation": "Of the old tab."}
    of_old_tab = lms.page_of["session"]
    await lms.sign_in()
    for headers in (here, {**here, HEADER: of_old_tab}, {**here, HEADER: "x"}):
        refused = await lms.http.put(path, json=order, headers=headers)
        assert (refused.status_code, refused.json()) == (409, {"error": "other_session"})
    assert (await lms.get(path)).json() == before
    assert await lms.log() == []
    saved = await lms.http.put(path, json=order, headers={**here, HEADER: lms.page_of["session"]})
    assert (saved.status_code, saved.json()["explanation"]) == (200, "Of the old tab.")
    assert len(await lms.log()) == 1


async def test_each_form_says_of_which_session_its_page_is(lms: Browser) -> None:
    patterns = [
        screen.pattern.replace(":id", IDS.get(screen.pattern.split("/")[1], "x")) for screen in screens().values()
    ]
    pages = [(await lms.get(path)).text for path in patterns]
    forms = [form for page in pages for form in re.findall(r'<form[^>]*method="post".*?</form>', page, re.DOTALL)]
    field = f'<input type="hidden" name="session" value="{lms.page_of["session"]}">'
    assert {form for form in forms if field not in form} == {form for form in forms if 'action="/sign-out"' in form}
    assert len(set(forms)) >= 10
