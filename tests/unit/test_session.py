"""Only the very token the LMS signed, for this service, just now, opens the door (invariant I1)."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assist_service.adapters.tokens import CLOCK_SKEW_SECONDS, LIFETIME_SECONDS, TOKEN_CHARACTERS
from assist_service.domain.people import Role, Session, SessionKind
from tests.unit.session_tokens import NOW, Door, Signer, base64url, header_of, open_door, refused, valid_claims


@pytest.fixture
async def door() -> AsyncIterator[Door]:
    async with open_door() as opened:
        yield opened


@pytest.mark.parametrize("role", Role)
@pytest.mark.parametrize("kind", SessionKind)
async def test_every_role_and_kind_of_session_is_told_as_it_is_signed(
    door: Door, role: Role, kind: SessionKind
) -> None:
    token = door.signer.token(role=role.value, kind=kind.value, elevated=True)
    assert await door.sessions.verify(token) == Session("person-1", "session-1", role, kind, True)


GOOD: dict[str, dict[str, Any]] = {
    "as it comes": {},
    "further claims of the LMS": {"name": "Anne", "locale": "fr"},
    "signed a moment ahead": {"iat": NOW + CLOCK_SKEW_SECONDS, "exp": NOW + CLOCK_SKEW_SECONDS + LIFETIME_SECONDS},
    "a second left": {"iat": NOW - 299, "exp": NOW + 1},
    "a short life": {"exp": NOW + 1},
    "a long name": {"sub": "x" * 255},
}


@pytest.mark.parametrize("claims", GOOD.values(), ids=GOOD)
async def test_a_valid_token_opens_the_door(door: Door, claims: dict[str, Any]) -> None:
    session = await door.sessions.verify(door.signer.token(**claims))
    assert session.role is Role.TEACHER


HEADERS: dict[str, dict[str, Any]] = {
    "alg none": {"alg": "none"},
    "alg None": {"alg": "None"},
    "alg empty": {"alg": ""},
    "alg null": {"alg": None},
    "alg a list": {"alg": ["ES256"]},
    "alg in lower case": {"alg": "es256"},
    "another curve's alg": {"alg": "ES384"},
    "a symmetric alg": {"alg": "HS256"},
    "RSA": {"alg": "RS256"},
    "typ JWT": {"typ": "JWT"},
    "typ of an access token": {"typ": "at+jwt"},
    "typ in another case": {"typ": "Assist-Session+JWT"},
    "typ with its media type": {"typ": "application/assist-session+jwt"},
    "typ null": {"typ": None},
    "kid unknown": {"kid": "key-2"},
    "kid empty": {"kid": ""},
    "kid a number": {"kid": 1},
    "kid null": {"kid": None},
    "kid a list": {"kid": ["key-1"]},
    "kid a path": {"kid": "../../dev/null"},
    "a key of its own": {"jwk": Signer("key-1").public_jwk},
    "a key set of its own": {"jku": "https://evil.example/jwks.json"},
    "a certificate's address": {"x5u": "https://evil.example/cert.pem"},
    "a certificate": {"x5c": ["MIIB"]},
    "crit": {"crit": ["exp"]},
    "crit empty": {"crit": []},
    "b64 false": {"b64": False},
    "b64 true": {"b64": True},
    "cty": {"cty": "JWT"},
    "zip": {"zip": "DEF"},
}


@pytest.mark.parametrize("header", HEADERS.values(), ids=HEADERS)
async def test_a_token_with_another_header_is_refused(door: Door, header: dict[str, Any]) -> None:
    await refused(door, door.signer.token(header=header))


@pytest.mark.parametrize("key", ["alg", "typ", "kid"])
async def test_a_token_with_a_part_of_its_header_missing_is_refused(door: Door, key: str) -> None:
    header = {name: value for name, value in header_of("key-1").items() if name != key}
    await refused(door, door.signer.sign(header, valid_claims()))


CLAIMS: dict[str, dict[str, Any]] = {
    "another issuer": {"iss": "http://evil.test"},
    "an issuer with a slash more": {"iss": "http://lms.test/"},
    "a list of issuers": {"iss": ["http://lms.test"]},
    "another audience": {"aud": "urn:assist-service:llm"},
    "an audience in another case": {"aud": "URN:assist-service"},
    "an empty audience": {"aud": ""},
    "a list of the audience": {"aud": ["urn:assist-service"]},
    "a list of audiences": {"aud": ["urn:assist-service", "urn:other"]},
    "no audience in a list": {"aud": []},
    "a life too long": {"exp": NOW + LIFETIME_SECONDS + 1},
    "ten years": {"exp": NOW + 10 * 365 * 86_400},
    "over": {"iat": NOW - 300, "exp": NOW},
    "long over": {"iat": NOW - 900, "exp": NOW - 600},
    "over before it was signed": {"iat": NOW + 5, "exp": NOW + 1},
    "no life at all": {"iat": NOW + 5, "exp": NOW + 5},
    "from the future": {"iat": NOW + CLOCK_SKEW_SECONDS + 1, "exp": NOW + CLOCK_SKEW_SECONDS + 2},
    "from far in the future": {"iat": NOW + 86_400, "exp": NOW + 86_700},
    "before time": {"iat": -1, "exp": NOW + 1},
    "iat with a fraction": {"iat": NOW + 0.5},
    "iat in words": {"iat": str(NOW)},
    "iat true": {"iat": True},
    "exp with a fraction": {"exp": NOW + 300.0},
    "exp in words": {"exp": str(NOW + 300)},
    "exp out of reason": {"exp": 10**30},
    "exp null": {"exp": None},
    "a role nobody has": {"role": "owner"},
    "a role in another case": {"role": "Teacher"},
    "two roles": {"role": ["teacher", "admin"]},
    "role null": {"role": None},
    "a kind nobody knows": {"kind": "terminal"},
    "kind null": {"kind": None},
    "kind true": {"kind": True},
    "elevated in words": {"elevated": "false"},
    "elevated as a number": {"elevated": 1},
    "elevated null": {"elevated": None},
    **{
        f"{claim} {what}": {claim: value}
        for claim in ("sub", "sid", "jti")
        for what, value in {
            "empty": "",
            "with a NUL": "person\x001",
            "with a space": "person 1",
            "with a line end": "person-1\n",
            "beyond ASCII": "persön",
            "with an invisible character": "person\u200b1",
            "too long": "x" * 256,
            "a number": 17,
            "null": None,
            "a list": ["person-1"],
        }.items()
    },
}


@pytest.mark.parametrize("claims", CLAIMS.values(), ids=CLAIMS)
async def test_a_token_with_another_claim_is_refused(door: Door, claims: dict[str, Any]) -> None:
    await refused(door, door.signer.token(**claims))


@pytest.mark.parametrize("claim", valid_claims())
async def test_a_token_with_a_claim_missing_is_refused(door: Door, claim: str) -> None:
    claims = {name: value for name, value in valid_claims().items() if name != claim}
    await refused(door, door.signer.sign(header_of("key-1"), claims))


async def test_the_same_token_is_refused_once_its_time_is_over(door: Door) -> None:
    token = door.signer.token()
    door.clock.move(299)
    await door.sessions.verify(token)
    door.clock.move(1)
    await refused(door, token)


@pytest.mark.parametrize("header", [header for header in HEADERS.values() if not isinstance(header.get("kid"), str)])
async def test_a_token_with_another_header_does_not_even_ask_for_keys(door: Door, header: dict[str, Any]) -> None:
    await refused(door, door.signer.token(header=header))
    assert door.key_set.asked == 0


async def test_a_signed_token_is_refused_once_it_is_longer_than_any(door: Door) -> None:
    long = door.signer.token(name="x" * (TOKEN_CHARACTERS // 2))
    await door.sessions.verify(long)
    longer = door.signer.token(name="x" * TOKEN_CHARACTERS)
    await refused(door, longer)


def test_no_mutation_of_a_valid_token_opens_the_door() -> None:
    with asyncio.Runner() as runner:
        stack = AsyncExitStack()
        door = runner.run(stack.enter_async_context(open_door()))
        token = door.signer.token()
        assert runner.run(door.sessions.verify(token)).sub == "person-1"
        characters = st.sampled_from("ABCxyz019-_.=+/! \n\x00é") | st.characters()

        @given(at=st.integers(0, len(token) - 1), removed=st.integers(0, 40), put=st.text(characters, max_size=40))
        @settings(max_examples=400, deadline=None)
        def mutated(at: int, removed: int, put: str) -> None:
            mutant = token[:at] + put + token[at + removed :]
            if mutant != token:
                runner.run(refused(door, mutant))

        @given(junk=st.text(max_size=200) | st.binary(max_size=200).map(lambda raw: f"{base64url(raw)}.e30.AAAA"))
        @settings(max_examples=200, deadline=None)
        def invented(junk: str) -> None:
            runner.run(refused(door, junk))

        mutated()
        invented()
        runner.run(stack.aclose())
