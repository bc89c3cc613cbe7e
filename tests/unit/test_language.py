"""The language of a message: told where it is sure, never wrong where it is told."""

from collections import Counter

import pytest

from assist_service.adapters.language import LangidDetector

LANGUAGES = ("en", "fr", "fil")

QUESTIONS = {
    "How do I create a pool?": "en",
    "Where can I find my students' results?": "en",
    "Can I delete a question that was used?": "en",
    "What does the statistics tab show?": "en",
    "Publish the evaluation now": "en",
    "Who can see this course?": "en",
    "I forgot my password": "en",
    "Comment créer une banque de questions ?": "fr",
    "Où sont les résultats de mes élèves ?": "fr",
    "Est-ce que je peux supprimer une question ?": "fr",
    "À quoi sert l'onglet statistiques ?": "fr",
    "Publier l'évaluation maintenant": "fr",
    "Qui peut voir ce cours ?": "fr",
    "J'ai oublié mon mot de passe": "fr",
    "Paano gumawa ng bagong pagsusulit?": "fil",
    "Nasaan ang mga resulta ng aking mga estudyante?": "fil",
    "Puwede ko bang burahin ang tanong na ito?": "fil",
    "Ano ang ipinapakita ng tab na ito?": "fil",
    "Sino ang makakakita ng kursong ito?": "fil",
    "Nakalimutan ko ang aking password": "fil",
}


@pytest.fixture(scope="module")
def detector() -> LangidDetector:
    return LangidDetector()


def test_of_twenty_short_questions_eighteen_are_told_right_and_none_wrong(detector: LangidDetector) -> None:
    told = Counter(
        "unsure"
        if (found := detector.detect(question, LANGUAGES)) is None
        else "right"
        if found == language
        else "wrong"
        for question, language in QUESTIONS.items()
    )
    assert told.total() == 20
    assert told["wrong"] == 0
    assert told["right"] >= 18


@pytest.mark.parametrize("text", ["", " ", "42", "?!", "2026-11-02", "🙂", "→ 3", "[1]", "« 12 »", "«»"])
def test_a_text_without_letters_is_in_no_language(detector: LangidDetector, text: str) -> None:
    assert detector.detect(text, LANGUAGES) is None


@pytest.mark.parametrize("marks", ["“{}”", '"{}"', "« {} »", "„{}“"])
def test_a_quoted_title_is_in_its_own_language(detector: LangidDetector, marks: str) -> None:
    title = "Les vecteurs de l'espace et leurs propriétés élémentaires"
    assert detector.detect(f"Open the question {marks.format(title)} for me, please", LANGUAGES) == "en"
    assert detector.detect(marks.format(title), LANGUAGES) is None


@pytest.mark.parametrize("text", ["ok", "Quiz", "pool", "PDF", "Gradebook", "quiz 1", "info quiz"])
def test_where_it_is_not_sure_it_tells_none(detector: LangidDetector, text: str) -> None:
    assert detector.detect(text, LANGUAGES) is None


def test_only_the_languages_asked_for_are_told(detector: LangidDetector) -> None:
    german = "Wie kann ich eine Frage löschen?"
    assert detector.detect("Comment créer une banque ?", ("en",)) in (None, "en")
    assert detector.detect(german, ("fr", "fil")) in (None, "fr", "fil")
    assert detector.detect("How do I create a pool?", ("de", "es")) is None
    assert detector.detect("How do I create a pool?", ()) is None


def test_the_same_text_is_told_alike_whatever_was_asked_between(detector: LangidDetector) -> None:
    first = detector.detect("Comment créer une banque ?", LANGUAGES)
    detector.detect("Comment créer une banque ?", ("en",))
    detector.detect("Comment créer une banque ?", ("en", "fil"))
    assert detector.detect("Comment créer une banque ?", LANGUAGES) == first == "fr"
