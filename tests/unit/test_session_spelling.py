"""A token that is spelled, signed or put together another way than an LMS does opens nothing (invariant I1)."""

import base64
import hmac
import json
from collections.abc import AsyncIterator, Callable

import pytest
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from assist_service.adapters.tokens import TOKEN_CHARACTERS
from tests.unit.session_tokens import Door, Signer, base64url, header_of, open_door, refused, valid_claims


@pytest.fixture
async def door() -> AsyncIterator[Door]:
    async with open_door() as opened:
        yield opened


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
