"""What the stub says of results, and of the person, class or evaluation that somebody clicked on.

People stand in results as placeholders, which go into the answer as they are. Nothing is worked out that the LMS did
not say, but for the order of marks.
"""

import re
from collections.abc import Sequence
from typing import Any

from assist_service.adapters.models.stub_asked import FAILED, Asked, Call, Said
from assist_service.adapters.models.stub_words import as_words, closest, names, words

RESULTS, EVALUATIONS, EVALUATION = "get_classroom_results", "list_evaluations", "get_evaluation"

NAMED = 5
"""Students that are named of one evaluation, the best first."""

LISTED = 12
"""Lines of a list."""

_RESULTS = words("results marks scores notes resultats resulta marka")
_ASKS = words(
    "show list give what results marks scores montre affiche donne liste quels quelles resultats notes ipakita ano "
    "anong mga resulta marka"
)
_TAB = words("tab onglet")
_MANUALS = re.compile(
    r"\b(?:how (?:do|can|to|should)|where|when|why|who|release|publish|export|my results|mes resultats"
    r"|comment (?:faire|puis|peut|on|\w+er)|ou sont|quand|pourquoi|communiquer|paano|saan|bakit|can|does|mean)\b"
)
"""A question with one of these is the manual's."""

_HOW_DID = re.compile(r"\bhow (?:well )?(?:did|is|are|was|were|has|have)\b|\bkumusta\b|\bcomment (?:s|va|vont|a|ont)\b")

LEADS: Said = {
    "en": "Final marks, of released columns only:",
    "fr": "Notes finales, des colonnes communiquées seulement :",
    "fil": "Mga huling marka, ng mga inilabas na hanay lang:",
}
COLUMN: Said = {
    "en": "{title}: mean {mean} of {best}; {people}",
    "fr": "{title} : moyenne {mean} sur {best} ; {people}",
    "fil": "{title}: karaniwan {mean} sa {best}; {people}",
}
MARK: Said = {
    "en": "{title}: {mark} of {best}, where the mean is {mean}",
    "fr": "{title} : {mark} sur {best}, pour une moyenne de {mean}",
    "fil": "{title}: {mark} sa {best}, at ang karaniwan ay {mean}",
}
ABSENT: Said = {"en": "absent", "fr": "absence", "fil": "wala"}
NO_MARKS: Said = {
    "en": "There are no released marks of this here.",
    "fr": "Il n'y a pas de notes communiquées pour cela ici.",
    "fil": "Walang inilabas na marka nito rito.",
}
STANDS: Said = {
    "en": "{title} stands at “{state}”: it has no released marks yet. Minutes: {minutes}, questions: {items}.",
    "fr": "{title} en est à « {state} » : pas encore de notes communiquées. Minutes : {minutes}, questions : {items}.",
    "fil": "Nasa “{state}” ang {title}: wala pang inilabas na marka. Minuto: {minutes}, tanong: {items}.",
}
WHICH: Said = {
    "en": "Of which classroom? There are:",
    "fr": "De quelle classe ? Il y a :",
    "fil": "Sa aling klase? Mayroong:",
}
NONE: Said = {"en": "none.", "fr": "aucun résultat.", "fil": "wala."}


def follow_up(asked: Asked) -> Call | str | None:
    """What is known of the record that the person clicked on under an earlier answer."""
    if not asked.selected or not asked.has(RESULTS) or _MANUALS.search(_told(asked)):
        return None
    exam = asked.selected.get("exam", "")
    classroom = asked.selected.get("class", "")
    if not classroom:
        if not exam or not asked.has(EVALUATION):
            return asked.said(NO_MARKS)
        if (found := _classroom_of(asked, exam)) is None or isinstance(found, Call):
            return found or asked.said(FAILED)
        classroom = found
    results = asked.result(RESULTS)
    if results is None:
        return Call(RESULTS, {"classroom": classroom})
    if results.is_error:
        return asked.said(FAILED)
    if "student" in asked.selected:
        return _of_student(asked)
    return _of_exam(asked, exam) if exam else _of_class(asked)


def results(asked: Asked) -> Call | str | None:
    """The results of the classroom on screen, of the evaluation's on screen, or of the one that is named."""
    told = _told(asked)
    if not asked.has(RESULTS, EVALUATIONS) or _MANUALS.search(told):
        return None
    asks = bool(asked.unquoted & _RESULTS and asked.order[0] in _ASKS and not asked.unquoted & _TAB)
    if not asks and not (_HOW_DID.search(told) and asked.at_hand("classroom")):
        return None
    if (shown := asked.result(RESULTS)) is not None:
        exam = asked.at_hand("evaluation")
        return asked.said(FAILED) if shown.is_error else _of_exam(asked, exam) if exam else _of_class(asked)
    if (classroom := asked.at_hand("classroom")) is not None:
        return Call(RESULTS, {"classroom": classroom})
    evaluations = asked.result(EVALUATIONS)
    if evaluations is None:
        return Call(EVALUATIONS, {})
    if evaluations.is_error:
        return asked.said(FAILED)
    classrooms = _classrooms(asked)
    found = closest(frozenset(names(asked.question)) - _RESULTS - _SMALL, classrooms) or _of_evaluation(asked)
    if found is not None:
        return Call(RESULTS, {"classroom": found})
    return _listed(asked.said(WHICH), [as_words(title) for title in classrooms.values()], asked.said(NONE))


_SMALL = words("show me the of in my give class classroom la le les de des du d montre moi classe salle groupe section")


def _told(asked: Asked) -> str:
    return " ".join(asked.in_order)


def _classroom_of(asked: Asked, exam: str) -> Call | str | None:
    found = asked.records(EVALUATION)
    if found is None:
        return Call(EVALUATION, {"evaluation": exam})
    return next((str(each["classroom"]["id"]) for each in found if "classroom" in each), None)


def _classrooms(asked: Asked) -> dict[str, str]:
    """The classrooms that have evaluations, by id."""
    refs = [each["classroom"] for each in asked.records(EVALUATIONS) or () if "classroom" in each]
    return {ref["id"]: str(ref.get("title", "?")) for ref in refs}


def _of_evaluation(asked: Asked) -> str | None:
    """The classroom of the evaluation on screen."""
    at_hand = asked.at_hand("evaluation")
    found = (each for each in asked.records(EVALUATIONS) or () if each["id"] == at_hand and "classroom" in each)
    return next((str(each["classroom"]["id"]) for each in found), None)


def _columns(asked: Asked) -> list[dict[str, Any]]:
    return [each for each in asked.records(RESULTS) or () if "column" in each]


def _rows(asked: Asked) -> list[dict[str, Any]]:
    return [each for each in asked.records(RESULTS) or () if "student" in each]


def _of_class(asked: Asked) -> str:
    lines = [_column_line(asked, column) for column in _columns(asked)]
    return _listed(asked.said(LEADS), lines, asked.said(NONE))


def _of_exam(asked: Asked, exam: str) -> Call | str:
    """Its marks where they are released; else where it stands."""
    column = next((each for each in _columns(asked) if each.get("evaluation") == exam), None)
    if column is not None:
        return _listed(asked.said(LEADS), [_column_line(asked, column)], asked.said(NONE))
    if not asked.has(EVALUATION):
        return asked.said(NO_MARKS)
    described = asked.records(EVALUATION)
    if described is None:
        return Call(EVALUATION, {"evaluation": exam})
    if not described:
        return asked.said(FAILED)
    (found, *_) = described
    return asked.said(STANDS).format(
        title=_title(found),
        state=found.get("state", "?"),
        minutes=found.get("minutes", "–"),
        items=len(found.get("items", ())),
    )


def _of_student(asked: Asked) -> str:
    """The marks of the one who is marked as selected."""
    row = next((each for each in _rows(asked) if each.get("selected")), None)
    marks = row.get("marks", {}) if row is not None else {}
    if row is None or not marks:
        return asked.said(NO_MARKS)
    lines = [
        asked.said(MARK).format(
            title=_title(column),
            mark=_mark(asked, marks[column["column"]]),
            best=_number(column.get("best_mark")),
            mean=_number(column.get("mean")),
        )
        for column in _columns(asked)
        if column["column"] in marks
    ]
    return _listed(f"{row['student']}:", lines, asked.said(NONE))


def _column_line(asked: Asked, column: dict[str, Any]) -> str:
    """An evaluation with its mean, the best of its students and who was absent, the first few of both."""
    name = column["column"]
    marked = [(row["student"], row.get("marks", {}).get(name)) for row in _rows(asked)]
    present = sorted(((mark, who) for who, mark in marked if isinstance(mark, int | float)), key=lambda each: -each[0])
    people = [f"{who} {_number(mark)}" for mark, who in present[:NAMED]]
    people += [f"{who} {asked.said(ABSENT)}" for who, mark in marked if mark == "absent"][:2]
    return asked.said(COLUMN).format(
        title=_title(column),
        mean=_number(column.get("mean")),
        best=_number(column.get("best_mark")),
        people=", ".join(people) or "–",
    )


def _mark(asked: Asked, mark: Any) -> str:
    return asked.said(ABSENT) if mark == "absent" else _number(mark)


def _number(value: Any) -> str:
    return f"{round(value, 2):g}" if isinstance(value, int | float) else "–"


def _title(record: dict[str, Any]) -> str:
    return as_words(str(record.get("title", "?")))


def _listed(lead: str, lines: Sequence[str], none: str) -> str:
    more = ["- …"] if len(lines) > LISTED else []
    return "\n".join([lead, "", *(f"- {line}" for line in lines[:LISTED]), *more]) if lines else f"{lead} {none}"
