"""Words are compared by what is left of their letters, and that is the same however they are encoded."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assist_service.domain.folding import folded

SPELT = {
    "Łukasz Wójcik": "lukasz wojcik",
    "Søren Ågård": "soren agard",
    "Þóra Ðað Đorđe": "thora dad dorde",
    "Æsa Œuf Straße STRAẞE": "aesa oeuf strasse strasse",
    "Işıl İnce": "isil ince",
    "\uff25\uff56\uff41 \U0001d405\U0001d41e": "eva fe",
    "\u1fb3 \ufb01n": "α fin",
}


@pytest.mark.parametrize(("text", "bare"), SPELT.items())
def test_case_accents_and_forms_do_not_count(text: str, bare: str) -> None:
    for form in ("NFC", "NFD"):
        assert folded(unicodedata.normalize(form, text)) == bare


@given(st.text(max_size=20))
def test_folding_twice_is_folding_once(text: str) -> None:
    assert folded(folded(text)) == folded(text)
