"""The whole check, from the key set to the last rule."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from uuid import uuid4

from pydantic import SecretStr

from assist_service.adapters.lms.checking import identity_rules, reach_rules, token_rules
from assist_service.adapters.lms.checking.apart import Apart, only_theirs
from assist_service.adapters.lms.checking.bench import Bench, Options, TokenAnswer, judge_exchange
from assist_service.adapters.lms.checking.judging import judge, told, undue
from assist_service.adapters.lms.checking.probe import REVOKE, STANDING, TOKEN, Asking, Probe, token_of
from assist_service.adapters.lms.checking.sessions import Claims, Given, SessionReader
from assist_service.adapters.lms.checking.survey import DOORS, READ_NAMES, Survey, reach_of
from assist_service.adapters.lms.checking.token_rules import NO_REVOCATION
from assist_service.adapters.lms.checking.writes import WRITE_NAMES, Writes
from assist_service.adapters.lms.faults import OK
from assist_service.adapters.lms.rest import STANDING_AUDIENCE
from assist_service.adapters.lms.wire import Answer
from assist_service.domain.lms_check import RESTS_ON, WORKS, Outcome, Report, Rule, Verdict, not_checked, wrong
from assist_service.domain.school import Standing

KEYS, SESSION = "key set", "session of --session"
EXCHANGED, REVOKED, STANDS = f"POST {TOKEN}", f"POST {REVOKE}", f"GET {STANDING}"

ENDPOINTS = (KEYS, SESSION, EXCHANGED, REVOKED, STANDS, *READ_NAMES, *WRITE_NAMES)
"""All that is told of, in this order."""

RULES: Mapping[Rule, Callable[[Bench], Awaitable[Outcome]]] = {
    Rule.WRONG_AUDIENCE: identity_rules.wrong_audience,
    Rule.FOREIGN_SUBJECT: identity_rules.foreign_subject,
    Rule.EXPIRED: identity_rules.expired,
    Rule.FORGED_SESSION: identity_rules.forged_session,
    Rule.CLIENT_KEY: identity_rules.client_key,
    Rule.CLIENT_NEEDED: identity_rules.client_needed,
    Rule.TOKEN_NEEDED: identity_rules.token_needed,
    Rule.SESSION_NO_TOKEN: identity_rules.session_no_token,
    Rule.OTHER_PEOPLE: reach_rules.other_people,
    Rule.NO_SEAT: reach_rules.no_seat,
    Rule.ELEVATED: reach_rules.elevated,
    Rule.PROOF_NEEDED: token_rules.proof_needed,
    Rule.PROOF_REPLAYED: token_rules.proof_replayed,
    Rule.PROOF_KEY: token_rules.proof_key,
    Rule.PROOF_BOUND: token_rules.proof_bound,
    Rule.REVOKED: token_rules.revoked,
    Rule.LIFETIME: token_rules.lifetime,
}
"""All but those that need a write, which come of `Writes`. A rule stands after the one it rests on."""

NEEDS_DOOR = frozenset(
    {
        Rule.SESSION_NO_TOKEN,
        Rule.TOKEN_NEEDED,
        Rule.PROOF_NEEDED,
        Rule.PROOF_REPLAYED,
        Rule.PROOF_KEY,
        Rule.PROOF_BOUND,
        Rule.REVOKED,
        Rule.ELEVATED,
    }
)
"""Rules of which the API is asked for something that works."""


@dataclass(frozen=True)
class LmsCheck:
    """Checks one LMS once."""

    probe: Probe
    reader: SessionReader
    given: Given
    claims: Claims
    """Of `--session`, as it says them itself."""
    options: Options

    async def run(self) -> Report:
        """Everything that can be checked; every token that was given on the way is revoked."""
        try:
            return await self._run()
        finally:
            await self.probe.revoke_all()

    async def _run(self) -> Report:
        endpoints = {KEYS: await self.reader.keys_answer(), SESSION: await self.reader.judge(self.given.session)}
        answer = await self.probe.exchange(self.given.session)
        endpoints[EXCHANGED], issued = judge_exchange(answer, token_type=self.probe.proofs.token_type)
        endpoints[STANDS] = await self._standing()
        if issued is None:
            return _report(endpoints, {}, otherwise=not_checked(f"no token for --session: {told(answer)}"))
        endpoints[REVOKED] = await self._revoke()
        survey = Survey(self.probe, SecretStr(issued.access_token))
        await survey.run()
        bench = await self._bench(issued, survey, endpoints)
        written, write_rules = await Writes(bench, survey.sample).run()
        return _report({**endpoints, **survey.endpoints, **written}, {**await _judge(bench), **write_rules})

    async def _standing(self) -> Outcome:
        sub = str(self.claims["sub"])
        answer = await self.probe.standing(sub, self._for_standing())
        outcome, standing = judge(answer, Standing)
        if standing is None:
            return outcome
        nobody = await self.probe.standing(str(uuid4()), self._for_standing())
        holds = {
            "role is another than the session's": standing.role == self.claims.get("role"),
            "active is false, of someone with a session": standing.active,
            f"{told(nobody)} for nobody, 404 was due": isinstance(nobody, Answer) and nobody.status == 404,
        }
        wrongs = [why for why, is_so in holds.items() if not is_so]
        return wrong("; ".join(wrongs)) if wrongs else WORKS

    def _for_standing(self) -> str:
        return self.probe.assertion(audience=STANDING_AUDIENCE)

    async def _revoke(self) -> Outcome:
        if not self.options.revocation:
            return NO_REVOCATION
        token = token_of(await self.probe.exchange(self.given.session))
        if token is None:
            return not_checked("no second token for --session")
        answer = await self.probe.revoke(token)
        # What a 200 holds is nobody's business (RFC 7009, section 2.2).
        return WORKS if isinstance(answer, Answer) and answer.status == OK else undue(answer)

    async def _bench(self, issued: TokenAnswer, survey: Survey, endpoints: Mapping[str, Outcome]) -> Bench:
        token, apart, mine, door = SecretStr(issued.access_token), Apart(), survey.reach, survey.door()
        theirs = await reach_of(self.probe, self.given.other)
        await apart.compare_all(self.probe, token, only_theirs(theirs or {}, mine))
        return Bench(
            probe=self.probe,
            options=self.options,
            given=self.given,
            reader=self.reader,
            sub=str(self.claims["sub"]),
            token=token,
            expires_in=issued.expires_in,
            mine=mine,
            theirs=theirs,
            apart=apart,
            standing_works=endpoints[STANDS] is WORKS,
            revocation_works=endpoints[REVOKED] is WORKS,
            answered=survey.answered,
            door=Asking("GET", (door or DOORS[0]).path),
            door_works=door is not None,
        )


async def _judge(bench: Bench) -> Mapping[Rule, Outcome]:
    found: dict[Rule, Outcome] = {}
    for rule, check in RULES.items():
        found[rule] = _hidden(rule, bench, found) or await check(bench)
    return found


def _hidden(rule: Rule, bench: Bench, found: Mapping[Rule, Outcome]) -> Outcome | None:
    """Why nothing can be said of a rule here."""
    base = RESTS_ON.get(rule)
    if base is not None and found[base].verdict is Verdict.BROKEN:
        return not_checked(f"cannot be told while {base} is broken")
    if rule in NEEDS_DOOR and not bench.door_works:
        return not_checked("no list works, so a token that is refused says nothing")
    return None


def _report(
    endpoints: Mapping[str, Outcome], rules: Mapping[Rule, Outcome], *, otherwise: Outcome | None = None
) -> Report:
    """In the order of the tables, and nothing left out."""
    otherwise = otherwise or not_checked("nothing came before it that it needs")
    return Report(
        endpoints={name: endpoints.get(name, otherwise) for name in ENDPOINTS},
        rules={rule: rules.get(rule, otherwise) for rule in Rule},
    )
