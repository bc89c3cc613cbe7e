"""The manual changes under running replicas, and every citation opens what its reader saw."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import asyncpg
import pytest

from assist_service.adapters.manual.files import read_manual
from assist_service.bootstrap.manuals import make_publishing
from assist_service.bootstrap.reading import ManualSource, build_manual
from assist_service.domain.messages import UserText
from assist_service.domain.withdrawals import Withdrawal
from assist_service.services.publishing import Publishing
from tests.conftest import TEMPLATE, cloned
from tests.fakes.house import OTHER_TEACHER, STUDENT, House, running_house
from tests.fakes.models import ScriptedModel, reads, says

pytestmark = pytest.mark.slow

POOLS = "teacher/pools"


@pytest.fixture
async def database_url() -> AsyncIterator[str]:
    """Nothing was published in it before."""
    async with cloned(TEMPLATE) as url:
        yield url


def write_manual(folder: Path, words: str) -> Path:
    """A small manual whose page on pools says `words`."""
    for audience, name, text in (
        ("teacher", "pools", words),
        ("shared", "signing-in", "Press Enter."),
        ("student", "results", "Open My results."),
    ):
        page = folder / audience / f"{name}.md"
        page.parent.mkdir(parents=True, exist_ok=True)
        title = name.capitalize()
        page.write_text(
            f"---\naudience: {audience}\ntitle: {title}\n---\n# {title}\n\n## First steps\n\n{text}\n", "utf-8"
        )
    return folder


def publishing_of(house: House, pool: asyncpg.Pool) -> Publishing:
    configuration = house.configuration
    return make_publishing(pool, policy=configuration.policy, clock=house.clock)


async def live(house: House, publication: str) -> None:
    """Returns once the running service answers from this publication."""
    for _ in range(200):
        asked = (await house.ask("Where?")).json()
        if asked["receipt"]["corpus_version"] == publication:
            return
        await asyncio.sleep(0.02)
    raise AssertionError("the replica did not notice")


def a_model() -> ScriptedModel:
    """Reads the page and cites it, again and again."""
    return ScriptedModel(
        lambda request: reads(POOLS) if isinstance(request.messages[-1], UserText) else says("So [s1].")
    )


RULED = {"limits": {"questions_per_minute": 1000, "questions_per_day": None}}


async def test_each_citation_opens_what_its_reader_saw(database_url: str, pool: asyncpg.Pool, tmp_path: Path) -> None:
    folder = write_manual(tmp_path, "Press New.")
    async with running_house(
        database_url, provider=a_model(), manual=folder, manual_poll_seconds=0.02, ruled=RULED
    ) as house:
        publishing = publishing_of(house, pool)
        first = (await house.ask(context=_elsewhere())).json()
        changed = read_manual(write_manual(tmp_path, "Press Make."))
        assert await publishing.publish(changed) is True
        await live(house, changed.id)
        second = (await house.ask(context=_elsewhere())).json()
        went_back_to = await publishing.roll_back(None)
        assert went_back_to == house.publication.id
        await live(house, went_back_to)
        third = (await house.ask(context=_elsewhere())).json()

        opened = []
        for reply in (first, second, third):
            [citation] = reply["citations"]
            answer = await house.service.get(citation["href"], headers=await house.bearer())
            opened.append((answer.json()["html"], answer.json()["active"]))
        assert opened == [("<p>Press New.</p>", True), ("<p>Press Make.</p>", False), ("<p>Press New.</p>", True)]

        old = second["citations"][0]["href"]
        never = f"/assist/manual/{'0' * 16}/{'0' * 20}"
        for person in (OTHER_TEACHER, STUDENT):  # nobody else's exchange cites it
            headers = await house.bearer(person)
            theirs, none = [await house.service.get(href, headers=headers) for href in (old, never)]
            assert (theirs.status_code, theirs.content) == (404, none.content)


async def test_a_withdrawn_section_is_closed_everywhere(database_url: str, pool: asyncpg.Pool, tmp_path: Path) -> None:
    folder = write_manual(tmp_path, "Press New.")
    async with running_house(
        database_url, provider=a_model(), manual=folder, manual_poll_seconds=0.02, ruled=RULED
    ) as house:
        publishing = publishing_of(house, pool)
        cited = (await house.ask(context=_elsewhere())).json()["citations"][0]["href"]
        assert len(await publishing.withdraw(Withdrawal(POOLS, None))) == 1
        for _ in range(200):
            if (await house.service.get(cited, headers=await house.bearer())).status_code == 404:
                break
            await asyncio.sleep(0.02)
        refused = (await house.ask(context=_elsewhere())).json()
        assert (refused["kind"], refused["receipt"]["corpus_version"]) == ("refusal", house.publication.id)

        changed = read_manual(write_manual(tmp_path, "Press Make."))
        renamed = read_manual(write_manual(tmp_path, "Press Make.\n\n## Renamed\n\nPress Make."))
        await publishing.publish(changed)
        await publishing.publish(renamed)
        await live(house, renamed.id)
        assert (await house.ask(context=_elsewhere())).json()["kind"] == "refusal"
        assert (await house.service.get(cited, headers=await house.bearer())).status_code == 404


@pytest.mark.parametrize("is_published_over", [False, True])
async def test_a_section_that_is_withdrawn_while_a_question_runs_is_not_cited(
    database_url: str, pool: asyncpg.Pool, tmp_path: Path, is_published_over: bool
) -> None:
    """Also where the question is pinned to an edition that is not the live one any more."""
    folder = write_manual(tmp_path, "Press New.")
    model = ScriptedModel(reads(POOLS), says("So [s1]."), reads(POOLS), says("So [s1]."))
    async with running_house(
        database_url, provider=model, manual=folder, manual_poll_seconds=0.02, ruled=RULED
    ) as house:
        publishing = publishing_of(house, pool)
        assert len((await house.ask(context=_elsewhere())).json()["citations"]) == 1
        model.hold()
        asking = asyncio.create_task(house.ask(context=_elsewhere()))
        await model.asked(3)
        if is_published_over:
            await publishing.publish(read_manual(write_manual(tmp_path, "Press Make.")))
        await publishing.withdraw(Withdrawal(POOLS, None))
        await asyncio.sleep(0.5)  # the replica looks every 0.02 s
        model.let_go()
        answered = (await asking).json()
        assert (answered["kind"], answered["citations"]) == ("refusal", [])
        assert answered["receipt"]["corpus_version"] == house.publication.id


async def test_a_start_publishes_what_is_new_and_leaves_a_rollback_alone(
    database_url: str, pool: asyncpg.Pool, tmp_path: Path
) -> None:
    folder = write_manual(tmp_path, "Press New.")
    async with running_house(database_url, manual=folder) as house:
        first = house.publication.id
        assert (await house.service.get("/readyz")).json()["checks"]["publication"] == "ok"
    async with running_house(database_url, manual=write_manual(tmp_path, "Press Make.")) as house:
        assert house.publication.id != first
        publishing = publishing_of(house, pool)
        assert await publishing.store.live() == house.publication.id
        assert await publishing.roll_back(None) == first
    async with running_house(database_url, manual=folder):
        assert await publishing.store.live() == first
    assert await pool.fetchval("SELECT count(*) FROM manual_publications") == 2


async def test_a_start_publishes_what_was_built(database_url: str, pool: asyncpg.Pool, tmp_path: Path) -> None:
    folder = write_manual(tmp_path, "Press New.")
    _, built = build_manual(ManualSource(folder), tmp_path / "built")
    async with running_house(database_url, manual=built) as house:
        assert (await house.service.get("/readyz")).json()["checks"]["publication"] == "ok"
        assert await publishing_of(house, pool).store.live() == read_manual(folder).id


def _elsewhere() -> dict[str, object]:
    return {"route": "/", "topic": None, "language": "en", "entities": {}, "commands": []}
