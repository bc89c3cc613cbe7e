"""Checks a question's config by its type's schema in bounded work, and says what of it the schema does not take.

Regular expressions and `unevaluated…` are passed over: no bounded work checks by them. The LMS does when the person
saves, and until then nothing is written. A schema that cannot be checked by even so is not checked by at all.
"""

import asyncio
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

from jsonschema.exceptions import ValidationError

from assist_service.adapters.schema_shape import loosened, plain, unfit
from assist_service.adapters.schema_work import TooMuchWork, Work, validator_of, working
from assist_service.domain.draft_texts import pointer
from assist_service.domain.editing import SchemaFault
from assist_service.domain.messages import JsonObject
from assist_service.ports import SchemaUnfit

SECONDS = 5.0
"""How long a check may take, waiting for its turn included: a person waits for the answer it is for."""


class JsonConfigSchemas:
    """Implements ports.ConfigSchemas for JSON Schema 2020-12, in a thread of its own."""

    def __init__(self, seconds: float = SECONDS) -> None:
        self._seconds = seconds
        self._thread = ThreadPoolExecutor(1, "config-schemas")

    async def faults(self, schema: JsonObject, configs: Sequence[JsonObject]) -> tuple[tuple[SchemaFault, ...], ...]:
        work = Work()
        try:
            # It ends when nobody waits for it, because of the time or a hang-up.
            async with asyncio.timeout(self._seconds):
                check = asyncio.get_running_loop().run_in_executor
                return await check(self._thread, working, work, lambda: _faults(schema, configs))
        except (TimeoutError, TooMuchWork):
            raise SchemaUnfit from None
        finally:
            work.stop()


def _faults(schema: JsonObject, configs: Sequence[JsonObject]) -> tuple[tuple[SchemaFault, ...], ...]:
    taken = loosened(schema)
    if unfit(taken) is not None:
        raise SchemaUnfit
    validator = validator_of(plain(taken))
    try:
        return tuple(tuple(_told(fault) for fault in validator.iter_errors(config)) for config in configs)
    except ArithmeticError:  # the library divides by floats
        raise SchemaUnfit from None


def _told(fault: ValidationError) -> SchemaFault:
    """Where and by which rule. The library's own words quote the config, of which a model reads the texts alone."""
    value = fault.validator_value
    bound = f" {value}" if isinstance(value, int | float) and not isinstance(value, bool) else ""
    return SchemaFault(
        pointer(fault.absolute_path), pointer(fault.absolute_schema_path), f"{fault.validator or 'false'}{bound}"
    )
