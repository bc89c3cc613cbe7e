"""The panel words the service's own sentences as the service does: else an answer would say them twice."""

import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from assist_service.domain.own_words import (
    COMMANDS,
    NOTHING_CHANGED,
    NOTHING_PREPARED,
    OPENS,
    OUTCOMES,
    PREPARED,
    SAYS,
    Words,
)
from assist_service.domain.screens import Language

WORDS = Path(__file__).parents[2] / "panel" / "words"

SENTENCES: Mapping[str, Words] = {
    "opens": OPENS,
    "prepared": PREPARED,
    "unchanged": NOTHING_CHANGED,
    "none_waits": NOTHING_PREPARED,
    "says": SAYS,
    **COMMANDS,
}


@pytest.mark.parametrize("language", Language)
def test_the_panel_knows_the_services_own_sentences(language: Language) -> None:
    source = (WORDS / f"{language}.js").read_text(encoding="utf-8")
    told = dict(re.findall(r'^  "service\.(\w+)": "(.*)",$', source, re.MULTILINE))
    assert {key: told[key] for key in SENTENCES} == {key: words[language] for key, words in SENTENCES.items()}


@pytest.mark.parametrize("language", Language)
def test_the_service_knows_the_panels_lines(language: Language) -> None:
    """Else a model could write one of them."""
    source = (WORDS / f"{language}.js").read_text(encoding="utf-8")
    told = dict(re.findall(r'^  "action\.(\w+)": "(.*)",$', source, re.MULTILINE))
    lines = {key: re.sub(r"\{\w+\}", "{what}", told[key]) for key in OUTCOMES}
    assert lines == {key: words[language] for key, words in OUTCOMES.items()}
    assert f'"write.done": "{OUTCOMES["done"][language].partition(" {")[0]}"' in source
