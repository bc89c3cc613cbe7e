"""Requests with a person's token: each with a proof of its own, again for another nonce only, none after the end."""

from collections.abc import Mapping
from dataclasses import replace

from assist_service import telemetry
from assist_service.adapters.lms.dpop import Place, Proofs
from assist_service.adapters.lms.tokens import QuestionToken
from assist_service.adapters.lms.wire import Answer, Sending, Wire
from assist_service.ports import LmsFaultKind

TRIES = 2
"""The second only where the first answer asks for another nonce, and so has done nothing: what failed is not sent
again."""

NOT_THE_SESSION = frozenset({"use_dpop_nonce", "invalid_dpop_proof"})
"""Errors of a 401 that say nothing of the person's session: a proof was refused, which signing in does not mend."""


async def send_signed(
    sending: Sending, *, wire: Wire, proofs: Proofs, token: QuestionToken, tool: str | None
) -> Answer | LmsFaultKind:
    """The first answer, or the second where the first asks for a nonce. Raises LmsFault where there is no token.

    The one place that sends with a person's token: whoever calls it has made sure of what is sent.
    """
    secret = await token.get()
    more: Mapping[str, str] = {
        "Authorization": f"{proofs.token_type} {secret.get_secret_value()}",
        **({} if tool is None else {"X-Assist-Tool": tool}),
        **({} if sending.content is None else {"Content-Type": "application/json"}),
    }
    for _ in range(TRIES):
        proof = proofs.headers(Place.API, sending.method, sending.url, token=secret)
        token.refuse_if_over()
        answer = await wire.send(replace(sending, headers={**sending.headers, **more, **proof}))
        if isinstance(answer, LmsFaultKind) or not proofs.wants_another(Place.API, answer):
            break
    return answer


def refused_proof(answer: Answer) -> bool:
    """Whether it is this service's proof that was refused, and said in the log; the request was not carried out."""
    error = answer.challenge_error()
    if error in NOT_THE_SESSION:
        telemetry.log.error("lms_refused_client", endpoint="api", error=error)
    return error in NOT_THE_SESSION
