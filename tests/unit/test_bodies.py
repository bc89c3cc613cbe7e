"""Whatever bytes a body has, it is read as the model it must be or refused with a documented code (invariant A2)."""

import asyncio
import json
import math
from collections.abc import AsyncIterator, Iterable
from typing import Any

import httpx2
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from assist_service.domain.errors import AssistError, Code, FieldFault
from assist_service.domain.strict_json import MAX_DEPTH
from assist_service.web.bodies import MAX_BYTES, read_body, refuse_foreign_values
from assist_service.web.errors import assist_error_response
from tests.fakes.serving import connect, serve


class Sent(BaseModel):
    """A body with a field of every sort, one of them open to anything."""

    model_config = ConfigDict(extra="forbid", strict=True)

    question: str
    number: int = 0
    config: dict[str, Any] = {}


async def _read(request: Request) -> Response:
    body = await read_body(request, Sent)
    return JSONResponse(json.loads(body.model_dump_json()))


async def _refused(_: Request, error: Exception) -> Response:
    assert isinstance(error, AssistError)
    return assist_error_response(error)


APP = Starlette(routes=[Route("/", _read, methods=["POST"])], exception_handlers={AssistError: _refused})


@pytest.fixture
async def door() -> AsyncIterator[httpx2.AsyncClient]:
    async with serve(APP) as url, connect(url) as client:
        yield client


async def problem(door: httpx2.AsyncClient, body: bytes) -> tuple[int, str, list[dict[str, str]]]:
    answer = await door.post("/", content=body)
    told = answer.json()
    assert answer.headers["content-type"] == "application/problem+json"
    assert told["status"] == answer.status_code
    return answer.status_code, told["code"], told.get("errors", [])


def nested(levels: int, inner: str = "") -> str:
    """A body of so many levels: itself, its open field, and arrays; `inner` stands in the last of them."""
    return '{"question": "", "config": {"a": ' + "[" * (levels - 2) + inner + "]" * (levels - 2) + "}}"


REFUSED: dict[str, tuple[bytes, str, str]] = {
    "an empty body": (b"", "body", "is not JSON"),
    "blank": (b" \n", "body", "is not JSON"),
    "half a body": (b'{"question": "How', "body", "is not JSON"),
    "two bodies": (b'{"question": ""}{"question": ""}', "body", "is not JSON"),
    "no JSON": (b"question=How", "body", "is not JSON"),
    "JSON with a comment": (b'{"question": ""} // x', "body", "is not JSON"),
    "JSON in single quotes": (b"{'question': ''}", "body", "is not JSON"),
    "a byte order mark": (b'\xef\xbb\xbf{"question": ""}', "body", "is not JSON"),
    "UTF-16": ('{"question": ""}'.encode("utf-16"), "body", "is not JSON"),
    "no UTF-8": (b'{"question": "\xff"}', "body", "is not JSON"),
    "an overlong NUL": (b'{"question": "\xc0\x80"}', "body", "is not JSON"),
    "a surrogate in bytes": (b'{"question": "\xed\xa0\x80"}', "body", "is not JSON"),
    "a raw NUL": (b'{"question": "\x00"}', "body", "is not JSON"),
    "a raw line end": (b'{"question": "a\nb"}', "body", "is not JSON"),
    "NaN": (b'{"question": "", "config": {"a": NaN}}', "body", "is not JSON"),
    "Infinity": (b'{"question": "", "config": {"a": Infinity}}', "body", "is not JSON"),
    "minus Infinity": (b'{"question": "", "config": {"a": -Infinity}}', "body", "is not JSON"),
    "a number beyond floats": (b'{"question": "", "config": {"a": 1e999}}', "body", "holds a number that is none"),
    "a negative one": (b'{"question": "", "config": {"a": [-1e999]}}', "body", "holds a number that is none"),
    "an integer of 5000 digits": (b'{"question": "", "config": {"a": ' + b"9" * 5_000 + b"}}", "body", "is not JSON"),
    "a NUL": (b'{"question": "\\u0000"}', "body", "holds a NUL character"),
    "a NUL in a key": (b'{"question": "", "config": {"\\u0000": 1}}', "body", "holds a NUL character"),
    "a NUL far in": (nested(30, '"a\\u0000b"').encode(), "body", "holds a NUL character"),
    "a high surrogate": (b'{"question": "\\ud800"}', "body", "holds a lone surrogate"),
    "a low surrogate": (b'{"question": "a\\udfffb"}', "body", "holds a lone surrogate"),
    "surrogates the wrong way round": (b'{"question": "\\ude00\\ud83d"}', "body", "holds a lone surrogate"),
    "a surrogate in a key": (b'{"question": "", "config": {"\\ud800": 1}}', "body", "holds a lone surrogate"),
    "a surrogate in a key beside": (b'{"question": "", "\\udbff": 1}', "body", "holds a lone surrogate"),
    "a key twice": (b'{"question": "", "question": ""}', "body", "is not JSON"),
    "a NUL hidden by a key twice": (b'{"question": "\\u0000", "question": ""}', "body", "is not JSON"),
    "a key twice far in": (b'{"question": "", "config": {"a": [{"b": 1, "b": 2}]}}', "body", "is not JSON"),
    "a key twice, once escaped": (b'{"question": "", "\\u0071uestion": ""}', "body", "is not JSON"),
    "33 levels": (nested(MAX_DEPTH + 1).encode(), "body", "is nested too deeply"),
    "33 levels of objects": (b'{"a":' * 33 + b"{}" + b"}" * 33, "body", "is nested too deeply"),
    "100,000 levels": (b"[" * 100_000, "body", "is not JSON"),
    "100,000 levels, closed": (b"[" * 100_000 + b"]" * 100_000, "body", "is not JSON"),
    "100,000 objects": (b'{"a":' * 100_000, "body", "is not JSON"),
    "a list": (b"[]", "body", "is not valid"),
    "null": (b"null", "body", "is not valid"),
    "a text": (b'"question"', "body", "is not valid"),
    "a number": (b"7", "body", "is not valid"),
    "a field missing": (b"{}", "question", "is required"),
    "a field beside": (b'{"question": "", "role": "admin"}', "role", "is not a known field"),
    "a field that is a number": (b'{"question": 7}', "question", "is not a string"),
    "a number in quotes": (b'{"question": "", "number": "7"}', "number", "is not valid"),
    "a number that is true": (b'{"question": "", "number": true}', "number", "is not valid"),
    "a number with a fraction": (b'{"question": "", "number": 7.5}', "number", "is not valid"),
}


@pytest.mark.parametrize(("body", "field", "message"), REFUSED.values(), ids=REFUSED)
async def test_a_body_of_another_form_is_refused(
    door: httpx2.AsyncClient, body: bytes, field: str, message: str
) -> None:
    status, code, errors = await problem(door, body)
    assert (status, code) == (422, "invalid_request")
    assert errors == [{"field": field, "message": message}]


GOOD: dict[str, bytes] = {
    "plain": b'{"question": "How?"}',
    "an emoji in two surrogates": b'{"question": "\\ud83d\\ude00"}',
    "an emoji in bytes": '{"question": "😀"}'.encode(),
    "32 levels": nested(MAX_DEPTH).encode(),
    "an integer of 4000 digits": b'{"question": "", "config": {"a": ' + b"9" * 4_000 + b"}}",
    "the largest float": b'{"question": "", "config": {"a": 1.7976931348623157e308}}',
    "controls that are none of ours": b'{"question": "a\\u0001\\tb"}',
    "as large as may be": b'{"question": "' + b"x" * (MAX_BYTES - len(b'{"question": ""}')) + b'"}',
}


@pytest.mark.parametrize("body", GOOD.values(), ids=GOOD)
async def test_a_body_within_its_bounds_is_read(door: httpx2.AsyncClient, body: bytes) -> None:
    answer = await door.post("/", content=body)
    assert answer.status_code == 200
    sent = json.loads(body)
    assert {key: answer.json()[key] for key in sent} == sent


@pytest.mark.parametrize("size", [MAX_BYTES + 1, 10 * 1024 * 1024])
@pytest.mark.parametrize("chunked", [True, False])
async def test_a_body_that_is_too_large_is_told_so(door: httpx2.AsyncClient, size: int, chunked: bool) -> None:
    async def chunks() -> AsyncIterator[bytes]:
        for start in range(0, size, 65_536):
            yield b"x" * min(65_536, size - start)

    answer = await door.post("/", content=chunks() if chunked else b"x" * size)
    assert answer.status_code == 413
    assert answer.json()["code"] == "too_large"


async def test_no_more_than_twenty_faults_are_told_and_none_in_words_of_the_body(door: httpx2.AsyncClient) -> None:
    body = json.dumps({"question": "", **{f"canary {number}": "canary" for number in range(100)}}).encode()
    _, _, errors = await problem(door, body)
    assert errors == [{"field": "(unnamed)", "message": "is not a known field"}] * 20


def _request(chunks: Iterable[bytes]) -> Request:
    left = iter([*chunks, b""])

    async def receive() -> dict[str, Any]:
        chunk = next(left)
        return {"type": "http.request", "body": chunk, "more_body": chunk != b""}

    return Request({"type": "http", "method": "POST", "headers": []}, receive)


def test_no_bytes_raise_anything_but_a_documented_refusal() -> None:
    json_like = st.sampled_from(
        (b"{", b"}", b"[", b"]", b'"', b":", b",", b'"question"', b'"config"', b"\\u", b"\\ud800", b"\x00", b"NaN",
         b"1e999", b"-", b"0", b"true", b"null", b"\xff", b"\xef\xbb\xbf", b" ", b"\n", b'{"question": "a"}')
    )  # fmt: skip
    bodies = st.binary(max_size=100) | st.lists(json_like, max_size=30).map(b"".join)

    async def read(chunks: list[bytes]) -> Sent | AssistError:
        try:
            return await read_body(_request(chunk for chunk in chunks if chunk), Sent)
        except AssistError as error:
            return error

    with asyncio.Runner() as runner:

        @given(chunks=st.lists(bodies, max_size=3))
        @settings(max_examples=400, deadline=None)
        def check(chunks: list[bytes]) -> None:
            came = runner.run(read(chunks))
            if isinstance(came, AssistError):
                assert came.code is Code.INVALID_REQUEST
                assert came.faults
            else:
                assert came.model_dump_json().encode()

        check()


json_values: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(), max_size=10),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(st.characters(), max_size=5), inner, max_size=3)
    ),
    max_leaves=10,
)


def _is_foreign(value: Any) -> bool:
    """The rule again, told by recursion."""
    if isinstance(value, dict):
        return any(_is_foreign(part) for pair in value.items() for part in pair)
    if isinstance(value, list):
        return any(map(_is_foreign, value))
    if isinstance(value, str):
        return any(character == "\x00" or "\ud800" <= character <= "\udfff" for character in value)
    return isinstance(value, float) and not math.isfinite(value)


@given(value=json_values)
@settings(max_examples=300)
def test_a_value_is_refused_when_a_part_of_it_may_not_be_there(value: Any) -> None:
    if _is_foreign(value):
        with pytest.raises(AssistError):
            refuse_foreign_values(value)
    else:
        refuse_foreign_values(value)


def test_the_walk_does_not_recurse() -> None:
    deep: Any = "x"
    for _ in range(100_000):
        deep = [deep]
    with pytest.raises(AssistError) as refused:
        refuse_foreign_values(deep)
    assert refused.value.faults == (FieldFault("body", "is nested too deeply"),)
    while isinstance(deep, list):  # taken apart by hand: freeing it would recurse
        deep = deep[0]
