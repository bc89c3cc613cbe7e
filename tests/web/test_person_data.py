"""Everything of one person over HTTP: exported whole, erased without a trace, and nobody else's touched (S4, B10)."""

import json
from collections.abc import Callable, Iterator
from urllib.parse import quote

import asyncpg
import pytest
import structlog

from assist_service.adapters.postgres.persons import PERSONS
from assist_service.domain.person_data import ERASED, NOBODY, SOMEBODY_ELSE, PersonDocument
from assist_service.telemetry import configure_logging
from examples.reference_lms.clients import CLIENT, LLM_AUDIENCE
from tests.fakes.house import ADMINISTRATOR, OTHER_TEACHER, STUDENT, TEACHER, running_house
from tests.web.kept_rows import all_kept, kept
from tests.web.person_rows import at_data, dump, lived, whole, words_of

pytestmark = pytest.mark.slow


@pytest.fixture
def logged(capsys: pytest.CaptureFixture[str]) -> Iterator[Callable[[], str]]:
    configure_logging("DEBUG")
    yield lambda: "".join(capsys.readouterr())
    structlog.reset_defaults()


async def test_an_export_has_every_row_of_the_person_and_none_of_anothers(
    database_url: str, pool: asyncpg.Pool
) -> None:
    async with lived(database_url) as at:
        answer = await at_data(at.house, "GET")
        assert (answer.status_code, answer.headers["content-type"]) == (200, "application/json")
        assert answer.headers["cache-control"] == "no-store"
        document = PersonDocument.model_validate_json(answer.content)
        assert list(answer.json()) == list(PersonDocument.model_fields)
        for word in words_of(TEACHER):
            assert word in answer.text
        for word in (*words_of(OTHER_TEACHER), OTHER_TEACHER, ADMINISTRATOR):
            assert word not in answer.text
        rows = {
            table: sum(TEACHER in map(str, row.values()) for row in rows) for table, rows in (await kept(pool)).items()
        }
        assert {table: rows[table] for table in PERSONS} == {
            "conversations": len(document.conversations),
            "exchanges": len(document.exchanges),
            "idempotent_replies": len(document.kept_replies),
            "pending_writes": len(document.pending_writes),
            "question_rates": len(document.question_rates),
            "llm_calls": len(document.llm_calls),
            "audit": len(document.audit),
        }
        assert min(rows[table] for table in PERSONS) > 0
        assert [str(each.id) for each in whole(document.conversations)] == [at.conversations[TEACHER]]
        assert whole(document.pending_writes)[0].arguments == {"title": words_of(TEACHER)[2]}
        assert sorted((entry.actor, entry.action) for entry in whole(document.audit)) == [
            (SOMEBODY_ELSE, "assist.read"),
            (SOMEBODY_ELSE, "assist.read"),
            (CLIENT, "assist.export"),
        ]


async def test_what_somebody_did_to_others_is_told_without_the_others(database_url: str) -> None:
    async with lived(database_url) as at:
        answer = await at_data(at.house, "GET", ADMINISTRATOR)
        document = PersonDocument.model_validate_json(answer.content)
        reads = [entry for entry in whole(document.audit) if entry.action == "assist.read"]
        assert [(entry.actor, entry.subject, entry.conversation_id) for entry in reads] == [
            (ADMINISTRATOR, SOMEBODY_ELSE, None)
        ] * 4
        for person in (TEACHER, OTHER_TEACHER):
            assert person not in answer.text


async def test_an_erasure_leaves_no_trace_of_the_person_and_all_of_the_others(
    database_url: str, pool: asyncpg.Pool
) -> None:
    async with lived(database_url) as at:
        await at_data(at.house, "GET")
        before, costs = await dump(pool), await pool.fetchval("SELECT sum(cost_micros) FROM llm_calls")
        assert TEACHER in json.dumps(before)
        erased = await at_data(at.house, "DELETE")
        assert (erased.status_code, erased.content) == (204, b"")

        after = await dump(pool)
        assert TEACHER not in json.dumps(after)
        opened = await all_kept(pool)
        for word in (TEACHER, *words_of(TEACHER)):
            assert word not in opened
        for table, rows in before.items():
            others = [row for row in rows if OTHER_TEACHER in row]
            assert [row for row in after[table] if OTHER_TEACHER in row] == others, table
            assert others or table not in PERSONS
        assert await pool.fetchval("SELECT sum(cost_micros) FROM llm_calls") == costs
        assert await pool.fetchval("SELECT count(*) FROM llm_calls WHERE person = $1", ERASED) == 2
        entries = await pool.fetch("SELECT actor, subject FROM audit WHERE action = 'assist.erase'")
        assert [tuple(entry) for entry in entries] == [(CLIENT, ERASED)]

        assert (await at_data(at.house, "DELETE")).status_code == 204
        emptied = (await at_data(at.house, "GET")).json()
        assert [name for name, rows in emptied.items() if isinstance(rows, list) and rows] == []
        # Looking whether somebody is erased does not bring their id back.
        assert TEACHER not in json.dumps(await dump(pool))
        assert await pool.fetchval("SELECT count(*) FROM audit WHERE subject = $1 AND actor = $2", NOBODY, CLIENT) == 1


async def test_who_read_others_and_is_erased_stays_in_the_log_without_a_name(
    database_url: str, pool: asyncpg.Pool
) -> None:
    async with lived(database_url) as at:
        assert (await at_data(at.house, "DELETE", ADMINISTRATOR)).status_code == 204
        assert ADMINISTRATOR not in json.dumps(await dump(pool))
        entries = await pool.fetch("SELECT actor, count(*) FROM audit WHERE action = 'assist.read' GROUP BY actor")
        assert [tuple(entry) for entry in entries] == [(ERASED, 4)]


async def test_somebody_who_never_asked_is_answered_as_anybody(database_url: str, pool: asyncpg.Pool) -> None:
    async with running_house(database_url) as house:
        for sub in (STUDENT, "nobody", CLIENT, "assistant", "operator"):
            erased = await at_data(house, "DELETE", sub)
            assert (erased.status_code, erased.content) == (204, b"")
        assert await pool.fetchval("SELECT count(*) FROM audit WHERE actor = $1", CLIENT) == 5
        exported = (await at_data(house, "GET", STUDENT)).json()
        assert exported["audit"] == []
        entries = await pool.fetch("SELECT subject FROM audit WHERE action = 'assist.export'")
        assert [entry["subject"] for entry in entries] == [NOBODY]


ODD = ("a/b", "/", "a//b/", "..%2f", "?#&=", "x/data", "x/conversations", "%2F", "~" * 255)


async def test_ids_of_every_kind_are_found_and_never_logged(
    database_url: str, pool: asyncpg.Pool, logged: Callable[[], str]
) -> None:
    async with running_house(database_url) as house:
        for sub in ODD:
            await pool.execute(
                "INSERT INTO question_rates (person, recent, day, day_count) VALUES ($1, '{}', '2026-11-02', 1)", sub
            )
            exported = await at_data(house, "GET", quote(sub, safe=""))
            assert exported.status_code == 200, sub
            assert (exported.json()["sub"], len(exported.json()["question_rates"])) == (sub, 1)
            assert (await at_data(house, "DELETE", quote(sub, safe=""))).status_code == 204
            assert await pool.fetchval("SELECT count(*) FROM question_rates") == 0, sub
        await at_data(house, "DELETE", "canary-sub")
        assert "canary-sub" not in (said := logged())
        assert '"route": "/assist/people/{sub:path}/data"' in said


NO_IDS = ("%00", "a%00", "a%20b", "%ed%a0%80", "%ff", "%c3%a9", "x" * 256, "")


async def test_what_can_name_nobody_is_refused(database_url: str, pool: asyncpg.Pool) -> None:
    async with running_house(database_url) as house:
        for method in ("GET", "DELETE"):
            for sub in NO_IDS:
                answer = await at_data(house, method, sub)
                assert (answer.status_code, answer.json()["code"]) == (422, "invalid_request"), sub
                assert answer.json()["errors"] == [
                    {"field": "sub", "message": "is not 1 to 255 visible ASCII characters"}
                ]
            assert (await at_data(house, method, "a%0ab")).status_code == 404  # no route has a line's end
        assert await pool.fetchval("SELECT count(*) FROM audit") == 0


async def test_a_token_of_one_audience_fails_at_the_other(database_url: str, pool: asyncpg.Pool) -> None:
    async with running_house(database_url) as house:
        for audience in (LLM_AUDIENCE, "urn:assist-service", "urn:assist-service:privacy:more", ""):
            for method in ("GET", "DELETE"):
                answer = await at_data(house, method, audience=audience)
                assert (answer.status_code, answer.json()["code"]) == (401, "unauthenticated")
        for headers in ({}, await house.bearer(), await house.bearer(ADMINISTRATOR, elevated=True)):
            for method in ("GET", "DELETE"):
                answer = await house.service.request(method, f"/assist/people/{TEACHER}/data", headers=headers)
                assert (answer.status_code, answer.json()["code"]) == (401, "unauthenticated")
        assert await pool.fetchval("SELECT count(*) FROM audit") == 0
        assert (await at_data(house, "GET")).status_code == 200
        client = {"Authorization": f"Bearer {house.clients.mint('urn:assist-service:privacy')}"}
        for path in ("/llm/complete", "/assist/ask"):
            assert (await house.service.post(path, json={}, headers=client)).status_code == 401


async def test_without_keys_of_the_back_end_the_door_is_closed(database_url: str) -> None:
    async with running_house(database_url, lms_client_jwks_url=None) as house:
        for method in ("GET", "DELETE"):
            assert (await at_data(house, method)).status_code == 401


async def test_keys_are_fetched_once_for_both_doors(database_url: str) -> None:
    async with running_house(database_url) as house:
        assert (await house.complete()).status_code != 401
        assert (await at_data(house, "GET")).status_code == 200
        requests = (await house.lms.get("/demo/requests")).json()["entries"]
        assert len([each for each in requests if each["path"] == "/.well-known/client-jwks.json"]) == 1


async def test_what_does_not_open_is_told_as_such(database_url: str, pool: asyncpg.Pool) -> None:
    async with lived(database_url) as at:
        await pool.execute("UPDATE exchanges SET key_id = 'retired'")
        await pool.execute("UPDATE pending_writes SET sealed = set_byte(sealed, 20, get_byte(sealed, 20) # 1)")
        await pool.execute("UPDATE idempotent_replies SET sealed_reply = '\\x00'")
        answer = await at_data(at.house, "GET")
        assert answer.status_code == 200
        document = answer.json()
        for name in ("exchanges", "pending_writes", "kept_replies"):
            assert [row["sealed"] for row in document[name]] == ["does not open"]
        assert document["exchanges"][0]["question"] is None
        assert document["exchanges"][0]["route"] == "/pools/:id"
        assert (await at_data(at.house, "DELETE")).status_code == 204
