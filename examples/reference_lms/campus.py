"""One running LMS: everything its endpoints share."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from examples.reference_lms.identity.client_auth import ClientAuth
from examples.reference_lms.identity.client_keys import ClientKeys
from examples.reference_lms.identity.dpop import Nonces, Proofs
from examples.reference_lms.identity.replays import Replays
from examples.reference_lms.identity.subjects import Subjects
from examples.reference_lms.identity.tokens import Tokens
from examples.reference_lms.keys import KeyRing
from examples.reference_lms.rules import Rules
from examples.reference_lms.school import Person, Role
from examples.reference_lms.sessions import SessionIssuer
from examples.reference_lms.store import Store


@dataclass(frozen=True)
class Options:
    """What an LMS may lack."""

    dpop: bool = True
    revocation: bool = True


@dataclass(frozen=True)
class Campus:
    """The parts of one LMS."""

    url: str
    now: Callable[[], datetime]
    options: Options
    store: Store
    rules: Rules
    tokens: Tokens
    proofs: Proofs
    sessions: SessionIssuer
    subjects: Subjects
    client_auth: ClientAuth

    def person(self, sub: str) -> Person | None:
        """Someone with an account, under the role of now; ended accounts too."""
        row = self.store.row("SELECT id, name, role FROM person WHERE id = :sub", sub=_sendable(sub))
        return Person(sub=row["id"], name=row["name"], role=Role(row["role"])) if row else None


def open_campus(
    *,
    url: str,
    sessions: SessionIssuer,
    keys: KeyRing,
    client: str,
    client_keys: ClientKeys,
    store: Store,
    options: Options,
) -> Campus:
    now, rules = sessions.now, Rules()
    return Campus(
        url=url,
        now=now,
        options=options,
        store=store,
        rules=rules,
        tokens=Tokens(now=now, rules=rules),
        proofs=Proofs(nonces=Nonces(now), replays=Replays(now), rules=rules, now=now),
        sessions=sessions,
        subjects=Subjects(url=url, audience=sessions.audience, keys=keys, rules=rules, now=now),
        client_auth=ClientAuth(client=client, keys=client_keys, replays=Replays(now), rules=rules, now=now),
    )


def _sendable(text: str) -> str:
    """SQLite refuses lone surrogates with an error of its own."""
    return text.encode("utf-8", "replace").decode()
