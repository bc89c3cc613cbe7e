"""Only the very token the LMS signed, for this service, just now, opens the door (invariant I1)."""

import asyncio
import base64
import hmac
import json
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from typing import Any

import pytest
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from hypothesis import given, settings
from hypothesis import strategies as st

from assist_service.adapters.tokens import CLOCK_SKEW_SECONDS, LIFETIME_SECONDS, TOKEN_CHARACTERS
from assist_service.domain.errors import AssistError, Code
from assist_service.domain.people import Role, Session, SessionKind
from tests.unit.session_tokens import NOW, Door, Signer, base64url, header_of, open_door, valid_claims


@pytest.fixture
async def door() -> AsyncIterator[Door]:
    async with open_door() as opened:
        yield opened


async def refused(door: Door, token: str) -> None:
    with pytest.raises(AssistError) as error:
        await door.sessions.verify(token)
    assert error.value.code is Code.UNAUTHENTICATED


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


PARTS: dict[str, tuple[object, object]] = {
    "a header that is a list": ([], valid_claims()),
    "a header that is null": (None, valid_claims()),
    "a header that is no JSON": (b"{", valid_claims()),
    "a header nested out of reason": (b"[" * 4_000, valid_claims()),
    "a header of no UTF-8": (b"\xff", valid_claims()),
    "claims that are a list": (header_of("key-1"), []),
    "claims that are null": (header_of("key-1"), None),
    "claims that are no JSON": (header_of("key-1"), b"not json"),
    "claims of no UTF-8": (header_of("key-1"), b'{"sub": "\xff"}'),
    "claims nested out of reason": (header_of("key-1"), b"[" * 4_000),
    "no claims": (header_of("key-1"), {}),
    "a lone surrogate": (header_of("key-1"), json.dumps(valid_claims()).replace("person-1", "\\ud800").encode()),
    "a lone surrogate for a kid": (header_of("\ud800"), valid_claims()),
}


@pytest.mark.parametrize(("header", "payload"), PARTS.values(), ids=PARTS)
async def test_a_signed_token_of_other_parts_is_refused(door: Door, header: object, payload: object) -> None:
    await refused(door, door.signer.sign(header, payload))


def _segments(token: str) -> list[str]:
    return token.split(".")


def _flipped(token: str, byte: int) -> str:
    head, payload, signature = _segments(token)
    raw = bytearray(base64.urlsafe_b64decode(signature + "=="))
    raw[byte] ^= 1
    return f"{head}.{payload}.{base64url(bytes(raw))}"


def _last_bits(token: str) -> str:
    """The same signature, spelled with other bits behind its end."""
    alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    return token[:-1] + alphabet[alphabet.index(token[-1]) ^ 1]


SPELLINGS: dict[str, Callable[[str], str]] = {
    "nothing": lambda _: "",
    "one dot": lambda _: ".",
    "dots only": lambda _: "..",
    "the header alone": lambda token: _segments(token)[0],
    "no signature": lambda token: token.rpartition(".")[0],
    "an empty signature": lambda token: token.rpartition(".")[0] + ".",
    "an empty payload": lambda token: f"{_segments(token)[0]}..{_segments(token)[2]}",
    "an empty header": lambda token: f".{_segments(token)[1]}.{_segments(token)[2]}",
    "four parts": lambda token: f"{token}.{_segments(token)[2]}",
    "five parts": lambda token: f"{token}.aaaa.bbbb",
    "cut in the signature": lambda token: token[:-10],
    "the last letter cut": lambda token: token[:-1],
    "a letter more": lambda token: token + "A",
    "signature twice": lambda token: token + _segments(token)[2],
    "padded": lambda token: token + "==",
    "other bits behind the end": _last_bits,
    "a sign the decoder skips": lambda token: token[:-5] + "!" + token[-5:],
    "a line end in it": lambda token: token[:-5] + "\n" + token[-5:],
    "a space before": lambda token: " " + token,
    "a line end behind": lambda token: token + "\n",
    "another alphabet": lambda token: token.replace("-", "+").replace("_", "/") + "+",
    "beyond ASCII": lambda token: token + "é",
    "a lone surrogate": lambda token: token + "\ud800",
    "a NUL": lambda token: token + "\x00",
    "out of reason": lambda token: token + "A" * TOKEN_CHARACTERS,
    "ten megabytes": lambda token: token + "A" * 10_000_000,
}


@pytest.mark.parametrize("spelled", SPELLINGS.values(), ids=SPELLINGS)
async def test_a_token_spelled_another_way_is_refused(door: Door, spelled: Callable[[str], str]) -> None:
    token = door.signer.token()
    await door.sessions.verify(token)
    await refused(door, spelled(token))


async def test_a_token_with_any_byte_of_its_signature_flipped_is_refused(door: Door) -> None:
    token = door.signer.token()
    for byte in range(64):
        await refused(door, _flipped(token, byte))


async def test_a_token_of_another_key_under_the_same_name_is_refused(door: Door) -> None:
    await refused(door, Signer("key-1").token())


async def test_an_unsecured_token_is_refused(door: Door) -> None:
    header = {**header_of("key-1"), "alg": "none"}
    parts = [base64url(json.dumps(part).encode()) for part in (header, valid_claims())]
    await refused(door, ".".join((*parts, "")))
    await refused(door, ".".join((*parts, "AAAA")))


async def test_a_token_signed_with_the_public_key_as_a_secret_is_refused(door: Door) -> None:
    public = door.signer.private.public_key()
    spellings = [
        public.public_bytes(encoding, PublicFormat.SubjectPublicKeyInfo) for encoding in (Encoding.PEM, Encoding.DER)
    ]
    for secret in (*spellings, json.dumps(door.signer.public_jwk).encode(), b""):
        header = {**header_of("key-1"), "alg": "HS256"}
        signed = ".".join(base64url(json.dumps(part).encode()) for part in (header, valid_claims()))
        mac = hmac.digest(secret, signed.encode(), "sha256")
        await refused(door, f"{signed}.{base64url(mac)}")


async def test_claims_and_signature_of_two_tokens_do_not_go_together(door: Door) -> None:
    mine, hers = door.signer.token(sub="me"), door.signer.token(sub="her", role="admin")
    head, _, signature = _segments(mine)
    await refused(door, f"{head}.{_segments(hers)[1]}.{signature}")


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
