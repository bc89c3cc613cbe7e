"""The panel words the service's own sentences as the service does: else an answer would say them twice."""

import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from assist_service.domain.own_words import COMMANDS, NOTHING_CHANGED, NOTHING_PREPARED, OPENS, PREPARED, Words
from assist_service.domain.screens import Language

WORDS = Path(__file__).parents[2] / "panel" / "words"

SENTENCES: Mapping[str, Words] = {
    "opens": OPENS,
    "prepared": PREPARED,
    "unchanged": NOTHING_CHANGED,
    "none_waits": NOTHING_PREPARED,
    **COMMANDS,
}


@pytest.mark.parametrize("language", Language)
def test_the_panel_knows_the_services_own_sentences(language: Language) -> None:
    source = (WORDS / f"{language}.js").read_text(encoding="utf-8")
    told = dict(re.findall(r'^  "service\.(\w+)": "(.*)",$', source, re.MULTILINE))
    assert {key: told[key] for key in SENTENCES} == {key: words[language] for key, words in SENTENCES.items()}
