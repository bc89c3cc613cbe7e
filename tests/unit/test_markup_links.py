"""A link of an answer stays clickable on the LMS's own origin only."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assist_service.adapters.markdown.markup import Markup
from assist_service.domain.origin import Origin
from tests.unit.hostile_markdown import ORIGIN
from tests.unit.markup_harm import Harm, clean, outputs

ON_ORIGIN = {
    "/": "/",
    "/pools/1?tab=a&b=c#top": "/pools/1?tab=a&b=c#top",
    "/cours/é": "/cours/%C3%A9",
    "/a%20b": "/a%20b",
    "/a(b)": "/a%28b%29",
    "/search?q=https://x.example//": "/search?q=https://x.example//",
    "/@me": "/@me",
    "https://lms.example": "https://lms.example/",
    "HTTPS://LMS.Example:443/a": "https://lms.example/a",
    "https://lms.example?q": "https://lms.example/?q",
    "https://lms.example#q": "https://lms.example/#q",
}

OFF_ORIGIN = (
    *("", "x", "./x", "../x", "?q", "#q", "//evil.example", "///evil.example", "/\\evil.example"),
    *(
        "/%5cevil.example",
        "/%2fevil.example",
        "/%252fevil.example",
        "/%25252fevil.example",
        "/%2525252525252fevil",
        "/\t/evil.example",
    ),
    *("/\n/evil.example", " /pools", "/pools ", "/a b", "/a\u00a0b", "/a%00b", "/a%0ab", "/a\u2028b"),
    *("/./a", "/../a", "/a/..", "/%2e%2e/a", "/a//b", "/a\\b", "/／evil.example", "/a%EF%BC%8Fb", "/&#47;evil.example"),
    *(
        "/&sol;evil.example",
        "http://lms.example/",
        "https://lms.example:80/",
        "https://lms.example:/",
        "https:/lms.example",
    ),
    *("https:lms.example", "https:///lms.example", "https:\\\\lms.example", "https://lms.example\\@evil.example"),
    *("https://lms.example@evil.example", "https://a:b@lms.example/", "https://@lms.example/", "https://lms.example./"),
    *("https://lms.example.evil.example", "https://evil.example/https://lms.example", "https://lms%2eexample/"),
    *(
        "https://lms。example/",
        "https://lms.ехample/",
        "https://LMS.EXAMPLE\u0301/",
        "https://lms.example//evil.example",
    ),
    *("https://lms.example/..//x", "https:// lms.example/", "https://lms.example:0443x/", "javascript:alert(1)"),
    *("javascript://lms.example/%0aalert(1)", "data:text/html,x", "ftp://lms.example/", "blob:https://lms.example/x"),
    *(
        "mailto:a@lms.example",
        "lms.example/pools",
        "https://[::1]/",
        "https://lms.example:99999999/",
        "https://Kms.example",
    ),
)


@pytest.mark.parametrize(("href", "expected"), ON_ORIGIN.items())
def test_a_link_on_the_origin_stays_clickable(href: str, expected: str) -> None:
    assert Origin.parse(ORIGIN).resolve(href) == expected
    assert clean(f"[a](<{href}>)") == f"[a]({expected})"
    for rendered in outputs(f"[a](<{href}>)"):
        assert Harm(rendered).links == [expected]


@pytest.mark.parametrize("href", ["\\/evil.example", "/a\x00b", "/a\u200bb", "/a\u202eb", "/a\ufdd0b", "/a\x7fb"])
def test_an_address_that_no_parser_would_hand_over(href: str) -> None:
    assert Origin.parse(ORIGIN).resolve(href) is None


@pytest.mark.parametrize("href", OFF_ORIGIN)
def test_every_other_link_is_text(href: str) -> None:
    assert Origin.parse(ORIGIN).resolve(href) is None
    for rendered in outputs(f"[a](<{href}>) [b]\n\n[b]: <{href}>"):
        assert Harm(rendered).links == []


@given(st.text())
def test_an_address_that_stays_resolves_to_itself(href: str) -> None:
    origin = Origin.parse(ORIGIN)
    for candidate in (href, f"/{href}", f"{ORIGIN}/{href}", f"{ORIGIN}{href}"):
        resolved = origin.resolve(candidate)
        assert resolved is None or (resolved.isascii() and origin.resolve(resolved) == resolved)


@pytest.mark.parametrize(
    ("origin", "expected"),
    [
        ("https://LMS.example/", "https://lms.example"),
        ("https://lms.example:443", "https://lms.example"),
        ("http://127.0.0.1:8081", "http://127.0.0.1:8081"),
        ("http://[::1]:8081", "http://[::1]:8081"),
    ],
)
def test_an_origin_as_settings_write_it(origin: str, expected: str) -> None:
    assert str(Origin.parse(origin)) == expected
    assert f'href="{expected}/a"' in Markup(origin).html(f"[a]({expected}/a)", markers=())


def test_a_letter_that_only_case_folding_makes_alike_is_another() -> None:
    assert Origin.parse("https://kms.example").resolve("https://\u212ams.example/") is None


@pytest.mark.parametrize("origin", ["", "lms.example", "ftp://lms.example", "https://lms.example/a", "https://a@b"])
def test_no_origin_no_markup(origin: str) -> None:
    with pytest.raises(ValueError, match="not an origin"):
        Markup(origin)
