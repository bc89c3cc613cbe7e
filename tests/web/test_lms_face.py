"""Signing in to the reference LMS: whose cookie it is, what tokens it is worth, and when it is over."""

import re
from collections.abc import AsyncIterator
from typing import Any

import jwt
import pytest

from examples.reference_lms.school import ADMIN, FRENCH_TEACHER, STUDENTS
from tests.web.lms_face import COOKIE, POOL, QUESTION, RUNNING, Browser, open_lms

TEACHER = FRENCH_TEACHER.sub


@pytest.fixture
async def lms() -> AsyncIterator[Browser]:
    async with open_lms() as opened:
        yield opened


async def claims(lms: Browser) -> dict[str, Any]:
    """Of a fresh session token, if the published keys vouch for it."""
    token = (await lms.post("/assist-session")).raise_for_status().json()["token"]
    keys = jwt.PyJWKSet.from_dict((await lms.get("/.well-known/jwks.json")).json()).keys
    return jwt.decode(
        token,
        keys[0].key,
        ["ES256"],
        audience="urn:assist-service",
        options={"verify_exp": False, "verify_iat": False},  # this LMS's clock stands still
    )


async def test_the_cast_stands_at_the_door_and_anybody_else_is_found_by_name(lms: Browser) -> None:
    door = await lms.get("/sign-in")
    assert FRENCH_TEACHER.name in door.text
    assert "Omar Okonkwo" not in door.text
    assert "Omar Okonkwo" in (await lms.get("/sign-in", params={"name": "okonkwo"})).text


async def test_a_cookie_no_script_reads_and_no_other_site_sends(lms: Browser) -> None:
    answer = await lms.sign_in()
    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    cookie = answer.headers["set-cookie"].lower()
    assert cookie.startswith(f"{COOKIE}=")
    assert {"httponly", "samesite=strict", "path=/"} <= set(cookie.split("; "))
    assert FRENCH_TEACHER.name in (await lms.get("/")).text


async def test_tokens_of_one_sign_in_are_one_session_of_the_person(lms: Browser) -> None:
    await lms.sign_in()
    first, second = await claims(lms), await claims(lms)
    expected = {"sub": TEACHER, "role": "teacher", "kind": "portal", "elevated": False, "iss": "http://lms.test"}
    assert expected.items() <= first.items()
    assert first["sid"] == second["sid"]
    assert first["jti"] != second["jti"]
    assert first["exp"] - first["iat"] == 300
    await lms.sign_in()
    assert (await claims(lms))["sid"] != first["sid"]


@pytest.mark.parametrize("kind", ["student_view", "impersonation"])
async def test_the_token_tells_the_kind_of_session(lms: Browser, kind: str) -> None:
    await lms.sign_in(kind=kind)
    assert (await claims(lms))["kind"] == kind


async def test_super_powers_are_an_administrators(lms: Browser) -> None:
    await lms.sign_in(ADMIN.sub, elevated="on")
    assert (await claims(lms))["elevated"] is True
    assert (await lms.get(f"/pools/{POOL}")).status_code == 200
    await lms.sign_in(ADMIN.sub)
    assert (await lms.get(f"/pools/{POOL}")).status_code == 404
    await lms.sign_in(TEACHER, elevated="on")
    assert (await claims(lms))["elevated"] is False


async def test_nobody_signs_in_as_nobody(lms: Browser) -> None:
    for fields in ({"person": "nobody"}, {"person": TEACHER, "kind": "oauth"}, {"person": ""}):
        answer = await lms.post("/sign-in", **fields)
        assert answer.status_code == 422
        assert "set-cookie" not in answer.headers


async def test_signing_out_ends_the_cookie_and_its_tokens(lms: Browser) -> None:
    await lms.sign_in()
    key, sid = lms.http.cookies[COOKIE], (await claims(lms))["sid"]
    assert (await lms.post("/sign-out")).headers["location"] == "/sign-in"
    lms.http.cookies.set(COOKIE, key)
    assert (await lms.post("/assist-session")).status_code == 401
    assert (await lms.get("/account")).headers["location"] == "/sign-in"
    await lms.sign_in()
    assert (await claims(lms))["sid"] != sid


async def test_signing_in_as_somebody_else_ends_the_session_before(lms: Browser) -> None:
    await lms.sign_in()
    key = lms.http.cookies[COOKIE]
    await lms.sign_in(STUDENTS[0].sub)
    lms.http.cookies.clear()
    lms.http.cookies.set(COOKIE, key)
    assert (await lms.post("/assist-session")).status_code == 401


async def test_what_the_service_got_from_a_session_ends_with_it(lms: Browser) -> None:
    await lms.sign_in()
    session = (await lms.post("/assist-session")).json()["token"]
    token = (await lms.service.exchange(session)).json()["access_token"]
    assert (await lms.service.get("/api/pools", token)).status_code == 200
    await lms.post("/sign-out")
    assert (await lms.service.get("/api/pools", token)).status_code == 401
    assert (await lms.service.exchange(session)).status_code == 400


@pytest.mark.parametrize("fault", ["end_session", "end_account"])
async def test_who_is_out_everywhere_is_out_here(lms: Browser, fault: str) -> None:
    await lms.sign_in()
    await lms.inject(fault, person=TEACHER)
    assert (await lms.post("/assist-session")).status_code == 401
    assert (await lms.get("/account")).status_code == 303
    assert (await lms.post(f"/questions/{QUESTION}/unpublish")).headers["location"] == "/sign-in"


async def test_the_role_of_now_counts(lms: Browser) -> None:
    await lms.sign_in()
    await lms.inject("change_role", person=TEACHER, role="student")
    assert (await claims(lms))["role"] == "student"
    assert (await lms.get(f"/pools/{POOL}")).status_code == 404
    assert (await lms.get("/my-courses")).status_code == 200


async def test_a_made_up_cookie_is_nobody(lms: Browser) -> None:
    lms.http.cookies.set(COOKIE, "x" * 43)
    assert (await lms.post("/assist-session")).status_code == 401
    assert (await lms.get("/account")).status_code == 303


async def test_the_language_is_the_browsers_until_it_is_chosen(lms: Browser) -> None:
    lms.http.headers["Accept-Language"] = "de, fr;q=0.8, en;q=0.5"
    await lms.sign_in()
    assert '<html lang="fr">' in (await lms.get("/pools")).text
    back = await lms.post("/language", language="fil", back="/pools?search=x")
    assert back.headers["location"] == "/pools?search=x"
    assert '<html lang="fil">' in (await lms.get("/pools")).text
    await lms.post("/language", language="de", back="/")
    assert '<html lang="fil">' in (await lms.get("/pools")).text
    for foreign in ("//elsewhere.example/", "https://elsewhere.example/", "/\\elsewhere.example"):
        assert (await lms.post("/language", language="en", back=foreign)).headers["location"] == "/"


FOREIGN: tuple[dict[str, str], ...] = (
    {},
    {"Origin": "http://elsewhere.example"},
    {"Origin": "null"},
    {"Sec-Fetch-Site": "same-site"},
)
"""What a request carries that no page of this LMS has made."""

CHANGES = (
    "/sign-in",
    "/sign-out",
    "/language",
    "/assist-session",
    f"/pools/{POOL}/delete",
    f"/questions/{QUESTION}/unpublish",
    "/templates",
)


async def test_another_sites_page_changes_nothing(lms: Browser) -> None:
    await lms.sign_in()
    before = lms.http.cookies[COOKIE]
    # What the browser says of the site counts before the header of old.
    both = {"Origin": lms.base, "Sec-Fetch-Site": "cross-site"}
    for path in CHANGES:
        for headers in (*FOREIGN, both):
            answer = await lms.http.post(path, data={"person": STUDENTS[0].sub, "title": "T"}, headers=headers)
            assert answer.status_code == 403, path
    assert lms.http.cookies[COOKIE] == before
    assert (await claims(lms))["sub"] == TEACHER
    assert "Published" in (await lms.get(f"/questions/{QUESTION}")).text


async def test_the_browsers_own_word_is_enough(lms: Browser) -> None:
    await lms.sign_in()
    here = {"Sec-Fetch-Site": "same-origin"}
    assert (await lms.http.post("/assist-session", headers=here)).status_code == 200
    public = {"Origin": "http://lms.test"}
    assert (await lms.http.post("/assist-session", headers=public)).status_code == 200


async def test_signing_in_is_no_request_of_the_school(lms: Browser) -> None:
    await lms.sign_in()
    await claims(lms)
    for path in ("/", f"/pools/{POOL}", "/account", "/static/shell.js"):
        assert (await lms.get(path)).status_code == 200
    await lms.post("/language", language="fr", back="/")
    await lms.post("/sign-out")
    assert {entry["path"] for entry in await lms.log("requests")} == {"/.well-known/jwks.json"}
    assert await lms.log() == []


async def test_a_form_has_a_bound(lms: Browser) -> None:
    await lms.sign_in()
    assert (await lms.post("/language", language="x" * 70_000, back="/")).status_code == 422


async def test_each_page_of_a_session_says_which_it_is_of_and_opens_nothing_by_it(lms: Browser) -> None:
    seen = set()
    for kind in ("portal", "student_view"):
        await lms.sign_in(kind=kind)
        pages = [(await lms.get(path)).text for path in ("/pools", "/nothing", f"/evaluations/{RUNNING}/projection")]
        (marker,) = {
            found[1] for page in pages if (found := re.search(r'<body [^>]*data-session="([\w-]{20,})"', page))
        }
        assert all(marker in page for page in pages)
        assert marker not in {lms.http.cookies[COOKIE], (await claims(lms))["sid"]}
        assert f'data-panel="{"yes" if kind == "portal" else "no"}"' in pages[0]
        seen.add(marker)
    assert len(seen) == 2
