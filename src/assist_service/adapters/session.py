"""The session JWT of a front end, and what it says of the person and the kind of session."""

from assist_service.adapters.keys import JwksKeys
from assist_service.adapters.tokens import Claims, Name, SignedTokens
from assist_service.domain.people import Role, Session, SessionKind
from assist_service.ports import Clock

TYPE = "assist-session+jwt"


class SessionClaims(Claims):
    """The claims of a session."""

    sid: Name
    role: Role
    kind: SessionKind
    elevated: bool


class JwtSessions:
    """Implements ports.Sessions."""

    def __init__(self, *, keys: JwksKeys, issuer: str, audience: str, algorithm: str, clock: Clock) -> None:
        self._tokens = SignedTokens(
            SessionClaims,
            types=(TYPE,),
            keys=keys,
            issuer=issuer,
            audience=audience,
            algorithm=algorithm,
            clock=clock,
        )

    async def verify(self, token: str) -> Session:
        claims = await self._tokens.verify(token)
        return Session(claims.sub, claims.sid, claims.role, claims.kind, claims.elevated)
