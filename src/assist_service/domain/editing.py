"""Proposals for the draft in the question editor: texts change, and nothing else (row A15).

The draft is copied and texts are put into the copy, at places that the type declares and the draft has. So what is no
text cannot change; what else may not happen to a text is refused, in a sentence for the model. No refusal quotes what
was given: it may hold a name that the model has as a placeholder only.
"""

import copy
import json
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from assist_service.domain.context import DRAFT_BYTES, EditorDraft, draft_bytes
from assist_service.domain.draft_texts import (
    DraftText,
    Spot,
    Steps,
    at,
    is_blank,
    likeness,
    pointer,
    spots,
    steps_of,
    texts_of,
    tokens_of,
)
from assist_service.domain.messages import JsonObject
from assist_service.domain.question_types import Append, QuestionType, TextLabel
from assist_service.domain.reply import TextChange
from assist_service.domain.text import one_line, visible

__all__ = [
    "DraftAtHand",
    "DraftText",
    "NotProposed",
    "Proposed",
    "SchemaFault",
    "faults_of_edit",
    "propose",
    "texts_of",
]

EDIT_CHARACTERS = 20_000
"""Of one text that is proposed: far above any that a teacher writes, as much as a model writes in one answer."""

EXPLANATION = "/explanation"
"""The one text that may be emptied: a question is whole without it."""

LISTED_CHARACTERS = 2_000
"""Of the paths that a refusal lists: as far as they fit."""

UNKEPT = "does not keep every [[…]], {{…}} and asset: of the old one, as it is and as often, and no other."
PLACED = "holds [[…]], {{…}} or asset:, which is not for you to place."


@dataclass(frozen=True)
class DraftAtHand:
    """A draft whose question this person can read in the LMS, and the type it is of."""

    draft: EditorDraft
    type: QuestionType


@dataclass(frozen=True)
class Proposed:
    """The draft as it would be. `touched` are the JSON Pointers of what is new in it: texts, and items as a whole."""

    changes: tuple[TextChange, ...]
    config: JsonObject
    explanation: str
    touched: tuple[str, ...]


@dataclass(frozen=True)
class NotProposed:
    """Why nothing is proposed, for the model to read."""

    reason: str


class SchemaFault(NamedTuple):
    """What of a config its schema does not take: where, by which rule of the schema, in words that quote no config."""

    pointer: str
    rule: str
    words: str


def propose(
    at_hand: DraftAtHand,
    rewrites: Sequence[tuple[str, str]],
    additions: Sequence[str],
    *,
    unshown: AbstractSet[str] = frozenset(),
) -> Proposed | NotProposed:
    """The draft with the texts at these paths rewritten, and then with these texts added; all of it or nothing.

    A text at a path of `unshown` nobody has read, so it is not rewritten.
    """
    editing = _Editing.of(at_hand, unshown)
    for path, text in rewrites:
        if reason := editing.rewrite(path, text):
            return NotProposed(reason)
    if additions and (reason := editing.add(additions)):
        return NotProposed(reason)
    return editing.result()


def faults_of_edit(
    before: Sequence[SchemaFault], after: Sequence[SchemaFault], touched: Sequence[str]
) -> tuple[SchemaFault, ...]:
    """The faults that a proposal brings: at, under or around what it touched, and not the draft's own already.

    Pointers of faults lead into the config, those of `touched` into `{config, explanation}`.
    """
    own = {(fault.pointer, fault.rule) for fault in before}
    return tuple(
        fault
        for fault in after
        if (fault.pointer, fault.rule) not in own
        and any(_are_in_line(f"/config{fault.pointer}", place) for place in touched)
    )


def _are_in_line(one: str, other: str) -> bool:
    return f"{one}/".startswith(f"{other}/") or f"{other}/".startswith(f"{one}/")


@dataclass
class _Editing:
    """A copy of a draft, and what was changed in it so far. A method that changes says why it did not."""

    type: QuestionType
    root: JsonObject
    spots: dict[str, Spot]
    unshown: AbstractSet[str]
    rewritten: set[str] = field(default_factory=set)
    changes: list[TextChange] = field(default_factory=list)
    touched: list[str] = field(default_factory=list)

    @classmethod
    def of(cls, at_hand: DraftAtHand, unshown: AbstractSet[str]) -> "_Editing":
        draft = at_hand.draft
        # By way of JSON: in the copy no two parts are one object, so what is put into one is in no other.
        root = {"config": json.loads(json.dumps(draft.config)), "explanation": draft.explanation}
        return cls(at_hand.type, root, {pointer(spot.steps): spot for spot in spots(root, at_hand.type)}, unshown)

    def rewrite(self, path: str, text: str) -> str | None:
        spot = self.spots.get(path)
        if spot is None:
            return f"There is no text of this question at one of these paths. Those there are: {self._listed()}."
        if path in self.unshown:
            return f"The text at {path} was not shown, so it is not for you to rewrite. Say so."
        if path in self.rewritten:
            return f"{path} stands twice among the rewrites."
        if is_blank(spot.text) and _is_of_row(spot.steps, self.type.append):
            # Whoever fills a row does not see whether it is ticked: only `add` looks.
            return f"The row of {path} is empty: give its text as an addition."
        self.rewritten.add(path)
        after = visible(text)
        if is_blank(after) and path == EXPLANATION:
            after = ""
        # A difference that nobody can see is none.
        if after in {spot.text, visible(spot.text)}:
            return None
        if not (path == EXPLANATION and after == "") and (fault := _fault_of(after)):
            return f"The text for {path} {fault}."
        if tokens_of(after) != tokens_of(spot.text):
            return f"The text for {path} {UNKEPT}"
        self._put(spot.steps, spot.label, spot.text, after)
        self.touched.append(path)
        return None

    def add(self, additions: Sequence[str]) -> str | None:
        append = self.type.append
        rows = None if append is None else at(self.root, steps_of(append.path))
        if append is None or not isinstance(rows, list):
            return "Nothing can be added to this question: its type has no such list."
        texts = [visible(text) for text in additions]
        if reason := _reason_against(texts, {likeness(text) for row in rows if (text := _text_of(row, append))}):
            return reason
        empty = [place for place, row in enumerate(rows) if _is_empty(row, append)]
        room = len(empty) + max(0, append.most - len(rows))
        if len(texts) > room:
            return f"There is room for {room} more, and {len(texts)} are to be added: {append.most} are the most."
        places = [*empty, *range(len(rows), len(rows) + len(texts))]
        for place, text in zip(places, texts, strict=False):
            self._fill(rows, place, text, append)
        return None

    def result(self) -> Proposed | NotProposed:
        if not self.changes:
            return NotProposed("That changes nothing.")
        config, explanation = self.root["config"], self.root["explanation"]
        if draft_bytes(config, explanation) > DRAFT_BYTES:
            return NotProposed("The question would become too long.")
        return Proposed(tuple(self.changes), config, explanation, tuple(self.touched))

    def _listed(self) -> str:
        return one_line(", ".join(path for path in self.spots if path not in self.unshown), LISTED_CHARACTERS) or "none"

    def _fill(self, rows: list[Any], place: int, text: str, append: Append) -> None:
        """Puts a text into an empty row, or into a new one behind the last."""
        steps: Steps = (*steps_of(append.path), place)
        if place == len(rows):
            rows.append(copy.deepcopy(append.item))
            self.touched.append(pointer(steps))
        else:
            self.touched.append(pointer((*steps, append.text)))
        label = next(each.label for each in self.type.text_fields if each.path == append.field)
        self._put((*steps, append.text), label, rows[place][append.text], text)

    def _put(self, steps: Steps, label: TextLabel, before: str, after: str) -> None:
        at(self.root, steps[:-1])[steps[-1]] = after
        self.changes.append(TextChange(path=pointer(steps), label=label.value, before=before, after=after))


def _fault_of(text: str) -> str | None:
    if is_blank(text):
        return "is empty"
    return f"is longer than {EDIT_CHARACTERS:,} characters" if len(text) > EDIT_CHARACTERS else None


def _reason_against(texts: Sequence[str], there: AbstractSet[str]) -> str | None:
    """Why these texts are not to be added to a list in which those are."""
    taken = set(there)
    for position, text in enumerate(texts, start=1):
        named = f"Addition {position}"
        if fault := _fault_of(text):
            return f"{named} {fault}."
        if tokens_of(text):
            return f"{named} {PLACED}"
        if likeness(text) in taken:
            return f"{named} is there already."
        taken.add(likeness(text))
    return None


def _is_of_row(steps: Steps, append: Append | None) -> bool:
    """Whether the text there is that of an item of the list that can be appended to."""
    if append is None:
        return False
    path = steps_of(append.path)
    return len(steps) == len(path) + 2 and steps[: len(path)] == path and steps[-1] == append.text


def _text_of(row: Any, append: Append) -> str:
    text = row.get(append.text) if isinstance(row, dict) else None
    return text if isinstance(text, str) and not is_blank(text) else ""


def _is_empty(row: Any, append: Append) -> bool:
    """Only a row that is the unticked item but for spaces in its text: whatever else is set in it was somebody's."""
    if not isinstance(row, dict) or not isinstance(row.get(append.text), str) or not is_blank(row[append.text]):
        return False
    return _is_same({**row, append.text: append.item[append.text]}, append.item)


def _is_same(one: Any, other: Any) -> bool:
    """Equal as JSON: to Python True is 1, and a tick that is written as a number would pass for another."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_is_same(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_is_same, one, other))
    return type(one) is type(other) and bool(one == other)
