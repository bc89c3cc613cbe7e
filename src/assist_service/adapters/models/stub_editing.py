"""How the stub edits the draft in the editor: a text as it is quoted, else a tidier one, and more choices."""

import re
from collections.abc import Mapping, Sequence

from assist_service.adapters.models.stub_asked import Asked, Call, Said
from assist_service.adapters.models.stub_names import plain
from assist_service.adapters.models.stub_numbers import NUMBERS
from assist_service.adapters.models.stub_words import QUOTED, folded_words, words

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
    if not asked.has(EDIT):
        return None
    if (made := asked.result(EDIT)) is not None:
        return made.content if made.is_error else asked.said(PROPOSED)
    rewriting, adding = _parts(asked)
    rewrites = _rewrites(asked, rewriting) if rewriting else []
    additions = _additions(asked, adding) if adding and asked.unquoted & _CHOICES else []
    given = {"rewrites": rewrites, "additions": additions}
    return Call(EDIT, {name: value for name, value in given.items() if value}) if rewrites or additions else None


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
    """The text that is named, as it is quoted; where nothing is, the first text that tidying changes, or else the
    statement with its first line set off."""
    if quotes := QUOTED.findall(told):
        path = EXPLANATION if frozenset(folded_words(told)) & _EXPLANATION else STATEMENT
        return [{"path": path, "text": quotes[0]}]
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
