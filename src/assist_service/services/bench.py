"""Runs the calls of a reply: each checked again, all of a step at once, and noted what of it a provider reads."""

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from pydantic import BaseModel

from assist_service.domain.acts import Prepared, note_unprepared, note_write
from assist_service.domain.conversation import masked
from assist_service.domain.errors import AssistError, Code
from assist_service.domain.live.finding import Finding, Unclear
from assist_service.domain.live.query import Query, RecordKind
from assist_service.domain.looked_up import LookUp, LookUps, Miss
from assist_service.domain.loop import AskedBack, Declined, Ending, LookedUp, Ran
from assist_service.domain.messages import Message, ToolCall, ToolResult
from assist_service.domain.names import Masks
from assist_service.domain.policy import Disclosure
from assist_service.domain.progress import LookingUp, Reading, Step, Tell, silent
from assist_service.domain.records import CUT as RECORDS_CUT
from assist_service.domain.records import Found, meet, shown
from assist_service.domain.reply import Sent
from assist_service.domain.text import visible
from assist_service.domain.unprepared import Unprepared
from assist_service.ports import LmsFault
from assist_service.services.toolbox import Toolbox
from assist_service.services.understanding import Misfit, understood
from assist_service.tools.guide import ReadGuideArguments
from assist_service.tools.live import look_up
from assist_service.tools.tool import LOOKING_UP, RESULT_CHARACTERS, Desk, Effect, Said, Tool

CUT = "\n[Cut here: narrow your request.]"

BESIDE = "Not run: nothing else is read in one reply with a lookup."

NOT_RUN = Said(BESIDE, is_error=True)

PREPARED = "Prepared, and on a card under your answer. It is not done: the person confirms it or not. Say so."


@dataclass(frozen=True)
class _Brought:
    """What a call came to, and its arguments as they were understood, if they were."""

    call: ToolCall
    what: Said | Found | Finding | Unclear | Prepared | Ending | LmsFault
    arguments: str | None = None


@dataclass
class Bench:
    """Runs the calls of one question and notes what of their results a provider reads."""

    toolbox: Toolbox
    desk: Desk
    masks: Masks
    tell: Tell = silent
    sent: list[Sent] = field(default_factory=list)
    look_ups: LookUps = field(default_factory=LookUps)
    """What came of the data tools: it decides what an answer may be."""
    history: tuple[Message, ...] = ()
    """The earlier questions and answers as they were sent last: masked anew with the results."""
    _read: dict[str, tuple[_Brought, str]] = field(default_factory=dict)
    """The records a provider has read, by call, and in which form: to be masked anew when more names are known."""

    async def run(self, calls: Sequence[ToolCall], surplus: Sequence[ToolCall] = ()) -> Ran:
        """Runs the calls of one step together. The first that ends the question does; those too many are noted.

        A lookup ends it too: a model reads nothing of it, nor of what else the step would have read.
        Raises AssistError `unauthenticated` where the person's session ended meanwhile.
        """
        has_lookup = any(self._is_sealed(call) for call in calls)
        brought = await asyncio.gather(*(self._run(call, has_lookup=has_lookup) for call in calls))
        if any(isinstance(each.what, LmsFault) for each in brought):
            raise AssistError(Code.UNAUTHENTICATED)
        ending = next((each.what for each in brought if isinstance(each.what, Declined | AskedBack)), None)
        if ending is not None:  # what was found beside it nobody has read: it makes up for nothing
            self._note([each for each in brought if isinstance(each.what, Said)], surplus)
            return Ran((), ending)
        if any(self._was_sealed(each) for each in brought):
            return Ran((), self._looked_up(brought, surplus))
        if not self.masks.known and not any(isinstance(each.what, Found) for each in brought):
            return self._ran(brought, surplus)
        return await asyncio.to_thread(self._ran, brought, surplus)  # a large school's names take a while to find

    @property
    def found(self) -> tuple[Found, ...]:
        """What this question's own look-ups brought for the model, in their order."""
        return tuple(brought.what for brought, _ in self._read.values() if isinstance(brought.what, Found))

    def has(self, query: Query) -> bool:
        """Whether this person has the lookup, and the service answers it itself."""
        return self._is_sealed(ToolCall(id="", name=query.lookup.value, arguments=None))

    async def resume(self, query: Query) -> LookedUp:
        """Runs the lookup that waited for a choice. Raises AssistError `unauthenticated`."""
        call = ToolCall(id="", name=query.lookup.value, arguments=None)
        self.tell(LookingUp(tool=call.name))
        try:
            what = await look_up(query, self.desk)
        except LmsFault:
            raise AssistError(Code.UNAUTHENTICATED) from None
        return self._looked_up([_Brought(call, what, query.model_dump_json())], ())

    def _is_sealed(self, call: ToolCall) -> bool:
        """Whether this person has the tool, and a model reads nothing of it."""
        return call.name in self.toolbox.tools and self.toolbox.disclosures[call.name] is Disclosure.SEALED

    def _was_sealed(self, brought: _Brought) -> bool:
        """Whether this was a lookup that ran, whatever it came to; one that was not understood is told to the model."""
        return self._is_sealed(brought.call) and brought.arguments is not None

    def _looked_up(self, brought: Sequence[_Brought], surplus: Sequence[ToolCall]) -> LookedUp:
        """The end of a step with lookups: what they found is the service's to say."""
        for each in brought:
            if isinstance(each.what, Prepared):
                note_write(self.desk.acts, each.what)
        self._note([self._left(each) for each in brought], surplus)
        looked = tuple(each.what for each in brought if isinstance(each.what, Finding | Unclear))
        self.sent += [Sent(tool=each.query.lookup.value, disclosure=Disclosure.SEALED) for each in looked]
        return LookedUp(looked)

    def _left(self, brought: _Brought) -> _Brought:
        """Of a read that was not run beside a lookup: that no later step will run it either."""
        if brought.what != NOT_RUN:
            return brought
        # Whether its arguments would have fit nobody will see; with none it would count as a mistake of the model's.
        meant = self._meant(brought.call) or "{}"
        return replace(brought, what=replace(NOT_RUN, miss=Miss.BESIDE), arguments=meant)

    def _ran(self, brought: Sequence[_Brought], surplus: Sequence[ToolCall]) -> Ran:
        """What the model reads of a step. One step at a time: nothing else holds the masks meanwhile."""
        known = self.masks.known
        for each in brought:  # who is in one result may be named in another's title
            if isinstance(each.what, Found):
                meet(each.what, self.toolbox.disclosures[each.call.name], self.masks)
        is_new = self.masks.known > known
        anew = self._masked_anew() if is_new else {}
        history = self._history_anew() if is_new else None
        results = tuple(self._result(each) for each in brought)
        self._note(brought, surplus)
        self.desk.searched.update(each.call.name for each in brought if isinstance(each.what, Found))
        acts = self.desk.acts
        return Ran(results, anew=anew, history=history, has_acted=acts.are_any, has_prepared=acts.propose)

    def _masked_anew(self) -> dict[str, str]:
        """The results of earlier steps that name somebody who was met since; what went out once does not again."""
        now = {call: _bounded(self._said(brought).text) for call, (brought, _) in self._read.items()}
        anew = {call: text for call, text in now.items() if text != self._read[call][1]}
        for call, text in anew.items():
            brought, before = self._read[call]
            self._read[call] = (brought, text)
            if _is_cut(text) and not _is_cut(before) and self._is_look_up(brought.call) and brought.arguments:
                self.look_ups.note_cut(brought.call.name, brought.arguments)
        return anew

    def _history_anew(self) -> tuple[Message, ...] | None:
        """The history, where it names somebody who was met since."""
        now = masked(self.history, self.masks)
        if now == self.history:
            return None
        self.history = now
        return now

    def _note(self, brought: Sequence[_Brought], surplus: Sequence[ToolCall]) -> None:
        """What the look-ups of a step came to; of one that was not run, that it was not."""
        ran = [
            LookUp(each.call.name, each.arguments, self._miss(each)) for each in brought if self._is_look_up(each.call)
        ]
        undone = [LookUp(each.name, self._meant(each), Miss.UNDONE) for each in surplus if self._is_look_up(each)]
        self.look_ups.note([*ran, *undone])
        note_unprepared(self.desk.acts, self._unprepared(brought, surplus))

    def _unprepared(self, brought: Sequence[_Brought], surplus: Sequence[ToolCall]) -> Iterator[tuple[str, Unprepared]]:
        """The tools of a step that were to prepare something and did not, and why."""
        for each in brought:
            if self._prepares(each.call) and isinstance(each.what, Said) and each.what.is_error:
                yield each.call.name, each.what.unprepared or Unprepared.UNFIT
        yield from ((each.name, Unprepared.LIMIT) for each in surplus if self._prepares(each))

    def _is_look_up(self, call: ToolCall) -> bool:
        return (tool := self.toolbox.tools.get(call.name)) is not None and tool.family in LOOKING_UP

    def _prepares(self, call: ToolCall) -> bool:
        return (tool := self.toolbox.tools.get(call.name)) is not None and tool.effect is Effect.PREPARE

    def _miss(self, brought: _Brought) -> Miss | None:
        if isinstance(brought.what, Finding | Unclear):
            return None
        if isinstance(brought.what, Said):
            return brought.what.miss or Miss.UNDONE
        return Miss.CUT if _is_cut(self._read[brought.call.id][1]) else None

    def _meant(self, call: ToolCall) -> str | None:
        try:
            return understood(self.toolbox.tools[call.name], call.arguments, self.masks).model_dump_json()
        except Misfit:
            return None

    def _result(self, brought: _Brought) -> ToolResult:
        """What the model reads, noted where it reads anything of a school or a manual."""
        call, said = brought.call, self._said(brought)
        if not said.is_error and self.toolbox.tools[call.name].effect is Effect.READ:
            self.sent.append(Sent(tool=call.name, disclosure=self.toolbox.disclosures[call.name]))
        content = _bounded(said.text)
        if isinstance(brought.what, Found):
            self._read[call.id] = (brought, content)
        return ToolResult(call.id, content, said.is_error)

    def _said(self, brought: _Brought) -> Said:
        """Of records what the policy's disclosure of this tool leaves of them; of a write that it waits."""
        if isinstance(brought.what, Prepared):  # in the order of the calls, whichever was read back first
            return _prepared(note_write(self.desk.acts, brought.what))
        if isinstance(brought.what, Said):  # the tool had its arguments with the names
            return replace(brought.what, text=self.masks.kept_from(brought.what.text))
        assert isinstance(brought.what, Found)
        disclosure = self.toolbox.disclosures[brought.call.name]
        selected = self.desk.selected.of(RecordKind.STUDENT)
        result = shown(brought.what, disclosure, self.masks, limit=RESULT_CHARACTERS, selected=selected)
        self.desk.known.ids |= result.ids
        return Said(result.text)

    async def _run(self, call: ToolCall, *, has_lookup: bool) -> _Brought:
        tool = self.toolbox.tools.get(call.name)
        if tool is None:
            names = ", ".join(sorted(self.toolbox.tools))
            return _Brought(call, Said(f"There is no such tool. Those there are: {names}", is_error=True))
        if has_lookup and tool.effect is Effect.READ and not self._is_sealed(call):
            return _Brought(call, NOT_RUN)  # nobody would read it: the lookup ends the question
        try:
            arguments = understood(tool, call.arguments, self.masks)
        except Misfit as misfit:
            return _Brought(call, Said(misfit.reason, is_error=True))
        if (step := step_of(tool, arguments, self.desk)) is not None:
            self.tell(step)
        try:
            what = await tool.run(arguments, self.desk)
        except LmsFault as fault:  # returned, so that the others of the step end before the question does
            return _Brought(call, fault)
        return _Brought(call, what, arguments.model_dump_json())


def _is_cut(records: str) -> bool:
    """Whether the model was told that there is more; no record ends so, for each is JSON."""
    return records.endswith(RECORDS_CUT)


def _prepared(refusal: str | None) -> Said:
    return Said(PREPARED) if refusal is None else Said(refusal, is_error=True)


def step_of(tool: Tool, arguments: BaseModel, desk: Desk) -> Step | None:
    """What a call is told as, in words of ours: a page by its own path, a tool by its own name."""
    if tool.effect is not Effect.READ:
        return None
    if not isinstance(arguments, ReadGuideArguments):
        return LookingUp(tool=tool.name)
    page = desk.publication.page(arguments.page, desk.audiences, desk.language.value)
    return Reading(page=page.path) if page is not None else None


def _bounded(text: str) -> str:
    """A result within its bound, without invisible characters, and never empty."""
    shown = visible(text) or "(nothing)"
    return shown if len(shown) <= RESULT_CHARACTERS else shown[: RESULT_CHARACTERS - len(CUT)] + CUT
