"""AES-GCM under several keys, each text bound to its table, row, owner and key."""

import base64
import hashlib
import json
import os
from collections.abc import Sequence

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from assist_service.domain.errors import ConfigurationError
from assist_service.ports import Binding, SealBroken

NONCE_BYTES = 12
KEY_BYTES = 32


class AesGcmSealer:
    """Implements ports.Sealer. The first key writes; all of them read."""

    def __init__(self, keys: Sequence[bytes]) -> None:
        self._ciphers = {_key_id(key): AESGCM(key) for key in keys}
        self._writes_with = _key_id(keys[0])

    @property
    def key_ids(self) -> Sequence[str]:
        return tuple(self._ciphers)

    def seal(self, plaintext: bytes, binding: Binding) -> tuple[str, bytes]:
        nonce = os.urandom(NONCE_BYTES)
        key_id = self._writes_with
        sealed = self._ciphers[key_id].encrypt(nonce, plaintext, _associated(binding, key_id))
        return key_id, nonce + sealed

    def open(self, sealed: bytes, *, key_id: str, binding: Binding) -> bytes:
        cipher = self._ciphers.get(key_id)
        if cipher is None:
            raise SealBroken("no such key")
        try:
            return cipher.decrypt(sealed[:NONCE_BYTES], sealed[NONCE_BYTES:], _associated(binding, key_id))
        except (InvalidTag, ValueError) as error:
            raise SealBroken("does not open here") from error


def _associated(binding: Binding, key_id: str) -> bytes:
    """The binding as bytes in which no two places read alike."""
    return json.dumps([binding.table, binding.row, binding.owner, key_id]).encode()


def _key_id(key: bytes) -> str:
    """Names a key without telling anything of it."""
    return hashlib.sha256(b"assist-service key id" + key).hexdigest()[:12]


def new_key() -> str:
    """A fresh key, as it stands in the setting."""
    return base64.b64encode(os.urandom(KEY_BYTES)).decode()


def keys_of(setting: str) -> tuple[bytes, ...]:
    """The keys of a setting: base64 of 32 bytes each, separated by commas. Raises ConfigurationError."""
    keys: list[bytes] = []
    for position, part in enumerate(setting.split(","), start=1):
        try:
            key = base64.b64decode(part.strip(), validate=True)
        except ValueError:
            key = b""
        if len(key) != KEY_BYTES:
            raise ConfigurationError(f"ASSIST_SECRET_KEYS: key {position} is not base64 of {KEY_BYTES} bytes")
        keys.append(key)
    if len(set(keys)) != len(keys):
        raise ConfigurationError("ASSIST_SECRET_KEYS: a key stands twice")
    return tuple(keys)
