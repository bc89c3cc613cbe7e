"""Which lookup the stub chooses, by plain words in English, French and Filipino, and the few words it fills in.

It reads nothing of what a lookup brings: the loop ends there. A question of how something is done is the manual's.
"""

import re
from collections.abc import Collection, Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import Any

from assist_service.adapters.models.stub_asked import Call
from assist_service.adapters.models.stub_names import Mention, mentions, plain
from assist_service.adapters.models.stub_numbers import NUMBER, limit_of
from assist_service.domain.live.query import OPERATIONS, TAKES, Lookup, Operation, RecordKind
from assist_service.domain.references import PLACEHOLDERS

_O, _K, _L = Operation, RecordKind, Lookup

_MANUALS = re.compile(
    r"^ou\b|\bhow (?:do|does|to|can|could|should|would|might|may)\b|\bwhat (?:does|happens)\b"
    r"|\b(?:where|why|when|can|explain|comment|pourquoi|quand|peut|peux|puis|paano|papaano|bakit|saan|kailan|puwede)\b"
    r"|\b(?:add|change|create|delete|download|edit|enter|export|import|open|print|publish|release|write)\b"
    r"|\bmy (?:average|grades?|marks?|rank|results?|scores?)\b|\bmes (?:notes|resultats)\b|\bone of\b"
    r"|\b(?:need|repeat|want|gusto|nakikita|repete|veut|veux|voient|voir)\b"
    r"|\b(?:ajouter|creer|exporter|imprimer|modifier|publier|supprimer|gumawa|burahin|i-export|baguhin)\b"
)
"""A question with one of these is how something is done, or asks to do it: no lookup answers that."""

_DEFINING = re.compile(r"^(?:what(?: is| are|'s)|qu'est|c'est quoi|ano)\b")
"""What something is, the manual says, unless it is one that the question names."""

_OWN = re.compile(r"\b(?:my|mine|our|all|i have|mes|mon|ma|tous|toutes|j'ai|ko|aking|akin|lahat)\b")
"""All that the person has is meant, and not what is on screen."""

_BEGINNING = re.compile(r"^\W*(?:(?:what|who|how|it|that)\b|\w(?!\w*['’]s\b))", re.IGNORECASE)
"""A question begins with a capital whether that is a name or not; *Ada's* is one."""

_SELECTED = re.compile(r"^Selected: ([^,\n]+)", re.MULTILINE)


@dataclass(frozen=True)
class _Cue:
    """Words that call for a lookup. What a group of them holds is a name, and what stands around them may be."""

    lookup: Lookup
    words: re.Pattern[str]
    operation: Operation | None = None
    by_kind: Mapping[RecordKind, Lookup] = field(default_factory=dict)
    """What is looked up instead, where the question is about such a record."""
    is_about: bool = False
    """It is a lookup only where the question says what it is about, or something is selected."""


def _cue(lookup: Lookup, *words: str, operation: Operation | None = None, **more: Any) -> _Cue:
    return _Cue(
        lookup, re.compile("|".join(rf"\b(?:{each})" for each in words).replace("NUMBER", NUMBER)), operation, **more
    )


_STUDENTS = r"(?:students?|learners?|pupils?)\b"
_ELEVES = r"(?:eleves?|etudiante?s?)\b"
_MAG_AARAL = r"(?:estudyante|mag-aaral)\b"
_EXAMS = r"(?:exams|quizzes|tests|evaluations)\b"
_EXAMENS = r"(?:examens|evaluations|controles|tests)\b"
_PAGSUSULIT = r"(?:pagsusulit|eksamen|exam|quiz)\b"
_LISTED = r"(?:my|our|which|what|how many|all|list|show|who are)(?: me| of| the| my| all| running| released)* "
_LISTES = r"(?:mes|quels|quelles|combien de|combien d'|liste des|montre(?:-moi)? les|qui sont les) ?"
_LISTAHAN = r"(?:ilang?|aling|alin|ano|sino|ipakita|ilista)(?: ang)?(?: mga)? |mga |aking (?:mga )?"
_TOOK = r"(?:taken?|took|done|did|do|sat|sit|written|finished|completed|attempted|handed in)"
_NOT = r"(?:(?:has|have|had|did|does|do) ?n(?:o|')t)"
_STANDS = {_K.STUDENT: _L.STUDENT_PERFORMANCE, _K.EXAM: _L.EXAM_RESULTS, _K.CLASS: _L.CLASS_PERFORMANCE}

_CUES: Sequence[_Cue] = (
    _cue(
        _L.PARTICIPATION,
        rf"who {_NOT}(?: yet| ever)?(?: {_TOOK})?\b(.*)",
        r"who (?:was|were|is|are) (?:absent|missing)\b(.*)",
        r"who (?:has |have )?(?:missed|skipped)\b(.*)",
        r"qui n'(?:a|ont) pas(?: encore)? (?:passe|fait|rendu)\b(.*)",
        r"qui (?:est|sont|etait|etaient|a ete|ont ete) (?:absent|manquant)e?s?\b(.*)",
        r"sino(?: ang)?(?: mga)? hindi(?: pa)?(?: [\w-]+)?(.*)",
        r"sino(?: ang)?(?: mga)? (?:lumiban|liban|absent|wala)\b(.*)",
        operation=_O.MISSING,
    ),
    _cue(
        _L.PARTICIPATION,
        r"participation rate\b",
        r"taux de participation\b",
        rf"(?:how many|what share|which share)(?: of)?(?: the)?(?: {_STUDENTS})?(?: have| has)? "
        r"(?:taken|took|sat|missed)\b(.*)",
        r"ilang? [\w -]*?\b(?:kumuha|nakakuha)\b(.*)",
        operation=_O.RATE,
    ),
    _cue(
        _L.PARTICIPATION,
        r"who (?:has |have )?(?:taken|took|sat)\b(.*)",
        r"qui (?:a|ont) (?:passe|fait|rendu)\b(.*)",
        r"sino(?: ang)?(?: mga)? (?:kumuha|nakakuha)\b(.*)",
        operation=_O.TAKEN,
    ),
    _cue(
        _L.RANKINGS,
        rf"bottom (?:NUMBER\b|{_STUDENTS}|of\b)",
        rf"(?:worst|weakest) (?:NUMBER )?{_STUDENTS}",
        r"last NUMBER\b",
        rf"(?:NUMBER )?derniers?\b(?: {_ELEVES})?",
        r"huling NUMBER\b",
        operation=_O.BOTTOM,
    ),
    _cue(
        _L.RANKINGS,
        r"(?:place|rank|position) (?:is|does|has|had|of)\b(.*?)(?: have\b| take\b|$)",
        r"rang (?:de|du|d')",
        r"pang-?ilan\b",
        operation=_O.PLACE,
    ),
    _cue(
        _L.RANKINGS,
        rf"top (?:NUMBER\b|{_STUDENTS}|of\b)",
        rf"(?:NUMBER )?best (?:NUMBER\b|{_STUDENTS})",
        r"NUMBER best\b",
        r"leaderboards?\b",
        r"rankings?\b",
        r"classements?\b",
        rf"(?:NUMBER )?(?:meilleur|premier)e?s (?:{_ELEVES}|de\b|du\b)",
        r"les NUMBER (?:meilleur|premier)e?s\b",
        r"ranggo\b",
        r"nangunguna(?:ng)?\b",
        rf"(?:NUMBER )?pinakamahu(?:hu)?say na {_MAG_AARAL}",
        operation=_O.TOP,
        by_kind={_K.EXAM: _L.EXAM_RESULTS},
    ),
    _cue(
        _L.EXAM_RESULTS,
        r"(?:results?|marks?|grades?|scores?|resultats?|notes|resulta|marka|iskor|grado)\b",
        by_kind={_K.CLASS: _L.CLASS_PERFORMANCE},
    ),
    _cue(
        _L.STUDENT_PERFORMANCE,
        r"how (?:well )?(?:did|is|are|was|were|has|have) (.+?) "
        r"(?:do|doing|done|go|going|gone|perform(?:ed|ing)?|fared?|faring)\b",
        r"kumusta (?:na )?(?:ba )?(?:ang |si )(.*)",
        r"(?:performances?|progress|averages?|moyennes?|progres|pagganap|average)\b",
        by_kind=_STANDS,
        is_about=True,
    ),
    _cue(
        _L.EXAMS,
        rf"{_LISTED}{_EXAMS}",
        rf"{_LISTES}{_EXAMENS}",
        rf"(?:{_LISTAHAN}){_PAGSUSULIT}",
        r"exams (?:of|in) ",
    ),
    _cue(
        _L.STUDENTS,
        rf"{_LISTED}{_STUDENTS}",
        r"(?:students|learners|pupils) (?=(?:of|in) )",
        r"who (?:is|are) (?=in )",
        rf"{_LISTES}{_ELEVES}",
        r"(?:eleves|etudiants) (?=(?:de|du|en|dans) )",
        rf"(?:{_LISTAHAN}){_MAG_AARAL}",
    ),
    _cue(_L.CLASSES, rf"{_LISTED}classes\b", rf"{_LISTES}classes\b", rf"(?:{_LISTAHAN})klase\b"),
)
"""The first that fits, of those that are offered."""

_NAMED: Mapping[Lookup, Sequence[RecordKind]] = {
    Lookup.CLASSES: (_K.CLASS,),
    Lookup.STUDENTS: (_K.CLASS,),
    Lookup.EXAMS: (_K.CLASS,),
    Lookup.CLASS_PERFORMANCE: (_K.CLASS,),
    Lookup.STUDENT_PERFORMANCE: (_K.STUDENT, _K.CLASS),
    Lookup.EXAM_RESULTS: (_K.EXAM, _K.CLASS),
    Lookup.RANKINGS: (_K.CLASS,),
    Lookup.PARTICIPATION: (_K.EXAM, _K.CLASS),
}
"""What the names in a question are the names of, one after the other, where no word says it."""

_BY_PLACE = (_K.STUDENT, _K.CLASS)
"""Of a place in a ranking."""

_OPERATIONS: Sequence[tuple[Operation, re.Pattern[str]]] = (
    (_O.COUNT, re.compile(r"\b(?:how many|number of|combien|nombre d|ilang?)\b")),
    (_O.BY_EXAM, re.compile(r"\b(?:by|per|each|every|par|chaque|bawat) (?:exam|test|quiz|examen|pagsusulit)\b")),
    (_O.SUMMARY, re.compile(r"\b(?:average|mean|median|summary|overall|moyenne|go|going|buod)\b")),
    (_O.HIGHEST, re.compile(r"\b(?:highest|best|top|meilleure?s?|plus hautes?|pinakamataas(?: na)?)\b")),
    (_O.LOWEST, re.compile(r"\b(?:lowest|worst|weakest|pires?|plus basses?|pinakamababa(?:ng)?)\b")),
)
"""What else a question says is done, if the lookup does it; the first that fits."""


def lookup_wanted(question: str, screen: str, offered: Collection[str]) -> Call | None:
    """The lookup a question asks for, with its arguments, if it is offered; None for any other question."""
    told = plain(question)
    if _MANUALS.search(told):
        return None
    for cue in _CUES:
        if cue.lookup.value in offered and (found := cue.words.search(told)) is not None:
            return _chosen(cue, question, found, _selected(screen), offered)
    return None


def _chosen(
    cue: _Cue, question: str, found: re.Match[str], selected: Set[RecordKind], offered: Collection[str]
) -> Call | None:
    told = plain(question)
    before, within, after = (mentions(text, is_named=is_named) for text, is_named in _stretches(question, found))
    spoken_of = (*before, *within, *after)
    subject = next(iter(within if found.lastindex is not None else spoken_of), None)
    lookup = _about(cue, subject, selected)
    if lookup.value not in offered:
        return None
    is_own = _OWN.search(told) is not None
    kinds = _BY_PLACE if cue.operation is _O.PLACE else _NAMED[lookup]
    has_pronoun = found.lastindex is not None and not within
    left = kinds[1:] if has_pronoun else kinds  # it stands where the first name would
    searches = _searches(left, TAKES[lookup], spoken_of)
    meant = {kinds[0], *(each.kind for each in spoken_of)} if spoken_of else TAKES[lookup]
    if not is_own:
        searches = {**{kind: PLACEHOLDERS[kind] for kind in selected & meant & TAKES[lookup]}, **searches}
    if not searches and not is_own and (_DEFINING.search(told) or (cue.is_about and subject is None)):
        return None
    operation = cue.operation if cue.operation in OPERATIONS[lookup] else _operation(lookup, told)
    arguments = {f"{kind.value}_search": words for kind, words in searches.items()}
    return Call(lookup.value, {"operation": operation.value, **arguments, **limit_of(told)})


def _stretches(question: str, found: re.Match[str]) -> Sequence[tuple[str, bool]]:
    """What stands before the words of the cue, in a group of them, and after them, each with whether it begins with a
    name."""
    before = _BEGINNING.sub(lambda first: first[0].lower(), question[: found.start()])
    within = question[slice(*found.span(found.lastindex))] if found.lastindex is not None else ""
    return (before, False), (within, True), (question[found.end() :], False)


def _about(cue: _Cue, subject: Mention | None, selected: Set[RecordKind]) -> Lookup:
    """The lookup for what the question is about: what it names first, else what is selected."""
    if subject is not None:
        return cue.by_kind.get(subject.kind, cue.lookup) if subject.kind is not None else cue.lookup
    return next((cue.by_kind[kind] for kind in cue.by_kind if cue.is_about and kind in selected), cue.lookup)


def _searches(
    kinds: Sequence[RecordKind], taken: Collection[RecordKind], spoken_of: Sequence[Mention]
) -> dict[RecordKind, str]:
    """The search words by what they are to find."""
    searches: dict[RecordKind, str] = {}
    said = {each.kind for each in spoken_of}
    named = {each.kind for each in spoken_of if each.words is not None}
    left = [kind for kind in kinds if kind not in said] or [kind for kind in kinds if kind not in named]
    for each in spoken_of:
        kind = each.kind or (left.pop(0) if left and each.words is not None else None)
        if kind is not None and kind in taken and each.words is not None:
            searches.setdefault(kind, each.words)
    return searches


def _operation(lookup: Lookup, told: str) -> Operation:
    there_are = OPERATIONS[lookup]
    return next((each for each, words in _OPERATIONS if each in there_are and words.search(told)), there_are[0])


def _selected(screen: str) -> frozenset[RecordKind]:
    """What the person selected, or has on screen, as the prompt says it."""
    said = set(_SELECTED.findall(screen))
    return frozenset(kind for kind, placeholder in PLACEHOLDERS.items() if placeholder in said)
