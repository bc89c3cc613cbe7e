"""A moderator that does as a test says, and remembers what it was asked."""

import asyncio

from assist_service.ports import ModerationFault


class ScriptedModerator:
    """Implements ports.Moderator. Refuses what holds `refused`; `fault` is raised, `seconds` are taken first."""

    def __init__(
        self,
        name: str = "openai:test",
        *,
        provider: str | None = "OpenAI",
        refused: str = "flagword",
        fault: str | None = None,
        seconds: float = 0.0,
    ) -> None:
        self.name = name
        self.provider = provider
        self.refused = refused
        self.fault = fault
        self.seconds = seconds
        self.texts: list[str] = []

    async def refuses(self, text: str) -> bool:
        self.texts.append(text)
        await asyncio.sleep(self.seconds)
        if self.fault is not None:
            raise ModerationFault(self.fault)
        return self.refused in text

    async def close(self) -> None:
        """Holds nothing open."""
