"""The house under the school's policy, in which everything is moderated by the list of words."""

from contextlib import AbstractAsyncContextManager
from typing import Any

from assist_service.adapters.configuration import load_policy
from assist_service.domain.screens import Language
from tests.fakes.house import House, running_house

SCHOOL = "school-manuals"

REFUSALS = load_policy(SCHOOL).texts.not_found

QUESTIONS = {
    Language.ENGLISH: "How do I create a pool of questions?",
    Language.FRENCH: "Comment est-ce que je peux créer une banque de questions ?",
    Language.FILIPINO: "Paano ako gagawa ng bangko ng mga tanong sa kurso ko?",
}


def school_house(database_url: str, **changes: Any) -> AbstractAsyncContextManager[House]:
    return running_house(database_url, **{"policy": SCHOOL, "moderation": "words", **changes})
