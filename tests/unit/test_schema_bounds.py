"""A caller's schema takes no more than it may before anything is paid for, and nobody else waits for it."""

import asyncio
import json
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any

import pytest

from assist_service.adapters.output_schema import WAITING, JsonSchemas
from assist_service.adapters.schema_shape import LENGTHS, LOOKS
from assist_service.adapters.schema_work import META, TooMuchWork, Work, working
from assist_service.domain.errors import AssistError, Code

SECONDS = 1.5
"""Of the processor: above what any of these takes on a slow machine, below what it takes unbounded."""

SCHEMAS = JsonSchemas()


def of(**keywords: Any) -> dict[str, Any]:
    return {"type": "object", **keywords}


def at(**keywords: Any) -> dict[str, Any]:
    """A schema of an object with an `x` of these keywords."""
    return of(properties={"x": keywords})


def behind(**defs: Any) -> dict[str, Any]:
    """A schema of an object whose `x` is the first of these definitions."""
    return of(**{"$defs": defs}, properties={"x": to(next(iter(defs)))})


def to(name: str) -> dict[str, Any]:
    return {"$ref": f"#/$defs/{name}"}


def chained(length: int, step: Callable[[str], Any]) -> dict[str, Any]:
    return behind(**{f"d{n}": step(f"d{n + 1}") for n in range(length)}, **{f"d{length}": {"type": "string"}})


def nested(levels: int) -> Any:
    return [nested(levels - 1)] if levels else []


UNEQUAL = ["x", *range(3_000)]
"""No two are of one kind that sorts, so a comparison of each pair is what the library does."""

TWICE = {"allOf": [{"items": to("r")}, {"items": to("r")}]}
SLOW = of(properties={f"a{n}": {} for n in range(999)})
"""As many parts as may be: some tenths of a second."""

RUNAWAY = (at(allOf=[{"items": {"type": "integer"}}] * 900), {"x": [0] * 60_000})
"""A second or two of short looks."""


async def refused(schema: dict[str, Any]) -> str:
    with pytest.raises(AssistError) as error:
        await SCHEMAS.refuse_unfit(schema)
    assert error.value.code is Code.INVALID_REQUEST
    assert [fault.field for fault in error.value.faults] == ["schema"]
    return error.value.faults[0].message


UNFIT: dict[str, tuple[dict[str, Any], str]] = {
    "types of every kind": (at(type=UNEQUAL), "more than 7 values"),
    "types of every kind where no answer is checked": (
        at(contentSchema=at(type=UNEQUAL)),
        "more than 7 values",
    ),
    "types of every kind in what came before": (of(dependencies={"a": {"type": UNEQUAL}}), "more than 7 values"),
    "keys of every kind": (of(required=UNEQUAL), "more than 1,000 values"),
    "values of every kind": (at(enum=UNEQUAL), "more than 1,000 values"),
    "parts of what came before": (of(dependencies={f"a{n}": {} for n in range(5_000)}), "too many parts"),
    "parts where no answer is checked": (
        at(contentSchema=of(properties={f"a{n}": {} for n in range(5_000)})),
        "too many parts",
    ),
    "references that double": (chained(12, lambda name: {"allOf": [to(name)] * 2}), "multiply"),
    "references that double where they may": (
        chained(12, lambda name: {"if": to(name), "then": to(name), "else": to(name)}),
        "multiply",
    ),
    "references that double by name": (
        chained(12, lambda name: {"dependentSchemas": {"a": to(name), "b": to(name)}}),
        "multiply",
    ),
    "a long chain of references": (chained(40, to), "multiply"),
    "a reference to itself": (behind(a=to("a")), "leads into itself"),
    "two that lead to each other": (behind(a={"not": to("b")}, b={"anyOf": [to("a")]}), "leads into itself"),
}


@pytest.mark.parametrize(("schema", "words"), UNFIT.values(), ids=UNFIT)
async def test_what_would_run_away_is_refused_at_once(schema: dict[str, Any], words: str) -> None:
    assert len(json.dumps(schema)) < 64 * 1024
    began = time.process_time()
    assert words in await refused(schema)
    assert time.process_time() - began < SECONDS


TREE = {"anyOf": [{"type": "null"}, of(properties={"left": to("t"), "right": to("t")}, required=["left", "right"])]}
LEAF = {"left": None, "right": None}

FIT: dict[str, tuple[dict[str, Any], Any]] = {
    "a choice of many": (behind(c={"oneOf": [{"const": n} for n in range(LOOKS - 2)]}), 7),
    "a choice of many references": (
        behind(c={"oneOf": [to(f"k{n}") for n in range(200)]}, **{f"k{n}": {"const": n} for n in range(200)}),
        7,
    ),
    "a chain of choices": (chained(14, lambda name: {"anyOf": [{"type": "null"}, to(name)]}), "a"),
    "a chain of denials": (chained(15, lambda name: {"not": to(name)}), 7),
    "a tree": (behind(t=TREE), {"left": {"left": LEAF, "right": None}, "right": LEAF}),
    "as many values as may be": (at(enum=list(range(LENGTHS["enum"]))), 999),
    "as many types as there are": (
        at(type=["array", "boolean", "integer", "null", "number", "object", "string"]),
        "a",
    ),
}


@pytest.mark.parametrize(("schema", "value"), FIT.values(), ids=FIT)
async def test_an_ordinary_schema_is_taken_and_checked_by(schema: dict[str, Any], value: Any) -> None:
    await SCHEMAS.refuse_unfit(schema)
    assert await SCHEMAS.mismatch(schema, {"x": value}) is None


@pytest.mark.parametrize("schema", [of(dependencies={"a": {"type": UNEQUAL}}), SLOW], ids=["one list", "its parts"])
def test_the_metaschema_is_charged_for_all_it_looks_at(schema: dict[str, Any]) -> None:
    """The library's own keywords would be taken at each vocabulary that names the dialect, or whose anchor does."""
    with pytest.raises(TooMuchWork):
        working(Work(10_000), lambda: META.is_valid(schema))


def test_the_metaschema_compares_no_pairs() -> None:
    began = time.process_time()
    assert not working(Work(), lambda: META.is_valid(at(type=UNEQUAL)))
    assert time.process_time() - began < SECONDS


async def test_a_short_answer_is_not_worth_the_seconds_of_a_long_one() -> None:
    began = time.process_time()
    with pytest.raises(AssistError) as error:
        await SCHEMAS.mismatch(behind(r=TWICE), {"x": nested(28)})
    assert error.value.code is Code.INVALID_REQUEST
    assert time.process_time() - began < SECONDS


async def test_the_threads_of_questions_are_never_taken() -> None:
    free = threading.Event()
    with ThreadPoolExecutor(1) as only:
        asyncio.get_running_loop().set_default_executor(only)
        holding = asyncio.create_task(asyncio.to_thread(free.wait, 10))
        await asyncio.sleep(0)
        try:
            schemas = JsonSchemas(seconds=3)
            await schemas.refuse_unfit(of())
            assert await schemas.mismatch(of(), {}) is None
        finally:
            free.set()
            await holding


async def test_a_check_ends_when_its_time_is_over() -> None:
    schemas = JsonSchemas(seconds=0.5)
    with pytest.raises(AssistError) as error:
        await schemas.mismatch(*RUNAWAY)
    assert error.value.code is Code.LLM_UNAVAILABLE
    # Its thread is free again, or this one would wait too long as well.
    assert await schemas.mismatch(of(), {}) is None


async def test_a_check_ends_when_nobody_waits_for_it() -> None:
    schemas = JsonSchemas(seconds=0.6)
    checking = asyncio.create_task(schemas.mismatch(*RUNAWAY))
    await asyncio.sleep(0.1)
    checking.cancel()
    with suppress(asyncio.CancelledError):
        await checking
    assert await schemas.mismatch(of(), {}) is None


async def test_only_so_many_schemas_wait_and_every_answer_does() -> None:
    schemas = JsonSchemas()
    found = await asyncio.gather(*(schemas.refuse_unfit(of()) for _ in range(WAITING + 9)), return_exceptions=True)
    assert found[:WAITING] == [None] * WAITING
    assert [error.code for error in found[WAITING:] if isinstance(error, AssistError)] == [Code.LLM_UNAVAILABLE] * 9
    assert await asyncio.gather(*(schemas.mismatch(of(), {}) for _ in range(WAITING + 9))) == [None] * (WAITING + 9)
    await schemas.refuse_unfit(of())


async def test_an_answer_waits_for_no_schema() -> None:
    schemas = JsonSchemas()
    checking = [asyncio.create_task(schemas.refuse_unfit(SLOW)) for _ in range(5)]
    await asyncio.sleep(0.05)
    assert await schemas.mismatch(of(), {}) is None
    assert not checking[-1].done()
    await asyncio.gather(*checking)
