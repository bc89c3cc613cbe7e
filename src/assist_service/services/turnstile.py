"""What a question passes before it costs anything: its tools, its idempotency key, the limits, its conversation.

Whatever was taken is given back when the question fails, however it fails.
"""

import datetime as dt
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from assist_service.domain.asked import Asked
from assist_service.domain.conversation import is_open
from assist_service.domain.errors import AssistError, Code
from assist_service.domain.people import Person
from assist_service.domain.policy import Policy
from assist_service.ports import (
    LEASE_MARGIN,
    Claim,
    Clock,
    Conversations,
    Opened,
    RateLimiter,
    Replies,
    Unclaimed,
    Unopened,
)
from assist_service.services.finishing import given_back, taken
from assist_service.services.toolbox import ToolboxOf


@dataclass(frozen=True, kw_only=True)
class Turnstile:
    """Lets one question in at a time, where there can be only one."""

    policy: Policy
    toolbox: ToolboxOf
    limiter: RateLimiter
    conversations: Conversations
    replies: Replies
    clock: Clock
    tz: dt.tzinfo

    @asynccontextmanager
    async def claimed(self, person: Person, asked: Asked, key: str | None) -> AsyncIterator[Claim | bytes | None]:
        """A claim on the key, or the reply kept under it; None where no key was sent.

        Raises AssistError `not_offered` where the switches leave the person nothing to be answered from: that costs no
        provider request, and `availability` says the same, which a refusal of every question would not.
        """
        if not self.toolbox(person.roles).is_of_use:
            raise AssistError(Code.NOT_OFFERED)
        claim = await self._claim(person, asked, key) if key is not None else None
        try:
            yield claim
        except BaseException:
            await given_back(self._drop(claim))
            raise

    async def _claim(self, person: Person, asked: Asked, key: str) -> Claim | bytes:
        now = self.clock.now()
        claiming = self.replies.claim(
            person.sub, key, body=_asked_by(person, asked), now=now, lease_until=self._lease_until(now)
        )
        claimed = await taken(claiming, self._drop)
        match claimed:
            case Unclaimed.RUNNING:
                raise AssistError(Code.CONVERSATION_BUSY)
            case Unclaimed.MISMATCH:
                raise AssistError(Code.IDEMPOTENCY_MISMATCH)
            case _:
                return claimed

    async def _drop(self, claimed: Claim | bytes | Unclaimed | None) -> None:
        if isinstance(claimed, Claim):
            await self.replies.drop(claimed)

    async def count(self, person: Person) -> None:
        """Counts the question. Raises `rate_limited` with the seconds until the next may come."""
        wait = await self.limiter.count(person.sub, limits=self.policy.limits, now=self.clock.now(), tz=self.tz)
        if wait is not None:
            raise AssistError(Code.RATE_LIMITED, retry_after_seconds=wait)

    @asynccontextmanager
    async def opened(self, person: Person, asked: Asked) -> AsyncIterator[Opened | None]:
        """Holds the conversation for this question; None where it is yet to start."""
        if asked.conversation_id is None:
            yield None
            return
        now = self.clock.now()
        opening = self.conversations.open(
            person.sub,
            asked.conversation_id,
            pairs=self.policy.history.pairs,
            now=now,
            lease_until=self._lease_until(now),
        )
        opened = await taken(opening, self._release)
        match opened:
            case Unopened.NOT_FOUND:
                raise AssistError(Code.CONVERSATION_NOT_FOUND)
            case Unopened.BUSY:
                raise AssistError(Code.CONVERSATION_BUSY)
        try:
            if not is_open(opened.span, self.policy.conversation, now=now):
                raise AssistError(Code.CONVERSATION_ENDED)
            yield opened
        except BaseException:
            await given_back(self._release(opened))
            raise

    async def _release(self, opened: Opened | Unopened) -> None:
        if isinstance(opened, Opened):
            await self.conversations.release(opened)

    def _lease_until(self, now: dt.datetime) -> dt.datetime:
        return now + dt.timedelta(seconds=self.policy.effort.deadline_seconds) + LEASE_MARGIN


def _asked_by(person: Person, asked: Asked) -> bytes:
    """What a key stands for: the body, and the roles it was asked in, for a reply is not for another role."""
    return b"\0".join((asked.canonical, *(role.value.encode() for role in person.roles)))
