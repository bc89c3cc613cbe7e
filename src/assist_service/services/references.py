"""Follow-up references as tokens: sealed for one purpose, person and conversation, and worth nothing after a day."""

import base64
import binascii
import uuid
from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import ValidationError

from assist_service.domain.errors import AssistError, Code
from assist_service.domain.live.query import Query
from assist_service.domain.references import LIFETIME, Listed, Option, Purpose, Reference, Selection, shown_label
from assist_service.domain.reply import Choice
from assist_service.domain.reply import Reference as Handle
from assist_service.domain.screens import Language
from assist_service.ports import Binding, Clock, SealBroken, Sealer

_PREFIXES = {Purpose.FOLLOW_UP: "f", Purpose.CHOICE: "c"}


@dataclass(frozen=True)
class Holder:
    """Whose a reference is, and where."""

    person: str
    conversation_id: uuid.UUID


@dataclass(frozen=True, kw_only=True)
class ReferenceDesk:
    """Makes tokens and opens them. Nothing of one is kept here: it is all in the token."""

    sealer: Sealer
    clock: Clock

    def follow_ups(self, listed: Sequence[Listed], holder: Holder, language: Language) -> tuple[Handle, ...]:
        """A token for each record that was listed, to ask about it."""
        return tuple(
            Handle(
                kind=each.kind.value,
                label=shown_label(each.label),
                token=self._token(Purpose.FOLLOW_UP, each.selection, each.label, holder, language),
            )
            for each in listed
        )

    def choices(self, options: Sequence[Option], holder: Holder, language: Language) -> tuple[Choice, ...]:
        """A token for each way to go on with the lookup that waits."""
        return tuple(
            Choice(
                label=shown_label(each.label),
                token=self._token(Purpose.CHOICE, each.selection, each.label, holder, language, each.waiting),
            )
            for each in options
        )

    def _token(
        self,
        purpose: Purpose,
        selection: Selection,
        label: str,
        holder: Holder,
        language: Language,
        waiting: Query | None = None,
    ) -> str:
        reference = Reference(
            purpose=purpose,
            selection=selection,
            label=shown_label(label),
            waiting=waiting,
            language=language,
            expires_at=self.clock.now() + LIFETIME,
        )
        key_id, sealed = self.sealer.seal(reference.model_dump_json().encode(), _binding(purpose, holder))
        return ".".join((_PREFIXES[purpose], key_id, base64.urlsafe_b64encode(sealed).decode().rstrip("=")))

    def open(self, token: str, person: str, conversation_id: uuid.UUID | None) -> Reference:
        """What a token holds. Raises AssistError `reference_invalid`: one answer for whatever is wrong with it."""
        if conversation_id is not None:
            reference = self._opened(token, Holder(person, conversation_id))
            if reference is not None and self.clock.now() < reference.expires_at:
                return reference
        raise AssistError(Code.REFERENCE_INVALID)

    def _opened(self, token: str, holder: Holder) -> Reference | None:
        prefix, _, rest = token.partition(".")
        key_id, _, sealed = rest.partition(".")
        purpose = next((purpose for purpose, begins in _PREFIXES.items() if begins == prefix), None)
        if purpose is None:
            return None
        try:
            text = self.sealer.open(_decoded(sealed), key_id=key_id, binding=_binding(purpose, holder))
            reference = Reference.model_validate_json(text)
        except (SealBroken, ValidationError, ValueError):
            return None
        return reference if reference.purpose is purpose else None


def _binding(purpose: Purpose, holder: Holder) -> Binding:
    return Binding(table=f"reference:{purpose.value}", row=str(holder.conversation_id), owner=holder.person)


def _decoded(text: str) -> bytes:
    """Raises ValueError for what is no base64, or is another spelling of the same bytes."""
    raw = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    if base64.urlsafe_b64encode(raw).decode().rstrip("=") != text:
        raise binascii.Error("not as it was written")
    return raw
