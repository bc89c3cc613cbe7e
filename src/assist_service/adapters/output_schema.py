"""JSON Schemas of callers: one that cannot be checked by in bounded work is refused, and no address is ever fetched.

The library's keywords do the checking, each charged for what it is about to do (`adapters/schema_work.py`). It is
done in threads of its own: the work is all Python, so others run meanwhile, and no question waits for their threads.
"""

import asyncio
import json
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from graphlib import CycleError, TopologicalSorter
from typing import Any, Final, TypeVar
from urllib.parse import unquote

from assist_service import telemetry
from assist_service.adapters.schema_work import META, TooMuchWork, Work, validator_of, working
from assist_service.domain.errors import AssistError, Code, FieldFault
from assist_service.domain.messages import JsonObject
from assist_service.domain.text import one_line

SCHEMA_BYTES = 64 * 1024
SUBSCHEMAS = 1_000
"""How many schemas a schema may hold: each is checked by the whole metaschema, about half a millisecond."""

LENGTHS: Final[Mapping[str, int]] = {"type": 7, "enum": 1_000, "required": 1_000}
"""How long these lists may be. There are seven types; the others are gone through at each place they stand for."""

LOOKS = 500
"""How many schemas may look at one value: those that double from one to the next are 2^n."""

CHAIN = 32
"""How many schemas may stand one behind the other at one value: each takes a part of Python's stack."""

SECONDS = 10.0
"""How long a check may take, waiting for its turn included: long enough for a burst, far below a completion's time."""

WAITING = 100
"""How many schemas may wait for their turn. Answers are not counted: they are paid for, and by that few."""

DIALECT = "https://json-schema.org/draft/2020-12/schema"

TOLD_FAULTS = 5
FAULT_CHARACTERS = 200

_ONE = frozenset(
    {"additionalProperties", "contains", "contentSchema", "else", "if", "items", "not", "propertyNames", "then"}
)
_LIST = frozenset({"allOf", "anyOf", "oneOf", "prefixItems"})
_MAP = frozenset({"$defs", "definitions", "dependencies", "dependentSchemas", "properties"})
"""Keywords under which further schemas stand: one, a list of them, or one by name. The metaschema looks at two
that no answer is checked by: `contentSchema` and `dependencies`."""

_SAME_VALUE = frozenset({"allOf", "anyOf", "dependentSchemas", "else", "if", "not", "oneOf", "then"})
"""Keywords whose schemas look at the very value that theirs looks at, as the schema behind a reference does."""

REFUSED: Final[Mapping[str, str]] = {
    # Python's own engine backtracks, and holds every thread of the process while it does: nothing could stop it.
    **dict.fromkeys(("pattern", "patternProperties"), "uses a regular expression, which is not taken here"),
    # A name lets a reference lead where no walk over the document sees it.
    **dict.fromkeys(
        ("$id", "$anchor", "$dynamicAnchor", "$dynamicRef", "$recursiveAnchor", "$recursiveRef", "$vocabulary"),
        "uses an identifier, which is not taken here: refer by a pointer",
    ),
    # The library looks for what was evaluated by ways that no charge is put on.
    **dict.fromkeys(("unevaluatedItems", "unevaluatedProperties"), "uses an unevaluated keyword, not taken here"),
}

Pointer = tuple[str, ...]
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
    """Why a schema is not taken, cheap reasons first."""
    if len(json.dumps(schema, ensure_ascii=False, separators=(",", ":")).encode()) > SCHEMA_BYTES:
        return "is larger than 64 kB"
    if schema.get("type") != "object":
        return "is not of an object: its type has to be object"
    if schema.get("$schema", DIALECT) not in (DIALECT, f"{DIALECT}#"):
        return "is of another dialect than JSON Schema 2020-12"
    if fault := _walked(schema):
        return fault
    return None if META.is_valid(_plain(schema)) else "is no JSON Schema"


def _walked(schema: JsonObject) -> str | None:
    """Meets every schema in the document once; references may lead to these and nowhere else."""
    stack: list[tuple[Any, Pointer]] = [(schema, ())]
    beside: dict[Pointer, list[Pointer | None]] = {}
    while stack:
        found, place = stack.pop()
        beside[place] = []
        if len(beside) > SUBSCHEMAS:
            return "has too many parts"
        if not isinstance(found, dict):
            continue
        for keyword, value in found.items():
            if fault := _refused(keyword, value, place):
                return fault
            parts = [((*place, *path), part) for path, part in _parts(keyword, value)]
            stack += [(part, at) for at, part in parts]
            if keyword in _SAME_VALUE:
                beside[place] += [at for at, _ in parts]
            elif keyword == "$ref":
                beside[place].append(_pointer(value))
    known = {place: [at for at in looked if at in beside] for place, looked in beside.items()}
    if known != beside:
        return "has a reference that leads to no schema in it"
    return _multiplied(known)


def _refused(keyword: str, value: Any, place: Pointer) -> str | None:
    if keyword in REFUSED:
        return REFUSED[keyword]
    if keyword == "$schema" and place:
        return "names a dialect in one of its parts"
    if isinstance(value, list) and len(value) > LENGTHS.get(keyword, len(value)):
        return f"has more than {LENGTHS[keyword]:,} values in a list under {keyword}"
    return None


def _multiplied(beside: Mapping[Pointer, Sequence[Pointer]]) -> str | None:
    """Why the schemas that look at one value are too many; `beside` has those each place leads to at its own value.

    Counted here, before an answer is paid for: what an answer meets of them is not known yet.
    """
    looks: dict[Pointer, int] = {}
    chain: dict[Pointer, int] = {}
    try:
        for place in TopologicalSorter(beside).static_order():
            looks[place] = 1 + sum(looks[each] for each in beside[place])
            chain[place] = 1 + max((chain[each] for each in beside[place]), default=0)
            if looks[place] > LOOKS or chain[place] > CHAIN:
                return "has references or branches that multiply: too many schemas look at one value"
    except CycleError:
        return "leads into itself without an end"
    return None


def _parts(keyword: str, value: Any) -> list[tuple[Pointer, Any]]:
    if keyword in _ONE:
        return [((keyword,), value)]
    if keyword in _LIST and isinstance(value, list):
        return [((keyword, str(position)), part) for position, part in enumerate(value)]
    if keyword in _MAP and isinstance(value, dict):
        return [((keyword, name), part) for name, part in value.items()]
    return []


def _pointer(reference: Any) -> Pointer | None:
    """The place a reference names (RFC 6901); None for another document, for a name, and for what is no text."""
    if not isinstance(reference, str):
        return None
    fragment = unquote(reference[1:])
    if not reference.startswith("#") or (fragment and not fragment.startswith("/")):
        return None
    return tuple(part.replace("~1", "/").replace("~0", "~") for part in fragment.split("/")[1:])


def _plain(schema: JsonObject) -> JsonObject:
    """The schema without its dialect's name, by which the library would choose keywords that nobody charges for."""
    return {keyword: value for keyword, value in schema.items() if keyword != "$schema"}


def _mismatch(schema: JsonObject, output: JsonObject) -> str | None:
    def told() -> list[str]:
        faults = validator_of(_plain(schema)).iter_errors(output)
        return [
            one_line(f"at {fault.json_path}: {fault.message}", FAULT_CHARACTERS)
            for _, fault in zip(range(TOLD_FAULTS), faults, strict=False)
        ]

    try:
        faults = told()
    except ArithmeticError:  # the library divides by floats
        faults = ["it holds a number too large to be checked"]
    return f"is not valid: {'; '.join(faults)}" if faults else None
