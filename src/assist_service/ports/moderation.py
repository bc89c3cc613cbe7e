"""Moderation: whether a text may be asked or answered."""

from typing import Protocol


class ModerationFault(Exception):
    """A moderator that did not answer, or not in a way that can be understood: nothing is known of the text.

    Its words are a short closed reason for the log.
    """


class Moderator(Protocol):
    """Judges texts. It may be stopped at any await: whoever asks bounds how long it may take."""

    @property
    def name(self) -> str:
        """What it is called in the log and the metrics: `words`, `openai:<model>`."""
        ...

    @property
    def provider(self) -> str | None:
        """The company that reads what is judged, as notices name it; None where nothing leaves the service."""
        ...

    async def refuses(self, text: str) -> bool:
        """Whether this, at most MODERATED_CHARACTERS, may not be asked or shown. Raises ModerationFault."""
        ...

    async def close(self) -> None:
        """Lets go of what it holds open."""
        ...
