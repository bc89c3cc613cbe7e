"""An LMS that is lax in one place only: each attempt of a rule is seen to turn it red by itself."""

from collections.abc import Callable, Mapping
from urllib.parse import urlsplit

import jwt
import pytest

from assist_service.adapters.lms.checking.altered import ANOTHER_ATH
from assist_service.adapters.lms.checking.identity_rules import ANOTHER_API, ANOTHER_SERVER
from assist_service.adapters.lms.rest import STANDING_AUDIENCE
from assist_service.domain.lms_check import Rule
from examples.reference_lms.school import FILIPINO_TEACHER, SCHOOL
from tests.fakes.clocks import START
from tests.fakes.lax_lms import Lax, Picks, Seen, claims_of, is_forged, is_unsigned
from tests.web.checked_lms import open_checked, red

pytestmark = pytest.mark.slow

OTHERS = frozenset(entity.id for entity in SCHOOL.entities if entity.owner == FILIPINO_TEACHER.sub)
POOLS = frozenset(entity.id for entity in SCHOOL.entities if entity.kind == "pool" and entity.id in OTHERS)

NOW = START.timestamp()

Condition = Callable[[Seen], bool]


def taking(condition: Condition, *, status: int = 200) -> Callable[[], Picks]:
    return lambda: lambda seen: status if condition(seen) else None


def taking_every_proof() -> Picks:
    keys: list[str] = []

    def picks(seen: Seen) -> int | None:
        if seen.path.startswith("/demo") or "dpop" not in seen.headers:
            return None
        keys.append(str(jwt.get_unverified_header(seen.headers["dpop"])["jwk"]))
        return None if keys[-1] == keys[0] else 200

    return picks


def taking_old_proofs_for_exchanges() -> Picks:
    proofs: set[str] = set()

    def picks(seen: Seen) -> int | None:
        proof = seen.headers.get("dpop", "") if seen.is_exchange else ""
        is_old = proof in proofs
        proofs.update({proof} - {""})
        return 200 if is_old else None

    return picks


def taking_forged_sessions(algorithm: str) -> Picks:
    """A check's first use of a session is of the one that was given to it."""
    genuine: dict[str, str] = {}

    def picks(seen: Seen) -> int | None:
        session = seen.form.get("subject_token", "")
        if session == genuine.setdefault(claims_of(session).get("jti", ""), session):
            return None
        return 200 if jwt.get_unverified_header(session)["alg"] == algorithm else None

    return picks


def names_others(seen: Seen) -> bool:
    return any(part in OTHERS for part in seen.path.split("/"))


LAX: Mapping[str, tuple[Rule, Callable[[], Picks]]] = {
    "exchange for any audience": (
        Rule.WRONG_AUDIENCE,
        taking(lambda seen: seen.form.get("audience") == ANOTHER_API),
    ),
    "client JWT for any server": (
        Rule.WRONG_AUDIENCE,
        taking(lambda seen: claims_of(seen.assertion).get("aud") == ANOTHER_SERVER),
    ),
    "standing for any audience": (
        Rule.WRONG_AUDIENCE,
        taking(
            lambda seen: (
                seen.is_standing and claims_of(seen.assertion).get("aud", STANDING_AUDIENCE) != STANDING_AUDIENCE
            )
        ),
    ),
    "client JWT by any key": (
        Rule.CLIENT_KEY,
        taking(lambda seen: seen.is_exchange and is_forged(seen.assertion)),
    ),
    "standing by any key": (
        Rule.CLIENT_KEY,
        taking(lambda seen: seen.is_standing and is_forged(seen.assertion)),
    ),
    "expired client JWT": (
        Rule.EXPIRED,
        taking(lambda seen: seen.is_exchange and claims_of(seen.assertion).get("exp", NOW) < NOW),
    ),
    "expired client JWT at standing": (
        Rule.EXPIRED,
        taking(lambda seen: seen.is_standing and claims_of(seen.assertion).get("exp", NOW) < NOW),
    ),
    "expired session": (
        Rule.EXPIRED,
        taking(lambda seen: claims_of(seen.form.get("subject_token", "")).get("exp", NOW) < NOW),
    ),
    "session as bearer": (
        Rule.SESSION_NO_TOKEN,
        taking(lambda seen: seen.headers.get("authorization", "").startswith("Bearer eyJ") and not seen.is_standing),
    ),
    "session as DPoP token": (
        Rule.SESSION_NO_TOKEN,
        taking(lambda seen: seen.headers.get("authorization", "").startswith("DPoP eyJ")),
    ),
    "exchange without proof": (
        Rule.PROOF_NEEDED,
        taking(lambda seen: seen.is_exchange and "dpop" not in seen.headers),
    ),
    "token without proof": (
        Rule.PROOF_NEEDED,
        taking(lambda seen: seen.headers.get("authorization", "").startswith("DPoP") and "dpop" not in seen.headers),
    ),
    "bound token as bearer": (
        Rule.PROOF_NEEDED,
        taking(
            lambda seen: (
                seen.headers.get("authorization", "").startswith("Bearer ") and not seen.token.startswith("eyJ")
            )
        ),
    ),
    "proof by any key": (Rule.PROOF_KEY, taking_every_proof),
    "replayed proof for an exchange": (Rule.PROOF_REPLAYED, taking_old_proofs_for_exchanges),
    "writes into anyone's pool": (
        Rule.OTHER_PEOPLE,
        taking(lambda seen: seen.method == "POST" and seen.path == "/api/questions" and seen.json["pool"] in POOLS),
    ),
    "a search in anyone's pool": (
        Rule.OTHER_PEOPLE,
        taking(lambda seen: seen.path == "/api/questions/similar" and seen.json["pool"] in POOLS),
    ),
    "a key with another body": (
        Rule.IDEMPOTENCY,
        taking(lambda seen: str(seen.json.get("config", {}).get("statement", "")).endswith("(2)"), status=201),
    ),
    "another refusal of what is out of reach": (
        Rule.NO_SEAT,
        taking(lambda seen: seen.path.startswith("/api/templates/") and names_others(seen), status=404),
    ),
    "another person's evaluation by its id": (
        Rule.OTHER_PEOPLE,
        taking(lambda seen: seen.path.startswith("/api/evaluations/") and names_others(seen)),
    ),
}

PROOFS: Mapping[str, Condition] = {
    "method": lambda seen: seen.proof["htm"] != seen.method,
    "path": lambda seen: urlsplit(seen.proof["htu"]).path != seen.path,
    "server": lambda seen: urlsplit(seen.proof["htu"]).netloc == "another.example",
    "time": lambda seen: seen.proof["iat"] < NOW - 60,
}
"""What a proof may be for another of."""


def taking_proofs(where: Condition, is_other: Condition) -> Callable[[], Picks]:
    return taking(lambda seen: where(seen) and bool(seen.proof) and is_other(seen))


def at_api(seen: Seen) -> bool:
    return seen.is_read


def at_exchange(seen: Seen) -> bool:
    return seen.is_exchange


ANOTHER_PROOF: Mapping[str, tuple[Rule, Callable[[], Picks]]] = {
    **{
        f"proof for another {what}, {where.__name__}": (Rule.PROOF_BOUND, taking_proofs(where, is_other))
        for what, is_other in PROOFS.items()
        for where in (at_api, at_exchange)
    },
    "proof for another token": (
        Rule.PROOF_BOUND,
        taking_proofs(at_api, lambda seen: seen.proof.get("ath") == ANOTHER_ATH),
    ),
    "proof for no token": (Rule.PROOF_BOUND, taking_proofs(at_api, lambda seen: "ath" not in seen.proof)),
}

NOBODY: Mapping[str, tuple[Rule, Callable[[], Picks]]] = {
    "session by any key": (Rule.FORGED_SESSION, lambda: taking_forged_sessions("ES256")),
    "session by no key": (Rule.FORGED_SESSION, lambda: taking_forged_sessions("none")),
    "unsigned client JWT": (Rule.CLIENT_KEY, taking(lambda seen: seen.is_exchange and is_unsigned(seen.assertion))),
    "unsigned client JWT at standing": (
        Rule.CLIENT_KEY,
        taking(lambda seen: seen.is_standing and is_unsigned(seen.assertion)),
    ),
    "unsigned client JWT at revocation": (
        Rule.CLIENT_KEY,
        taking(lambda seen: seen.is_revocation and is_unsigned(seen.assertion)),
    ),
    "revocation by any key": (
        Rule.CLIENT_KEY,
        taking(lambda seen: seen.is_revocation and is_forged(seen.assertion) and not is_unsigned(seen.assertion)),
    ),
    "exchange without client": (
        Rule.CLIENT_NEEDED,
        taking(lambda seen: seen.is_exchange and not seen.form.keys() & {"client_assertion", "client_id"}),
    ),
    "exchange by client_id": (
        Rule.CLIENT_NEEDED,
        taking(lambda seen: seen.is_exchange and "client_id" in seen.form),
    ),
    "revocation without client": (
        Rule.CLIENT_NEEDED,
        taking(lambda seen: seen.is_revocation and not seen.form.keys() & {"client_assertion", "client_id"}),
    ),
    "revocation by client_id": (
        Rule.CLIENT_NEEDED,
        taking(lambda seen: seen.is_revocation and "client_id" in seen.form),
    ),
    "a list without a token": (
        Rule.TOKEN_NEEDED,
        taking(lambda seen: seen.path == "/api/pools" and not seen.token),
    ),
    "one thing without a token": (
        Rule.TOKEN_NEEDED,
        taking(lambda seen: seen.path.endswith("/gradebook") and not seen.token),
    ),
    "a search without a token": (
        Rule.TOKEN_NEEDED,
        taking(lambda seen: seen.path.endswith("/similar") and not seen.token),
    ),
    "standing without a token": (Rule.TOKEN_NEEDED, taking(lambda seen: seen.is_standing and not seen.token)),
    "403 where nobody is known": (
        Rule.TOKEN_NEEDED,
        taking(lambda seen: seen.path == "/api/courses" and not seen.token, status=403),
    ),
}


PLACES = {**LAX, **NOBODY, **ANOTHER_PROOF}


@pytest.mark.parametrize("where", PLACES)
async def test_one_lax_place_is_one_red_rule(where: str) -> None:
    rule, picks = PLACES[where]
    async with open_checked(before=lambda app: Lax(app, picks())) as lms:
        report = await lms.check(given=await lms.given())
    assert set(red(report)) == {rule}
