"""The plugin in a real Kolibri: whom it vouches for, whom it gives a token, and whom it does not."""

from collections.abc import Mapping
from typing import Any
from uuid import uuid4

import httpx2
import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec

from assist_service.adapters.clock import SystemClock
from assist_service.adapters.keys import JwksKeys
from assist_service.adapters.lms.client import ClientKey
from assist_service.adapters.lms.kolibri import KolibriLms
from assist_service.adapters.lms.rest import STANDING_AUDIENCE
from assist_service.adapters.lms.tokens import ASSERTION_TYPE, EXCHANGE
from assist_service.adapters.session import JwtSessions
from assist_service.ports import LmsFault, LmsFaultKind
from tests.fakes.house import CLIENT_KEY
from tests.slow.kolibri_school import CLIENT_ID, SERVICE_ORIGIN, Check, School

pytestmark = pytest.mark.slow

STRANGER = ClientKey(ec.generate_private_key(ec.SECP256R1()))


def _assertion(school: School, *, key: ClientKey = CLIENT_KEY, client: str = CLIENT_ID, audience: str = "") -> str:
    return key.assertion(client, audience=audience or f"{school.gate.url}/oauth/token", now=SystemClock().now())


def _post(school: School, path: str, form: Mapping[str, str | list[str]]) -> tuple[int, dict[str, Any]]:
    answer = httpx2.post(school.url + path, data=dict(form), trust_env=False, timeout=60.0)
    return answer.status_code, answer.json()


def _exchange(school: School, session: str, **changes: str | list[str]) -> tuple[int, dict[str, Any]]:
    proof = {"client_assertion_type": ASSERTION_TYPE, "client_assertion": _assertion(school)}
    return _post(school, "/oauth/token", {**EXCHANGE, "subject_token": session, **proof, **changes})


def _refusal(error: str, status: int = 400) -> tuple[int, dict[str, Any]]:
    return status, {"error": error}


def _classes(school: School, token: str) -> int:
    headers = {"Authorization": f"Bearer {token}"}
    return httpx2.get(f"{school.url}/api/auth/classroom/", headers=headers, trust_env=False, timeout=60.0).status_code


def _signed(school: School, session: str, *, typ: str = "assist-session+jwt", **changes: object) -> str:
    """The session with other claims, signed with Kolibri's own key: what no stranger could make."""
    claims = jwt.decode(session, options={"verify_signature": False})
    headers = {"typ": typ, "kid": jwt.get_unverified_header(session)["kid"]}
    pem = (school.home / "assist_session_key.pem").read_text()
    return jwt.encode({**claims, **changes}, pem, "ES256", headers=headers)


async def test_the_service_takes_its_sessions(school: School, check: Check) -> None:
    """By the very code that the service verifies with, its bounds on lifetime, type and audience included."""
    clock = SystemClock()
    async with httpx2.AsyncClient(trust_env=False) as client:
        url = f"{school.gate.url}/.well-known/jwks.json"
        keys = JwksKeys(url, algorithm="ES256", client=client, clock=clock)
        sessions = JwtSessions(
            keys=keys, issuer=school.gate.url, audience="urn:assist-service", algorithm="ES256", clock=clock
        )
        for name, role in (("ana", "teacher"), ("bo", "student"), ("root", "admin")):
            session = await sessions.verify(school.session(name))
            check((session.role.value, session.kind.value, session.elevated), (role, "portal", False))
            check(session.sub in (school.ids["people"].get(name), session.sub if name == "root" else None), True)
        jwks = (await client.get(url)).json()["keys"]
    check([sorted(key) for key in jwks], [["alg", "crv", "kid", "kty", "use", "x", "y"]])
    check((school.home / "assist_session_key.pem").stat().st_mode & 0o077, 0)


def test_only_who_is_signed_in_here_gets_a_session(school: School, check: Check) -> None:
    anonymous = httpx2.post(f"{school.url}/api/assist/session", trust_env=False, timeout=60.0)
    check(anonymous.status_code, 403)
    with school.browser("ana") as browser:
        check(browser.get("/api/assist/session").status_code, 405)
        del browser.headers["X-CSRFToken"]
        check(browser.post("/api/assist/session").status_code, 403)


def test_its_pages_may_ask_the_service(school: School, check: Check) -> None:
    with school.browser("ana") as browser:
        page = browser.get("/", follow_redirects=True)
    allowed = page.headers["content-security-policy"].split("default-src", 1)[1].partition(";")[0]
    check(SERVICE_ORIGIN in allowed.split(), True)
    check("connect-src" in page.headers["content-security-policy"], False)


def test_an_exchange_is_for_reading_here_and_for_nothing_else(school: School, check: Check) -> None:
    session = school.session("ana")
    status, answer = _exchange(school, session)
    check((status, answer["token_type"], answer["scope"]), (200, "Bearer", "assist:read"))
    check(0 < answer["expires_in"] <= 900, True)
    check(_classes(school, answer["access_token"]), 200)
    check(_exchange(school, session, scope="assist:write:create_question"), _refusal("invalid_scope"))
    check(_exchange(school, session, audience="urn:lms:else"), _refusal("invalid_target"))
    check(_exchange(school, session, grant_type="client_credentials"), _refusal("unsupported_grant_type"))
    check(_exchange(school, session, scope=["assist:read", "assist:read"]), _refusal("invalid_request"))
    check(_exchange(school, session, subject_token_type="access_token"), _refusal("invalid_request"))
    check(httpx2.get(f"{school.url}/oauth/token", trust_env=False, timeout=60.0).status_code, 405)


def test_an_exchange_is_for_this_client(school: School, check: Check) -> None:
    session, used = school.session("ana"), _assertion(school)
    check(_exchange(school, session, client_assertion=used)[0], 200)
    refused = {
        "used before": used,
        "another's key": _assertion(school, key=STRANGER),
        "another client": _assertion(school, client="somebody-else"),
        "for another place": _assertion(school, audience=STANDING_AUDIENCE),
        "a session": session,
        "none": "",
    }
    for assertion in refused.values():
        check(_exchange(school, session, client_assertion=assertion), _refusal("invalid_client", 401))
    check(_exchange(school, session, client_assertion_type="password"), _refusal("invalid_client", 401))


def test_an_exchange_is_for_a_session_of_this_client(school: School, check: Check) -> None:
    session, now = school.session("ben"), int(SystemClock().now().timestamp())
    check(_exchange(school, _signed(school, session))[0], 200)
    refused = {
        "over": _signed(school, session, iat=now - 400, exp=now - 100),
        "for another client": _signed(school, session, aud="urn:another-service"),
        "of another LMS": _signed(school, session, iss="https://elsewhere.example"),
        "of another sign-in": _signed(school, session, sid=uuid4().hex),
        "of another person": _signed(school, session, sub=school.person("ana")),
        "another type": _signed(school, session, typ="JWT"),
        "unsigned": f"{session.rpartition('.')[0]}.",
        "a client's": _assertion(school),
        "none": "",
    }
    for subject_token in refused.values():
        check(_exchange(school, subject_token), _refusal("invalid_grant"))


def test_the_role_in_a_session_opens_nothing(school: School, check: Check) -> None:
    """What somebody may read is Kolibri's to say, at every request."""
    as_admin = _signed(school, school.session("ben"), role="admin", elevated=True)
    token = _exchange(school, as_admin)[1]["access_token"]
    headers = {"Authorization": f"Bearer {token}"}
    found = httpx2.get(f"{school.url}/api/auth/classroom/", headers=headers, trust_env=False, timeout=60.0).json()
    check([one["id"] for one in found], [school.classroom("7b").hex])
    check(_exchange(school, _signed(school, school.session("bo"), role="teacher")), _refusal("invalid_request"))


async def test_learners_get_no_token(school: School, lms: KolibriLms, check: Check) -> None:
    async with lms.reading(school.session("bo")) as reads:
        with pytest.raises(LmsFault) as refused:
            await reads.classrooms()
    check(refused.value.kind, LmsFaultKind.REFUSED)


def test_only_the_client_revokes(school: School, check: Check) -> None:
    token = _exchange(school, school.session("ana"))[1]["access_token"]
    form = {"token": token, "client_assertion_type": ASSERTION_TYPE}
    by_another = {**form, "client_assertion": _assertion(school, key=STRANGER)}
    check(_post(school, "/oauth/revoke", by_another), _refusal("invalid_client", 401))
    check(_classes(school, token), 200)
    check(_post(school, "/oauth/revoke", {**form, "client_assertion": _assertion(school)}), (200, {}))
    check(_classes(school, token), 401)
    check(_post(school, "/oauth/revoke", {**form, "client_assertion": _assertion(school)}), (200, {}))


async def test_standing_is_told_to_the_client_alone(school: School, lms: KolibriLms, check: Check) -> None:
    url = f"{school.url}/api/assist/standing/{school.person('ana')}"
    token = _exchange(school, school.session("ana"))[1]["access_token"]
    for_standing = _assertion(school, key=STRANGER, audience=STANDING_AUDIENCE)
    for authorization in ("", f"Bearer {token}", f"Bearer {_assertion(school)}", f"Bearer {for_standing}"):
        headers = {"Authorization": authorization} if authorization else {}
        check(httpx2.get(url, headers=headers, trust_env=False, timeout=60.0).status_code, 401)
    check((await lms.standing(school.person("ana"))).active, True)


async def test_a_deleted_account_is_not_active(school: School, lms: KolibriLms, check: Check) -> None:
    with school.browser("root") as browser:
        person = {"username": "gone", "password": "made-up", "full_name": "Gone", "facility": school.ids["facility"]}
        made = browser.post("/api/auth/facilityuser/", json=person).raise_for_status().json()["id"]
        session = school.session("gone")
        check((await lms.standing(made)).active, True)
        check(browser.delete(f"/api/auth/facilityuser/{made}/").status_code, 204)
    check((await lms.standing(made)).active, False)
    check(_exchange(school, session), _refusal("invalid_grant"))


async def test_an_administrator_reads_every_class(school: School, lms: KolibriLms, check: Check) -> None:
    async with lms.reading(school.session("root")) as reads:
        check([one.title for one in (await reads.classrooms()).items], ["Class 7A", "Class 7B"])
        check(len((await reads.students(school.classroom("7b"))).items), 1)
