"""The rules this LMS keeps, each of which can be switched off to see whether anyone notices."""

from enum import StrEnum


class Break(StrEnum):
    """One switch per rule of the contract; on, the LMS is wrong in exactly that."""

    ACCEPT_WRONG_AUDIENCE = "accept_wrong_audience"
    """The `audience` asked for at the exchange, and that of client assertions, may be any."""
    ACCEPT_FOREIGN_SUBJECT = "accept_foreign_subject"
    """Subject tokens that were signed for another client are exchanged."""
    ACCEPT_FORGED_SESSION = "accept_forged_session"
    """Whoever signed a subject token, if anyone did, it is exchanged."""
    HONOUR_ELEVATED = "honour_elevated"
    """An administrator's `elevated` session reaches everything."""
    ACCEPT_EXPIRED = "accept_expired"
    """Expired subject tokens, assertions and access tokens are taken."""
    ACCEPT_FORGED_CLIENT = "accept_forged_client"
    """Whoever signed a client assertion, if anyone did, it is the client's."""
    ACCEPT_WITHOUT_CLIENT = "accept_without_client"
    """Tokens are given and revoked without a client assertion."""
    ACCEPT_WITHOUT_TOKEN = "accept_without_token"  # noqa: S105 - a rule, not a secret
    """Who shows no token reads everything, and anyone's standing."""
    LEAK_OTHER_PEOPLE = "leak_other_people"
    """What belongs to other people can be read, and written to."""
    WRITE_WITH_READ_TOKEN = "write_with_read_token"  # noqa: S105 - a rule, not a secret
    """Any scope writes."""
    FORGET_IDEMPOTENCY_KEYS = "forget_idempotency_keys"
    """A repeated write writes again."""
    ACCEPT_WITHOUT_PROOF = "accept_without_proof"
    """Tokens are given and taken without a DPoP proof."""
    ACCEPT_REPLAYED_PROOF = "accept_replayed_proof"
    """A DPoP proof is good as often as it is sent."""
    ACCEPT_FOREIGN_PROOF = "accept_foreign_proof"
    """A DPoP proof may have been made for any request, any token and any time."""
    IGNORE_REVOCATION = "ignore_revocation"
    """A revoked token lives on; the answer says otherwise."""
    LONG_LIVED_TOKENS = "long_lived_tokens"
    """Access tokens last a day."""
    TELL_NO_SEAT = "tell_no_seat"
    """403 for what exists out of reach, so that anyone learns what exists."""


class Rules:
    """Which rules are broken now."""

    def __init__(self) -> None:
        self._broken: set[Break] = set()

    def switch_off(self, rule: Break) -> None:
        self._broken.add(rule)

    def restore(self) -> None:
        self._broken.clear()

    def broken(self, rule: Break) -> bool:
        return rule in self._broken
