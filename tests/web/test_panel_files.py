"""The panel's files as they are handed out: without comments, packed where that is taken, and no other file."""

import gzip
import re
from collections.abc import AsyncIterator
from pathlib import Path

import httpx2
import pytest
from starlette.applications import Starlette

from assist_service.settings import ROOT
from assist_service.web.panel import PATH, PanelFiles
from tests.fakes.serving import connect, serve

PANEL = ROOT / "panel"
FILES = sorted(path.relative_to(PANEL) for path in PANEL.rglob("*") if path.suffix in {".js", ".css"})
MOST_BYTES = 40_000


@pytest.fixture
async def client() -> AsyncIterator[httpx2.AsyncClient]:
    app = Starlette()
    app.mount(PATH, PanelFiles(PANEL))
    async with serve(app) as base, connect(base) as connected:
        yield connected


async def _text(client: httpx2.AsyncClient, file: Path) -> str:
    answer = await client.get(f"{PATH}/{file}")
    assert answer.status_code == 200
    return answer.text


async def test_what_is_code_is_there_line_by_line_and_comments_are_not(client: httpx2.AsyncClient) -> None:
    for file in FILES:
        own = (PANEL / file).read_text("utf-8").splitlines()
        given = (await _text(client, file)).splitlines()
        assert len(given) == len(own)
        different = [(line, got) for line, got in zip(own, given, strict=True) if line != got]
        assert all(got == "" for _, got in different), file
        left_out = [line.strip() for line, _ in different]
        assert all(re.match(r"(//|/\*|\*)", line) or file.suffix == ".css" for line in left_out), file
        assert not any(re.match(r"\s*(//|\* )", line) for line in given), file


async def test_it_is_packed_where_that_is_taken(client: httpx2.AsyncClient) -> None:
    packed = await client.get(f"{PATH}/assist-panel.js", headers={"Accept-Encoding": "gzip"})
    plain = await client.get(f"{PATH}/assist-panel.js", headers={"Accept-Encoding": "identity"})
    assert packed.headers["content-encoding"] == "gzip"
    assert "content-encoding" not in plain.headers
    assert packed.text == plain.text
    assert packed.headers["vary"] == plain.headers["vary"] == "Accept-Encoding"
    again = await client.get(f"{PATH}/assist-panel.js", headers={"If-None-Match": packed.headers["etag"]})
    assert again.status_code == 304


async def test_all_of_it_together_is_small(client: httpx2.AsyncClient) -> None:
    loaded = [(await _text(client, file)).encode() for file in FILES if file.name != "types.js"]
    assert len(gzip.compress(b"".join(loaded), 9)) <= MOST_BYTES


@pytest.mark.parametrize("path", ["styles", "../pyproject.toml", "%2e%2e/pyproject.toml", "nothing.js", ""])
async def test_nothing_else_is_handed_out(client: httpx2.AsyncClient, path: str) -> None:
    assert (await client.get(f"{PATH}/{path}")).status_code == 404
