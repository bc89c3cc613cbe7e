"""The command `assist-service lms check`: exit codes, table, JSON, and nothing of tokens or content."""

import asyncio
import json
import re
from collections.abc import AsyncIterator
from datetime import UTC, datetime

import pytest
from typer.testing import CliRunner, Result

from assist_service.cli import cli
from examples.reference_lms.app import create_app
from examples.reference_lms.school import FILIPINO_TEACHER, FRENCH_TEACHER, SCHOOL
from tests.fakes.house import CLIENT_KEY, CLIENT_KEY_PEM
from tests.fakes.serving import connect, serve

pytestmark = pytest.mark.slow

JWT = re.compile(r"eyJ[A-Za-z0-9_-]+")


@pytest.fixture
async def url() -> AsyncIterator[str]:
    """A reference LMS by the clock on the wall, as the command has it."""
    app = create_app(url="http://lms.test", now=lambda: datetime.now(UTC), client_jwks=CLIENT_KEY.public_jwks())  # noqa: TID251 the command takes the time from the machine too
    async with serve(app) as base_url:
        yield base_url


async def run(*arguments: str, **environment: str) -> Result:
    env = {"ASSIST_CLIENT_KEY": CLIENT_KEY_PEM, **environment}
    return await asyncio.to_thread(lambda: CliRunner().invoke(cli, ["lms", *arguments], env=env))


async def session(url: str, person: str, **order: object) -> str:
    async with connect(url) as http:
        answer = await http.post("/demo/session", json={"person": person, **order})
        return str(answer.raise_for_status().json()["token"])


async def test_a_green_table(url: str) -> None:
    result = await run("check", url, "--demo", "--with-writes")
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    assert lines[-1] == "green: 29 endpoints, 19 rules"
    columns = {line.index(word) for line in lines for word in ("  works", "  kept") if word in line}
    assert len(columns) == 1


async def test_a_red_one_as_json(url: str) -> None:
    async with connect(url) as http:
        (await http.post("/demo/faults", json={"fault": "tell_no_seat"})).raise_for_status()
    result = await run("check", url, "--demo", "--json")
    assert result.exit_code == 1
    told = json.loads(result.stdout)
    assert told["green"] is False
    assert [rule["id"] for rule in told["rules"] if rule["verdict"] == "broken"] == ["no_seat"]
    assert all(set(row) == {"name", "verdict", "why"} for row in told["endpoints"])


@pytest.mark.parametrize("fault", ["none", "other_schema", "leak_other_people", "accept_without_proof"])
async def test_nothing_of_tokens_and_content_is_told(url: str, fault: str) -> None:
    async with connect(url) as http:
        (await http.post("/demo/faults", json={"fault": fault})).raise_for_status()
        entities = (await http.get("/demo/school")).json()["entities"]
    result = await run("check", url, "--demo", "--with-writes")
    assert not JWT.search(result.output)
    secrets = [person.name for person in SCHOOL.people] + [person.sub for person in SCHOOL.people]
    secrets += [text for entity in entities for text in (entity["id"], entity["title"])]
    assert [text for text in secrets if text in result.output] == []


async def test_sessions_by_option(url: str) -> None:
    mine, other = await session(url, FRENCH_TEACHER.sub), await session(url, FILIPINO_TEACHER.sub)
    foreign = await session(url, FRENCH_TEACHER.sub, audience="urn:other")
    result = await run("check", url, "--session", mine, "--other-session", other, "--wrong-audience-session", foreign)
    assert result.exit_code == 1
    rows = {line.split()[0]: line for line in result.stdout.splitlines() if line}
    assert "  kept  " in rows["foreign_subject"]
    assert "not checked" in rows["elevated"]
    assert "--elevated-session" in rows["elevated"]
    assert not JWT.search(result.output)


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        ((), "--session and --other-session are needed"),
        (("--session", "a"), "--session and --other-session are needed"),
        (("--demo", "--session", "a"), "--demo brings sessions of its own"),
        (("--session", "secret-a", "--other-session", "secret-b"), "--session is no session JWT"),
    ],
)
async def test_wrong_use_is_exit_code_2(url: str, arguments: tuple[str, ...], why: str) -> None:
    result = await run("check", url, *arguments)
    assert result.exit_code == 2
    assert why in result.stderr
    assert "secret" not in result.output


async def test_one_person_twice_is_wrong_use(url: str) -> None:
    one, two = await session(url, FRENCH_TEACHER.sub), await session(url, FRENCH_TEACHER.sub)
    result = await run("check", url, "--session", one, "--other-session", two)
    assert (result.exit_code, "of one person" in result.stderr) == (2, True)


@pytest.mark.parametrize("address", ["ftp://lms.example", "lms", "http://user:word@lms.example"])
async def test_no_address_is_wrong_use(address: str) -> None:
    assert (await run("check", address, "--demo")).exit_code == 2


async def test_demo_elsewhere_and_no_key_are_wrong_use(url: str) -> None:
    elsewhere = await run("check", f"{url}/nowhere", "--demo")
    assert (elsewhere.exit_code, "reference LMS" in elsewhere.stderr) == (2, True)
    keyless = await run("check", url, "--demo", ASSIST_CLIENT_KEY="")
    assert (keyless.exit_code, "ASSIST_CLIENT_KEY" in keyless.stderr) == (2, True)


async def test_the_keys_for_the_lms() -> None:
    result = await run("keys")
    assert result.exit_code == 0
    assert json.loads(result.stdout) == CLIENT_KEY.public_jwks()
    assert '"d"' not in result.stdout
