"""Sealed texts open where they belong, under the key they were sealed with, and nowhere else (invariant S1)."""

import base64
import dataclasses
import json
import traceback

import pytest
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from assist_service.adapters.sealing import KEY_BYTES, NONCE_BYTES, AesGcmSealer, keys_of
from assist_service.domain.errors import ConfigurationError
from assist_service.ports import Binding, SealBroken

OLD, NEW = bytes(range(32)), bytes(range(100, 132))

WORDS = "Où est mon cours?".encode()

HERE = Binding(table="exchanges", row="row-1", owner="ada")

FOREIGN = {
    "another row": dataclasses.replace(HERE, row="row-2"),
    "another owner": dataclasses.replace(HERE, owner="bob"),
    "another table": dataclasses.replace(HERE, table="idempotent_replies.reply"),
    "row and owner swapped": dataclasses.replace(HERE, row="ada", owner="row-1"),
    "a longer row": dataclasses.replace(HERE, row="row-1a", owner="da"),
    "quotes moved": dataclasses.replace(HERE, row='row-1", "ada', owner=""),
    "nothing": Binding(table="", row="", owner=""),
}


def setting(*keys: bytes) -> str:
    return ",".join(base64.b64encode(key).decode() for key in keys)


@pytest.mark.parametrize("plaintext", [b"", b"x", WORDS, b"\x00" * 100_000])
def test_what_is_sealed_opens_where_it_belongs_and_does_not_show(plaintext: bytes) -> None:
    sealer = AesGcmSealer([OLD])
    key_id, sealed = sealer.seal(plaintext, HERE)
    assert sealer.open(sealed, key_id=key_id, binding=HERE) == plaintext
    assert len(plaintext) < 2 or plaintext not in sealed


@pytest.mark.parametrize("binding", FOREIGN.values(), ids=FOREIGN)
def test_nothing_opens_in_another_place(binding: Binding) -> None:
    sealer = AesGcmSealer([OLD])
    key_id, sealed = sealer.seal(WORDS, HERE)
    with pytest.raises(SealBroken):
        sealer.open(sealed, key_id=key_id, binding=binding)


def test_any_flipped_bit_breaks_the_seal() -> None:
    sealer = AesGcmSealer([OLD])
    key_id, sealed = sealer.seal(b"short", HERE)
    for position in range(len(sealed) * 8):
        flipped = bytearray(sealed)
        flipped[position // 8] ^= 1 << position % 8
        with pytest.raises(SealBroken):
            sealer.open(bytes(flipped), key_id=key_id, binding=HERE)


def test_any_cut_or_addition_breaks_the_seal() -> None:
    sealer = AesGcmSealer([OLD])
    key_id, sealed = sealer.seal(b"short", HERE)
    for other in [*(sealed[:length] for length in range(len(sealed))), sealed + b"\x00", sealed[1:]]:
        with pytest.raises(SealBroken):
            sealer.open(other, key_id=key_id, binding=HERE)


def test_the_same_text_is_never_sealed_the_same_way_twice() -> None:
    sealer = AesGcmSealer([OLD])
    nonces = {sealer.seal(WORDS, HERE)[1][:NONCE_BYTES] for _ in range(1000)}
    assert len(nonces) == 1000


def test_the_first_key_writes_and_every_key_reads() -> None:
    before, during, after = AesGcmSealer([OLD]), AesGcmSealer([NEW, OLD]), AesGcmSealer([NEW])
    old_id, old_sealed = before.seal(WORDS, HERE)
    new_id, new_sealed = during.seal(WORDS, HERE)
    assert old_id != new_id
    assert during.open(old_sealed, key_id=old_id, binding=HERE) == WORDS
    assert during.open(new_sealed, key_id=new_id, binding=HERE) == WORDS
    assert after.open(new_sealed, key_id=new_id, binding=HERE) == WORDS


def test_a_retired_key_opens_nothing() -> None:
    old_id, sealed = AesGcmSealer([OLD]).seal(WORDS, HERE)
    new_id, _ = AesGcmSealer([NEW]).seal(WORDS, HERE)
    for key_id in (old_id, new_id, "", "unknown"):
        with pytest.raises(SealBroken):
            AesGcmSealer([NEW]).open(sealed, key_id=key_id, binding=HERE)


def test_a_sealed_text_is_a_nonce_and_what_aes_gcm_makes_of_it_with_place_and_key_id() -> None:
    """What is stored already is opened by this form; the key id in it keeps a row true about its key."""
    key_id, sealed = AesGcmSealer([OLD]).seal(WORDS, HERE)
    nonce, rest = sealed[:NONCE_BYTES], sealed[NONCE_BYTES:]
    place = json.dumps(["exchanges", "row-1", "ada", key_id]).encode()
    assert AESGCM(OLD).decrypt(nonce, rest, place) == WORDS
    for other in (None, json.dumps(["exchanges", "row-1", "ada"]).encode(), place.replace(key_id.encode(), b"x" * 12)):
        with pytest.raises(InvalidTag):
            AESGCM(OLD).decrypt(nonce, rest, other)


def test_a_key_id_tells_nothing_of_its_key() -> None:
    key_id, _ = AesGcmSealer([OLD]).seal(WORDS, HERE)
    assert len(key_id) == 12
    assert key_id not in OLD.hex()
    assert key_id not in repr(AesGcmSealer([OLD]))


@pytest.mark.parametrize("text", [setting(OLD), setting(OLD, NEW), f" {setting(OLD)} ,\n{setting(NEW)} "])
def test_the_keys_of_a_setting_come_in_its_order(text: str) -> None:
    assert keys_of(text) == (OLD, NEW)[: text.count(",") + 1]


FAULTY = {
    "empty": ("", "key 1"),
    "too short": (setting(OLD[:31]), "key 1"),
    "too long": (setting(OLD + b"x"), "key 1"),
    "no base64": ("correct-horse-battery-staple", "key 1"),
    "a sign that is no base64": (setting(OLD)[:-2] + "!=", "key 1"),
    "not ASCII": ("clé-secrète-de-l’école-très-longue-mais-pas-en-base64", "key 1"),
    "a lone surrogate": ("\udcff" * 44, "key 1"),
    "second one broken": (f"{setting(OLD)},hunter2hunter2", "key 2"),
    "a comma at the end": (f"{setting(OLD)},", "key 2"),
    "twice the same": (setting(OLD, NEW, OLD), "twice"),
}


@pytest.mark.parametrize(("text", "named"), FAULTY.values(), ids=FAULTY)
def test_a_broken_key_is_one_clear_line_without_its_value(text: str, named: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        keys_of(text)
    line = str(caught.value)
    assert line.startswith("ASSIST_SECRET_KEYS: ")
    assert named in line
    assert "\n" not in line
    told = "".join(traceback.format_exception(caught.value))
    for key in text.split(","):
        assert not key or key not in told
    assert KEY_BYTES == 32
