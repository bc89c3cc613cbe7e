"""The panel's files are served as they are written, but for comments and indentation, and nothing beside them is."""

import gzip
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from assist_service.domain.errors import ConfigurationError
from assist_service.web.app import PANEL, create_routes
from assist_service.web.panel import KINDS, PATH, PanelFiles, as_served

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


@pytest.mark.parametrize("known", ["{}", "W/{}", '"another", {}', "*"])
def test_a_browser_that_has_it_is_sent_nothing(client: TestClient, known: str) -> None:
    first = client.get(f"{PATH}/assist-panel.js")
    assert first.headers["cache-control"] == "no-cache"
    known = known.format(first.headers["etag"])
    again = client.get(f"{PATH}/assist-panel.js", headers={"If-None-Match": known})
    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["etag"] == first.headers["etag"]


@pytest.mark.parametrize("known", ['"another"', "", "{}x", "x{}"])
def test_one_that_has_another_is_sent_it(client: TestClient, known: str) -> None:
    known = known.format(client.get(f"{PATH}/assist-panel.js").headers["etag"])
    assert client.get(f"{PATH}/assist-panel.js", headers={"If-None-Match": known}).status_code == 200


@pytest.mark.parametrize("accepted", ["identity", "gzip;q=0", "br, gzip; q=0.000", "*;q=0", "*, gzip;q=0", ""])
def test_who_reads_no_gzip_gets_it_plain(client: TestClient, accepted: str) -> None:
    plain = client.get(f"{PATH}/assist-panel.js", headers={"Accept-Encoding": accepted})
    packed = client.get(f"{PATH}/assist-panel.js")
    assert "content-encoding" not in plain.headers
    assert plain.text == packed.text
    assert plain.headers["etag"] != packed.headers["etag"]


@pytest.mark.parametrize("accepted", ["gzip", "br;q=1.0, GZIP;q=0.5", "*", "deflate , gzip ; q=1"])
def test_who_reads_gzip_gets_it_packed(client: TestClient, accepted: str) -> None:
    packed = client.get(f"{PATH}/assist-panel.js", headers={"Accept-Encoding": accepted})
    assert packed.headers["content-encoding"] == "gzip"


def test_only_reading_is_allowed(client: TestClient) -> None:
    refused = client.post(f"{PATH}/assist-panel.js")
    assert (refused.status_code, refused.json()["code"], refused.headers["allow"]) == (
        405,
        "method_not_allowed",
        "GET, HEAD",
    )


def test_a_folder_without_the_panel_is_told_at_start(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"assist-panel\.js is missing"):
        PanelFiles(tmp_path / "nowhere")


def test_each_line_stays_where_it_is_without_comments_and_indentation() -> None:
    for name in FILES:
        source = (PANEL / name).read_text("utf-8")
        served = as_served(source)
        assert served.count("\n") == source.count("\n"), name
        assert not re.search(r"^[ \t]|/\*|(?:^|[\s;,{}])//(?:\s|$)", served, re.MULTILINE), name
        for line, written in zip(served.splitlines(), source.splitlines(), strict=True):
            assert line in ("", re.sub(r"/\*\* @[^*]*\*/ ?", "", written.lstrip())), f"{name}: {written}"


def test_no_text_spans_lines_or_holds_what_looks_like_a_comment() -> None:
    """Comments and indentation are found by lines, not by reading JavaScript: no text may be changed with them."""
    for name in FILES:
        for line in (PANEL / name).read_text("utf-8").splitlines():
            code = re.sub(r"^\s*(?://.*|/?\*.*)$", "", line)
            assert not code.endswith("\\"), f"{name}: {line}"
            for quote in '`"':
                assert code.count(quote) % 2 == 0, f"{name}: {line}"
                for comment in re.finditer(r"/\*", code):
                    assert code[: comment.start()].count(quote) % 2 == 0, f"{name}: {line}"


MOST_BYTES = 40_000
"""Of panel, client and styles as they are served, in any one language, packed together."""

LANGUAGES = ("en", "fr", "fil")


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_of_it_in_one_language_is_small(language: str) -> None:
    others = {f"words/{other}.js" for other in LANGUAGES if other != language}
    served = [as_served((PANEL / name).read_text("utf-8")) for name in FILES if name not in {*others, "types.js"}]
    assert len(gzip.compress("".join(served).encode(), 9)) <= MOST_BYTES
