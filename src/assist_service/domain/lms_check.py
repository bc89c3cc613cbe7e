"""What a check of an LMS finds: a verdict for each endpoint and for each security rule, and whether all is green."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum


class Verdict(StrEnum):
    """Of an endpoint: works, missing, wrong. Of a rule: kept, broken. Of both: the other two."""

    WORKS = "works"
    MISSING = "missing"
    WRONG = "wrong"
    KEPT = "kept"
    BROKEN = "broken"
    NOT_CHECKED = "not checked"
    """For want of something; nobody knows, so it is not green."""
    NOT_NEEDED = "not needed"
    """The settings say that this LMS does not have it."""


GREEN = frozenset({Verdict.WORKS, Verdict.KEPT, Verdict.NOT_NEEDED})

RED = frozenset({Verdict.MISSING, Verdict.WRONG, Verdict.BROKEN})


class Rule(StrEnum):
    """The security rules of the contract, each checked by itself."""

    WRONG_AUDIENCE = "wrong_audience"
    FOREIGN_SUBJECT = "foreign_subject"
    EXPIRED = "expired"
    FORGED_SESSION = "forged_session"
    ELEVATED = "elevated"
    CLIENT_KEY = "client_key"
    CLIENT_NEEDED = "client_needed"
    TOKEN_NEEDED = "token_needed"  # noqa: S105 the name of a rule
    OTHER_PEOPLE = "other_people"
    NO_SEAT = "no_seat"
    READ_SCOPE = "read_scope"
    IDEMPOTENCY = "idempotency"
    PROOF_NEEDED = "proof_needed"
    PROOF_REPLAYED = "proof_replayed"
    PROOF_KEY = "proof_key"
    PROOF_BOUND = "proof_bound"
    REVOKED = "revoked"
    LIFETIME = "lifetime"
    SESSION_NO_TOKEN = "session_no_token"  # noqa: S105 the name of a rule


SENTENCES: Mapping[Rule, str] = {
    Rule.WRONG_AUDIENCE: "An exchange or a client JWT for another audience is refused.",
    Rule.FOREIGN_SUBJECT: "A session that was signed for another client is not exchanged.",
    Rule.EXPIRED: "An expired session and an expired client JWT are refused.",
    Rule.FORGED_SESSION: "A session signed with another key, or with none, is not exchanged.",
    Rule.ELEVATED: "An elevated session reaches no more than the person's own seats.",
    Rule.CLIENT_KEY: "A client JWT signed with another key, or with none, is refused.",
    Rule.CLIENT_NEEDED: "Nothing is exchanged or revoked without a client JWT.",
    Rule.TOKEN_NEEDED: "Without a token nothing is read, and nobody's standing told.",
    Rule.OTHER_PEOPLE: "What belongs to another teacher cannot be read or written to.",
    Rule.NO_SEAT: "What is out of reach reads exactly like what does not exist.",
    Rule.READ_SCOPE: "A read token cannot write.",
    Rule.IDEMPOTENCY: "A repeated write gets the same answer; its key with another body is refused.",
    Rule.PROOF_NEEDED: "No token is given or taken without a DPoP proof.",
    Rule.PROOF_REPLAYED: "A DPoP proof is good once.",
    Rule.PROOF_KEY: "A DPoP proof by another key than the token's is refused.",
    Rule.PROOF_BOUND: "A DPoP proof for another request or token, or of an hour ago, is refused.",
    Rule.REVOKED: "A revoked token is dead at once.",
    Rule.LIFETIME: "A token lives at most 900 seconds.",
    Rule.SESSION_NO_TOKEN: "A session itself is no token for the API.",
}

RESTS_ON: Mapping[Rule, Rule] = {Rule.NO_SEAT: Rule.OTHER_PEOPLE, Rule.ELEVATED: Rule.OTHER_PEOPLE}
"""While the second is broken, nothing can be said of the first."""


@dataclass(frozen=True)
class Outcome:
    """A verdict, and in words that hold nothing of the LMS's content why it is not a better one."""

    verdict: Verdict
    why: str = ""


WORKS, KEPT = Outcome(Verdict.WORKS), Outcome(Verdict.KEPT)


def missing(why: str) -> Outcome:
    return Outcome(Verdict.MISSING, why)


def wrong(why: str) -> Outcome:
    return Outcome(Verdict.WRONG, why)


def broken(why: str) -> Outcome:
    return Outcome(Verdict.BROKEN, why)


def not_checked(why: str) -> Outcome:
    return Outcome(Verdict.NOT_CHECKED, why)


def not_needed(why: str) -> Outcome:
    return Outcome(Verdict.NOT_NEEDED, why)


@dataclass(frozen=True)
class Report:
    """All that was found, in the order it is told."""

    endpoints: Mapping[str, Outcome]
    """By method and path as the contract writes them."""
    rules: Mapping[Rule, Outcome]

    @property
    def outcomes(self) -> tuple[Outcome, ...]:
        return (*self.endpoints.values(), *self.rules.values())

    @property
    def is_green(self) -> bool:
        """Whether everything was checked and holds; an empty report is none."""
        return bool(self.outcomes) and all(outcome.verdict in GREEN for outcome in self.outcomes)

    def count(self, *verdicts: Verdict) -> int:
        return sum(outcome.verdict in verdicts for outcome in self.outcomes)
