"""A replica starts with vectors of its own model, or not at all; a folder's are made at its first start."""

import dataclasses
from contextlib import AbstractAsyncContextManager
from pathlib import Path

import asyncpg
import pytest
from structlog.testing import capture_logs

from assist_service.adapters.manual.artifact import read_artifact
from assist_service.adapters.manual.files import read_manual
from assist_service.adapters.postgres.publications import PostgresPublications
from assist_service.bootstrap.assembling import Service
from assist_service.bootstrap.configuring import configure
from assist_service.bootstrap.manuals import make_publishing
from assist_service.bootstrap.meanings import meanings_of
from assist_service.bootstrap.reading import ManualSource, build_manual
from assist_service.bootstrap.running import running_service
from assist_service.domain.errors import ConfigurationError
from assist_service.services.publishing import Publishing
from tests.fakes.clocks import HandClock
from tests.fakes.hashed_embedder import HashedEmbedder
from tests.fakes.house import settings_for
from tests.web.test_publications import write_manual

pytestmark = pytest.mark.slow


def starting(database_url: str, manual: Path, embedder: HashedEmbedder) -> AbstractAsyncContextManager[Service]:
    """A replica of this folder, its model already loaded."""
    configuration = configure(settings_for(database_url, "http://lms.test", manual=manual))
    meanings = meanings_of(embedder)
    return running_service(dataclasses.replace(configuration, meanings=meanings), clock=HandClock())


async def test_a_folders_vectors_are_made_at_the_first_start_only(database_url: str, tmp_path: Path) -> None:
    folder, embedder = write_manual(tmp_path, "Press New."), HashedEmbedder()
    with capture_logs() as logs:
        async with starting(database_url, folder, embedder):
            pass
        async with starting(database_url, folder, embedder):
            pass
    assert len(embedder.asked) == 3
    told = [(each["sections"], each["done"]) for each in logs if each["event"] == "vectors_made"]
    assert told == [(3, 0), (3, 3)]


async def test_a_built_file_without_vectors_starts_with_those_of_the_database_alone(
    database_url: str, pool: asyncpg.Pool, tmp_path: Path
) -> None:
    _, built = build_manual(ManualSource(write_manual(tmp_path / "m", "Press New.")), tmp_path / "built.json.gz")
    embedder = HashedEmbedder()
    with capture_logs() as logs, pytest.raises(ConfigurationError, match="lacks vectors of hashed-1"):
        async with starting(database_url, built, embedder):
            pass
    [failed] = [each for each in logs if each["event"] == "publish_failed"]
    assert "built without vectors of hashed-1, and the database has none of it" in failed["faults"][0]
    assert await PostgresPublications(pool).live() == failed["live"]
    policy = configure(settings_for(database_url, "http://lms.test")).policy
    publishing = make_publishing(pool, policy=policy, clock=HandClock(), meanings=meanings_of(HashedEmbedder()))
    await publishing.publish(read_artifact(built).publication)
    async with starting(database_url, built, embedder):
        assert embedder.asked == []


async def test_a_section_without_a_vector_stops_no_start(database_url: str, pool: asyncpg.Pool, tmp_path: Path) -> None:
    """As after a rollback, when one was restored meanwhile."""
    mine, other = write_manual(tmp_path / "mine", "Press New."), write_manual(tmp_path / "other", "Press Make.")
    async with starting(database_url, mine, HashedEmbedder()):
        pass
    policy = configure(settings_for(database_url, "http://lms.test")).policy
    publishing = make_publishing(pool, policy=policy, clock=HandClock(), meanings=meanings_of(HashedEmbedder()))
    live = read_manual(other)
    await publishing.publish(live)
    section = live.pages[0].sections[0].id
    await pool.execute("DELETE FROM manual_vectors WHERE publication = $1 AND section = $2", live.id, section)
    with capture_logs() as logs:
        async with starting(database_url, mine, HashedEmbedder()):
            pass
    assert [each["sections"] for each in logs if each["event"] == "vectors_missing"] == [1]


async def test_vectors_of_another_model_are_no_help_and_are_made_anew(database_url: str, tmp_path: Path) -> None:
    folder = write_manual(tmp_path, "Press New.")
    async with starting(database_url, folder, HashedEmbedder("another")):
        pass
    embedder = HashedEmbedder()
    async with starting(database_url, folder, embedder):
        pass
    assert len(embedder.asked) == 3


async def test_a_live_publication_without_vectors_of_this_model_stops_a_start(
    database_url: str, pool: asyncpg.Pool, tmp_path: Path
) -> None:
    """It is another than this release's manual, so that the start does not make them."""
    mine, other = write_manual(tmp_path / "mine", "Press New."), write_manual(tmp_path / "other", "Press Make.")
    async with starting(database_url, mine, HashedEmbedder()):
        pass
    policy = configure(settings_for(database_url, "http://lms.test")).policy

    def publishing(model: str) -> Publishing:
        return make_publishing(pool, policy=policy, clock=HandClock(), meanings=meanings_of(HashedEmbedder(model)))

    await publishing("another").publish(read_manual(other))
    with pytest.raises(ConfigurationError, match=r"lacks vectors of hashed-1, .* \(it has: another\): run") as refused:
        async with starting(database_url, mine, HashedEmbedder()):
            pass
    assert "\n" not in str(refused.value)
    await publishing("hashed-1").embed(None)
    async with starting(database_url, mine, HashedEmbedder()):
        assert await PostgresPublications(pool).live() == read_manual(other).id
