"""An action on the interface moves the person's own browser to a screen of theirs, or names a command of this screen.

One rule for both sides: the service checks a call before it notes it, a front end checks an action before it follows
it, and `contracts/vectors/` holds the two to each other. Nothing that was given is ever quoted in a refusal: a search
may hold a name that the model has as a placeholder only.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal
from urllib.parse import parse_qsl, quote, urlencode
from uuid import UUID

from assist_service.domain.acts import Acts
from assist_service.domain.context import Command, CommandEffect
from assist_service.domain.reply import OpenScreen, ScreenCommand
from assist_service.domain.screens import Screen, ScreenParams
from assist_service.domain.text import one_line

SEARCH_CHARACTERS = 200
"""Of a search, in code points (row A13)."""

COMMANDS = 3
"""Named in one answer, at most: run, offered or put on a card (row A13)."""

REFUSAL_CHARACTERS = 2_000
"""Of a refusal: what is allowed is named as far as it fits."""


class Reason(StrEnum):
    """Why an action is refused; `contracts/vectors/` has a case of each."""

    UNKNOWN_SCREEN = "unknown_screen"
    WRONG_IDS = "wrong_ids"
    MALFORMED_ID = "malformed_id"
    UNKNOWN_PARAM = "unknown_param"
    UNKNOWN_TAB = "unknown_tab"
    MALFORMED_SEARCH = "malformed_search"
    MALFORMED_PARAM_ID = "malformed_param_id"
    ANOTHER_SCREEN = "another_screen"
    UNKNOWN_COMMAND = "unknown_command"
    UNASKED_DELETION = "unasked_deletion"
    SECOND_SCREEN = "second_screen"
    COMMAND_AFTER_SCREEN = "command_after_screen"
    COMMAND_TWICE = "command_twice"
    TOO_MANY_COMMANDS = "too_many_commands"


_WORDS: Mapping[Reason, str] = {
    Reason.UNKNOWN_SCREEN: "Not opened: there is no such screen. Those there are: {allowed}.",
    Reason.WRONG_IDS: "Not opened: this screen takes exactly these ids: {allowed}.",
    Reason.MALFORMED_ID: "Not opened: an id is a UUID in lower case, as the screen or a result gave it: {allowed}.",
    Reason.UNKNOWN_PARAM: "Not opened: this screen takes no other params than: {allowed}.",
    Reason.UNKNOWN_TAB: "Not opened: the tabs of this screen are: {allowed}.",
    Reason.MALFORMED_SEARCH: f"Not opened: search is one line of 1 to {SEARCH_CHARACTERS} visible characters.",
    Reason.MALFORMED_PARAM_ID: "Not opened: category and item are UUIDs in lower case, as a result gave them.",
    Reason.ANOTHER_SCREEN: "Not opened: the address of this screen leads to another one. All there are: {allowed}.",
    Reason.UNKNOWN_COMMAND: "Not run: this screen has no such command. Those you may name: {allowed}.",
    Reason.UNASKED_DELETION: "Not run: it deletes without asking the person. Those you may name: {allowed}.",
    Reason.SECOND_SCREEN: "Not opened: an answer opens one screen at most, and this one already does.",
    Reason.COMMAND_AFTER_SCREEN: "Not run: this answer opens a screen, and no command comes after that.",
    Reason.COMMAND_TWICE: "Not run: this answer has that command already; each at most once.",
    Reason.TOO_MANY_COMMANDS: f"Not run: an answer names {COMMANDS} commands at most, and this one already does.",
}


@dataclass(frozen=True)
class Refusal:
    """Why an action is not noted, and what the model reads of it."""

    reason: Reason
    text: str


def _refused(reason: Reason, allowed: Iterable[str] = ()) -> Refusal:
    named = ", ".join(allowed) or "none"
    return Refusal(reason, one_line(_WORDS[reason].format(allowed=named), REFUSAL_CHARACTERS))


_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_ID_IN_PATTERN = re.compile(r":([a-zA-Z0-9]+)")


def _is_id(text: str) -> bool:
    """Whether a text is a UUID in the one form that gets into an address."""
    return _UUID.fullmatch(text) is not None


def _is_search(text: str) -> bool:
    return text != "" and one_line(text, SEARCH_CHARACTERS) == text


@dataclass(frozen=True)
class _Param:
    """What a parameter may be on a screen that declares it, and why another value is refused."""

    fits: Callable[[ScreenParams, str], bool]
    reason: Reason


_PARAMS: Mapping[str, _Param] = {
    "tab": _Param(lambda params, value: value in params.tab, Reason.UNKNOWN_TAB),
    "search": _Param(lambda _, value: _is_search(value), Reason.MALFORMED_SEARCH),
    "category": _Param(lambda _, value: _is_id(value), Reason.MALFORMED_PARAM_ID),
    "item": _Param(lambda _, value: _is_id(value), Reason.MALFORMED_PARAM_ID),
}
"""Every parameter there is, in the order of the address."""


def _refused_params(screen: Screen, params: Mapping[str, str]) -> Refusal | None:
    declared = [name for name in _PARAMS if getattr(screen.params, name)]
    if not set(params) <= set(declared):
        return _refused(Reason.UNKNOWN_PARAM, declared)
    wrong = (name for name in declared if name in params and not _PARAMS[name].fits(screen.params, params[name]))
    first = next(wrong, None)
    return _refused(_PARAMS[first].reason, screen.params.tab) if first is not None else None


@dataclass(frozen=True)
class Place:
    """Where a path leads."""

    screen: str
    ids: Mapping[str, UUID]
    params: Mapping[str, str]


def open_screen(
    screens: Mapping[str, Screen], screen: str, ids: Mapping[str, str], params: Mapping[str, str], *, language: str
) -> OpenScreen | Refusal:
    """The action that opens a screen of these: exactly its ids, only its parameters, a path that leads back to it."""
    found = screens.get(screen)
    if found is None:
        return _refused(Reason.UNKNOWN_SCREEN, sorted(screens))
    kinds = [f"{name} (of a {kind.value})" for name, kind in found.ids.items()]
    if set(ids) != set(found.ids):
        return _refused(Reason.WRONG_IDS, kinds)
    if not all(_is_id(each) for each in ids.values()):
        return _refused(Reason.MALFORMED_ID, kinds)
    if (refusal := _refused_params(found, params)) is not None:
        return refusal
    place = Place(screen, {name: UUID(text) for name, text in ids.items()}, dict(params))
    path = _path(found, place)
    if parse_path(screens, path) != place:
        return _refused(Reason.ANOTHER_SCREEN, sorted(screens))
    return OpenScreen(
        type="open_screen",
        screen=screen,
        ids=dict(place.ids),
        params=dict(place.params),
        path=path,
        title=found.title(language),
    )


def _path(screen: Screen, place: Place) -> str:
    address = _ID_IN_PATTERN.sub(lambda name: str(place.ids[name[1]]), screen.pattern)
    ordered = [(name, place.params[name]) for name in _PARAMS if name in place.params]
    return f"{address}?{urlencode(ordered, quote_via=quote, safe='')}" if ordered else address


def parse_path(screens: Mapping[str, Screen], path: str) -> Place | None:
    """The place a path leads to: the first screen whose pattern it has; None unless it is written as this rule would.

    So no path has two readings: another order, another encoding or a parameter twice is no path of a screen.
    """
    address, _, query = path.partition("?")
    try:
        params = dict(parse_qsl(query, keep_blank_values=True, errors="strict", max_num_fields=len(_PARAMS)))
    except ValueError:
        return None
    for name, screen in screens.items():
        ids = _ids_in(address, screen.pattern)
        if ids is not None:
            place = Place(name, ids, params)
            fits = _refused_params(screen, params) is None and _path(screen, place) == path
            return place if fits else None
    return None


def _ids_in(address: str, pattern: str) -> dict[str, UUID] | None:
    """The ids of an address of this pattern; None for any other address."""
    segments, wanted = address.split("/"), pattern.split("/")
    if len(segments) != len(wanted):
        return None
    ids: dict[str, UUID] = {}
    for segment, want in zip(segments, wanted, strict=True):
        if want.startswith(":"):
            if not _is_id(segment):
                return None
            ids[want[1:]] = UUID(segment)
        elif segment != want:
            return None
    return ids


CommandAct = Literal["run_command", "offer_command", "confirm_command"]

_RUN: CommandAct = "run_command"
_OFFER: CommandAct = "offer_command"
_CONFIRM: CommandAct = "confirm_command"

# fmt: off
_COMMAND_ACTS: Mapping[tuple[CommandEffect, bool, bool], CommandAct] = {
    # effect               gesture danger
    (CommandEffect.NONE,   False,  False): _RUN,
    (CommandEffect.NONE,   True,   False): _OFFER,  # a browser blocks it without a click of the person
    (CommandEffect.NONE,   False,  True):  _CONFIRM,  # whatever says of itself that it is dangerous is never run
    (CommandEffect.NONE,   True,   True):  _CONFIRM,
    (CommandEffect.WRITE,  False,  False): _CONFIRM,
    (CommandEffect.WRITE,  True,   False): _CONFIRM,
    (CommandEffect.WRITE,  False,  True):  _CONFIRM,
    (CommandEffect.WRITE,  True,   True):  _CONFIRM,
}
# fmt: on

_DELETING = frozenset({"delete", "remove", "erase", "destroy", "purge"})


def _is_unasked_deletion(command: Command) -> bool:
    """Whether a command deletes, by a word of its id, and does not say that it asks its own danger confirmation.

    Its effect does not matter: a deletion that was registered as one without effect is the one to fear.
    """
    return not command.danger and not _DELETING.isdisjoint(re.split(r"[.-]", command.id))


def run_command(commands: Sequence[Command], wanted: str) -> ScreenCommand | Refusal:
    """What the browser does with a command of the screen at hand: runs it, offers it, or asks the person first."""
    lent = [command.id for command in commands if not _is_unasked_deletion(command)]
    command = next((each for each in commands if each.id == wanted), None)
    if command is None:
        return _refused(Reason.UNKNOWN_COMMAND, lent)
    if _is_unasked_deletion(command):
        return _refused(Reason.UNASKED_DELETION, lent)
    act = _COMMAND_ACTS[command.effect, command.gesture, command.danger]
    return ScreenCommand(type=act, id=command.id, label=command.label)


def refused_beside(acts: Acts, action: OpenScreen | ScreenCommand) -> Refusal | None:
    """Why an action finds no room beside what the answer already does: the limits of one answer."""
    if isinstance(action, OpenScreen):
        return _refused(Reason.SECOND_SCREEN) if acts.screen is not None else None
    if acts.screen is not None:  # its commands are of the screen that opening leaves
        return _refused(Reason.COMMAND_AFTER_SCREEN)
    if action.id in {command.id for command in acts.commands}:
        return _refused(Reason.COMMAND_TWICE)
    return _refused(Reason.TOO_MANY_COMMANDS) if len(acts.commands) >= COMMANDS else None
