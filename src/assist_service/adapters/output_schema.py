"""JSON Schemas of callers: one that cannot be checked by in bounded work is refused, and no address is ever fetched.

The library's keywords do the checking, each charged for what it is about to do (`adapters/schema_work.py`). It is
done in threads of its own: the work is all Python, so others run meanwhile, and no question waits for their threads.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from assist_service import telemetry
from assist_service.adapters.schema_shape import plain, unfit
from assist_service.adapters.schema_work import TooMuchWork, Work, validator_of, working
from assist_service.domain.errors import AssistError, Code, FieldFault
from assist_service.domain.messages import JsonObject
from assist_service.domain.text import one_line

SECONDS = 10.0
"""How long a check may take, waiting for its turn included: long enough for a burst, far below a completion's time."""

WAITING = 100
"""How many schemas may wait for their turn. Answers are not counted: they are paid for, and by that few."""

TOLD_FAULTS = 5
FAULT_CHARACTERS = 200

Answer = TypeVar("Answer")


class JsonSchemas:
    """Implements ports.OutputSchemas for JSON Schema 2020-12.

    Schemas and answers have a thread each, so that no schema holds up what is paid for.
    """

    def __init__(self, seconds: float = SECONDS) -> None:
        self._seconds = seconds
        self._schemas = ThreadPoolExecutor(1, "schemas")
        self._answers = ThreadPoolExecutor(1, "schema-answers")
        self._waiting = 0

    async def refuse_unfit(self, schema: JsonObject) -> None:
        if self._waiting >= WAITING:
            raise _unavailable("check_crowded")
        self._waiting += 1
        try:
            fault = await self._done(self._schemas, Work(), lambda: _fault(schema))
        except TooMuchWork:
            fault = "takes too much work to check"
        finally:
            self._waiting -= 1
        if fault is not None:
            raise _invalid(fault)

    async def mismatch(self, schema: JsonObject, output: JsonObject) -> str | None:
        try:
            return await self._done(self._answers, Work.on(output), lambda: _mismatch(schema, output))
        except TooMuchWork:
            raise _invalid("takes too much work to check an answer by") from None

    async def _done(self, thread: ThreadPoolExecutor, work: Work, check: Callable[[], Answer]) -> Answer:
        """What the check finds, in its turn. It ends when nobody waits for it, because of the time or a hang-up."""
        try:
            async with asyncio.timeout(self._seconds):
                return await asyncio.get_running_loop().run_in_executor(thread, working, work, check)
        except TimeoutError:
            raise _unavailable("check_late") from None
        finally:
            work.stop()


def _unavailable(reason: str) -> AssistError:
    telemetry.log.warning("no_answer", reason=reason)
    return AssistError(Code.LLM_UNAVAILABLE)


def _invalid(fault: str) -> AssistError:
    return AssistError(Code.INVALID_REQUEST, faults=(FieldFault("schema", fault),))


def _fault(schema: JsonObject) -> str | None:
    """Why a schema is not taken."""
    if schema.get("type") != "object":
        return "is not of an object: its type has to be object"
    return unfit(schema)


def _mismatch(schema: JsonObject, output: JsonObject) -> str | None:
    def told() -> list[str]:
        faults = validator_of(plain(schema)).iter_errors(output)
        return [
            one_line(f"at {fault.json_path}: {fault.message}", FAULT_CHARACTERS)
            for _, fault in zip(range(TOLD_FAULTS), faults, strict=False)
        ]

    try:
        faults = told()
    except ArithmeticError:  # the library divides by floats
        faults = ["it holds a number too large to be checked"]
    return f"is not valid: {'; '.join(faults)}" if faults else None
