"""Each screen of the catalogue is a page of the reference LMS, so what an answer opens can be seen."""

from collections.abc import AsyncIterator
from uuid import UUID

import httpx2
import pytest

from assist_service.adapters.configuration import load_catalogue
from assist_service.domain.interface import open_screen
from assist_service.domain.reply import OpenScreen
from assist_service.domain.screens import Language
from assist_service.settings import ROOT
from examples.reference_lms.app import create_app
from examples.reference_lms.school import SCHOOL
from tests.fakes.clocks import HandClock

CATALOGUE = load_catalogue(ROOT / "contracts" / "screens.yaml")


@pytest.fixture
async def lms() -> AsyncIterator[httpx2.AsyncClient]:
    app = create_app(url="http://lms.test", now=HandClock().now)
    async with httpx2.AsyncClient(transport=httpx2.ASGITransport(app), base_url="http://lms.test") as client:
        yield client


@pytest.mark.parametrize("name", sorted(CATALOGUE.screens))
async def test_what_the_rule_lets_open_is_a_page_with_what_it_was_opened_with(
    lms: httpx2.AsyncClient, name: str
) -> None:
    screen = CATALOGUE.screens[name]
    things = {id_name: next(e for e in SCHOOL.entities if e.kind.value == kind) for id_name, kind in screen.ids.items()}
    params = {"search": "<b>loops & co</b>"} if screen.params.search else {}
    ids = {id_name: str(thing.id) for id_name, thing in things.items()}
    opened = open_screen(CATALOGUE.screens, name, ids, params, language=Language.ENGLISH)
    assert isinstance(opened, OpenScreen)
    page = await lms.get(opened.path)
    assert page.status_code == 200
    assert f'data-screen="{name}"' in page.text
    assert "<b>" not in page.text
    assert ("&lt;b&gt;loops &amp; co&lt;/b&gt;" in page.text) == screen.params.search
    assert (await lms.get("/demo/requests")).json()["entries"] == []


@pytest.mark.parametrize("wrong", [str(UUID(int=9)), "nothing", "..%2f..", "%27%20OR%201=1"])
async def test_a_page_of_nothing_is_none(lms: httpx2.AsyncClient, wrong: str) -> None:
    assert (await lms.get(f"/pools/{wrong}")).status_code == 404
