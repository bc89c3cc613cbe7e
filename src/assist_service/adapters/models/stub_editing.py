"""How the stub edits the draft in the editor: a text as it is quoted, else a tidier one, and more choices.

It rewrites the texts that are named, of whatever type the question is, and keeps the tokens of each. What the draft has
not got it says, and proposes nothing that would be refused.
"""

import re
from collections.abc import Mapping, Sequence

from assist_service.adapters.models.stub_asked import Asked, Call, Said
from assist_service.adapters.models.stub_names import plain
from assist_service.adapters.models.stub_numbers import NUMBERS
from assist_service.adapters.models.stub_words import QUOTED, folded_words, words
from assist_service.domain.draft_texts import tokens_of

EDIT, ASK_BACK = "propose_question_edit", "ask_back"

_REWRITE = words(
    "rewrite reword rephrase tidy correct improve shorten simplify clarify clearer fix polish "
    "reecris reecrire reformule reformuler corrige corriger ameliore ameliorer simplifie simplifier clarifie clarifier "
    "raccourcis raccourcir ayusin itama isulat pagandahin"
)
_ADD = words("add ajoute ajouter idagdag magdagdag dagdagan")
_CHOICES = words("choice choices choix option options answers reponses pagpipilian")

NAMED: Mapping[str, frozenset[str]] = {
    "statement": words("statement stem enonce enonces"),
    "text": words("text texte teksto"),
    "choice": _CHOICES,
    "column": words("column columns colonne colonnes categories hanay"),
    "card": words("card cards carte cartes kard"),
    "unit": words("unit unite yunit"),
    "guidance": words("guidance guide indications consignes gabay"),
    "explanation": words("explanation explication explications paliwanag"),
}
"""The labels that a text of a draft may have, by the words that name it."""

NO_SENTENCES = frozenset({"unit", "column"})
"""Labels of texts that a capital and a full stop, or bold letters, make no better."""

MOST_REWRITTEN = 20
"""Of a list that is named, as many of its texts at once."""

STATEMENT, EXPLANATION = "/config/statement", "/explanation"

MOST_ADDED = 8
"""Choices that are added at once, however many are asked for."""

_CHOICE: Said = {"en": "Another choice", "fr": "Un autre choix", "fil": "Isa pang pagpipilian"}

PROPOSED: Said = {
    "en": "I propose another text.",
    "fr": "Je propose un autre texte.",
    "fil": "May mungkahi akong ibang teksto.",
}
NO_CHOICES: Said = {
    "en": "I am a stub. A question of this type has no choices, so none can be added. Shall I rewrite a text of it?",
    "fr": "Je suis un simulacre. Une question de ce type n'a pas de choix : rien à ajouter. Veux-tu que j'en réécrive"
    " un texte ?",
    "fil": "Isa akong panghalili. Walang pagpipilian ang ganitong uri ng tanong kaya walang maidaragdag. Isusulat ko"
    " bang muli ang isang teksto nito?",
}
NO_CHOICES_HERE: Said = {
    "en": "No choice is added: a question of this type has none.",
    "fr": "Aucun choix n'est ajouté : une question de ce type n'en a pas.",
    "fil": "Walang idinagdag: walang pagpipilian ang ganitong uri ng tanong.",
}
NO_TEXT: Said = {
    "en": "I am a stub. That text is not in this question, or a stub cannot better it. Which words shall I put, and"
    " where? Quote them, please.",
    "fr": "Je suis un simulacre. Cette question n'a pas ce texte, ou un simulacre ne sait pas l'améliorer. Quels mots"
    " veux-tu mettre, et où ? Cite-les entre guillemets.",
    "fil": "Isa akong panghalili. Wala sa tanong na ito ang tekstong iyon, o hindi ko ito mapapaganda. Aling mga salita"
    " ang ilalagay ko, at saan? Pakisipi.",
}


def edit(asked: Asked) -> Call | str | None:
    """One proposal for all that the question asks of the draft; a question back where it asks for what there is not."""
    if not asked.has(EDIT):
        return None
    rewriting, adding = _parts(asked)
    wants_choices = bool(adding) and bool(asked.unquoted & _CHOICES)
    takes_choices = "choice" in asked.labels.values()
    if (made := asked.result(EDIT)) is not None:
        without = wants_choices and not takes_choices
        said = f"{asked.said(PROPOSED)} {asked.said(NO_CHOICES_HERE)}" if without else asked.said(PROPOSED)
        return made.content if made.is_error else said
    rewrites = _rewrites(asked, rewriting) if rewriting else []
    additions = _additions(asked, adding) if wants_choices and takes_choices else []
    given = {"rewrites": rewrites, "additions": additions}
    if rewrites or additions:
        return Call(EDIT, {name: value for name, value in given.items() if value})
    if wants_choices:
        return _back(asked, NO_CHOICES)
    return _back(asked, NO_TEXT) if rewriting and asked.texts else None


def _back(asked: Asked, sentence: Said) -> Call | None:
    return Call(ASK_BACK, {"text": asked.said(sentence)}) if asked.has(ASK_BACK) else None


def _parts(asked: Asked) -> tuple[str, str]:
    """What the question says behind its word for rewriting, and behind its word for adding; empty without one."""
    told = QUOTED.sub(lambda quote: "_" * len(quote[0]), plain(asked.question))
    words = list(re.finditer(r"[a-z]+", told))
    rewrite, add = (next((word.start() for word in words if word[0] in wanted), None) for wanted in (_REWRITE, _ADD))
    return _behind(asked.question, rewrite, add), _behind(asked.question, add, rewrite)


def _behind(question: str, at: int | None, other: int | None) -> str:
    if at is None:
        return ""
    return question[at : other if other is not None and other > at else None]


def _rewrites(asked: Asked, told: str) -> Sequence[Mapping[str, str]]:
    """The text that is named, as it is quoted; where nothing is, the texts that are named as they are tidier; and where
    none is named, the first of statement and explanation that tidying changes."""
    spoken = frozenset(folded_words(QUOTED.sub(" ", told)))
    named = [path for path, label in asked.labels.items() if spoken & NAMED.get(label, frozenset())]
    is_named = bool(named) or any(spoken & each for label, each in NAMED.items() if label != "text")
    if quotes := QUOTED.findall(told):
        path = EXPLANATION if spoken & NAMED["explanation"] else next(iter(named), None if is_named else STATEMENT)
        return [{"path": path, "text": _keeping(quotes[0], asked.texts.get(path, ""))}] if path else []
    if is_named:
        return _tidied(asked, named)[:MOST_REWRITTEN]
    return _tidied(asked, [path for path in (STATEMENT, EXPLANATION) if path in asked.texts])[:1]


def _tidied(asked: Asked, paths: Sequence[str]) -> Sequence[Mapping[str, str]]:
    """Those of these texts that tidying changes; where it changes none, the first with its first line set off."""
    sentences = (path for path in paths if asked.labels[path] not in NO_SENTENCES)
    own = {path: text for path in sentences if (text := asked.texts[path]).strip()}
    tidier = {path: tidy for path, text in own.items() if (tidy := _tidy(text)) != text and _keeps(tidy, text)}
    set_off = {path: _set_off(text) for path, text in [*own.items()][:1]}
    return [{"path": path, "text": text} for path, text in (tidier or set_off).items()]


def _keeps(text: str, before: str) -> bool:
    return tokens_of(text) == tokens_of(before)


def _keeping(text: str, before: str) -> str:
    """The text, with the tokens of the one before that it lacks behind it."""
    lacking = [*(tokens_of(before) - tokens_of(text)).elements()]
    return " ".join([text, *lacking])


def _tidy(text: str) -> str:
    """One space between words, a capital at the start, a mark at the end."""
    line = re.sub(r"[ \t]+", " ", text.strip())
    line = line[:1].upper() + line[1:]
    return line if line.endswith((".", "?", "!", "…", ":", "]", "}", "*")) else f"{line}."


def _set_off(text: str) -> str:
    """The first line in bold, or as it was where it is so already: for a text of any language.

    Only what stands before its first token is, where a token would not be the same in bold.
    """
    first, *rest = text.split("\n")
    if first.startswith("**") and first.endswith("**") and len(first) > 4:
        return "\n".join([first[2:-2], *rest])
    begun = _TOKEN.split(first, maxsplit=1)[0].rstrip()
    partly = f"**{begun}**{first[len(begun) :]}" if begun else f"· {first}"
    written = ("\n".join([line, *rest]) for line in (f"**{first}**", partly))
    return next((each for each in written if _keeps(each, text)), f"· {text}")


_TOKEN = re.compile(r"asset:|\[\[|\{\{", re.IGNORECASE)


def _additions(asked: Asked, told: str) -> Sequence[str]:
    """The choices that are quoted, else as many as are asked for that the draft does not have."""
    if quotes := QUOTED.findall(told):
        return list(quotes[:MOST_ADDED])
    there = set(asked.texts.values())
    numbered = (f"{asked.said(_CHOICE)} {number}" for number in range(1, 100))
    return [text for text in numbered if text not in there][: _count(told)]


def _count(told: str) -> int:
    """The first number, in digits or as a word; else one."""
    numbers = (
        int(word) if word.isdigit() else NUMBERS.get(word) for word in re.findall(r"\d{1,2}|[a-z]+", plain(told))
    )
    return min(max(next((number for number in numbers if number is not None), 1), 1), MOST_ADDED)
