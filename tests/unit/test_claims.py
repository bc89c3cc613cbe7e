"""What could be taken for an act is found in three languages, and what a manual says in general is left be (B7)."""

import re
import time
from pathlib import Path

import pytest

from assist_service.domain.claims import claims_an_act, plain

CORPUS = Path(__file__).parents[2] / "corpus"

CLAIMS = """
I have created the category.
I've just added five choices.
I've gone ahead and created the category.
I went ahead and deleted it.
I have now also renamed the pool for you.
I created a template with three questions.
I managed to delete it.
I took care of it: the question is there.
We have published your question.
The pool was renamed.
The category has been successfully created.
The pool's been deleted.
Created the category Loops for you.
Successfully added 3 questions.
Deleted.
Category created.
The category Loops created.
Pool deleted successfully.
Status: published.
- Category: created
The pool is deleted.
The pool is deleted, as you asked.
Your question is published.
Your questions are added to the template.
It's done.
It is now linked to the course.
The pool is gone.
You now have a category Loops.
The category Loops now exists in your pool.
Done! It is there.
All set.
I have de**le**ted the pool.
I have d&#101;leted the pool.
I _have_ `created` the [category](/pools).
**Your question** is **published**.
J’ai créé la catégorie.
J'ai bien ajouté les questions.
Je l'ai supprimée.
Je les ai publiées.
Je t'ai créé la catégorie.
Je vous ai créé la catégorie.
Je te l'ai renommée.
Je viens de publier la question.
Je viens de te créer une catégorie.
Nous avons supprimé la banque.
La catégorie a été ajoutée.
La catégorie vient d'être créée.
La catégorie est créée.
La question est maintenant publiée.
Ta question est publiée.
Tes questions sont ajoutées au modèle.
Catégorie créée.
Banque Algèbre supprimée.
Créé la catégorie pour toi.
Supprimée !
C'est fait.
C'est publié.
Voilà !
Ginawa ko na ang kategorya.
Idinagdag ko ang tanong.
Nagawa na ang kategorya.
Na-publish na ang pagsusulit.
Na-delete na ang pool.
Nadelete ko na.
Dinelete ko na ang pool.
Na-create ko na ang kategorya.
Ini-publish ko na ang tanong.
In-update ko ang tanong.
Pinublish ko na.
Naka-publish na ang tanong mo.
Binura ko na ang pool.
Tapos ko na.
Tapos na.
Wala na ang pool.
""".strip().splitlines()

EXPLANATIONS = """
Open the pool and press New question. [1]
A pool holds questions.
I am a stub, not a model. Your courses: Programmation en C
Questions are added with the button Add. A draft is saved when you leave the page.
Write a note in the margin; a public pool is shared with your school.
The question is added to the pool when you press Save.
The evaluation is closed automatically at its end.
Set the title, then press Create.
Run the check once more.
Added questions appear at the end of the list.
You can delete a draft; a published question can only be archived.
Closed evaluations are listed under Archive.
Only published questions go into a template.
Do you want me to delete the pool?
I cannot delete anything.
Which pool do you mean?
To publish a question, open it and press Publish.
The answer is graded by the teacher.
Une banque contient des questions.
Les questions sont ajoutées avec le bouton Ajouter.
Supprime la question, puis ferme la fenêtre.
Note que la banque est partagée avec les collègues du cours.
Modifier une question publiée
Rendre la copie
L'évaluation est fermée automatiquement à la fin.
Ta réponse est enregistrée quand tu quittes la page.
Quelle banque veux-tu ouvrir ?
Ang pool ay koleksyon ng mga tanong.
Pindutin ang Publish para i-publish ang tanong.
Puwede mong i-delete ang draft.
Aling pool ang ibig mong sabihin?
Magdagdag ng tanong sa pool.
""".strip().splitlines()


@pytest.mark.parametrize("text", [*CLAIMS, *(claim.upper() for claim in CLAIMS if "&#" not in claim)])
def test_words_that_could_be_taken_for_an_act_are_known(text: str) -> None:
    assert claims_an_act(text)
    assert claims_an_act(f"Open the pool. {text} Press Add.") or text.startswith("- ")


@pytest.mark.parametrize("text", EXPLANATIONS)
def test_an_explanation_is_none(text: str) -> None:
    assert not claims_an_act(text)


def test_the_tables_are_wide_enough() -> None:
    assert len(set(CLAIMS)) >= 60
    assert len(set(EXPLANATIONS)) >= 25


def test_few_sentences_of_the_manual_are_taken_for_one() -> None:
    pages = [path.read_text(encoding="utf-8").split("---", 2)[-1] for path in sorted(CORPUS.rglob("*.md"))]
    sentences = [each for page in pages for each in re.split(r"(?<=[.!?])\s+|\n\n+|\n(?=[-|#])", page) if each.strip()]
    taken = [each for each in sentences if claims_an_act(each)]
    assert len(taken) < 0.05 * len(sentences), taken[:20]


def test_words_are_read_as_they_are_seen() -> None:
    text = "- I **ha**ve `run` [the *check*](/a?b=c) \\*now\\* [12]\n\n> 2. &eacute;t&eacute;..."
    assert plain(text) == "I have run the check now\nété."
    assert plain("") == ""


@pytest.mark.parametrize(
    "hostile",
    ["\n", "[", "[a](", "a ", ". ", "the ", "i have ", ".\nthe x is ", "est ", "x\\", "| - ", "1. ", "&", "l'ai "],
)
def test_no_text_takes_long(hostile: str) -> None:
    began = time.process_time()
    claims_an_act(hostile * (20_000 // len(hostile)))
    assert time.process_time() - began < 2
