"""The rules of who is let in: each is checked by trying what it forbids."""

from functools import partial

from pydantic import SecretStr

from assist_service.adapters.lms.checking.bench import Bench
from assist_service.adapters.lms.checking.judging import API_REFUSALS, OAUTH_REFUSALS, refusal, worst
from assist_service.adapters.lms.checking.probe import Sign
from assist_service.adapters.lms.checking.sessions import EXPIRED, FOREIGN, Want
from assist_service.adapters.lms.dpop import NoProofs
from assist_service.adapters.lms.rest import STANDING_AUDIENCE
from assist_service.domain.lms_check import Outcome, not_checked

ANOTHER_API = "urn:lms:another-api"
ANOTHER_SERVER = "https://another.example/oauth/token"

LONG_AGO_SECONDS = 3_600


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
    what = "a client JWT signed with another key"
    forged = partial(bench.probe.forged, audience=STANDING_AUDIENCE)
    return worst(
        (
            await _at_token_endpoint(bench, what, bench.probe.forged),
            await _at_standing(bench, what, forged),
        )
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


async def _at_token_endpoint(bench: Bench, what: str, sign: Sign) -> Outcome:
    return refusal(what, await bench.probe.exchange(bench.given.session, sign=sign), OAUTH_REFUSALS)


async def _at_standing(bench: Bench, what: str, sign: Sign) -> Outcome:
    """Where standing answers at all: else its refusals say nothing."""
    if not bench.standing_works:
        return not_checked("standing does not work, so what it refuses says nothing")
    return refusal(f"{what}, at standing,", await bench.probe.standing(bench.sub, sign()), API_REFUSALS)
