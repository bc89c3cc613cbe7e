"""OpenAI's moderation through the official SDK: a text is refused, or not, or nothing is known of it.

A long text goes in pieces, all of which must pass. Whoever asks bounds how long it is.
"""

import asyncio
from collections.abc import Iterator
from typing import Any

import httpx2

from assist_service import telemetry
from assist_service.adapters.models.faults import TRANSIENT
from assist_service.adapters.models.openai_client import ERRORS, KEY_VARIABLE, OPENAI_HOST, make_client
from assist_service.adapters.models.reading import MALFORMED, object_of
from assist_service.adapters.models.sdk import fault_of, fault_of_answer
from assist_service.domain.messages import ProviderFault
from assist_service.domain.moderation import OPENAI, OPENAI_COMPATIBLE
from assist_service.domain.outcomes import ABANDONED, OK
from assist_service.ports import Clock, ModerationFault

PIECE_CHARACTERS = 8_000
"""Sent at once. The least of the provider's accounts may send 10,000 tokens a minute; in writings of one token a letter
this still is less."""

OVERLAP_CHARACTERS = 200
"""What a piece repeats of the one before, so that no sentence is judged in halves only."""

AT_ONCE = 4
"""Requests of one text under way at the same time."""

TRIES = 2
PAUSE_SECONDS = 0.25
LONGEST_PAUSE_SECONDS = 2.0
"""A provider that asks for a longer wait is not waited for: a person is."""

TRY_SECONDS = 4.5
"""Two tries fit into the ten seconds that a text may be judged."""

CONNECT_SECONDS = 3.0


class OpenAIModeration:
    """Implements ports.Moderator. Key and base URL are the SDK's own variables unless given."""

    def __init__(
        self,
        model_id: str,
        *,
        clock: Clock,
        api_key: str | None = None,
        base_url: str | None = None,
        key_variable: str = KEY_VARIABLE,
    ) -> None:
        self._model_id = model_id
        self._clock = clock
        self._client = make_client(api_key=api_key, base_url=base_url, key_variable=key_variable)

    @property
    def name(self) -> str:
        return f"{OPENAI}:{self._model_id}"

    @property
    def provider(self) -> str:
        """By where the texts go, whatever the model is called."""
        return "OpenAI" if self._client.base_url.host == OPENAI_HOST else OPENAI_COMPATIBLE

    async def refuses(self, text: str) -> bool:
        """Whether any piece is flagged. Raises ModerationFault where one was not judged."""
        pieces = list(pieces_of(text))
        for first in range(0, len(pieces), AT_ONCE):
            judging = (self._is_flagged(piece) for piece in pieces[first : first + AT_ONCE])
            for flagged in await asyncio.gather(*judging, return_exceptions=True):
                if isinstance(flagged, BaseException):
                    raise flagged
                if flagged:
                    return True
        return False

    async def close(self) -> None:
        await self._client.close()

    async def _is_flagged(self, piece: str) -> bool:
        fault = None
        for left in reversed(range(TRIES)):
            judged = await self._judged(piece)
            if not isinstance(judged, ProviderFault):
                return judged
            fault = judged
            pause = max(fault.retry_after_seconds or 0.0, PAUSE_SECONDS)
            if not left or fault.kind is not TRANSIENT or pause > LONGEST_PAUSE_SECONDS:
                break
            await self._clock.sleep(pause)
        # Raised here, so that no traceback leads to the SDK's words, or to the text.
        raise ModerationFault(fault.reason if fault is not None else "unknown")

    async def _judged(self, piece: str) -> bool | ProviderFault:
        """One request, counted however it ends."""
        outcome = ABANDONED
        try:
            judged = await self._asked(piece)
            outcome = judged.reason if isinstance(judged, ProviderFault) else OK
            return judged
        finally:
            telemetry.count_moderation_request(outcome)

    async def _asked(self, piece: str) -> bool | ProviderFault:
        limits = httpx2.Timeout(TRY_SECONDS, connect=CONNECT_SECONDS, pool=CONNECT_SECONDS)
        try:
            # The client's own limits are for each read: a server that trickles bytes would never meet them.
            async with asyncio.timeout(TRY_SECONDS):
                raw = await self._client.moderations.with_raw_response.create(
                    model=self._model_id, input=piece, timeout=limits
                )
                answer = raw.http_response
        except Exception as error:  # noqa: BLE001  the port promises ModerationFault for whatever the SDK raises
            return fault_of(error, ERRORS)
        if answer.status_code != 200:
            return fault_of_answer(answer.status_code, answer)
        try:
            return flagged_in(answer.content)
        except ProviderFault as fault:
            return fault


def pieces_of(text: str) -> Iterator[str]:
    """The text in pieces, each beginning with the end of the one before; what is blank needs no judging."""
    step = PIECE_CHARACTERS - OVERLAP_CHARACTERS
    for start in range(0, max(len(text) - OVERLAP_CHARACTERS, 1), step):
        if (piece := text[start : start + PIECE_CHARACTERS]).strip():
            yield piece


def flagged_in(body: bytes) -> bool:
    """What one text's judgement says. Raises ProviderFault for all that is no whole, single judgement.

    Read from the raw body: the SDK's own types take "false" for a text and miss nothing that is missing.
    """
    results = object_of(body).get("results")
    result: Any = results[0] if isinstance(results, list) and len(results) == 1 else None
    flagged = result.get("flagged") if isinstance(result, dict) else None
    if not isinstance(flagged, bool):
        raise MALFORMED.fault()
    return flagged
