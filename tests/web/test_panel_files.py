"""The panel's files are served as they are written, but for comments, to any page, and nothing beside them is."""

import gzip
import re
from collections.abc import Iterator

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from assist_service.web.app import PANEL, create_routes
from assist_service.web.panel import KINDS, PATH, without_comments

FILES = sorted(path.relative_to(PANEL).as_posix() for path in PANEL.rglob("*") if path.suffix in KINDS)


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    # Routes alone: files need no service behind them.
    with TestClient(create_routes(FastAPI(redirect_slashes=False))) as client:
        yield client


def test_every_file_is_served_as_what_it_is(client: TestClient) -> None:
    assert {"assist-panel.js", "assist-client.js", "styles/panel.css"} <= set(FILES)
    for name in FILES:
        answer = client.get(f"{PATH}/{name}")
        assert (answer.status_code, answer.headers["content-type"]) == (200, KINDS[name[name.rindex(".") :]]), name
        assert answer.headers["cross-origin-resource-policy"] == "cross-origin"
        assert answer.headers["content-encoding"] == "gzip"


OUTSIDE = ("/../pyproject.toml", "/%2e%2e/pyproject.toml", "/..%2fREADME.md", "/view/../../README.md")


@pytest.mark.parametrize("path", ["", "/", "/nope.js", "/words", "/view/", "/a%00.js", *OUTSIDE])
def test_nothing_else_is(client: TestClient, path: str) -> None:
    answer = client.get(PATH + path)
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")


def test_a_browser_that_has_it_is_sent_nothing(client: TestClient) -> None:
    first = client.get(f"{PATH}/assist-panel.js")
    assert first.headers["cache-control"] == "no-cache"
    again = client.get(f"{PATH}/assist-panel.js", headers={"If-None-Match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_who_reads_no_gzip_gets_it_plain(client: TestClient) -> None:
    plain = client.get(f"{PATH}/assist-panel.js", headers={"Accept-Encoding": "identity"})
    assert "content-encoding" not in plain.headers
    assert plain.text == client.get(f"{PATH}/assist-panel.js").text


def test_only_reading_is_allowed(client: TestClient) -> None:
    refused = client.post(f"{PATH}/assist-panel.js")
    assert (refused.status_code, refused.json()["code"], refused.headers["allow"]) == (
        405,
        "method_not_allowed",
        "GET, HEAD",
    )


def test_a_line_stays_where_it_is_and_comments_go() -> None:
    for name in FILES:
        source = (PANEL / name).read_text("utf-8")
        served = without_comments(source)
        assert served.count("\n") == source.count("\n"), name
        # A cast of a type that begins its line stays, and so does what begins with `*` in a style.
        assert not re.search(r"^\s*(//.*|/\*[^\n]*\*/\s*|/\*[^/\n]*)$", served, re.MULTILINE), name
        assert set(served.splitlines()) - {""} <= set(source.splitlines()), name


def test_no_text_over_several_lines_could_hold_what_looks_like_a_comment() -> None:
    """Leaving comments out reads lines, not JavaScript: a template literal must not span any that begins like one."""
    for name in (each for each in FILES if each.endswith(".js")):
        inside = False
        for line in without_comments((PANEL / name).read_text("utf-8")).splitlines():
            assert not (inside and line == ""), name
            inside ^= line.count("`") % 2 == 1
        assert not inside, name


MOST_BYTES = 40_000
"""Of panel, client and styles together, in all three languages, as they are sent; `types.js` no browser asks for."""


def test_all_of_it_together_is_small() -> None:
    served = [without_comments((PANEL / name).read_text("utf-8")) for name in FILES if name != "types.js"]
    assert len(gzip.compress("".join(served).encode(), 9)) <= MOST_BYTES
