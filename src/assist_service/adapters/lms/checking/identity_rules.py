"""The rules of who is let in: each is checked by trying what it forbids."""

from functools import partial

from pydantic import SecretStr

from assist_service.adapters.lms.checking.bench import Bench
from assist_service.adapters.lms.checking.forging import FORGERIES, Forge
from assist_service.adapters.lms.checking.judging import (
    API_REFUSALS,
    OAUTH_REFUSALS,
    TOKENLESS_REFUSALS,
    refusal,
    worst,
)
from assist_service.adapters.lms.checking.probe import LONG_AGO_SECONDS, Sign
from assist_service.adapters.lms.checking.sessions import EXPIRED, FOREIGN, Want
from assist_service.adapters.lms.dpop import NoProofs
from assist_service.adapters.lms.rest import STANDING_AUDIENCE
from assist_service.domain.lms_check import Outcome, not_checked

ANOTHER_API = "urn:lms:another-api"
ANOTHER_SERVER = "https://another.example/oauth/token"


def no_assertion() -> None:
    """The `Sign` of a client that proves nothing."""


async def wrong_audience(bench: Bench) -> Outcome:
    probe = bench.probe
    elsewhere = partial(probe.assertion, audience=ANOTHER_SERVER)
    answer = await probe.exchange(bench.given.session, audience=ANOTHER_API)
    return worst(
        (
            refusal("an exchange for another audience", answer, OAUTH_REFUSALS),
            await _at_token_endpoint(bench, "a client JWT for another server", elsewhere),
            await _at_standing(bench, "a client JWT for the token endpoint", probe.assertion),
        )
    )


async def client_key(bench: Bench) -> Outcome:
    found: list[Outcome] = []
    for how, forge in FORGERIES.items():
        what = f"a client JWT {how}"

        def sign(audience: str | None = None, forge: Forge = forge) -> str:
            return forge(bench.probe.assertion(audience=audience))

        found += await _at_oauth(bench, what, sign)
        found.append(await _at_standing(bench, what, partial(sign, STANDING_AUDIENCE)))
    return worst(found)


async def client_needed(bench: Bench) -> Outcome:
    named = await _at_oauth(bench, "a client_id alone", no_assertion, client_id=bench.probe.client_id)
    return worst([*await _at_oauth(bench, "a request without a client JWT", no_assertion), *named])


async def token_needed(bench: Bench) -> Outcome:
    found = [
        refusal(f"{name} without a token", await bench.probe.call(asking, None), TOKENLESS_REFUSALS)
        for name, asking in bench.answered.items()
    ]
    return worst(
        [*found, await _at_standing(bench, "a request without a client JWT", no_assertion, due=TOKENLESS_REFUSALS)]
    )


async def forged_session(bench: Bench) -> Outcome:
    session = bench.given.session
    return worst(
        [
            refusal(f"a session {how}", await bench.probe.exchange(forge(session)), OAUTH_REFUSALS)
            for how, forge in FORGERIES.items()
        ]
    )


async def expired(bench: Bench) -> Outcome:
    what, age = "an expired client JWT", LONG_AGO_SECONDS
    stale = partial(bench.probe.assertion, age_seconds=age)
    return worst(
        (
            await _at_token_endpoint(bench, what, stale),
            await _at_standing(bench, what, partial(stale, audience=STANDING_AUDIENCE)),
            await _subject(bench, bench.given.expired, EXPIRED, "an expired session"),
        )
    )


async def foreign_subject(bench: Bench) -> Outcome:
    return await _subject(bench, bench.given.foreign, FOREIGN, "a session for another client")


async def session_no_token(bench: Bench) -> Outcome:
    session = SecretStr(bench.given.session)
    bearer = await bench.knock(session, proofs=NoProofs())
    proved = await bench.knock(session)
    return worst(
        (
            refusal("a session as bearer token", bearer, API_REFUSALS),
            refusal("a session as token", proved, API_REFUSALS),
        )
    )


async def _subject(bench: Bench, session: str | None, want: Want, what: str) -> Outcome:
    fit = await bench.fit(session, want)
    return fit if isinstance(fit, Outcome) else refusal(what, await bench.probe.exchange(fit), OAUTH_REFUSALS)


async def _at_oauth(bench: Bench, what: str, sign: Sign, **form: str) -> list[Outcome]:
    """At each endpoint where a client proves itself by its form."""
    exchanged = await _at_token_endpoint(bench, what, sign, **form)
    return [exchanged, await _at_revocation(bench, what, sign, **form)] if bench.options.revocation else [exchanged]


async def _at_token_endpoint(bench: Bench, what: str, sign: Sign, **form: str) -> Outcome:
    answer = await bench.probe.exchange(bench.given.session, sign=sign, proofs=None, **form)
    return refusal(what, answer, OAUTH_REFUSALS)


async def _at_revocation(bench: Bench, what: str, sign: Sign, **form: str) -> Outcome:
    """Of a token of its own: where it is not refused, the token is over."""
    if not bench.revocation_works:
        return not_checked("revocation does not work, so what it refuses says nothing")
    token = await bench.fresh_token()
    if token is None:
        return not_checked("no second token for --session")
    return refusal(f"{what}, at revocation,", await bench.probe.revoke(token, sign=sign, **form), OAUTH_REFUSALS)


async def _at_standing(bench: Bench, what: str, sign: Sign, *, due: frozenset[int] = API_REFUSALS) -> Outcome:
    """Where standing answers at all: else its refusals say nothing."""
    if not bench.standing_works:
        return not_checked("standing does not work, so what it refuses says nothing")
    return refusal(f"{what}, at standing,", await bench.probe.standing(bench.sub, sign()), due)
