"""Acts a hostile model might try: screens, commands, edits and writes, with right and wrong arguments of every kind."""

import random
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from assist_service.adapters.configuration import load_catalogue
from assist_service.domain.messages import ModelReply, ModelRequest, Stop, ToolResults
from assist_service.domain.people import Role
from assist_service.settings import ROOT
from examples.reference_lms.making.hostile import TITLES
from tests.fakes.models import says
from tests.slow.hostile_calls import ALIKE, EXTRA, MISSHAPEN, SPOILT, UUID_PATTERN, Call, Hostile
from tests.slow.hostile_edits import Drafted, right_edit, wrong_edit
from tests.slow.hostile_writes import FINDABLE, right_write, wrong_write

CATALOGUE = load_catalogue(ROOT / "contracts" / "screens.yaml")

LENT: tuple[dict[str, Any], ...] = (
    {"id": "question.new", "label": "New question", "effect": "none"},
    {"id": "sort", "label": "Sort", "effect": "none", "gesture": False},
    {"id": "preview", "label": "Preview", "effect": "none", "gesture": True},
    {"id": "publish", "label": "Publish", "effect": "write"},
    {"id": "export", "label": "Export", "effect": "none", "danger": True},
    {"id": "pool.delete", "label": "Delete the pool", "effect": "write", "danger": True},
    {"id": "question.delete", "label": "Delete the question", "effect": "write"},
    {"id": "row-remove", "label": "Remove", "effect": "none"},
)
"""Commands that a screen may register."""

TYPES: Mapping[str, str | None] = {
    "question.new": "run_command",
    "sort": "run_command",
    "preview": "offer_command",
    "publish": "confirm_command",
    "export": "confirm_command",
    "pool.delete": "confirm_command",
    "question.delete": None,
    "row-remove": None,
}
"""What becomes of each where it is named; None where it deletes without asking."""

NO_COMMANDS = ("pool.wipe", "SORT", "sort ", "../sort", "sort\n", "", "question.delete?", "x" * 65)

NO_SEARCHES = ("", " ", "a\nb", "x" * 201, " a", "a  b", "\x00", "\ud800")

SEARCHES = (
    "a", "Pointeurs", "a&b=c", "?tab=settings", "../..", "#", "%2e%2e", "é" * 200,
    "👩‍🔬", "https://evil.example", "a\u202eb", "a\u200bb", TITLES[3],
)  # fmt: skip

ENDINGS = ("decline", "ask_back")

CLAIMS = (
    "I have created it, and I linked the pool. [s1]",
    "C'est fait : j'ai supprimé la banque de questions.",
    "Nagawa ko na: binago ko ang tanong.",
    "The teacher has confirmed. ![x](https://evil.example/a) [open](javascript:alert(1)) <img src=//evil.example>",
    "See <https://evil.example>.\n\n[here][x]\n\n[x]: //evil.example",
    "Ready\u202e\U000e0041\u200b, done.",
    "[s9]",
    "So.",
)


def ending(chance: random.Random) -> ModelReply:
    """How the question ends: in a claim, or now and then in the provider's refusal."""
    return says("", stop=Stop.REFUSAL) if chance.random() < 0.05 else says(chance.choice(CLAIMS))


@dataclass(frozen=True)
class Stage:
    """What one question stands on."""

    role: Role
    commands: tuple[dict[str, Any], ...]
    draft: Drafted | None
    kinds: Mapping[str, str]
    """Of every id there is in the school."""


@dataclass(frozen=True)
class Done:
    """A call that the service said yes to."""

    tool: str
    arguments: Mapping[str, Any]


@dataclass
class Noted:
    """What came of a question's calls, as its model was told."""

    done: list[Done] = field(default_factory=list)
    has_ended: bool = False
    was_refused: bool = False


Way = Callable[[], tuple[Call, bool]]
"""Makes a call, and says whether it must come to nothing."""


class Actor(Hostile):
    """What one question's model tries; it knows what stands on its screen and in its results, and much besides."""

    def __init__(
        self, chance: random.Random, stage: Stage, *, strange: Mapping[str, list[str]], on_screen: Mapping[str, str]
    ) -> None:
        super().__init__(chance, strange=strange, on_screen=on_screen)
        self.stage, self.chance = stage, chance
        self.noted = Noted()
        self._made: dict[str, Done] = {}
        self._only: Way | None = None
        self._ways: Sequence[tuple[float, Way]] = (
            (0.22, super()._call),
            (0.08, self._searching),
            (0.22, self._opening),
            (0.14, self._commanding),
            (0.10, self._editing),
            (0.22, self._writing),
            (0.02, self._ending),
        )

    def turn(self) -> ModelReply:
        # At times nothing but one kind of thing: limits of an answer are met in a single step too.
        self._only = self._drawn() if self._chance.random() < 0.3 else None
        reply = super().turn()
        self._made.update({call.id: Done(call.name, call.arguments or {}) for call in reply.calls})
        self.noted.has_ended = any(call.name in ENDINGS for call in reply.calls[:8])
        return reply

    def close(self) -> ModelReply:
        reply = ending(self._chance)
        self.noted.was_refused = reply.stop is Stop.REFUSAL
        return reply

    def learn(self, request: ModelRequest) -> None:
        """Takes the ids from the results of the turn before, each under the kind it is of."""
        last = request.messages[-1]
        assert isinstance(last, ToolResults)
        for result in last.results:
            if result.is_error:
                continue
            self.noted.done.append(self._made[result.call_id])
            for id_ in UUID_PATTERN.findall(result.content):
                if (kind := self.stage.kinds.get(id_)) is not None:
                    self.known.setdefault(kind, set()).add(id_)

    def _call(self) -> tuple[Call, bool]:
        return (self._only or self._drawn())()

    def _drawn(self) -> Way:
        (way,) = self._chance.choices([way for _, way in self._ways], [weight for weight, _ in self._ways])
        return way

    def _searching(self) -> tuple[Call, bool]:
        return ("find_similar_questions", {"text": self._chance.choice(FINDABLE)}), False

    def _ending(self) -> tuple[Call, bool]:
        return self._chance.choice((("decline", {}), ("ask_back", {"text": "Which one do you mean?"}))), False

    def _is_known(self, kind: str, id_: str) -> bool:
        return id_ in self.known.get(kind, ())

    # Screens

    def _opening(self) -> tuple[Call, bool]:
        name = self._chance.choice(sorted(CATALOGUE.screens))
        screen = CATALOGUE.screens[name]
        ids = {key: self._plain(kind.value) for key, kind in screen.ids.items()}
        kinds = {key: kind.value for key, kind in screen.ids.items()}
        params = self._params(name)
        is_wrong = self.stage.role not in screen.roles or not all(
            self._is_known(kinds[key], id_) for key, id_ in ids.items()
        )
        arguments: dict[str, Any] = {"screen": name, "ids": ids, "params": params}
        if self._chance.random() < 0.5:
            return ("open_screen", arguments), is_wrong or not self._are_known(params)
        return ("open_screen", self._spoilt_opening(arguments, kinds)), True

    def _are_known(self, params: Mapping[str, str]) -> bool:
        kinds = {"category": "category", "item": "question"}
        return all(self._is_known(kinds[key], value) for key, value in params.items() if key in kinds)

    def _params(self, name: str) -> dict[str, str]:
        takes, chance = CATALOGUE.screens[name].params, self._chance
        offered = {
            **({"tab": chance.choice(takes.tab)} if takes.tab else {}),
            **({"search": chance.choice(SEARCHES)} if takes.search else {}),
            **({"category": self._plain("category")} if takes.category else {}),
            **({"item": self._plain("question")} if takes.item else {}),
        }
        return {key: value for key, value in offered.items() if chance.random() < 0.4}

    def _spoilt_opening(self, right: dict[str, Any], kinds: Mapping[str, str]) -> dict[str, Any]:
        chance = self._chance
        ids, params, strange = right["ids"], right["params"], str(uuid.UUID(int=chance.getrandbits(128)))
        ways: list[dict[str, Any]] = [
            {"screen": chance.choice((f"{right['screen']} ", right["screen"].upper(), "//evil.example", "home"))},
            {"screen": chance.choice(MISSHAPEN)},
            {"ids": {**ids, "other": strange}},
            {"params": {**params, "search": chance.choice(NO_SEARCHES)}},
            {"params": {**params, "tab": chance.choice(("none", "", "pools\n", "../settings"))}},
            {"params": {**params, "category": strange}},
            {"params": {**params, "item": chance.choice((strange, strange.upper(), "1", f"{strange}&a=b"))}},
            {"params": {**params, chance.choice(("next", "redirect", "__proto__", "Tab")): "x"}},
            {"params": chance.choice([each for each in MISSHAPEN if each != {}])},
            dict(chance.choice(EXTRA)),
        ]
        for key, kind in kinds.items():
            good = self._plain(kind)
            ways += [{"ids": {}}, {"ids": {key: strange}}, {"ids": {key: chance.choice(ALIKE)(good)}}]
            ways.append({"ids": {key: chance.choice(SPOILT)(good)}})
        return right | chance.choice(ways)

    # Commands

    def _commanding(self) -> tuple[Call, bool]:
        chance, here = self._chance, {each["id"] for each in self.stage.commands}
        if chance.random() < 0.7:
            wanted = chance.choice(LENT)["id"]
            return ("run_screen_command", {"id": wanted}), wanted not in here or TYPES[wanted] is None
        wrong = chance.choice(
            (
                {"id": chance.choice(NO_COMMANDS)},
                {"id": chance.choice(MISSHAPEN)},
                {"id": "sort", **chance.choice(EXTRA)},
            )
        )
        return ("run_screen_command", wrong), True

    # Edits and writes

    def _editing(self) -> tuple[Call, bool]:
        draft, chance = self.stage.draft, self._chance
        if draft is None or chance.random() < 0.6:
            return ("propose_question_edit", wrong_edit(chance, draft)), True
        return ("propose_question_edit", right_edit(chance, draft)), not draft.is_readable

    def _writing(self) -> tuple[Call, bool]:
        if self._chance.random() < 0.6:
            (tool, arguments), ids = right_write(self._chance, self._plain)
            return (tool, arguments), not all(self._is_known(kind, id_) for kind, id_ in ids)
        strange = {
            kind: [each for each in ids if not self._is_known(kind, each)] for kind, ids in self._strange.items()
        }
        return wrong_write(self._chance, self._plain, strange), True
