"""How the stub edits the draft in the editor: a text as it is quoted, else a tidier one, and more choices."""

import re
from collections.abc import Mapping, Sequence

from assist_service.adapters.models.stub_asked import Asked, Call, Said
from assist_service.adapters.models.stub_names import plain
from assist_service.adapters.models.stub_numbers import NUMBERS
from assist_service.adapters.models.stub_words import folded_words, words

EDIT = "propose_question_edit"

_REWRITE = words(
    "rewrite reword rephrase tidy correct improve reecris reecrire reformule corrige ameliore ayusin itama isulat"
)
_ADD = words("add ajoute ajouter idagdag magdagdag dagdagan")
_CHOICES = words("choice choices choix option options answers reponses pagpipilian")
_EXPLANATION = words("explanation explication paliwanag")

STATEMENT, EXPLANATION = "/config/statement", "/explanation"

MOST_ADDED = 8
"""Choices that are added at once, however many are asked for."""

_CHOICE: Said = {"en": "Another choice", "fr": "Un autre choix", "fil": "Isa pang pagpipilian"}

PROPOSED: Said = {
    "en": "I propose another text.",
    "fr": "Je propose un autre texte.",
    "fil": "May mungkahi akong ibang teksto.",
}


def edit(asked: Asked) -> Call | str | None:
    """One proposal for all that the question asks of the draft."""
    if not asked.has(EDIT) or not asked.texts:
        return None
    if (made := asked.result(EDIT)) is not None:
        return made.content if made.is_error else asked.said(PROPOSED)
    adds = bool(asked.unquoted & _ADD and asked.unquoted & _CHOICES)
    rewrites = _rewrites(asked, adds=adds) if asked.unquoted & _REWRITE else []
    additions = _additions(asked) if adds else []
    given = {"rewrites": rewrites, "additions": additions}
    return Call(EDIT, {name: value for name, value in given.items() if value}) if rewrites or additions else None


def _rewrites(asked: Asked, *, adds: bool) -> Sequence[Mapping[str, str]]:
    """The text that is named, as it is quoted; where nothing is, the first text that tidying changes, or else the
    statement with its first line set off."""
    if asked.quotes and not adds:
        path = EXPLANATION if asked.unquoted & _EXPLANATION else STATEMENT
        return [{"path": path, "text": asked.quotes[0]}]
    own = {path: text for path in (STATEMENT, EXPLANATION) if (text := asked.texts.get(path, "")).strip()}
    for path, text in own.items():
        if (tidy := _tidy(text)) != text:
            return [{"path": path, "text": tidy}]
    return [{"path": path, "text": _set_off(text)} for path, text in [*own.items()][:1]]


def _tidy(text: str) -> str:
    """One space between words, a capital at the start, a mark at the end."""
    line = re.sub(r"[ \t]+", " ", text.strip())
    line = line[:1].upper() + line[1:]
    return line if line.endswith((".", "?", "!", "…", ":", "]", "}", "*")) else f"{line}."


def _set_off(text: str) -> str:
    """The first line in bold, or as it was where it is so already: for a text of any language."""
    first, *rest = text.split("\n")
    bold = first[2:-2] if first.startswith("**") and first.endswith("**") and len(first) > 4 else f"**{first}**"
    return "\n".join([bold, *rest])


def _additions(asked: Asked) -> Sequence[str]:
    """The choices that are quoted, else as many as are asked for that the draft does not have."""
    if asked.quotes:
        return list(asked.quotes[:MOST_ADDED])
    there = {tuple(folded_words(text)) + tuple(re.findall(r"\d+", text)) for text in asked.texts.values()}
    numbered = (f"{asked.said(_CHOICE)} {number}" for number in range(1, 100))
    new = [text for text in numbered if (*folded_words(text), *re.findall(r"\d+", text)) not in there]
    return new[: _count(asked)]


def _count(asked: Asked) -> int:
    """The first number behind the word for adding, in digits or as a word; else one."""
    said = re.findall(r"\d{1,2}|[a-z]+", plain(asked.question))
    behind = said[next(place for place, word in enumerate(said) if word in _ADD) :]
    numbers = (int(word) if word.isdigit() else NUMBERS.get(word) for word in behind)
    return min(max(next((number for number in numbers if number is not None), 1), 1), MOST_ADDED)
