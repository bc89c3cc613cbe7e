"""What every rule is checked with: a token that works, and what two teachers reach."""

from collections.abc import Mapping
from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict, Field, SecretStr

from assist_service.adapters.lms.checking.apart import Apart
from assist_service.adapters.lms.checking.judging import judge
from assist_service.adapters.lms.checking.probe import Asking, Probe, Response, token_of
from assist_service.adapters.lms.checking.sessions import Given, SessionReader, Want
from assist_service.adapters.lms.checking.survey import Reach
from assist_service.adapters.lms.dpop import Proofs
from assist_service.adapters.lms.tokens import SCOPE, Opaque
from assist_service.domain.lms_check import WORKS, Outcome, not_checked, wrong

ACCESS_TOKEN_TYPE = "urn:ietf:params:oauth:token-type:access_token"  # noqa: S105 the name of a type


class TokenAnswer(BaseModel):
    """What the token endpoint must answer; how long a token may live is a rule of its own."""

    model_config = ConfigDict(extra="ignore", strict=True, frozen=True, hide_input_in_errors=True)

    access_token: Opaque = Field(repr=False)
    issued_token_type: str
    token_type: str
    expires_in: int = Field(ge=1)
    scope: str


def judge_exchange(answer: Response, *, token_type: str, scope: str = SCOPE) -> tuple[Outcome, TokenAnswer | None]:
    """Whether an exchange brought what was asked for."""
    outcome, issued = judge(answer, TokenAnswer)
    if issued is None:
        return outcome, None
    holds = {
        f"issued_token_type is not {ACCESS_TOKEN_TYPE}": issued.issued_token_type == ACCESS_TOKEN_TYPE,
        f"token_type is not {token_type}": issued.token_type.lower() == token_type.lower(),
        f"scope is not {scope}": issued.scope == scope,
    }
    wrongs = [why for why, is_so in holds.items() if not is_so]
    return (wrong("; ".join(wrongs)) if wrongs else WORKS), issued


@dataclass(frozen=True, kw_only=True)
class Options:
    """What the LMS has, and what a check may do."""

    dpop: bool
    revocation: bool
    writes: bool


@dataclass(frozen=True, kw_only=True)
class Bench:
    """All that one rule may need."""

    probe: Probe
    options: Options
    given: Given
    reader: SessionReader
    sub: str
    token: SecretStr
    """A read token of `--session`."""
    expires_in: int
    mine: Reach
    theirs: Reach | None
    """What the other teacher reaches; None where nothing could be read as them."""
    apart: Apart
    standing_works: bool
    revocation_works: bool
    answered: Mapping[str, Asking]
    """Requests to the API that are answered with the token, by the name of their endpoint."""
    door: Asking
    """A read without an id: its answer says whether a token is taken."""
    door_works: bool

    async def knock(self, token: SecretStr, *, proofs: Proofs | None = None) -> Response:
        """Shows the API a token."""
        return await self.probe.call(self.door, token, proofs=proofs)

    async def fresh_token(self, *, scope: str = SCOPE) -> SecretStr | None:
        return token_of(await self.probe.exchange(self.given.session, scope=scope))

    async def fit(self, session: str | None, want: Want) -> str | Outcome:
        """The session, where it is what a rule wants; else how to give one."""
        if session is None:
            return not_checked(f"give {want.option}: {want.what}")
        claims = await self.reader.signed_claims(session)
        now = self.probe.clock.now().timestamp()
        fits = claims is not None and want.fits(claims, self.reader.audience, now)
        return session if fits else not_checked(f"{want.option} is not {want.what}")
