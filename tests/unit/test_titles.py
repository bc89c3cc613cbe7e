"""Titles found in a text: whole, together and on one line, the longest first, and hardly a word only where it stands
apart."""

import time

import pytest

from assist_service.domain.titles import Titles


def found(text: str, *titles: str) -> list[str]:
    entered: Titles[str] = Titles()
    for title in titles:
        entered.add(title, title)
    return list(entered.found_in(text))


@pytest.mark.parametrize(
    ("title", "text"),
    [
        ("Contrôle nº 1 : les pointeurs", "In Contrôle nº 1 : les pointeurs the mean is 12."),
        ("Contrôle nº 1 : les pointeurs", "in CONTROLE Nº 1: LES POINTEURS, the mean"),
        ("Contrôle nº 1 : les pointeurs", "« contrôle nº 1 les pointeurs »"),
        ("Groupe 1B, salle Méridienne", "Your class “Groupe 1B, salle Méridienne”."),
        ("Mid-term exam", "the mid‑term exam was hard"),
        ("7B", "7b did well"),
        ("Biology", "Biology has three evaluations."),
        ("Biology", "The mean of Biology's last one"),
        ("A", "- A: 12.5 points"[2:]),
        ("A", "It is class “A”."),
        ("the", "Only « the » is released."),
        ("the", "Titles:\nthe\nend"),
        ("1", '"1" is the first'),
        ("الجبر", "الدرجات في الجبر جيدة"),
        ("Quiz (old)", "Quiz (old) is closed"),
    ],
)
def test_a_title_is_found_however_it_is_written(title: str, text: str) -> None:
    assert found(text, title) == [title]


@pytest.mark.parametrize(
    ("title", "text"),
    [
        ("a", "There is a class with a mean of 12."),
        ("A", "A student was absent."),
        ("the", "The best of the class."),
        ("is a", "This is a class."),
        ("1", "1 of 2 was absent"),
        ("2", "1. Ana\n2. Ben"),
        ("12.5", "The mean is 12.5."),
        ("exam", "no exam is released"),
        ("Exam", "no exam is released"),
        ("Quiz 1", "Quiz 10 is released"),
        ("Quiz 1", "in the quiz. 1 student was absent"),
        ("Quiz 1", "| Quiz |\n| 1 |"),
        ("Test A", "after the test, a student left"),
        ("Quiz 1", "Quiz (1 of 2)"),
        ("Biology", "Microbiology is another"),
        ("", "anything"),
        ("...", "and so on..."),
        ("\u200b", "anything"),
    ],
)
def test_words_of_a_sentence_are_no_title(title: str, text: str) -> None:
    assert found(text, title) == []


def test_of_titles_in_one_another_the_longest_counts() -> None:
    titles = ("Quiz 1", "Quiz 1 retake", "Retake quiz", "1")
    assert found("The Quiz 1 retake is open.", *titles) == ["Quiz 1 retake"]
    assert found("The Quiz 1 retake is open, Quiz 1 is not.", *titles) == ["Quiz 1 retake", "Quiz 1"]
    assert found("A Quiz 1 retake quiz", *titles) == ["Quiz 1 retake"], "of those that overlap too"
    assert found("A Quiz 1 retake.", "Quiz 1 retake in May", "Quiz 1") == ["Quiz 1"]


def test_what_is_called_alike_is_all_found_in_the_order_of_the_text() -> None:
    entered: Titles[int] = Titles()
    for number, title in enumerate(("Quiz 2", "quiz 1", "QUIZ 1", "Quiz-1")):
        entered.add(title, number)
    assert entered.found_in("Quiz 1, then Quiz 2, then Quiz 1") == (1, 2, 3, 0)


@pytest.mark.parametrize(
    ("titles", "text"),
    [
        (
            [f"Evaluation {n} of term {n % 3}: chapter {n}" for n in range(500)],
            "Evaluation 7 of term 1: chapter 7. " * 300,
        ),
        (["a " * n for n in range(1, 250)] * 2, "a " * 4_000),
        (["1 " * n for n in range(1, 250)] * 2, "1 " * 4_000),
        (["1 " * n for n in range(1, 250)] * 2, '"1" ' * 2_000),
    ],
    ids=["a school's", "one within another", "numbers within numbers", "quoted"],
)
def test_hundreds_of_titles_take_no_time(titles: list[str], text: str) -> None:
    began = time.process_time()
    found(text, *titles)
    assert time.process_time() - began < 1.0
