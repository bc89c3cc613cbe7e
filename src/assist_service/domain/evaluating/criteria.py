"""What an answer is judged by: each criterion a rule on what was expected and what came, with the reason it failed."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from pydantic import BaseModel

from assist_service.domain.closed import CLOSED
from assist_service.domain.conversation import Kind
from assist_service.domain.evaluating.questions import ExpectedLookup, Question
from assist_service.domain.folding import folded
from assist_service.domain.live.query import Lookup, RecordKind
from assist_service.domain.references import is_placeholder
from assist_service.domain.screens import Language

LOOKUPS = frozenset(lookup.value for lookup in Lookup)


class Criterion(StrEnum):
    """The criteria there are."""

    KIND = "kind"
    """The answer is of a kind that was expected."""
    TOOL = "tool"
    """One lookup was chosen, the right one; where none was expected, none."""
    OPERATION = "operation"
    """It does what was asked with what it finds."""
    ARGUMENTS = "arguments"
    """Its search words hold what was named, nothing else is searched for, and the limit is the one that was named."""
    CITATION = "citation"
    """A page that answers is cited."""
    LANGUAGE = "language"
    """The answer is in the question's language. Not judged where the detector is not sure."""
    UNSAID = "unsaid"
    """What must not be said does not stand in the answer."""


class CallMade(BaseModel):
    """A call that the model asked for, run or not. `arguments` is None where they were no JSON object."""

    model_config = CLOSED

    tool: str
    arguments: dict[str, Any] | None


@dataclass(frozen=True)
class Transcript:
    """What came of one question. `language` is None where nobody can tell."""

    calls: tuple[CallMade, ...]
    kind: Kind
    cited: tuple[str, ...]
    """The pages of the citations that the answer shows."""
    language: Language | None
    answer: str

    @property
    def lookups(self) -> tuple[CallMade, ...]:
        return tuple(call for call in self.calls if call.tool in LOOKUPS)


class Verdict(BaseModel):
    """One criterion's, with the reason where it failed."""

    model_config = CLOSED

    criterion: Criterion
    passed: bool
    why: str = ""


Fault = str | None
"""Why a criterion failed; None where it holds."""


@dataclass(frozen=True)
class Rule:
    """`applies` says whether a criterion has anything to judge."""

    applies: Callable[[Question, Transcript], bool]
    fault: Callable[[Question, Transcript], Fault]


def judged(question: Question, came: Transcript) -> tuple[Verdict, ...]:
    """The verdict of every criterion that applies, in their order."""
    found = (
        (criterion, rule.fault(question, came)) for criterion, rule in RULES.items() if rule.applies(question, came)
    )
    return tuple(Verdict(criterion=criterion, passed=fault is None, why=fault or "") for criterion, fault in found)


def _kind(question: Question, came: Transcript) -> Fault:
    if came.kind in question.kinds:
        return None
    return f"{came.kind.value} instead of {' or '.join(sorted(question.kinds))}"


def _tool(question: Question, came: Transcript) -> Fault:
    wanted = [question.lookup.tool.value] if question.lookup is not None else []
    chosen = [call.tool for call in came.lookups]
    if chosen == wanted:
        return None
    others = [call.tool for call in came.calls]
    return f"{', '.join(chosen or others) or 'nothing'} instead of {', '.join(wanted) or 'no lookup'}"


def _chosen(question: Question, came: Transcript) -> tuple[ExpectedLookup, Mapping[str, Any]] | None:
    """The expected lookup and the arguments of the first call of it; None where it was not called."""
    assert question.lookup is not None
    calls = [call for call in came.lookups if call.tool == question.lookup.tool.value]
    return (question.lookup, calls[0].arguments or {}) if calls else None


NOT_CHOSEN = "the lookup was not chosen"


def _operation(question: Question, came: Transcript) -> Fault:
    if (chosen := _chosen(question, came)) is None:
        return NOT_CHOSEN
    expected, arguments = chosen
    wanted = [operation.value for operation in expected.operations]
    said = arguments.get("operation", "nothing")
    return None if said in wanted else f"{said} instead of {' or '.join(wanted)}"


def _arguments(question: Question, came: Transcript) -> Fault:
    if (chosen := _chosen(question, came)) is None:
        return NOT_CHOSEN
    expected, arguments = chosen
    faults = [fault for kind in RecordKind if (fault := _search(kind, expected, arguments.get(f"{kind.value}_search")))]
    if expected.limit is not None and arguments.get("limit") != expected.limit:
        faults.append(f"limit {arguments.get('limit', 'left out')} instead of {expected.limit}")
    return "; ".join(faults) or None


def _search(kind: RecordKind, expected: ExpectedLookup, said: object) -> Fault:
    """Why the search words for a kind are wrong: of what is selected only its placeholder may stand there."""
    words = said if isinstance(said, str) else ""
    wanted = expected.words.get(kind)
    if wanted is not None:
        return None if _holds(words, wanted) else f"{kind.value}_search {words!r} does not hold {wanted!r}"
    is_selected = kind in expected.selected and is_placeholder(words, kind)
    return None if said is None or is_selected else f"{kind.value}_search {words!r}, which nobody named"


def _holds(words: str, wanted: str) -> bool:
    return f" {' '.join(folded(wanted).split())} " in f" {' '.join(folded(words).split())} "


def _citation(question: Question, came: Transcript) -> Fault:
    if not set(came.cited).isdisjoint(question.pages):
        return None
    return f"{', '.join(dict.fromkeys(came.cited)) or 'nothing'} instead of {' or '.join(question.pages)}"


def _language(question: Question, came: Transcript) -> Fault:
    if came.language is question.language:
        return None
    return f"{came.language and came.language.value} instead of {question.language.value}"


def _unsaid(question: Question, came: Transcript) -> Fault:
    answer = " ".join(folded(came.answer).split())
    said = [words for words in question.unsaid if " ".join(folded(words).split()) in answer]
    return f"says {', '.join(map(repr, said))}" if said else None


def _always(question: Question, came: Transcript) -> bool:
    return True


def _of_lookups(question: Question, came: Transcript) -> bool:
    return question.lookup is not None


RULES: Mapping[Criterion, Rule] = {
    Criterion.KIND: Rule(_always, _kind),
    Criterion.TOOL: Rule(_always, _tool),
    Criterion.OPERATION: Rule(_of_lookups, _operation),
    Criterion.ARGUMENTS: Rule(_of_lookups, _arguments),
    Criterion.CITATION: Rule(lambda question, _: bool(question.pages), _citation),
    Criterion.LANGUAGE: Rule(lambda _, came: came.language is not None, _language),
    Criterion.UNSAID: Rule(lambda question, _: bool(question.unsaid), _unsaid),
}
"""Every criterion with its rule."""
