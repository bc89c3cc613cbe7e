"""Who reaches the question editor's pages, what each shows, and who only looks."""

import re
from collections.abc import AsyncIterator
from uuid import UUID

import httpx2
import pytest

from examples.reference_lms.api.question_types import CONFIG_SCHEMAS
from examples.reference_lms.app import create_app
from examples.reference_lms.face import editor_words as words
from examples.reference_lms.face.same_session import HEADER
from examples.reference_lms.school import ADMIN, FILIPINO_TEACHER, FRENCH_TEACHER, STUDENTS, TRAINER_ADMIN
from examples.reference_lms.sessions import SessionKind
from tests.fakes.clocks import HandClock
from tests.web.test_lms_editor import (
    DRAFT,
    HERE,
    LMS,
    MCQ,
    OUT_OF_REACH,
    Json,
    browsers,
    draft,
    open_page,
    order,
    question,
    save,
)


@pytest.fixture
async def http() -> AsyncIterator[httpx2.AsyncClient]:
    async with browsers(FILIPINO_TEACHER.sub) as (client,):
        yield client


async def requests_of(client: httpx2.AsyncClient, id_: str, body: Json) -> list[tuple[int, str]]:
    answers = [
        await client.get(f"/questions/{id_}/draft"),
        await client.put(f"/questions/{id_}/draft", json=body),
    ]
    return [(answer.status_code, answer.json().get("error", "")) for answer in answers]


async def test_who_does_not_reach_the_question_finds_none() -> None:
    others = (STUDENTS[0], TRAINER_ADMIN, FRENCH_TEACHER)
    async with browsers(FILIPINO_TEACHER.sub, *(each.sub for each in others)) as (owner, *clients):
        before = await draft(owner, DRAFT)
        body = order(before, explanation="Not mine.")
        for client, person in zip(clients, others, strict=True):
            for id_ in (DRAFT, str(UUID(int=7)), "nothing"):
                assert await requests_of(client, id_, body) == [(404, "not_found")] * 2, person.role
        assert await draft(owner, DRAFT) == before


async def test_without_a_cookie_nothing_is_said() -> None:
    async with browsers(FILIPINO_TEACHER.sub, "") as (owner, nobody):
        body = order(await draft(owner, DRAFT))
        assert await requests_of(nobody, DRAFT, body) == [(401, "unauthenticated")] * 2
        assert await requests_of(nobody, "nothing", body) == [(401, "unauthenticated")] * 2


@pytest.mark.parametrize("kind", [SessionKind.STUDENT_VIEW, SessionKind.IMPERSONATION])
async def test_who_only_looks_changes_nothing_and_is_told_so(kind: SessionKind) -> None:
    async with browsers(FILIPINO_TEACHER.sub, kind=kind) as (client,):
        before = await draft(client, DRAFT)
        body = order(before, explanation="Not mine.")
        assert await requests_of(client, DRAFT, body) == [(200, ""), (403, "read_only")]
        assert await draft(client, DRAFT) == before
        page = (await client.get(f"/questions/{DRAFT}")).text
    assert "Nothing can be changed in this view." in page
    assert "data-editable" not in page
    assert 'data-effect="write"' not in page


async def test_super_powers_reach_what_no_seat_does() -> None:
    async with browsers(ADMIN.sub) as (client,):
        assert (await client.get(f"/questions/{OUT_OF_REACH}/draft")).status_code == 404
        await client.post("/sign-in", data={"person": ADMIN.sub, "kind": "portal", "elevated": "on"})
        await open_page(client)
        before = await draft(client, OUT_OF_REACH)
        assert (await save(client, order(before, explanation="Mended."), OUT_OF_REACH)).status_code == 200


@pytest.mark.parametrize("language", ["en", "fr", "fil"])
async def test_each_type_has_a_page_with_a_label_for_each_field(http: httpx2.AsyncClient, language: str) -> None:
    await http.post("/language", data={"language": language, "back": "/", "session": http.headers[HEADER]})
    spoken = words.editor_words(language)
    for type_ in CONFIG_SCHEMAS:
        page = (await http.get(f"/questions/{question(type_, 'draft')}")).text
        for key in ("statement", "explanation", "undo", "saved"):
            assert spoken[key] in page
        paths = re.findall('data-path="([^"]+)"', page)
        assert len(paths) >= 4
        for path in paths:
            assert f'<label for="f{path.replace("/", "-")}">' in page


async def test_texts_of_a_question_are_no_html(http: httpx2.AsyncClient) -> None:
    hostile = "</textarea><script>alert(1)</script>'\"&amp;"
    before = await draft(http)
    await save(http, order(before, config={**before["config"], "statement": hostile}, explanation=hostile))
    for path in ("", "/try"):
        page = (await http.get(f"/questions/{MCQ}{path}")).text
        assert "<script>alert" not in page
        assert "&lt;script&gt;alert(1)" in page


async def test_trying_it_is_a_window_without_the_assistant() -> None:
    app = create_app(url=LMS, now=HandClock().now, assist_url="http://assist.test")
    async with httpx2.AsyncClient(transport=httpx2.ASGITransport(app), base_url=LMS, headers=HERE) as client:
        await client.post("/sign-in", data={"person": FILIPINO_TEACHER.sub, "kind": "portal"})
        assert "<assist-panel" in (await client.get(f"/questions/{MCQ}")).text
        page = await client.get(f"/questions/{MCQ}/try")
    assert page.status_code == 200
    assert "assist-panel" not in page.text
    assert "data-route" not in page.text


def test_every_word_is_there_in_each_language_with_its_marks() -> None:
    for key, english in words.editor_words("en").items():
        for language in ("fr", "fil"):
            word = words.editor_words(language)[key]
            assert word
            for mark in ("#", "@", "{}"):
                assert word.count(mark) == english.count(mark), (key, language)
