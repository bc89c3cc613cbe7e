"""What of a section is embedded: its titles and the beginning of its text, as a person reads it."""

import re

from assist_service.domain.manual import Section

PASSAGE_RULE = 1
"""The number of the rule below, part of every model's name: raise it with each change of what is embedded of a section,
or vectors of the old rule are compared with those of the new one, and never made anew."""

PASSAGE_CHARACTERS = 1_500
"""Of a section's text: with its titles some 400 tokens of a European language, less than a small model's window of
512. What stands further down is found by words alone, and by its page's other sections; an average over all of a
section of 9,000 words would be near everything."""

_LEADS_TO = re.compile(r"\]\([^)\n]{0,500}\)|</?[A-Za-z][^<>\n]{0,200}>")
"""Where a link leads, and a tag: `<` before anything but a letter or `/` is a sign of the text, as in `under < 10`."""

_MARKS = re.compile(r"[*`#|\[\]\\]+|:-+:?|-{3,}:?|\s+")


def passage_of(section: Section) -> str:
    """The text to embed, on one line and without markup, which says nothing and drowns what does."""
    said = _MARKS.sub(" ", _LEADS_TO.sub("] ", section.text[: 2 * PASSAGE_CHARACTERS]))
    return f"{section.full_title}. {' '.join(said.split())[:PASSAGE_CHARACTERS]}"
