"""A caller's JSON Schema, by which a model's answer is checked."""

from typing import Protocol

from assist_service.domain.messages import JsonObject


class OutputSchemas(Protocol):
    """Checks in bounded work and fetches nothing, whatever the schema says."""

    async def refuse_unfit(self, schema: JsonObject) -> None:
        """Raises AssistError `invalid_request` for a schema that no answer can be checked by."""
        ...

    async def mismatch(self, schema: JsonObject, output: JsonObject) -> str | None:
        """What is wrong with an answer, for the model to read; None where it is valid.

        Raises AssistError `invalid_request` where checking takes more work than it may.
        """
        ...
