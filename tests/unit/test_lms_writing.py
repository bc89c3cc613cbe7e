"""A write: the frozen bytes, sent once, with a token of that write alone, revoked however it ends (I3, I5, I6, W1)."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from uuid import UUID

import pytest

from assist_service.adapters.lms.reading import Read
from assist_service.adapters.lms.rest import RestOptions
from assist_service.adapters.lms.school_reads import RestReads
from assist_service.adapters.lms.writing import WRITES, RestWriter
from assist_service.domain.school import Course, Page
from assist_service.domain.writes import WriteRequest, WriteTool
from assist_service.ports import LmsFaultKind, SchoolWriter, WriteRefused, Written
from tests.fakes.scripted_lms import Seen, json_reply
from tests.fakes.scripted_wire import RawReply
from tests.unit.lms_desk import SESSION, Desk, answering, fault_of, open_desk, until

EXCHANGE, REVOKE = "POST /oauth/token", "POST /oauth/revoke"
ID = UUID("8a8d5a52-0c0e-4c6e-9b1e-3f1d1c9b7a11")
KEY = UUID("0d6f0f57-9a5e-4a83-8a3c-6f5a3a1d9c02")
MADE = {"id": str(ID), "title": "A title", "more": [1]}
T = WriteTool

REQUESTS: dict[WriteTool, tuple[WriteRequest, str]] = {
    T.CREATE_QUESTION: (
        WriteRequest.of(T.CREATE_QUESTION, None, {"pool": str(ID), "statement": "é\u2028 </script> \U0001f600"}),
        "/api/questions",
    ),
    T.CREATE_CATEGORY: (WriteRequest(T.CREATE_CATEGORY, ID, b'{ "title":"Bonus" }\n'), f"/api/pools/{ID}/categories"),
    T.CREATE_TEMPLATE: (WriteRequest.of(T.CREATE_TEMPLATE, None, {"title": "x" * 100_000}), "/api/templates"),
    T.ADD_QUESTIONS_TO_TEMPLATE: (
        WriteRequest.of(T.ADD_QUESTIONS_TO_TEMPLATE, ID, {"questions": [str(ID)]}),
        f"/api/templates/{ID}/questions",
    ),
    T.LINK_POOL_TO_COURSE: (
        WriteRequest.of(T.LINK_POOL_TO_COURSE, ID, {"pool": str(ID)}),
        f"/api/courses/{ID}/pools",
    ),
}
REQUEST, PATH = REQUESTS[T.CREATE_CATEGORY]
SENT = f"POST {PATH}"


@pytest.fixture
async def desk() -> AsyncIterator[Desk]:
    async with open_desk() as opened:
        opened.lms.replies.update({path: json_reply(MADE, 201) for _, path in REQUESTS.values()})
        yield opened


def category(desk: Desk) -> AbstractAsyncContextManager[SchoolWriter]:
    return desk.rest.writing(SESSION, T.CREATE_CATEGORY)


@pytest.mark.parametrize("tool", WriteTool)
async def test_each_write_is_one_request_of_the_very_bytes(desk: Desk, tool: WriteTool) -> None:
    request, path = REQUESTS[tool]
    async with desk.rest.writing(SESSION, tool) as writer:
        assert await writer.write(request, key=KEY) == Written(ID, "A title")
    assert desk.lms.paths() == [EXCHANGE, f"POST {path}", REVOKE]
    exchange, write, _ = desk.lms.requests
    assert exchange.form["scope"] == f"assist:write:{tool}"
    assert write.body == request.body
    assert write.header("authorization") == f"DPoP {desk.lms.issued[0]}"
    assert write.header("x-assist-tool") == tool
    assert write.header("idempotency-key") == str(KEY)
    assert write.header("content-length") == str(len(request.body))
    assert desk.lms.live == set()


async def test_the_writes_are_the_closed_list_and_offered(desk: Desk) -> None:
    assert set(WRITES) == set(WriteTool) == set(REQUESTS)
    assert {write.path for write in WRITES.values()} == {path.replace(str(ID), "{id}") for _, path in REQUESTS.values()}
    assert {tool.value for tool in WriteTool} <= desk.rest.offers


async def test_what_is_not_asked_costs_no_token(desk: Desk) -> None:
    async with category(desk):
        pass
    async with category(desk) as writer:
        assert writer.reads is not None
    assert desk.lms.requests == []


async def test_reads_before_a_write_have_its_token_and_its_tool(desk: Desk) -> None:
    async with category(desk) as writer:
        await writer.reads.courses()
        await writer.write(REQUEST, key=KEY)
        assert set(desk.lms.scopes.values()) == {"assist:write:create_category"}
    assert desk.lms.paths() == [EXCHANGE, "GET /api/courses", SENT, REVOKE]
    assert [seen.header("x-assist-tool") for seen in desk.lms.requests[1:3]] == ["create_category"] * 2
    assert desk.lms.live == set()


@pytest.mark.parametrize("path", [PATH, "/api/questions", "/api/questions/similar/"])
async def test_the_reads_of_a_write_send_nothing_but_reads(desk: Desk, path: str) -> None:
    async with category(desk) as writer:
        assert isinstance(writer.reads, RestReads)
        with pytest.raises(RuntimeError):
            await writer.reads._reading.fetch(Read(path, Page[Course], method="POST"), body={})
    assert desk.lms.requests == []


@pytest.mark.parametrize("tool", sorted(set(WriteTool) - {T.CREATE_CATEGORY}))
async def test_a_token_is_for_its_own_write(desk: Desk, tool: WriteTool) -> None:
    async with category(desk) as writer:
        with pytest.raises(RuntimeError):
            await writer.write(REQUESTS[tool][0], key=KEY)
    assert desk.lms.requests == []


@pytest.mark.parametrize("tool", WriteTool)
async def test_an_entity_stands_where_the_address_takes_one_and_nowhere_else(desk: Desk, tool: WriteTool) -> None:
    request = REQUESTS[tool][0]
    async with desk.rest.writing(SESSION, tool) as writer:
        with pytest.raises(RuntimeError):
            await writer.write(replace(request, entity=ID if request.entity is None else None), key=KEY)
    assert desk.lms.requests == []


@pytest.mark.parametrize("entity", ["../templates", f"{ID}/x", f"{ID}?x=1", "..", ""])
async def test_only_a_uuid_stands_in_an_address_or_is_a_key(desk: Desk, entity: str) -> None:
    async with category(desk) as writer:
        with pytest.raises(ValueError):
            await writer.write(replace(REQUEST, entity=entity), key=KEY)  # type: ignore[arg-type]
        with pytest.raises(ValueError):
            await writer.write(REQUEST, key=entity)  # type: ignore[arg-type]
    assert desk.lms.requests == []


async def test_the_session_goes_to_the_token_endpoint_and_nowhere_else(desk: Desk) -> None:
    async with category(desk) as writer:
        await writer.reads.courses()
        await writer.write(REQUEST, key=KEY)
    holders = {seen.path for seen in desk.lms.requests if SESSION in f"{seen.target} {seen.headers} {seen.body!r}"}
    assert holders == {"/oauth/token"}


@pytest.mark.parametrize(
    "scope",
    ["assist:read", "assist:write:create_question", "assist:read assist:write:create_category", "assist:write:", None],
)
async def test_a_token_with_another_scope_is_not_used_and_revoked(desk: Desk, scope: str | None) -> None:
    desk.lms.live.add("a-word")
    answer = {"access_token": "a-word", "token_type": "DPoP", "expires_in": 900, "scope": scope}
    answering(desk, "/oauth/token", json_reply(answer))
    async with category(desk) as writer:
        assert await fault_of(writer.write(REQUEST, key=KEY)) is LmsFaultKind.MALFORMED
    assert SENT not in desk.lms.paths()
    assert desk.lms.live == set() or scope is None  # no text at all: no token to revoke is read out of it


async def test_a_scope_that_is_said_is_the_one_asked_for(desk: Desk) -> None:
    desk.lms.live.add("a-word")
    desk.lms.scopes["a-word"] = scope = "assist:write:create_category"
    answer = {"access_token": "a-word", "token_type": "DPoP", "expires_in": 900, "scope": scope}
    answering(desk, "/oauth/token", json_reply(answer))
    async with category(desk) as writer:
        assert await writer.write(REQUEST, key=KEY) == Written(ID, "A title")


@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        (json_reply({"error": "invalid_grant"}, 400), LmsFaultKind.SESSION_ENDED),
        (json_reply({"error": "invalid_client"}, 401), LmsFaultKind.UNAVAILABLE),
        (RawReply(b"", 503), LmsFaultKind.UNAVAILABLE),
        (json_reply({"error": "invalid_scope"}, 400), LmsFaultKind.REFUSED),
    ],
)
async def test_without_a_token_nothing_is_sent(desk: Desk, reply: RawReply, kind: LmsFaultKind) -> None:
    answering(desk, "/oauth/token", reply)
    async with category(desk) as writer:
        assert await fault_of(writer.write(REQUEST, key=KEY)) is kind
    assert desk.lms.paths() == [EXCHANGE]


async def test_an_exchange_that_takes_the_time_of_the_write_has_sent_nothing() -> None:
    async with open_desk(RestOptions(seconds=0.3)) as desk:
        answering(desk, "/oauth/token", RawReply(b"", after_seconds=30))
        async with category(desk) as writer:
            assert await fault_of(writer.write(REQUEST, key=KEY)) is LmsFaultKind.UNAVAILABLE
        assert desk.lms.paths() == [EXCHANGE]


async def test_an_error_ends_the_token_too(desk: Desk) -> None:
    async def confirm() -> None:
        async with category(desk) as writer:
            await writer.write(REQUEST, key=KEY)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await confirm()
    assert desk.lms.live == set()


async def test_a_refusal_ends_the_token_too(desk: Desk) -> None:
    desk.lms.replies[PATH] = json_reply({}, 409)
    with pytest.raises(WriteRefused):
        async with category(desk) as writer:
            await writer.write(REQUEST, key=KEY)
    assert desk.lms.paths() == [EXCHANGE, SENT, REVOKE]
    assert desk.lms.live == set()


async def test_after_its_end_nothing_is_sent(desk: Desk) -> None:
    async with category(desk) as writer:
        await writer.write(REQUEST, key=KEY)
    before = len(desk.lms.requests)
    with pytest.raises(RuntimeError):
        await writer.write(REQUEST, key=KEY)
    with pytest.raises(RuntimeError):
        await writer.reads.courses()
    assert len(desk.lms.requests) == before


async def test_a_write_that_waits_for_its_token_at_the_end_is_not_sent(desk: Desk) -> None:
    exchanging, go_on = asyncio.Event(), asyncio.Event()

    async def hook(seen: Seen) -> None:
        if seen.path == "/oauth/token":
            exchanging.set()
            await go_on.wait()

    desk.lms.hook = hook
    async with category(desk) as writer:
        straggler = asyncio.create_task(writer.write(REQUEST, key=KEY))
        await exchanging.wait()
        asyncio.get_running_loop().call_later(0.05, go_on.set)
    with pytest.raises(RuntimeError):
        await straggler
    assert desk.lms.paths() == [EXCHANGE, REVOKE]


async def test_a_nonce_that_is_asked_for_after_the_end_sends_nothing_more(desk: Desk) -> None:
    sent, go_on = asyncio.Event(), asyncio.Event()
    desk.lms.nonces = {"api": "another"}

    async def hook(seen: Seen) -> None:
        if seen.path == PATH:
            sent.set()
            await go_on.wait()
            desk.lms.live.add(desk.lms.issued[0])  # as an LMS would answer that has not heard of the end yet

    desk.lms.hook = hook
    async with category(desk) as writer:
        straggler = asyncio.create_task(writer.write(REQUEST, key=KEY))
        await sent.wait()
    go_on.set()
    with pytest.raises(RuntimeError):
        await straggler
    assert desk.lms.paths().count(SENT) == 1


async def test_cancelled_while_it_is_sent_the_token_is_revoked(desk: Desk) -> None:
    answering(desk, PATH, RawReply(b"", after_seconds=30))

    async def confirm() -> None:
        async with category(desk) as writer:
            await writer.write(REQUEST, key=KEY)

    confirming = asyncio.create_task(confirm())
    await until(lambda: SENT in desk.lms.paths())
    confirming.cancel()
    await asyncio.wait([confirming], timeout=1)
    assert confirming.cancelled()
    await until(lambda: not desk.lms.live)


async def test_an_lms_without_dpop_gets_a_bearer_token() -> None:
    async with open_desk(RestOptions(dpop=False)) as desk:
        desk.lms.replies[PATH] = json_reply(MADE, 201)
        async with category(desk) as writer:
            await writer.write(REQUEST, key=KEY)
        assert desk.lms.requests[1].header("authorization") == f"Bearer {desk.lms.issued[0]}"
        assert desk.lms.live == set()


async def test_nothing_secret_is_in_a_writer(desk: Desk) -> None:
    async with category(desk) as writer:
        await writer.write(REQUEST, key=KEY)
        assert isinstance(writer, RestWriter)
        shown = f"{writer!r} {vars(writer)!r} {vars(writer.token)!r}"
    assert not any(secret in shown for secret in (SESSION, desk.lms.issued[0]))
