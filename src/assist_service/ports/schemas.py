"""JSON Schemas of others: a caller's, by which a model's answer is checked, and an LMS's of a question's config."""

from collections.abc import Sequence
from typing import Protocol

from assist_service.domain.editing import SchemaFault
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


class SchemaUnfit(Exception):
    """No config can be checked by this schema, or not in the work it may take. Says nothing of either."""


class ConfigSchemas(Protocol):
    """Checks in bounded work and fetches nothing. A keyword that cannot be checked so is passed over."""

    async def faults(self, schema: JsonObject, configs: Sequence[JsonObject]) -> tuple[tuple[SchemaFault, ...], ...]:
        """Everything that is wrong with each config. Raises SchemaUnfit."""
        ...
