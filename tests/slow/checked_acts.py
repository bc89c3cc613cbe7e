"""What holds of every reply, whatever its model tried: the rules of J5, W1, W2 and B7 looked at from outside."""

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from assist_service.domain.acts import Acts
from assist_service.domain.claims import claims_an_act
from assist_service.domain.context import Command
from assist_service.domain.interface import Place, Refusal, open_screen, parse_path, refused_beside, run_command
from assist_service.domain.reply import OpenScreen
from assist_service.domain.screens import Language
from assist_service.domain.statement import (
    COMMANDS,
    EDIT,
    NOT_PREPARED,
    NOTHING_CHANGED,
    OPENS,
    PREPARED,
    WRITES,
    without_statement,
)
from assist_service.domain.text import visible
from assist_service.domain.writes import MAX_WRITES, WriteTool
from tests.slow.hostile_acts import CATALOGUE, TYPES, Actor, Done
from tests.slow.hostile_calls import UUID_PATTERN
from tests.slow.hostile_edits import TOKENS, Drafted
from tests.unit.test_tools_allowlist import READS
from tests.web.kept_rows import strings_in

Reply = Mapping[str, Any]

NOTHING = {"opened": [], "prepared": [], "changed": False}
ENDED = ("refusal", "question")
PARAM_KINDS = {"category": "category", "item": "question"}
TEACHING = ("teacher", "admin")

NOT_DONE = "|".join(begins for words in NOT_PREPARED.values() for begins in words.values())

OF_LOOK_UPS = re.compile(rf"\n\n(?:A look-up brought nothing|Something could not be looked up|(?:{NOT_DONE}): )")
"""Where the service's own words on what was not found or not prepared begin: they claim nothing."""

_ADDRESS = re.compile(r'(?:href|src)="([^"]*)"')


def check_reply(reply: Reply, actor: Actor) -> None:
    """Everything of one reply."""
    actions = reply["actions"]
    _check_actions(actions, reply["language"], actor)
    _check_kind(reply, actor)
    _check_statement(reply)
    check_words(reply)
    if actor.stage.role not in TEACHING:
        assert reply["writes"] == []
        assert all(each["type"] != "edit_question" for each in actions)
    assert len(reply["writes"]) <= MAX_WRITES
    assert len({write["id"] for write in reply["writes"]}) == len(reply["writes"])


def _check_actions(actions: Sequence[Mapping[str, Any]], language: str, actor: Actor) -> None:
    types = [each["type"] for each in actions]
    assert types.count("open_screen") <= 1
    assert types.count("edit_question") <= 1
    named = [each for each in actions if each["type"].endswith("_command")]
    assert len(named) <= 3
    assert types[: len(named)] == [each["type"] for each in named], "a command after a screen"
    acts = Acts()
    for action in actions:
        if action["type"] == "edit_question":
            _check_edit(action, actor.stage.draft)
        elif action["type"] == "open_screen":
            acts.screen = _checked_opening(acts, action, language, actor)
        else:
            _check_command(acts, action, actor)


def _checked_opening(acts: Acts, action: Mapping[str, Any], language: str, actor: Actor) -> OpenScreen:
    """The rule that a front end runs, and what this question knew."""
    screens = CATALOGUE.of_roles(actor.stage.role)
    again = open_screen(screens, action["screen"], action["ids"], action["params"], language=language)
    assert isinstance(again, OpenScreen), again
    assert again.model_dump(mode="json") == action
    ids = {key: UUID(value) for key, value in action["ids"].items()}
    assert parse_path(screens, action["path"]) == Place(action["screen"], ids, action["params"])
    assert refused_beside(acts, again) is None
    address, _, _ = action["path"].partition("?")
    assert re.fullmatch(r"/[a-z0-9/-]*", address)
    kinds = {key: kind.value for key, kind in screens[action["screen"]].ids.items()}
    for key, value in action["ids"].items():
        assert value in actor.known[kinds[key]], action
        assert actor.stage.kinds[value] == kinds[key], action
    for key in PARAM_KINDS.keys() & action["params"].keys():
        assert action["params"][key] in actor.known[PARAM_KINDS[key]], action
    return again


def _check_command(acts: Acts, action: Mapping[str, Any], actor: Actor) -> None:
    (given,) = (each for each in actor.stage.commands if each["id"] == action["id"])
    assert action == {"type": TYPES[action["id"]], "id": given["id"], "label": given["label"]}
    sent = [Command.model_validate_json(json.dumps(each)) for each in actor.stage.commands]
    again = run_command(sent, action["id"])
    assert not isinstance(again, Refusal)
    assert refused_beside(acts, again) is None
    acts.commands.append(again)


def _check_edit(action: Mapping[str, Any], draft: Drafted | None) -> None:
    """Texts are other texts, choices are added without a tick, and nothing else differs."""
    assert draft is not None
    assert draft.is_readable
    before = draft.editor
    assert (action["question_id"], action["base"]) == (before["question_id"], before["base"])
    old, new = before["config"], action["config"]
    assert new["statement"] == old["statement"] or new["statement"].endswith(TOKENS)
    choices = draft.choices
    assert {key: value for key, value in new.items() if key not in ("statement", "choices")} == {
        key: value for key, value in old.items() if key not in ("statement", "choices")
    }
    if choices is not None:
        assert new["choices"][: len(choices)] == choices
        added = new["choices"][len(choices) :]
        assert all(set(each) == {"text", "correct"} and each["correct"] is False for each in added)
        assert len(new["choices"]) <= 8
    else:
        assert new.get("choices") == old.get("choices")
    assert action["changes"]
    for change in action["changes"]:
        assert re.fullmatch(r"/config/statement|/config/choices/\d+/text", change["path"])


def _check_kind(reply: Reply, actor: Actor) -> None:
    """The kind by what was done, never by what was said; a refusal and a question do nothing."""
    noted, kind = actor.noted, reply["kind"]
    is_over = noted.has_ended or noted.was_refused
    acted = Counter(_kind_of(each) for each in noted.done)
    shown = Counter(each["tool"] for each in reply["writes"]) + Counter(
        "run_screen_command" if each["type"].endswith("_command") else _TOOLS[each["type"]] for each in reply["actions"]
    )
    if kind in ENDED:
        assert (reply["actions"], reply["writes"], reply["statement"], reply["citations"]) == ([], [], NOTHING, [])
        assert is_over or not +Counter({key: acted[key] for key in acted if key not in (None, "read")})
        return
    assert not is_over
    assert shown == Counter({key: number for key, number in acted.items() if key not in (None, "read")})
    if any(each["type"] == "edit_question" for each in reply["actions"]) or reply["writes"]:
        assert kind == "proposal"
    elif acted["read"]:
        assert kind == "live"
    else:
        assert kind == ("interface" if reply["actions"] and not reply["citations"] else "manual")


_TOOLS = {"open_screen": "open_screen", "edit_question": "propose_question_edit"}


def _kind_of(done: Done) -> str | None:
    """The tool of an act, `read` for one that looked something up, None for any other."""
    if done.tool in READS:
        return "read"
    acts = (*WriteTool, *_TOOLS.values(), "run_screen_command")
    return done.tool if done.tool in acts else None


def _check_statement(reply: Reply) -> None:
    """All that was opened and prepared, and nothing else; the sentence stands under the claim."""
    language = Language(reply["language"])
    statement, actions, answer = reply["statement"], reply["actions"], reply["answer"]
    assert statement["changed"] is False
    opens = [each["title"] for each in actions if each["type"] == "open_screen"]
    runs = [each["label"] for each in actions if each["type"] == "run_command"]
    assert statement["opened"] == [*runs, *opens]
    waits = [each["label"] for each in actions if each["type"] in ("offer_command", "confirm_command")]
    edits = [EDIT[language] for each in actions if each["type"] == "edit_question"]
    writes = list(dict.fromkeys(WRITES[WriteTool(each["tool"])][language] for each in reply["writes"]))
    assert statement["prepared"] == [*waits, *edits, *writes]
    assert all(OPENS[language].format(what=title) in answer for title in opens)
    assert all(COMMANDS[each["type"]][language] in answer for each in actions if each["type"] in COMMANDS)
    if edits or writes:
        assert PREPARED[language].format(what=", ".join([*edits, *writes])) in answer
    said = OF_LOOK_UPS.split(answer)[0]
    is_said = edits or writes or any(each["type"] == "confirm_command" for each in actions)
    if not is_said and reply["kind"] != "refusal" and claims_an_act(without_statement(said)):
        assert NOTHING_CHANGED[language] in answer


def check_words(reply: Reply) -> None:
    """Nothing that a reader cannot see and nothing that leads away."""
    for text in strings_in(dict(reply)):
        assert visible(text) == text, text[:200]
    assert "<img" not in reply["html"]
    assert all(address.startswith(("/", "#")) for address in _ADDRESS.findall(reply["html"])), reply["html"]
    assert "evil.example" not in str(_ADDRESS.findall(reply["html"]))


def check_card(card: Mapping[str, Any], frozen: Mapping[str, Any], *, reached: set[str]) -> None:
    """The card is what was frozen: the same lines, every value of the body on them, ids of what the person reaches."""
    assert [[line["label"], line["value"]] for line in card["lines"]] == frozen["lines"]
    body = json.loads(frozen["body"])
    ids = {each for each in strings_in(body) if UUID_PATTERN.fullmatch(each)} | {frozen["entity"]} - {None}
    assert ids <= reached
    values = [line["value"] for line in card["lines"]]
    settings = "\n".join(line["value"] for line in card["lines"] if line["label"] == "setting")
    for text in _texts_of(body):
        assert visible(text) == text
        assert text in values or json.dumps(text, ensure_ascii=False) in settings or text in ids, text[:200]
    assert all(visible(value) == value for value in values)


def _texts_of(body: Mapping[str, Any]) -> list[str]:
    """The values of a body that stand on its card as they are."""
    beside = {key: value for key, value in body.items() if key not in ("type", "explanation", "config")}
    found = [each for value in beside.values() for each in strings_in(value)]
    config = [each for value in body.get("config", {}).values() for each in _leaves(value)]
    return [each for each in (*found, *config, body.get("explanation", "")) if each]


def _leaves(value: Any) -> list[str]:
    match value:
        case dict():
            return [each for inner in value.values() for each in _leaves(inner)]
        case list():
            return [each for inner in value for each in _leaves(inner)]
        case str():
            return [value]
        case _:
            return []
