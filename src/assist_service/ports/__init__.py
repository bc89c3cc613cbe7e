"""What the service needs of the world, as protocols, one module a part of it."""

from assist_service.ports.lms import Lms, LmsFault, LmsFaultKind, SchoolReads
from assist_service.ports.manual import Edition, Listed, Manuals, Publications, SectionIndex, Switch
from assist_service.ports.models import CallOrigin, Exhausted, Ledger, ModelProvider, PurposeMoney, Reservation
from assist_service.ports.moments import LEASE_MARGIN, Clock
from assist_service.ports.people import Clients, Sessions
from assist_service.ports.schemas import OutputSchemas
from assist_service.ports.stores import (
    AuditedReads,
    Binding,
    Claim,
    Conversations,
    FinishedReply,
    Listing,
    Opened,
    Purging,
    RateLimiter,
    Replies,
    SealBroken,
    Sealer,
    Transcript,
    Unclaimed,
    Unopened,
)
from assist_service.ports.text import LanguageDetector, Markup

__all__ = [
    "LEASE_MARGIN",
    "AuditedReads",
    "Binding",
    "CallOrigin",
    "Claim",
    "Clients",
    "Clock",
    "Conversations",
    "Edition",
    "Exhausted",
    "FinishedReply",
    "LanguageDetector",
    "Ledger",
    "Listed",
    "Listing",
    "Lms",
    "LmsFault",
    "LmsFaultKind",
    "Manuals",
    "Markup",
    "ModelProvider",
    "Opened",
    "OutputSchemas",
    "Publications",
    "Purging",
    "PurposeMoney",
    "RateLimiter",
    "Replies",
    "Reservation",
    "SchoolReads",
    "SealBroken",
    "Sealer",
    "SectionIndex",
    "Sessions",
    "Switch",
    "Transcript",
    "Unclaimed",
    "Unopened",
]
