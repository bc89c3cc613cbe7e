"""What one answer would do: the screen it opens, the commands it names, the edit it proposes, the writes it prepares.

Everything here passed its check before it was noted, and nothing of it has happened yet: the browser acts after the
answer, and what changes anything waits for the person.
"""

from dataclasses import dataclass, field

from assist_service.domain.reply import Action, CardLine, EditQuestion, OpenScreen, ScreenCommand
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


def note_write(acts: Acts, prepared: Prepared) -> str | None:
    """Notes a write, or says to the model why not."""
    if len(acts.writes) >= MAX_WRITES:
        return f"Not prepared: at most {MAX_WRITES} in one answer. Say what is left to be asked for."
    if any(prepared.request == each.request for each in acts.writes):
        return "Not prepared: the very same is prepared already."
    acts.writes.append(prepared)
    return None
