"""What the service needs of the world, as protocols, one module a part of it."""

from assist_service.ports.embedding import Embedder, Vector
from assist_service.ports.lms import (
    Lms,
    LmsFault,
    LmsFaultKind,
    SchoolReads,
    SchoolWriter,
    WriteRefused,
    WriteUnknown,
    Written,
)
from assist_service.ports.manual import Edition, Listed, Manuals, Publications, SectionIndex, Switch
from assist_service.ports.models import CallOrigin, Exhausted, Ledger, ModelProvider, PurposeMoney, Reservation
from assist_service.ports.moderation import ModerationFault, Moderator
from assist_service.ports.moments import LEASE_MARGIN, Clock
from assist_service.ports.people import Clients, Sessions
from assist_service.ports.privacy import PersonData
from assist_service.ports.schemas import ConfigSchemas, OutputSchemas, SchemaUnfit
from assist_service.ports.stores import (
    AuditedReads,
    Binding,
    Claim,
    Conversations,
    FinishedReply,
    KeptFor,
    Listing,
    Opened,
    Purging,
    RateLimiter,
    Replies,
    Resealed,
    Rotating,
    SealBroken,
    Sealer,
    Transcript,
    Unclaimed,
    Unopened,
)
from assist_service.ports.text import LanguageDetector, Markup
from assist_service.ports.wording import LiveWording
from assist_service.ports.writes import PendingWrites, Taken

__all__ = [
    "LEASE_MARGIN",
    "AuditedReads",
    "Binding",
    "CallOrigin",
    "Claim",
    "Clients",
    "Clock",
    "ConfigSchemas",
    "Conversations",
    "Edition",
    "Embedder",
    "Exhausted",
    "FinishedReply",
    "KeptFor",
    "LanguageDetector",
    "Ledger",
    "Listed",
    "Listing",
    "LiveWording",
    "Lms",
    "LmsFault",
    "LmsFaultKind",
    "Manuals",
    "Markup",
    "ModelProvider",
    "ModerationFault",
    "Moderator",
    "Opened",
    "OutputSchemas",
    "PendingWrites",
    "PersonData",
    "Publications",
    "Purging",
    "PurposeMoney",
    "RateLimiter",
    "Replies",
    "Resealed",
    "Reservation",
    "Rotating",
    "SchemaUnfit",
    "SchoolReads",
    "SchoolWriter",
    "SealBroken",
    "Sealer",
    "SectionIndex",
    "Sessions",
    "Switch",
    "Taken",
    "Transcript",
    "Unclaimed",
    "Unopened",
    "Vector",
    "WriteRefused",
    "WriteUnknown",
    "Written",
]
