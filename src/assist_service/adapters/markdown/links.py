"""Where text holds an address that some renderer would make clickable, though nobody wrote a link."""

import re
from collections.abc import Iterator

_LINKIFIED = re.compile(
    r"""
      [a-z0-9+.-]:(?:/|\\){2}                       # any scheme
    | (?:mailto|xmpp):
    | //[^\s/\[]                                    # linkify-it takes //host for a link
    | www\.
    | [\w.+;:&=$,"-]@\w                             # e-mail
    | [^\s.\]]\.(?:[a-z]{2}|com|net|org|edu|gov|biz|info|name|museum|coop|aero|asia|shop|pro|web|xxx|рф
        |xn--[a-z0-9-]+)(?![^\W_])                  # linkify-it takes a bare domain for a link, README.md too
    """,
    re.IGNORECASE | re.VERBOSE,
)
"""What GFM's autolink extension, remark and linkify-it (its default domains) make clickable in plain text."""

_AROUND_URLS = "()[]{}<>\"'`«»“”‘’‹›„.,;:!?*_~|…"
"""Punctuation that belongs to the sentence around an address."""


def bare_urls(text: str, *, skip: str) -> Iterator[tuple[int, int]]:
    """Where the addresses lie that some renderer would make clickable; none spans a character of `skip`."""
    if not _LINKIFIED.search(text):  # the most texts hold none, and one look at the whole is less than one at each word
        return
    for run in re.finditer(f"[^\\s{re.escape(skip)}]+", text):
        word = run[0]
        if not _LINKIFIED.search(word):
            continue
        core = word.strip(_AROUND_URLS)
        if not core or not _LINKIFIED.search(core):
            core = word
        start = run.start() + word.index(core)
        yield start, start + len(core)
