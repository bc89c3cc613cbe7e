"""What one answer would do: the screen it opens, the commands it names, the edit it proposes, the writes it prepares.

Everything here passed its check before it was noted, and nothing of it has happened yet: the browser acts after the
answer, and what changes anything waits for the person.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

from assist_service.domain.reply import Action, CardLine, EditQuestion, OpenScreen, ScreenCommand
from assist_service.domain.unprepared import Unprepared
from assist_service.domain.writes import MAX_WRITES, WriteRequest


@dataclass(frozen=True)
class Prepared:
    """A write with its card, before it has an id."""

    request: WriteRequest
    lines: tuple[CardLine, ...]


@dataclass
class Acts:
    """The notes of one question."""

    commands: list[ScreenCommand] = field(default_factory=list)
    screen: OpenScreen | None = None
    edit: EditQuestion | None = None
    writes: list[Prepared] = field(default_factory=list)
    unprepared: dict[str, set[Unprepared]] = field(default_factory=dict)
    """Why nothing came of a tool that prepares, the last time it was called: what it prepared since makes up for it."""

    @property
    def actions(self) -> tuple[Action, ...]:
        """As they go out, in the order the browser follows: commands are of the screen that opening leaves."""
        return (
            *self.commands,
            *((self.screen,) if self.screen is not None else ()),
            *((self.edit,) if self.edit is not None else ()),
        )

    @property
    def are_any(self) -> bool:
        return bool(self.actions or self.writes)

    @property
    def propose(self) -> bool:
        """Whether something waits for the person's word."""
        return bool(self.edit or self.writes)


def note_edit(acts: Acts, edit: EditQuestion, *, tool: str) -> None:
    """Notes the one edit of an answer."""
    acts.edit = edit
    acts.unprepared.pop(tool, None)


def note_unprepared(acts: Acts, refused: Iterable[tuple[str, Unprepared]]) -> None:
    """Notes the tools that prepared nothing in a step, after what the others of that step prepared."""
    step: dict[str, set[Unprepared]] = {}
    for tool, reason in refused:
        step.setdefault(tool, set()).add(reason)
    acts.unprepared |= step


def note_write(acts: Acts, prepared: Prepared) -> str | None:
    """Notes a write, or says to the model why not."""
    tool = prepared.request.tool.value
    if any(prepared.request == each.request for each in acts.writes):
        return "Not prepared: the very same is prepared already."
    if len(acts.writes) >= MAX_WRITES:
        note_unprepared(acts, [(tool, Unprepared.LIMIT)])
        return f"Not prepared: at most {MAX_WRITES} in one answer. Say what is left to be asked for."
    acts.writes.append(prepared)
    acts.unprepared.pop(tool, None)
    return None
