"""What is said in place of an answer that may not be shown."""

import pytest

from assist_service.adapters.configuration import load_policy
from assist_service.domain.answer import HOLDS_A_WORD, ONLY_LOOKED_UP, Checked, refused_answer
from assist_service.domain.conversation import Kind
from assist_service.domain.screens import Language


@pytest.mark.parametrize("language", Language)
def test_in_place_of_an_answer_from_a_lookup_it_is_said_that_something_was_found(language: Language) -> None:
    policy = load_policy("school-manuals")
    said = refused_answer(policy, language, is_withheld=True)
    assert said == Checked(Kind.REFUSAL, HOLDS_A_WORD[language], (), is_withheld=True)
    assert refused_answer(policy, language) == Checked(Kind.REFUSAL, policy.texts.not_found[language], ())
    assert len(set(HOLDS_A_WORD.values())) == len(Language) == len(set(ONLY_LOOKED_UP.values()))
