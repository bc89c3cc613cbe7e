"""Who this service is to the LMS: one key, assertions for one audience, and nothing of the key told."""

import base64
import datetime as dt
import hashlib
import json
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from jwt.algorithms import ECAlgorithm

from assist_service.adapters.configuration import load_policy
from assist_service.adapters.lms.client import ClientKey
from assist_service.adapters.lms.signing import SigningKey
from assist_service.bootstrap.lms import asks_lms
from assist_service.domain.errors import ConfigurationError
from assist_service.domain.policy import Policy, Switches

PRIVATE = ec.generate_private_key(ec.SECP256R1())
JWK: dict[str, Any] = ECAlgorithm.to_jwk(PRIVATE, as_dict=True)
NOW = dt.datetime(2026, 11, 2, 9, 30, tzinfo=dt.UTC)


def pem_of(private: ec.EllipticCurvePrivateKey | rsa.RSAPrivateKey) -> str:
    return private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode()


@pytest.mark.parametrize(
    "text",
    [
        pem_of(PRIVATE),
        pem_of(PRIVATE).replace("\n", "\\n"),
        f"\n{pem_of(PRIVATE)}\n",
        PRIVATE.private_bytes(Encoding.PEM, PrivateFormat.TraditionalOpenSSL, NoEncryption()).decode(),
        json.dumps(JWK),
    ],
    ids=["pkcs8", "one line", "padded", "sec1", "jwk"],
)
def test_a_key_is_read_as_pem_or_as_jwk(text: str) -> None:
    key = ClientKey.parse(text)
    assert key.kid == ClientKey(PRIVATE).kid
    assert key.public_jwks() == ClientKey(PRIVATE).public_jwks()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{}",
        "{",
        "[" * 100_000,
        "{" * 100_000,
        "not a key",
        pem_of(ec.generate_private_key(ec.SECP384R1())),
        pem_of(rsa.generate_private_key(public_exponent=65537, key_size=2048)),
        json.dumps({name: value for name, value in JWK.items() if name != "d"}),
        json.dumps({**JWK, "x": ECAlgorithm.to_jwk(ec.generate_private_key(ec.SECP256R1()), as_dict=True)["x"]}),
        json.dumps({**JWK, "d": 7}),
        json.dumps({**JWK, "crv": "P-384"}),
    ],
    ids=["empty", "object", "cut", "deep", "deeper", "words", "P-384", "RSA", "public", "torn", "number", "curve"],
)
def test_what_is_no_private_p256_key_is_refused_and_not_told(text: str) -> None:
    with pytest.raises(ConfigurationError) as refused:
        ClientKey.parse(text)
    assert str(refused.value) == "ASSIST_CLIENT_KEY is no private P-256 key, as PEM without a password or as JWK"
    assert refused.value.__context__ is None


ONLY_LOOKUPS = load_policy("school-manuals").model_copy(update={"standing": False})


@pytest.mark.parametrize(
    ("policy", "asks"),
    [
        (ONLY_LOOKUPS, True),
        (ONLY_LOOKUPS.model_copy(update={"switches": Switches(manual=True, live=False)}), False),
        (ONLY_LOOKUPS.model_copy(update={"standing": True, "switches": Switches(manual=True, live=False)}), True),
        (load_policy("teacher-assistant"), True),
    ],
    ids=["lookups alone", "nothing", "standing alone", "reads"],
)
def test_a_key_is_needed_where_anything_at_all_is_asked_of_the_lms(policy: Policy, asks: bool) -> None:
    assert asks_lms(policy) is asks


def test_its_public_half_is_a_key_set_for_the_lms() -> None:
    (jwk,) = ClientKey(PRIVATE).public_jwks()["keys"]
    assert set(jwk) == {"kty", "crv", "x", "y", "kid", "alg", "use"}
    assert (jwk["kty"], jwk["crv"], jwk["alg"], jwk["use"]) == ("EC", "P-256", "ES256", "sig")
    assert jwk["kid"] == ClientKey(PRIVATE).kid


def test_the_kid_is_the_thumbprint_of_the_rfc() -> None:
    # Made by an independent reading of RFC 7638: the members in order, no space, SHA-256, base64url.
    written = f'{{"crv":"P-256","kty":"EC","x":"{JWK["x"]}","y":"{JWK["y"]}"}}'
    digest = base64.urlsafe_b64encode(hashlib.sha256(written.encode()).digest()).decode().rstrip("=")
    assert ClientKey(PRIVATE).kid == SigningKey(PRIVATE).thumbprint == digest


def test_an_assertion_names_one_audience_for_a_minute_and_is_never_the_same() -> None:
    key = ClientKey(PRIVATE)
    first, second = (key.assertion("assist", audience="https://lms.example/oauth/token", now=NOW) for _ in range(2))
    header = jwt.get_unverified_header(first)
    assert header == {"alg": "ES256", "typ": "client-authentication+jwt", "kid": key.kid}
    checked = {"verify_exp": False, "verify_iat": False}
    claims, others = (
        jwt.decode(
            token,
            PRIVATE.public_key(),
            algorithms=["ES256"],
            audience="https://lms.example/oauth/token",
            options=checked,  # type: ignore[arg-type]
        )
        for token in (first, second)
    )
    issued = int(NOW.timestamp())
    assert claims.pop("jti") != others["jti"]
    assert claims == {
        "iss": "assist",
        "sub": "assist",
        "aud": "https://lms.example/oauth/token",
        "iat": issued,
        "exp": issued + 60,
    }


def test_no_repr_shows_a_key() -> None:
    shown = repr(ClientKey(PRIVATE)) + repr(SigningKey(PRIVATE)) + repr(vars(ClientKey(PRIVATE)))
    assert JWK["d"] not in shown
    assert JWK["x"] not in shown
