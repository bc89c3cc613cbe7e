"""The question editor's routes: a draft is saved whole by who may, over what they have seen, or nothing is."""

import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import httpx2
import pytest

from assist_service.domain.context import DRAFT_BYTES, EditorDraft
from examples.reference_lms.api.question_types import CONFIG_SCHEMAS
from examples.reference_lms.app import create_app
from examples.reference_lms.face.drafts import BODY_BYTES, MOST_FAULTS
from examples.reference_lms.face.same_session import HEADER
from examples.reference_lms.school import FILIPINO_TEACHER
from examples.reference_lms.store import open_store
from tests.fakes.clocks import HandClock
from tests.web.lms_face import marker_of

LMS = "http://lms.test"
POOL = "7d76feb5-bbe5-406d-947f-35a4d17066ad"
MCQ = "4ee8e431-d881-46ee-bbdc-234a849d098c"
OUT_OF_REACH = "7ae367d2-ee69-4d77-afbb-5be26ee7f121"
"""Of the other teacher's pool, where the administrator has no seat either."""

HERE = {"Sec-Fetch-Site": "same-origin"}

Json = dict[str, Any]


def question(type_: str, status: str) -> str:
    row = open_store().row(
        "SELECT id FROM question WHERE pool = :pool AND type = :type AND status = :status",
        pool=POOL,
        type=type_,
        status=status,
    )
    assert row
    return str(row["id"])


DRAFT = question("mcq", "draft")


async def open_page(client: httpx2.AsyncClient) -> None:
    """A page of the session there is now: what is sent from here on says so."""
    client.headers[HEADER] = marker_of(await client.get("/account"))


@asynccontextmanager
async def browsers(*people: str, kind: str = "portal", **more: str) -> AsyncIterator[list[httpx2.AsyncClient]]:
    """A browser for each of these people, signed in at one LMS."""
    transport = httpx2.ASGITransport(create_app(url=LMS, now=HandClock().now))
    clients = [httpx2.AsyncClient(transport=transport, base_url=LMS, headers=HERE) for _ in people]
    for client, person in zip(clients, people, strict=True):
        if person:
            signed_in = await client.post("/sign-in", data={"person": person, "kind": kind, **more})
            assert signed_in.status_code == 303
            await open_page(client)
    yield clients
    for client in clients:
        await client.aclose()


@pytest.fixture
async def http() -> AsyncIterator[httpx2.AsyncClient]:
    async with browsers(FILIPINO_TEACHER.sub) as (client,):
        yield client


async def draft(http: httpx2.AsyncClient, id_: str = MCQ) -> Json:
    return dict((await http.get(f"/questions/{id_}/draft")).raise_for_status().json())


def order(read: Json, **changes: Any) -> Json:
    return {key: {**read, **changes}[key] for key in ("base", "config", "explanation")}


def _form(http: httpx2.AsyncClient, base: str) -> dict[str, str]:
    return {"base": base, "session": http.headers[HEADER]}


async def save(http: httpx2.AsyncClient, body: Json, id_: str = MCQ) -> httpx2.Response:
    # In ASCII: a client would not write half a character otherwise.
    return await http.put(f"/questions/{id_}/draft", content=json.dumps(body))


async def test_a_draft_passes_the_assistants_own_check(http: httpx2.AsyncClient) -> None:
    for type_ in CONFIG_SCHEMAS:
        read = await draft(http, question(type_, "published"))
        assert read.pop("status") == "published"
        assert EditorDraft.model_validate_json(json.dumps(read)).type == type_


async def test_a_save_is_read_back_under_another_base_and_found_by_its_statement(http: httpx2.AsyncClient) -> None:
    before = await draft(http)
    config = {**before["config"], "statement": "Which one? ⚘"}
    saved = await save(http, order(before, config=config, explanation="Because."))
    assert saved.status_code == 200
    after = await draft(http)
    assert saved.json() == after == {**before, "config": config, "explanation": "Because.", "base": after["base"]}
    assert after["base"] != before["base"]
    assert f"/questions/{MCQ}" in (await http.get(f"/pools/{POOL}?search=which+one%3F+⚘")).text


async def test_the_same_texts_have_the_same_base_in_whatever_order_they_came(http: httpx2.AsyncClient) -> None:
    before = await draft(http)
    turned = dict(reversed(before["config"].items()))
    assert (await save(http, order(before, config=turned, explanation="Other."))).status_code == 200
    back = await save(http, order(await draft(http), explanation=before["explanation"]))
    assert back.json()["base"] == before["base"]


async def test_a_stale_base_changes_nothing_and_says_what_is_there(http: httpx2.AsyncClient) -> None:
    before = await draft(http)
    first = (await save(http, order(before, explanation="First."))).json()
    late = await save(http, order(before, explanation="Late."))
    assert (late.status_code, late.json()) == (409, {"error": "changed", "draft": first})
    assert await draft(http) == first


async def test_a_save_sent_twice_is_one(http: httpx2.AsyncClient) -> None:
    body = order(await draft(http), explanation="Once.")
    first, again = await save(http, body), await save(http, body)
    assert (again.status_code, again.json()) == (200, first.json())


@pytest.mark.parametrize("status", ["draft", "published"])
async def test_saving_keeps_the_status(http: httpx2.AsyncClient, status: str) -> None:
    id_ = question("open", status)
    saved = await save(http, order(await draft(http, id_), explanation="New."), id_)
    assert (saved.json()["status"], (await draft(http, id_))["explanation"]) == (status, "New.")


async def test_a_draft_is_published_as_it_was_seen(http: httpx2.AsyncClient) -> None:
    seen = await draft(http, DRAFT)
    saved = (await save(http, order(seen, explanation="Newer."), DRAFT)).json()
    stale = await http.post(f"/questions/{DRAFT}/publish", data=_form(http, seen["base"]))
    assert stale.status_code == 409
    assert "Somebody else has changed it since." in stale.text
    assert await draft(http, DRAFT) == saved
    published = await http.post(f"/questions/{DRAFT}/publish", data=_form(http, saved["base"]))
    assert published.status_code == 303
    assert await draft(http, DRAFT) == {**saved, "status": "published"}


async def test_a_save_is_on_the_log_as_the_persons_own(http: httpx2.AsyncClient) -> None:
    await save(http, order(await draft(http, DRAFT), explanation="New."), DRAFT)
    entries = (await http.get("/demo/audit")).json()["entries"]
    mine = [entry for entry in entries if entry["path"].startswith("/questions/")]
    whose = {"actor": "person", "acting_for": FILIPINO_TEACHER.sub, "tool": None}
    what = {"method": "PUT", "path": f"/questions/{DRAFT}/draft", "status": 200}
    assert [{**entry, "at": None} for entry in mine] == [{"at": None, **whose, **what}]
    requests = (await http.get("/demo/requests")).json()["entries"]
    assert [entry["method"] for entry in requests if entry["path"].endswith("/draft")] == ["PUT"]


def without(key: str) -> Callable[[Json], Json]:
    return lambda config: {each: value for each, value in config.items() if each != key}


def with_(**changes: Any) -> Callable[[Json], Json]:
    return lambda config: {**config, **changes}


ROW: Json = {"text": "x", "correct": False}

WRONG: dict[str, tuple[str, Callable[[Json], Json], list[tuple[str, str]]]] = {
    "no statement": ("mcq", with_(statement=""), [("/config/statement", "minLength")]),
    "a long statement": ("mcq", with_(statement="x" * 20_001), [("/config/statement", "maxLength")]),
    "one choice": ("mcq", with_(choices=[ROW]), [("/config/choices", "minItems")]),
    "nine choices": ("mcq", with_(choices=[ROW] * 9), [("/config/choices", "maxItems")]),
    "a tick that is a number": (
        "mcq",
        with_(choices=[ROW, {"text": "x", "correct": 1}]),
        [("/config/choices/1/correct", "type")],
    ),
    "a key more": ("mcq", with_(status="published"), [("/config", "additionalProperties")]),
    "a key less": ("mcq", without("multiple"), [("/config", "required")]),
    "two at once": (
        "cloze",
        with_(text="x" * 2001, gaps=[]),
        [("/config/gaps", "minItems"), ("/config/text", "maxLength")],
    ),
    "no number": ("numeric", with_(answer=None), [("/config/answer", "type")]),
    "a tolerance below nothing": ("numeric", with_(tolerance=-1), [("/config/tolerance", "minimum")]),
    "a long unit": ("numeric", with_(unit="x" * 21), [("/config/unit", "maxLength")]),
    "half a word": ("open", with_(max_words=1.5), [("/config/max_words", "type")]),
    "a card nowhere": (
        "categorize",
        with_(items=[{"text": "x", "category": -1}]),
        [("/config/items/0/category", "minimum")],
    ),
    "a character that is none": ("open", with_(guidance="a\0b"), [("/config/guidance", "characters")]),
    "half a character": ("open", with_(guidance="\ud83d"), [("/config/guidance", "characters")]),
    "half a key": ("open", with_(**{"\ud83d": 1}), [("/config", "characters")]),
    "another type's": (
        "numeric",
        lambda _: {"statement": "x", "guidance": "", "max_words": 9},
        [("/config", "additionalProperties"), ("/config", "required")],
    ),
}


async def test_what_cannot_be_stored_is_named_by_field_and_nothing_is_stored(http: httpx2.AsyncClient) -> None:
    for case, (type_, spoil, faults) in WRONG.items():
        id_ = question(type_, "published")
        before = await draft(http, id_)
        refused = await save(http, order(before, config=spoil(before["config"]), explanation="Half."), id_)
        named = [{"path": path, "rule": rule} for path, rule in faults]
        assert (refused.status_code, refused.json()) == (422, {"error": "invalid", "fields": named}), case
        assert await draft(http, id_) == before, case


async def test_of_many_faults_some_are_named(http: httpx2.AsyncClient) -> None:
    before = await draft(http)
    refused = await save(http, order(before, config={**before["config"], "choices": [0] * 5_000}))
    assert len(refused.json()["fields"]) == MOST_FAULTS


async def test_what_the_assistant_could_not_take_is_not_stored(http: httpx2.AsyncClient) -> None:
    before = await draft(http)
    room = DRAFT_BYTES - len(json.dumps([before["config"], ""], ensure_ascii=False).encode())
    assert (await save(http, order(before, explanation="x" * room))).status_code == 200
    full = await draft(http)
    EditorDraft.model_validate_json(json.dumps({key: full[key] for key in full if key != "status"}))
    refused = await save(http, order(full, explanation="x" * (room + 1)))
    assert (refused.status_code, refused.json()["fields"]) == (422, [{"path": "", "rule": "size"}])
    assert await draft(http) == full


NUMBER = b'{"base": "", "explanation": "", "config": {"statement": "S", "answer": %b, "tolerance": 0, "unit": ""}}'
"""Whole but for its answer; it would be refused as another's: 409."""

BODIES: dict[str, bytes] = {
    "nothing": b"",
    "no JSON": b"{",
    "no UTF-8": b'{"base": "\xff"}',
    "a list": b"[]",
    "another key": b'{"base": "", "config": {}, "explanation": "", "status": "published"}',
    "no explanation": b'{"base": "", "config": {}}',
    "a number for a text": b'{"base": "", "config": {}, "explanation": 1}',
    "a number that is none": NUMBER % b"NaN",
    "a number without end": b'{"base": "", "config": {"answer": ' + b"9" * 5_000 + b'}, "explanation": ""}',
    "a number too large": NUMBER % b"1e999",
    "nested out of reason": b'{"base": "", "explanation": "", "config": ' + b'{"a":' * 90_000 + b"1" + b"}" * 90_001,
    "nested deeply": b'{"base": "", "explanation": "", "config": ' + b'{"a":' * 200 + b"1" + b"}" * 201,
    "half a base": b'{"base": "\\ud83d", "config": {}, "explanation": ""}',
    "half an explanation": b'{"base": "", "config": {}, "explanation": "\\ud83d"}',
}


async def test_any_bytes_are_refused_in_words(http: httpx2.AsyncClient) -> None:
    id_ = question("numeric", "published")
    before = await draft(http, id_)
    for case, body in BODIES.items():
        refused = await http.put(f"/questions/{id_}/draft", content=body)
        assert (refused.status_code, refused.json()["error"]) == (422, "invalid"), case
    assert await draft(http, id_) == before


async def test_a_body_is_bounded(http: httpx2.AsyncClient) -> None:
    before = await draft(http)
    refused = await save(http, order(before, explanation="x" * BODY_BYTES))
    assert (refused.status_code, refused.json()) == (413, {"error": "too_large"})
    assert await draft(http) == before


ELSEWHERE: dict[str, dict[str, str]] = {
    "another site": {"Sec-Fetch-Site": "cross-site"},
    "a sibling": {"Sec-Fetch-Site": "same-site"},
    "another origin": {"Sec-Fetch-Site": "", "Origin": "http://elsewhere.test"},
    "nobody": {"Sec-Fetch-Site": ""},
}


async def test_no_other_page_changes_anything(http: httpx2.AsyncClient) -> None:
    before = await draft(http, DRAFT)
    body = order(before, explanation="Not mine.")
    for case, headers in ELSEWHERE.items():
        refused = await http.put(f"/questions/{DRAFT}/draft", json=body, headers=headers)
        assert (refused.status_code, refused.json()) == (403, {"error": "cross_origin"}), case
    assert await draft(http, DRAFT) == before
