"""Only the very token the LMS's back end signed for completions opens that door, and it opens no other (I1, I2, I4)."""

from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import pytest
import structlog

from assist_service.telemetry import configure_logging
from examples.reference_lms.clients import LLM_AUDIENCE
from tests.fakes.house import House, completion_body, question_body, running_house
from tests.fakes.models import ScriptedModel, says
from tests.fakes.serving import serve
from tests.unit.session_tokens import ISSUER, NOW, KeySet, Signer, header_of, valid_claims

pytestmark = pytest.mark.slow

CLIENT = {"iss": ISSUER, "sub": "back-end", "aud": LLM_AUDIENCE, "jti": "1", "iat": NOW, "exp": NOW + 300}


@pytest.fixture
def logged(capsys: pytest.CaptureFixture[str]) -> Iterator[Callable[[], str]]:
    configure_logging("DEBUG")
    yield lambda: "".join(capsys.readouterr())
    structlog.reset_defaults()


@dataclass
class Doors:
    """A house whose sessions and clients are signed with one key: only what a token says tells them apart."""

    house: House
    model: ScriptedModel
    signer: Signer
    key_set: KeySet

    def client(self, header: dict[str, Any] | None = None, **claims: Any) -> str:
        return self.signer.sign(header or {"alg": "ES256", "typ": "JWT", "kid": "key-1"}, {**CLIENT, **claims})

    async def complete(self, token: str) -> tuple[int, str | None]:
        return await self._at("POST", "/llm/complete", completion_body(), token)

    async def ask(self, token: str) -> tuple[int, str | None]:
        return await self._at("POST", "/assist/ask", question_body(), token)

    async def _at(self, method: str, path: str, body: object, token: str) -> tuple[int, str | None]:
        headers = {"Authorization": f"Bearer {token}"}
        answer = await self.house.service.request(method, path, json=body, headers=headers)
        return answer.status_code, answer.json().get("code")

    async def refused(self, token: str) -> None:
        before = len(self.model.requests)
        assert await self.complete(token) == (401, "unauthenticated")
        assert len(self.model.requests) == before


@asynccontextmanager
async def doors(database_url: str, **changes: Any) -> AsyncIterator[Doors]:
    signer, key_set = Signer("key-1"), KeySet(b"")
    key_set.publish(signer.public_jwk)
    model = ScriptedModel(says('{"points": 1, "comment": ""}'))
    async with serve(key_set) as url:
        urls = {"session_jwks_url": f"{url}/jwks", "lms_client_jwks_url": f"{url}/jwks", **changes}
        async with running_house(database_url, provider=model, policy="teacher-assistant", **urls) as house:
            yield Doors(house, model, signer, key_set)


GOOD_HEADERS: dict[str, dict[str, Any]] = {
    "typ JWT": {"typ": "JWT"},
    "typ of a client": {"typ": "client-authentication+jwt"},
    "no typ": {},
}

GOOD_CLAIMS: dict[str, dict[str, Any]] = {
    "further claims": {"nbf": NOW, "scope": "x"},
    "any issuer": {"iss": "other"},
    "a short life": {"exp": NOW + 1},
    "signed a moment ahead": {"iat": NOW + 10, "exp": NOW + 310},
}

HEADERS: dict[str, dict[str, Any]] = {
    "of a session": {"typ": "assist-session+jwt"},
    "of an access token": {"typ": "at+jwt"},
    "typ in another case": {"typ": "jwt"},
    "typ with its media type": {"typ": "application/client-authentication+jwt"},
    "typ empty": {"typ": ""},
    "typ null": {"typ": None},
    "typ a list": {"typ": ["JWT"]},
    "typ false": {"typ": False},
    "alg none": {"alg": "none"},
    "another alg": {"alg": "ES384"},
    "a symmetric alg": {"alg": "HS256"},
    "alg null": {"alg": None},
    "kid unknown": {"kid": "key-2"},
    "kid null": {"kid": None},
    "kid a number": {"kid": 1},
    "crit": {"crit": ["exp"]},
    "a key of its own": {"jwk": Signer("key-1").public_jwk},
    "a key set of its own": {"jku": "https://evil.example/jwks.json"},
}

CLAIMS: dict[str, dict[str, Any]] = {
    "the session's audience": {"aud": "urn:assist-service"},
    "the audience for privacy": {"aud": "urn:assist-service:privacy"},
    "an audience that begins so": {"aud": f"{LLM_AUDIENCE}:more"},
    "an audience in another case": {"aud": LLM_AUDIENCE.upper()},
    "a list of the audience": {"aud": [LLM_AUDIENCE]},
    "two audiences": {"aud": [LLM_AUDIENCE, "urn:assist-service"]},
    "no audience": {"aud": ""},
    "aud null": {"aud": None},
    "a life too long": {"exp": NOW + 301},
    "ten years": {"exp": NOW + 315_360_000},
    "over": {"iat": NOW - 300, "exp": NOW},
    "no life": {"exp": NOW},
    "over before it began": {"exp": NOW - 1},
    "from the future": {"iat": NOW + 11, "exp": NOW + 12},
    "before time": {"iat": -1, "exp": 1},
    "iat in words": {"iat": str(NOW)},
    "iat with a fraction": {"iat": NOW + 0.5},
    "iat true": {"iat": True},
    "iat null": {"iat": None},
    "exp in words": {"exp": str(NOW + 300)},
    "exp with a fraction": {"exp": NOW + 300.0},
    "exp null": {"exp": None},
    "iss empty": {"iss": ""},
    "iss null": {"iss": None},
    "iss a list": {"iss": [ISSUER]},
    **{
        f"{claim} {what}": {claim: value}
        for claim in ("sub", "jti")
        for what, value in {
            "empty": "",
            "null": None,
            "a number": 1,
            "a list": ["a"],
            "with a space": "a b",
            "with a NUL": "a\x00",
            "beyond ASCII": "é",
            "too long": "x" * 256,
        }.items()
    },
}


async def test_a_client_is_let_in_and_named_in_the_books(database_url: str) -> None:
    async with doors(database_url) as at:
        for name, typed in GOOD_HEADERS.items():
            assert await at.complete(at.client({"alg": "ES256", "kid": "key-1", **typed})) == (200, None), name
        for name, claims in GOOD_CLAIMS.items():
            assert await at.complete(at.client(**claims)) == (200, None), name


async def test_every_mutant_of_a_valid_token_is_refused_and_no_provider_asked(database_url: str) -> None:
    async with doors(database_url) as at:
        assert await at.complete(at.client()) == (200, None)
        for header in HEADERS.values():
            await at.refused(at.client({"alg": "ES256", "typ": "JWT", "kid": "key-1", **header}))
        for missing in ("alg", "kid"):
            header = {"alg": "ES256", "typ": "JWT", "kid": "key-1"}
            del header[missing]
            await at.refused(at.client(header))
        for claims in CLAIMS.values():
            await at.refused(at.client(**claims))
        for missing in CLIENT:
            claims = {name: value for name, value in CLIENT.items() if name != missing}
            await at.refused(at.signer.sign({"alg": "ES256", "typ": "JWT", "kid": "key-1"}, claims))
        token = at.client()
        for spelled in (token[:-1], token + "A", token + "=", token.replace(".", ".."), token[:-5], f"{token}.x"):
            await at.refused(spelled)
        await at.refused(Signer("key-1").sign({"alg": "ES256", "typ": "JWT", "kid": "key-1"}, CLIENT))


async def test_a_token_of_one_audience_fails_at_the_other(database_url: str) -> None:
    """Not even one that carries the other's audience, or the other's type, or every claim of both."""
    everything = {**valid_claims(), **CLIENT}
    async with doors(database_url) as at:
        session = at.signer.token()
        assert await at.ask(session) == (200, None)
        asked = len(at.model.requests)
        await at.refused(session)
        await at.refused(at.signer.token(aud=LLM_AUDIENCE))
        await at.refused(at.signer.sign(header_of("key-1"), everything))
        untyped = {"alg": "ES256", "kid": "key-1"}
        await at.refused(at.signer.sign(untyped, valid_claims()))
        for token in (
            at.client(),
            at.client(header_of("key-1")),
            at.client(aud="urn:assist-service"),
            at.signer.sign({**untyped, "typ": "JWT"}, valid_claims()),
            at.signer.sign(header_of("key-1"), everything),
            at.signer.sign(untyped, {**everything, "aud": "urn:assist-service"}),
        ):
            assert await at.ask(token) == (401, "unauthenticated")
        assert len(at.model.requests) == asked


async def test_keys_of_sessions_are_none_of_clients(database_url: str) -> None:
    async with running_house(database_url) as house:
        assert (await house.complete()).status_code == 200
        key = house.sessions.keys.current
        signer = Signer(key.kid)
        object.__setattr__(signer, "private", key.private)
        token = signer.sign({"alg": "ES256", "kid": key.kid}, CLIENT)
        answer = await house.service.post(
            "/llm/complete", json=completion_body(), headers={"Authorization": f"Bearer {token}"}
        )
        assert (answer.status_code, answer.json()["code"]) == (401, "unauthenticated")


async def test_the_door_comes_before_the_body(database_url: str) -> None:
    async with running_house(database_url) as house:
        client = house.clients.mint(LLM_AUDIENCE)
        for headers in (
            {},
            {"Authorization": client},
            {"Authorization": f"Basic {client}"},
            {"Authorization": "Bearer"},
        ):
            for body in (b"{not json", b"\xff", b"x" * 2_000_000):
                answer = await house.service.post("/llm/complete", content=body, headers=headers)
                assert (answer.status_code, answer.json()["code"]) == (401, "unauthenticated")
                assert answer.headers["www-authenticate"] == "Bearer"
                assert answer.headers["content-type"] == "application/problem+json"


async def test_the_issuer_may_be_pinned(database_url: str) -> None:
    async with doors(database_url, lms_client_issuer="https://lms.example/back-end") as at:
        assert await at.complete(at.client(iss="https://lms.example/back-end")) == (200, None)
        for issuer in (ISSUER, "https://lms.example/back-end/", "https://lms.example", ""):
            await at.refused(at.client(iss=issuer))


async def test_any_issuer_of_those_keys_is_let_in_where_none_is_set_and_the_log_says_so(
    database_url: str, logged: Callable[[], str]
) -> None:
    async with doors(database_url) as at:
        assert '"event": "any_client_issuer"' in logged()
        assert await at.complete(at.client(iss="https://anybody.example")) == (200, None)
    async with doors(database_url, lms_client_issuer="https://lms.example/back-end"):
        assert "any_client_issuer" not in logged()


async def test_without_keys_of_clients_nobody_is_let_in_and_the_log_says_so(
    database_url: str, logged: Callable[[], str]
) -> None:
    async with doors(database_url, lms_client_jwks_url=None) as at:
        assert '"event": "back_end_closed"' in logged()
        await at.refused(at.client())
        await at.refused(at.signer.token())
        assert await at.ask(at.signer.token()) == (200, None)


async def test_keys_of_clients_are_fetched_once_a_cooldown_kept_through_an_outage_and_rotated(
    database_url: str,
) -> None:
    async with doors(database_url) as at:
        at.key_set.status = 503
        assert await at.complete(at.client()) == (503, "lms_unavailable")
        assert at.key_set.asked == 1
        at.key_set.publish(at.signer.public_jwk)
        at.house.clock.move(31)
        fresh: dict[str, Any] = {"iat": NOW + 31, "exp": NOW + 331}
        assert await at.complete(at.client(**fresh)) == (200, None)
        for number in range(50):
            await at.refused(at.client({"alg": "ES256", "kid": f"unknown-{number}"}, **fresh))
        assert at.key_set.asked == 2
        at.key_set.status = 503
        at.house.clock.move(60)
        assert await at.complete(at.client(**fresh)) == (200, None)
        new = Signer("key-2")
        at.key_set.publish(new.public_jwk)
        at.house.clock.move(31)
        claims = {**CLIENT, "iat": NOW + 122, "exp": NOW + 422}
        assert await at.complete(new.sign({"alg": "ES256", "kid": "key-2"}, claims)) == (200, None)
        await at.refused(at.client(iat=NOW + 122, exp=NOW + 422))
