"""The rules of what a token is worth, in whose hands, and for how long."""

from assist_service.adapters.lms.checking.altered import OF_REQUEST, OF_TOKEN, AlteredProofs
from assist_service.adapters.lms.checking.bench import Bench
from assist_service.adapters.lms.checking.judging import API_REFUSALS, OAUTH_REFUSALS, refusal, told, worst
from assist_service.adapters.lms.checking.probe import TOKEN, FixedProof, Response
from assist_service.adapters.lms.dpop import DpopProofs, NoProofs, Place
from assist_service.adapters.lms.faults import OK
from assist_service.adapters.lms.tokens import MAX_TOKEN_SECONDS, TRIES
from assist_service.adapters.lms.wire import Answer
from assist_service.domain.lms_check import KEPT, Outcome, broken, not_checked, not_needed

NO_DPOP = not_needed("ASSIST_LMS_DPOP says that this LMS has no DPoP")
NO_REVOCATION = not_needed("ASSIST_LMS_REVOCATION says that this LMS revokes nothing")


async def lifetime(bench: Bench) -> Outcome:
    seconds = bench.expires_in
    return KEPT if seconds <= MAX_TOKEN_SECONDS else broken(f"expires_in is {seconds}")


async def proof_needed(bench: Bench) -> Outcome:
    if not bench.options.dpop:
        return NO_DPOP
    probe, bare = bench.probe, FixedProof({}, bench.probe.proofs.token_type)
    return worst(
        (
            refusal(
                "an exchange without proof", await probe.exchange(bench.given.session, proofs=bare), OAUTH_REFUSALS
            ),
            refusal("a token without proof", await bench.knock(bench.token, proofs=bare), API_REFUSALS),
            refusal("a bound token as bearer", await bench.knock(bench.token, proofs=NoProofs()), API_REFUSALS),
        )
    )


async def proof_key(bench: Bench) -> Outcome:
    if not bench.options.dpop:
        return NO_DPOP
    answer = await bench.knock(bench.token, proofs=DpopProofs(bench.probe.clock))
    return refusal("a proof by another key", answer, API_REFUSALS)


async def proof_bound(bench: Bench) -> Outcome:
    proofs = bench.probe.proofs
    if not isinstance(proofs, DpopProofs):
        return NO_DPOP
    found = []
    for what, change in {**OF_REQUEST, **OF_TOKEN}.items():
        answer = await bench.knock(bench.token, proofs=AlteredProofs(proofs, change))
        found.append(refusal(what, answer, API_REFUSALS))
    for what, change in OF_REQUEST.items():
        answer = await bench.probe.exchange(bench.given.session, proofs=AlteredProofs(proofs, change))
        found.append(refusal(f"{what}, at an exchange,", answer, OAUTH_REFUSALS))
    return worst(found)


async def proof_replayed(bench: Bench) -> Outcome:
    if not bench.options.dpop:
        return NO_DPOP
    return worst((await _replayed_at_api(bench), await _replayed_at_token_endpoint(bench)))


async def _replayed_at_api(bench: Bench) -> Outcome:
    probe = bench.probe
    for _ in range(TRIES):
        proof = probe.fixed(Place.API, bench.door.method, bench.door.path, token=bench.token)
        first = await bench.knock(bench.token, proofs=proof)
        if not _wants_nonce(bench, Place.API, first):
            break
    if not _is_ok(first):
        return not_checked(f"the first use of a proof: {told(first)}")
    return refusal("a proof sent twice", await bench.knock(bench.token, proofs=proof), API_REFUSALS)


async def _replayed_at_token_endpoint(bench: Bench) -> Outcome:
    probe, session = bench.probe, bench.given.session
    for _ in range(TRIES):
        proof = probe.fixed(Place.TOKEN_ENDPOINT, "POST", TOKEN)
        first = await probe.exchange(session, proofs=proof)
        if not _wants_nonce(bench, Place.TOKEN_ENDPOINT, first):
            break
    if not _is_ok(first):
        return not_checked(f"the first use of a proof for an exchange: {told(first)}")
    answer = await probe.exchange(session, proofs=proof)
    return refusal("a proof sent twice for an exchange", answer, OAUTH_REFUSALS)


async def revoked(bench: Bench) -> Outcome:
    if not bench.options.revocation:
        return NO_REVOCATION
    token = await bench.fresh_token()
    if token is None or not _is_ok(await bench.knock(token)):
        return not_checked("no second token that works could be had")
    ended = await bench.probe.revoke(token)
    if not _is_ok(ended):
        return not_checked(f"POST /oauth/revoke: {told(ended)}")
    return refusal("a revoked token", await bench.knock(token), API_REFUSALS)


def _wants_nonce(bench: Bench, place: Place, answer: Response) -> bool:
    return isinstance(answer, Answer) and bench.probe.proofs.wants_another(place, answer)


def _is_ok(answer: Response) -> bool:
    return isinstance(answer, Answer) and answer.status == OK
