"""The LMS's keys are asked for once a cooldown however many tokens come, and outlive an outage (invariant I2)."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable

import pytest
from cryptography.hazmat.primitives.asymmetric import ec

from assist_service.adapters.keys import COOLDOWN_SECONDS, FRESH_SECONDS, MAX_BYTES, JwksKeys
from assist_service.adapters.session import JwtSessions
from assist_service.domain.errors import AssistError, Code
from tests.fakes.serving import connect
from tests.unit.session_tokens import AUDIENCE, ISSUER, Door, Signer, open_door


@pytest.fixture
async def door() -> AsyncIterator[Door]:
    async with open_door() as opened:
        yield opened


async def opens(door: Door, signer: Signer | None = None) -> bool:
    """Whether a token that was just signed is let in. Anything but `unauthenticated` is raised."""
    now = int(door.clock.now().timestamp())
    try:
        await door.sessions.verify((signer or door.signer).token(iat=now, exp=now + 300))
    except AssistError as error:
        if error.code is not Code.UNAUTHENTICATED:
            raise
        return False
    return True


async def flood(door: Door, count: int = 200) -> None:
    """Tokens of as many unknown keys, all at once; each is refused."""
    now = int(door.clock.now().timestamp())
    stranger = Signer("stranger")
    tokens = [stranger.token(header={"kid": f"unknown-{number}"}, iat=now, exp=now + 300) for number in range(count)]
    answers = await asyncio.gather(*(door.sessions.verify(token) for token in tokens), return_exceptions=True)
    assert all(isinstance(answer, AssistError) and answer.code is Code.UNAUTHENTICATED for answer in answers)


async def test_a_flood_of_unknown_kids_asks_once_a_cooldown(door: Door) -> None:
    await flood(door)
    assert door.key_set.asked == 1
    door.clock.move(COOLDOWN_SECONDS - 0.1)
    await flood(door)
    assert door.key_set.asked == 1
    door.clock.move(0.1)
    await flood(door)
    assert door.key_set.asked == 2
    assert await opens(door)


async def test_known_keys_open_during_a_flood_and_ask_for_nothing(door: Door) -> None:
    assert await opens(door)
    _, *opened = await asyncio.gather(flood(door), *(opens(door) for _ in range(20)))
    assert all(opened)
    assert door.key_set.asked == 1


async def test_known_keys_are_asked_for_again_when_they_are_no_longer_fresh(door: Door) -> None:
    assert await opens(door)
    door.clock.move(FRESH_SECONDS - 1)
    assert await opens(door)
    assert door.key_set.asked == 1
    door.clock.move(1)
    assert all(await asyncio.gather(*(opens(door) for _ in range(20))))
    assert door.key_set.asked == 2


async def test_a_key_that_was_withdrawn_opens_nothing_any_more_though_no_other_token_comes(door: Door) -> None:
    assert await opens(door)
    door.key_set.publish(Signer("key-2").public_jwk)
    door.clock.move(FRESH_SECONDS)
    assert not await opens(door)


async def test_keys_outlive_an_outage_that_is_longer_than_they_are_fresh(door: Door) -> None:
    assert await opens(door)
    door.key_set.status = 503
    for _ in range(5):
        door.clock.move(FRESH_SECONDS)
        assert await opens(door)
    assert door.key_set.asked == 6


async def test_a_rotated_key_is_found_after_the_cooldown_and_the_old_one_is_gone(door: Door) -> None:
    assert await opens(door)
    fresh = Signer("key-2")
    door.key_set.publish(fresh.public_jwk)
    assert not await opens(door, fresh)
    assert await opens(door), "nobody has asked again yet"
    door.clock.move(COOLDOWN_SECONDS)
    assert await opens(door, fresh)
    assert not await opens(door)
    assert door.key_set.asked == 2


async def test_two_keys_open_side_by_side(door: Door) -> None:
    fresh = Signer("key-2")
    door.key_set.publish(door.signer.public_jwk, fresh.public_jwk)
    assert await opens(door, fresh)
    assert await opens(door)


OUTAGES: dict[str, tuple[int, bytes]] = {
    "an error": (500, b""),
    "an error with keys": (503, b'{"keys": []}'),
    "not found": (404, b"{}"),
    "no JSON": (200, b"<html>"),
    "nothing": (200, b""),
    "no UTF-8": (200, b'{"keys": "\xff"}'),
    "no keys": (200, b'{"keys": []}'),
    "no list of keys": (200, b"{}"),
    "null for keys": (200, b'{"keys": null}'),
    "an object for keys": (200, b'{"keys": {"kid": "key-1"}}'),
    "a text for keys": (200, b'{"keys": "key-1"}'),
    "a number for keys": (200, b'{"keys": 1}'),
    "a list": (200, b"[]"),
    "null": (200, b"null"),
    "a text": (200, b'"keys"'),
    "entries that are none": (200, b'{"keys": [null, 1, "key-1", [], {}]}'),
    "nested out of reason": (200, b"[" * 100_000),
    "larger than any": (200, json.dumps({"keys": [Signer("key-9").public_jwk], "x": "x" * MAX_BYTES}).encode()),
}


@pytest.mark.parametrize(("status", "body"), OUTAGES.values(), ids=OUTAGES)
async def test_an_outage_keeps_the_last_good_keys_and_ends_after_a_cooldown(
    door: Door, status: int, body: bytes
) -> None:
    assert await opens(door)
    door.key_set.status, door.key_set.body = status, body
    door.clock.move(COOLDOWN_SECONDS)
    await flood(door, 3)
    assert door.key_set.asked == 2
    assert await opens(door)
    assert not await door.keys.answering()
    fresh = Signer("key-2")
    door.key_set.publish(fresh.public_jwk)
    door.clock.move(COOLDOWN_SECONDS)
    assert await opens(door, fresh)
    assert await door.keys.answering()


@pytest.mark.parametrize(("status", "body"), OUTAGES.values(), ids=OUTAGES)
async def test_while_no_key_was_ever_had_the_platform_does_not_answer(door: Door, status: int, body: bytes) -> None:
    door.key_set.status, door.key_set.body = status, body
    for _ in range(2):
        with pytest.raises(AssistError) as refused:
            await door.sessions.verify(door.signer.token())
        assert refused.value.code is Code.LMS_UNAVAILABLE
    assert door.key_set.asked == 1
    door.key_set.publish(door.signer.public_jwk)
    door.clock.move(COOLDOWN_SECONDS)
    assert await opens(door)


@pytest.mark.parametrize("address", ["http://127.0.0.1:1/jwks.json", "http://[", "http://x:abc/", "ftp://x/"])
async def test_an_address_where_nobody_answers_is_an_outage(door: Door, address: str) -> None:
    async with connect() as client:
        keys = JwksKeys(address, algorithm="ES256", client=client, clock=door.clock)
        sessions = JwtSessions(keys=keys, issuer=ISSUER, audience=AUDIENCE, algorithm="ES256", clock=door.clock)
        with pytest.raises(AssistError) as refused:
            await sessions.verify(door.signer.token())
        assert refused.value.code is Code.LMS_UNAVAILABLE
        assert not await keys.answering()


async def test_a_redirect_is_not_followed(door: Door) -> None:
    good = door.key_set.body
    door.key_set.status, door.key_set.location = 302, "/elsewhere"
    with pytest.raises(AssistError):
        await door.sessions.verify(door.signer.token())
    assert door.key_set.asked == 1
    assert door.key_set.body == good


async def test_an_issuer_that_takes_too_long_is_an_outage() -> None:
    """Each byte comes in time, all of them together do not."""
    async with open_door(fetch_seconds=0.2) as door:
        assert await opens(door)
        door.key_set.seconds = 0.02
        door.clock.move(COOLDOWN_SECONDS)
        await flood(door, 3)
        assert await opens(door)
        assert not await door.keys.answering()


async def test_a_key_set_just_within_its_bound_is_read(door: Door) -> None:
    body = json.dumps({"keys": [door.signer.public_jwk], "x": ""}).encode()
    door.key_set.body = body.replace(b'"x": ""', b'"x": "' + b"x" * (MAX_BYTES - len(body)) + b'"')
    assert len(door.key_set.body) == MAX_BYTES
    assert await opens(door)


OTHER = Signer("other")
LONGER = Signer("longer", ec.SECP384R1())

BAD_ENTRIES: dict[str, Callable[[str], object]] = {
    "null": lambda _: None,
    "a text": lambda kid: kid,
    "a list": lambda kid: [kid],
    "an empty object": lambda _: {},
    "no kid": lambda _: {key: value for key, value in OTHER.public_jwk.items() if key != "kid"},
    "a kid that is a number": lambda _: {**OTHER.public_jwk, "kid": 1},
    "a kid that is a list": lambda kid: {**OTHER.public_jwk, "kid": [kid]},
    "for encryption": lambda kid: {**OTHER.public_jwk, "kid": kid, "use": "enc"},
    "for another algorithm": lambda kid: {**OTHER.public_jwk, "kid": kid, "alg": "ES384"},
    "an algorithm that is a list": lambda kid: {**OTHER.public_jwk, "kid": kid, "alg": ["ES256"]},
    "symmetric": lambda kid: {"kty": "oct", "k": "c2VjcmV0", "kid": kid},
    "symmetric, said to be of our algorithm": lambda kid: {"kty": "oct", "k": "c2VjcmV0", "kid": kid, "alg": "ES256"},
    "RSA": lambda kid: {"kty": "RSA", "n": "AQAB", "e": "AQAB", "kid": kid},
    "of a kind nobody knows": lambda kid: {"kty": "XYZ", "kid": kid},
    "of no kind": lambda kid: {"kid": kid},
    "a kind that is a list": lambda kid: {"kty": ["EC"], "kid": kid},
    "of another curve": lambda kid: {**LONGER.public_jwk, "kid": kid},
    "of a curve nobody knows": lambda kid: {**OTHER.public_jwk, "kid": kid, "crv": "P-999"},
    "private": lambda kid: {**OTHER.private_jwk, "kid": kid},
    "a point that is a number": lambda kid: {**OTHER.public_jwk, "kid": kid, "x": 5},
    "a point that is null": lambda kid: {**OTHER.public_jwk, "kid": kid, "x": None},
    "a point that is no base64": lambda kid: {**OTHER.public_jwk, "kid": kid, "x": "é!"},
    "a point too short": lambda kid: {**OTHER.public_jwk, "kid": kid, "x": "AA"},
    "a point beside the curve": lambda kid: {**OTHER.public_jwk, "kid": kid, "x": OTHER.public_jwk["y"]},
    "half a point": lambda kid: {key: value for key, value in {**OTHER.public_jwk, "kid": kid}.items() if key != "y"},
}


@pytest.mark.parametrize("entry", BAD_ENTRIES.values(), ids=BAD_ENTRIES)
async def test_a_bad_entry_leaves_the_good_keys_in_use(door: Door, entry: Callable[[str], object]) -> None:
    fresh = Signer("key-2")
    door.key_set.publish(entry("bad"), door.signer.public_jwk, entry("worse"), fresh.public_jwk, entry("key-1"))
    assert await opens(door)
    assert await opens(door, fresh)
    assert door.key_set.asked == 1


async def test_a_key_whose_private_half_is_published_opens_nothing(door: Door) -> None:
    door.key_set.publish(door.signer.public_jwk, OTHER.private_jwk)
    assert await opens(door)
    assert not await opens(door, OTHER)


async def test_whether_the_issuer_answers_is_asked_once_a_cooldown(door: Door) -> None:
    assert await door.keys.answering()
    door.key_set.status = 503
    assert await door.keys.answering()
    assert door.key_set.asked == 1
    door.clock.move(COOLDOWN_SECONDS)
    assert not await door.keys.answering()
    assert door.key_set.asked == 2
