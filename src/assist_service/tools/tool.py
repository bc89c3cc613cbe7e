"""What a tool is: a name, arguments, an effect, and a run that has no more than its desk."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import Any

from pydantic import BaseModel, ConfigDict

from assist_service.domain.acts import Acts, Prepared
from assist_service.domain.citations import Given
from assist_service.domain.context import Command
from assist_service.domain.editing import DraftAtHand
from assist_service.domain.live.finding import Looked
from assist_service.domain.looked_up import Miss
from assist_service.domain.loop import Ending
from assist_service.domain.manual import Audience, Publication
from assist_service.domain.messages import ToolSpec
from assist_service.domain.policy import Disclosure
from assist_service.domain.records import Found, Known
from assist_service.domain.references import NOTHING, Selection
from assist_service.domain.screens import Language, Screen
from assist_service.domain.unprepared import Unprepared
from assist_service.ports import ConfigSchemas, SchoolReads, SectionIndex
from assist_service.tools.shared_reads import SharedReads

OPEN_ONLY = frozenset({Disclosure.OPEN})

RESULT_CHARACTERS = 24_000
"""A result longer than this is cut, with a word on how to narrow the request (row A10)."""

ARGUMENTS = ConfigDict(extra="forbid", strict=True, frozen=True)


class Effect(StrEnum):
    """What a call does: reads something for the model, notes what the browser does after the answer, prepares what
    waits for the person (the model calls nothing after it), or ends the question."""

    READ = "read"
    ACT = "act"
    PREPARE = "prepare"
    END = "end"


class Family(StrEnum):
    """What a tool is about, and so which of the policy's switches it stands behind, if any."""

    MANUAL = "manual"
    DATA = "data"
    LIVE = "live"
    """Lookups that the service answers itself: a model chooses one and reads nothing of what it brings."""
    INTERFACE = "interface"
    EDITING = "editing"
    WRITING = "writing"
    CONVERSING = "conversing"


FOR_EVERYONE = frozenset({Family.MANUAL, Family.INTERFACE, Family.CONVERSING})
"""What a policy may give any role. The others read, change or edit what lies in the LMS: for teachers and
administrators only (row J15)."""

LOOKING_UP = frozenset({Family.DATA, Family.LIVE})
"""Families whose calls bring something of the LMS's, to a model or to the person alone."""


@dataclass(frozen=True)
class Desk:
    """All a tool may use in one question: the person's manual, pinned, and what was given of it so far."""

    publication: Publication
    index: SectionIndex
    audiences: frozenset[Audience]
    language: Language
    given: Given
    known: Known
    reads: SchoolReads
    """The LMS as the person sees it; nothing is asked of it before a tool does."""
    acts: Acts = field(default_factory=Acts)
    """What the answer will do, as noted so far."""
    screens: Mapping[str, Screen] = field(default_factory=dict)
    """The screens this person has."""
    commands: Sequence[Command] = ()
    """What the screen at hand can do."""
    draft: DraftAtHand | None = None
    """The question in the editor, where this person may edit it."""
    unshown: set[str] = field(default_factory=set)
    """The paths of its texts that the model was not shown, and so does not rewrite."""
    respelt: Callable[[str, str], str] = lambda text, _: text
    """A text with its names spelt as in another one, which it is to replace."""
    schemas: ConfigSchemas | None = None
    """What checks a proposal by the schema of the question's type; without it none is made."""
    selected: Selection = NOTHING
    """What the person selected by a reference."""
    on_screen: Selection = NOTHING
    """The class and the exam on the screen at hand."""
    searched: set[str] = field(default_factory=set)
    """The data tools that found something in an earlier step of this question."""
    shared_reads: SharedReads = field(default_factory=SharedReads)
    """What the lookups of this question read."""


@dataclass(frozen=True)
class Said:
    """What the model reads of a call."""

    text: str
    is_error: bool = False
    miss: Miss | None = None
    """Why a look-up brought nothing: the person is told, whatever the model makes of it."""
    unprepared: Unprepared | None = None
    """Why a tool that prepares did not, where it is not that the call did not fit: the person is told likewise."""


@dataclass(frozen=True)
class Tool:
    """One tool. `run` gets arguments that `arguments` has validated."""

    name: str
    description: str
    family: Family
    effect: Effect
    disclosures: frozenset[Disclosure]
    """How its results can be shown to a model; a policy that asks for another is refused at start."""
    arguments: type[BaseModel]
    run: Callable[[Any, Desk], Awaitable[Said | Found | Looked | Prepared | Ending]]
    needs: frozenset[str] = frozenset()
    """The methods of `ports.SchoolReads` it calls: an LMS that lacks one does not have the tool."""

    @cached_property
    def spec(self) -> ToolSpec:
        """The tool as the model sees it; made once, for a schema takes longer than a search."""
        return ToolSpec(self.name, self.description, self.arguments.model_json_schema())
