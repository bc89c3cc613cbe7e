"""DPoP proofs by the right key and with a nonce of now, that were made for something else than they are sent with."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

from pydantic import SecretStr

from assist_service.adapters.lms.checking.probe import LONG_AGO_SECONDS
from assist_service.adapters.lms.dpop import DpopProofs, Place
from assist_service.adapters.lms.signing import base64url
from assist_service.adapters.lms.wire import Answer

Said = Mapping[str, str | int]
"""The claims of a proof."""

Change = Callable[[Said], Said]

ANOTHER_ATH = base64url(bytes(32))
"""Of its form, and no token's."""


@dataclass(frozen=True)
class AlteredProofs:
    """Says something else than the request, and is signed all the same."""

    proofs: DpopProofs
    change: Change

    @property
    def token_type(self) -> str:
        return self.proofs.token_type

    def headers(self, place: Place, method: str, url: str, *, token: SecretStr | None = None) -> Mapping[str, str]:
        return self.proofs.signed(self.change(self.proofs.claims(place, method, url, token=token)))

    def wants_another(self, place: Place, answer: Answer) -> bool:
        return self.proofs.wants_another(place, answer)


OF_REQUEST: Mapping[str, Change] = {
    "a proof for another method": lambda said: {**said, "htm": "DELETE"},
    "a proof for another path": lambda said: {**said, "htu": f"{said['htu']}/another"},
    "a proof for another server": lambda said: {**said, "htu": _elsewhere(str(said["htu"]))},
    "a proof of an hour ago": lambda said: {**said, "iat": int(said["iat"]) - LONG_AGO_SECONDS},
}
"""To be refused wherever a proof is shown."""

OF_TOKEN: Mapping[str, Change] = {
    "a proof for another token": lambda said: {**said, "ath": ANOTHER_ATH},
    "a proof for no token": lambda said: {name: value for name, value in said.items() if name != "ath"},
}
"""To be refused where a token is shown with it."""


def _elsewhere(url: str) -> str:
    """The same path at another server: an LMS behind a proxy may look at no more than the path."""
    return urlsplit(url)._replace(netloc="another.example").geturl()
