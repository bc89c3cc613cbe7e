"""`person export` and `person erase` as an operator runs them: a file whole or not at all, nothing erased unsaid."""

import asyncio
import json
import os
import stat
from pathlib import Path

import asyncpg
import pytest

from assist_service.adapters.postgres.persons import PERSONS
from assist_service.domain.person_data import ERASED, OPERATOR, PersonDocument
from tests.fakes.house import SECRET_KEY
from tests.postgres.exchanges import ADA, BOB, Stores, exchange
from tests.postgres.prepared import prepare
from tests.unit.test_cli import here, run

pytestmark = pytest.mark.slow


async def test_an_export_goes_to_standard_output_or_whole_into_a_file(
    stores: Stores, database_url: str, tmp_path: Path
) -> None:
    await stores.start(exchange(question="canary?"))
    settings = {"ASSIST_DATABASE_URL": database_url, "ASSIST_SECRET_KEYS": SECRET_KEY}
    printed = await asyncio.to_thread(here, "person", "export", ADA, **settings)
    assert (printed.returncode, printed.stderr) == (0, "")
    PersonDocument.model_validate_json(printed.stdout)
    document = json.loads(printed.stdout)
    assert [each["question"] for each in document["exchanges"]] == ["canary?"]
    assert [(each["actor"], each["action"]) for each in document["audit"]] == [(OPERATOR, "assist.export")]

    out = tmp_path / "ada.json"
    out.write_text("before", "utf-8")
    assert (await asyncio.to_thread(here, "person", "export", ADA, "--out", str(out), **settings)).returncode == 0
    assert stat.S_IMODE(out.stat().st_mode) == 0o600
    assert len(json.loads(out.read_text("utf-8"))["audit"]) == 2

    await stores.pool.execute("ALTER TABLE audit RENAME TO elsewhere")
    whole = out.read_text("utf-8")
    assert run("person", "export", ADA, "--out", str(out), **settings).returncode == 1
    assert out.read_text("utf-8") == whole
    assert os.listdir(tmp_path) == [out.name]  # noqa: PTH208 pathlib blocks as much


async def test_nothing_is_erased_before_it_is_said_twice(stores: Stores, pool: asyncpg.Pool, database_url: str) -> None:
    for owner in (ADA, ADA, BOB):
        await prepare(stores, owner)
    found = {**dict.fromkeys(PERSONS, 0), "conversations": 2, "exchanges": 2, "pending_writes": 2}
    told = await asyncio.to_thread(here, "person", "erase", ADA, ASSIST_DATABASE_URL=database_url)
    assert (told.returncode, json.loads(told.stdout)) == (1, found)
    assert told.stderr.strip() == "assist-service: nothing was erased: say --yes"
    for table in ("audit", "erasures"):
        assert await stores.count(table) == 0
    assert await stores.count("exchanges") == 3

    done = await asyncio.to_thread(here, "person", "erase", ADA, "--yes", ASSIST_DATABASE_URL=database_url)
    assert (done.returncode, json.loads(done.stdout), done.stderr) == (0, found, "")
    assert await stores.count("exchanges") == 1
    entries = await pool.fetch("SELECT actor, action, subject FROM audit")
    assert [tuple(entry) for entry in entries] == [(OPERATOR, "assist.erase", ERASED)]


async def test_wrong_use_is_one_line(database_url: str, tmp_path: Path) -> None:
    settings = {"ASSIST_DATABASE_URL": database_url}
    out = ("export", ADA, "--out")
    os.mkfifo(tmp_path / "pipe")
    nowhere, folder, pipe = ((*out, str(each)) for each in (tmp_path / "none" / "x", tmp_path, tmp_path / "pipe"))
    for words in (("export", "a b"), ("erase", "", "--yes"), nowhere, folder, pipe):
        refused = await asyncio.to_thread(here, "person", *words, **settings)
        assert (refused.returncode, len(refused.stderr.strip().splitlines())) == (2, 1), refused.stderr
    assert (await asyncio.to_thread(here, "person", "export", ADA)).returncode == 2  # no database
