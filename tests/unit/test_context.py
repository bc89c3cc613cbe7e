"""What a context may hold (row A2): anything else is refused whole, and the problem names the field."""

import copy
import json
import uuid
from collections.abc import Callable
from typing import Any

import pytest
from starlette.requests import Request
from starlette.types import Message

from assist_service.adapters.configuration import load_catalogue
from assist_service.domain.context import (
    COMMANDS,
    DRAFT_BYTES,
    LABEL_CHARACTERS,
    AssistContext,
    EditorDraft,
    known_topic,
    refuse_draft_off_screen,
    refuse_foreign_screen,
)
from assist_service.domain.errors import AssistError, Code
from assist_service.domain.screens import ROUTE_CHARACTERS, EntityKind, Language
from assist_service.settings import ROOT
from assist_service.web.bodies import read_body
from assist_service.web.schemas import AskRequest

CATALOGUE = load_catalogue(ROOT / "contracts" / "screens.yaml")

POOL = "0b1f6c1e-5b0e-4c53-9d4e-1f3f3f1f0a01"

COMMAND: dict[str, Any] = {"id": "try-it", "label": "Try it", "effect": "none", "gesture": False, "danger": False}

CONTEXT: dict[str, Any] = {
    "route": "/pools/:id",
    "topic": "pool",
    "language": "en",
    "entities": {"pool": POOL},
    "commands": [COMMAND],
}

EDITOR: dict[str, Any] = {
    "question_id": POOL,
    "type": "multiple-choice",
    "base": "7",
    "config": {"choices": ["a"]},
    "explanation": "",
}


def body(context: object = CONTEXT, **changes: object) -> dict[str, Any]:
    return {"question": "How?", "context": context, **changes}


async def read(sent: object) -> AskRequest:
    """A body as the route reads it."""

    async def receive() -> Message:
        return {"type": "http.request", "body": json.dumps(sent, ensure_ascii=False).encode(), "more_body": False}

    return await read_body(Request({"type": "http", "method": "POST", "headers": []}, receive), AskRequest)


async def refused_fields(sent: object) -> list[str]:
    with pytest.raises(AssistError) as refused:
        await read(sent)
    assert refused.value.code is Code.INVALID_REQUEST
    return [fault.field for fault in refused.value.faults]


def changed(**changes: object) -> dict[str, Any]:
    return {**copy.deepcopy(CONTEXT), **changes}


def with_command(**changes: object) -> dict[str, Any]:
    return changed(commands=[{**COMMAND, **changes}])


def without(key: str) -> dict[str, Any]:
    return {name: value for name, value in CONTEXT.items() if name != key}


def numbered(count: int) -> list[dict[str, Any]]:
    return [{**COMMAND, "id": f"command-{number}"} for number in range(count)]


GOOD: dict[str, dict[str, Any]] = {
    "the whole of it": CONTEXT,
    "the least of it": {"route": "/", "language": "fr"},
    "no topic": changed(topic=None),
    "a topic nobody knows": changed(topic="no-such-topic"),
    "a tab": changed(route="/pools/:id?tab=stats"),
    "every kind of entity": changed(entities={kind.value: POOL for kind in EntityKind}),
    "as many commands as may be": changed(commands=numbered(COMMANDS)),
    "a label as long as may be": with_command(label="x" * LABEL_CHARACTERS),
    "a label in French": with_command(label="Créer une évaluation…"),
    "a command that writes": with_command(effect="write", gesture=True, danger=True),
    **{f"language {language.value}": changed(language=language.value) for language in Language},
}


@pytest.mark.parametrize("context", GOOD.values(), ids=GOOD)
async def test_a_good_context_passes(context: dict[str, Any]) -> None:
    asked = await read(body(context))
    assert asked.context == AssistContext.model_validate_json(json.dumps(context))


REFUSED: dict[str, tuple[object, str]] = {
    # The route: a pattern, never an address.
    "no route": (without("route"), "context.route"),
    "a UUID in the route": (changed(route=f"/pools/{POOL}"), "context.route"),
    "a number in the route": (changed(route="/pools/17"), "context.route"),
    "a name in the route": (changed(route="/people/Anne"), "context.route"),
    "an upper-case literal": (changed(route="/Pools"), "context.route"),
    "a param that begins upper-case": (changed(route="/pools/:Id"), "context.route"),
    "an encoded letter": (changed(route="/pools/%41nne"), "context.route"),
    "a letter beyond ASCII": (changed(route="/élèves"), "context.route"),
    "no leading slash": (changed(route="pools/:id"), "context.route"),
    "a slash at the end": (changed(route="/pools/"), "context.route"),
    "two slashes": (changed(route="//pools"), "context.route"),
    "dots": (changed(route="/pools/.."), "context.route"),
    "an origin": (changed(route="https://lms.example/pools"), "context.route"),
    "a fragment": (changed(route="/pools#anne"), "context.route"),
    "a line end behind it": (changed(route="/pools\n"), "context.route"),
    "an empty route": (changed(route=""), "context.route"),
    "another query": (changed(route="/pools?search=anne"), "context.route"),
    "a tab and more": (changed(route="/pools/:id?tab=stats&search=anne"), "context.route"),
    "two tabs": (changed(route="/pools/:id?tab=stats&tab=settings"), "context.route"),
    "an upper-case tab": (changed(route="/pools/:id?tab=Stats"), "context.route"),
    "an empty tab": (changed(route="/pools/:id?tab="), "context.route"),
    "a tab that is a param": (changed(route="/pools/:id?tab=:name"), "context.route"),
    "a route too long": (changed(route="/" + "a" * ROUTE_CHARACTERS), "context.route"),
    "a route that is a number": (changed(route=7), "context.route"),
    "a route that is null": (changed(route=None), "context.route"),
    # Entities: a closed set of kinds, each a UUID.
    **{
        f"an entity {kind}": (changed(entities={kind: POOL}), f"context.entities.{kind}")
        for kind in ("student", "user", "enrollment", "attempt", "person", "Pool", "pools")
    },
    "an id that is a name": (changed(entities={"pool": "anne"}), "context.entities.pool"),
    "an id that is a number": (changed(entities={"pool": 17}), "context.entities.pool"),
    "an id with a path behind it": (changed(entities={"pool": POOL + "/../x"}), "context.entities.pool"),
    "an id too short": (changed(entities={"pool": POOL[:-1]}), "context.entities.pool"),
    "an empty id": (changed(entities={"pool": ""}), "context.entities.pool"),
    "a list of ids": (changed(entities={"pool": [POOL]}), "context.entities.pool"),
    "entities as a list": (changed(entities=[]), "context.entities"),
    "entities as null": (changed(entities=None), "context.entities"),
    # Topic and language.
    "a topic with a space": (changed(topic="my pool"), "context.topic"),
    "a topic in upper case": (changed(topic="Pool"), "context.topic"),
    "an empty topic": (changed(topic=""), "context.topic"),
    "a topic too long": (changed(topic="a" * 65), "context.topic"),
    "a topic with a line end": (changed(topic="pool\n"), "context.topic"),
    "a topic that is a number": (changed(topic=1), "context.topic"),
    "no language": (without("language"), "context.language"),
    "an unknown language": (changed(language="de"), "context.language"),
    "a language with a region": (changed(language="en-GB"), "context.language"),
    "a language in upper case": (changed(language="EN"), "context.language"),
    "a language that is null": (changed(language=None), "context.language"),
    # Commands.
    "a command too many": (changed(commands=numbered(COMMANDS + 1)), "context.commands"),
    "an id twice": (changed(commands=[COMMAND, COMMAND]), "context.commands"),
    "commands as an object": (changed(commands={}), "context.commands"),
    "commands as null": (changed(commands=None), "context.commands"),
    "a command that is a text": (changed(commands=["try-it"]), "context.commands.0"),
    "a command id in upper case": (with_command(id="Try"), "context.commands.0.id"),
    "a command id too long": (with_command(id="a" * 65), "context.commands.0.id"),
    "an empty command id": (with_command(id=""), "context.commands.0.id"),
    "a command id with a line end": (with_command(id="try\n"), "context.commands.0.id"),
    "a label too long": (with_command(label="x" * (LABEL_CHARACTERS + 1)), "context.commands.0.label"),
    "an empty label": (with_command(label=""), "context.commands.0.label"),
    "a blank label": (with_command(label=" "), "context.commands.0.label"),
    "a label of two lines": (with_command(label="Try\nit"), "context.commands.0.label"),
    "a label with a tab": (with_command(label="Try\tit"), "context.commands.0.label"),
    "a label with a line separator": (with_command(label="Try\u2028it"), "context.commands.0.label"),
    "a label with a tag": (with_command(label="Try\U000e0041it"), "context.commands.0.label"),
    "a label with an override": (with_command(label="Try\u202eit"), "context.commands.0.label"),
    "a label with a zero-width space": (with_command(label="Try\u200bit"), "context.commands.0.label"),
    "a label that is a number": (with_command(label=1), "context.commands.0.label"),
    "an unknown effect": (with_command(effect="delete"), "context.commands.0.effect"),
    "a gesture in words": (with_command(gesture="true"), "context.commands.0.gesture"),
    "a gesture as a number": (with_command(gesture=1), "context.commands.0.gesture"),
    "a danger that is null": (with_command(danger=None), "context.commands.0.danger"),
    "a command with more": (with_command(name="Anne"), "context.commands.0.name"),
    # Anything beside.
    "a key beside": (changed(student=POOL), "context.student"),
    "a context that is a list": ([], "context"),
    "a context that is null": (None, "context"),
    "a context that is a text": ("/pools", "context"),
}


@pytest.mark.parametrize(("context", "field"), REFUSED.values(), ids=REFUSED)
async def test_a_context_with_anything_else_is_refused_by_its_field(context: object, field: str) -> None:
    assert await refused_fields(body(context)) == [field]


@pytest.mark.parametrize("case", REFUSED)
async def test_the_words_of_a_refusal_do_not_quote_the_value(case: str) -> None:
    with pytest.raises(AssistError) as refused:
        await read(body(REFUSED[case][0]))
    words = " ".join(fault.message for fault in refused.value.faults)
    for value in ("anne", "Anne", POOL, "Try", "de"):
        assert value not in words.split()


BODIES: dict[str, tuple[object, str]] = {
    "a key beside": (body(person="anne"), "person"),
    "a role": (body(role="admin"), "role"),
    "no question": ({"context": CONTEXT}, "question"),
    "no context": ({"question": "How?"}, "context"),
    "a question too long": (body(question="x" * 2_001), "question"),
    "a question that is a number": (body(question=7), "question"),
    "a question that is null": (body(question=None), "question"),
    "a conversation that is no UUID": (body(conversation_id="mine"), "conversation_id"),
    "a conversation that is a number": (body(conversation_id=1), "conversation_id"),
    "an editor with more": (body(editor={**EDITOR, "key": "b"}), "editor.key"),
    "an editor without its base": (body(editor={**EDITOR, "base": ""}), "editor.base"),
    "an editor with a long base": (body(editor={**EDITOR, "base": "x" * 129}), "editor.base"),
    "an editor of no type": (body(editor={**EDITOR, "type": "Multiple"}), "editor.type"),
    "an editor of a list": (body(editor={**EDITOR, "config": []}), "editor.config"),
    "an editor too large": (body(editor={**EDITOR, "config": {"a": "x" * DRAFT_BYTES}}), "editor"),
    "an explanation too large": (body(editor={**EDITOR, "explanation": "x" * (DRAFT_BYTES + 1)}), "editor.explanation"),
    "a draft too large in bytes only": (body(editor={**EDITOR, "explanation": "é" * (DRAFT_BYTES - 10)}), "editor"),
    "a reference too long": (body(reference="x" * 4_097), "reference"),
    "a key of no form": (body(**{"a key\nwith lines": 1}), "(unnamed)"),
}


@pytest.mark.parametrize(("sent", "field"), BODIES.values(), ids=BODIES)
async def test_a_body_with_anything_else_is_refused_by_its_field(sent: object, field: str) -> None:
    assert await refused_fields(sent) == [field]


async def test_every_wrong_field_is_named_at_once() -> None:
    context = changed(route="/Pools", language="de", entities={"student": POOL})
    assert sorted(await refused_fields(body(context))) == [
        "context.entities.student",
        "context.language",
        "context.route",
    ]


async def test_an_id_is_read_as_the_one_id_it_is() -> None:
    asked = await read(body(changed(entities={"pool": POOL.upper()})))
    assert asked.context.entities.present() == {EntityKind.POOL: uuid.UUID(POOL)}


def context(**changes: object) -> AssistContext:
    return AssistContext.model_validate_json(json.dumps(changed(**changes)))


def draft(**changes: object) -> EditorDraft:
    return EditorDraft.model_validate_json(json.dumps({**EDITOR, **changes}))


@pytest.mark.parametrize("route", sorted(CATALOGUE.routes))
def test_every_route_of_the_shipped_catalogue_is_accepted(route: str) -> None:
    refuse_foreign_screen(context(route=route), CATALOGUE)


@pytest.mark.parametrize("route", ["/people/:id", "/pools/:pool", "/pools/:id?tab=secrets", "/courses?tab=pools"])
def test_a_route_that_is_no_pattern_of_the_catalogue_is_refused_by_its_field(route: str) -> None:
    with pytest.raises(AssistError) as refused:
        refuse_foreign_screen(context(route=route), CATALOGUE)
    assert refused.value.code is Code.INVALID_REQUEST
    assert [fault.field for fault in refused.value.faults] == ["context.route"]


def test_an_unknown_topic_is_ignored() -> None:
    assert known_topic(context(topic="pool"), CATALOGUE) == "pool"
    assert known_topic(context(topic="anne.martin"), CATALOGUE) is None
    assert known_topic(context(topic=None), CATALOGUE) is None


ON_SCREEN = {"route": "/questions/:id", "entities": {"question": POOL}}

OFF_SCREEN: dict[str, tuple[Callable[[], AssistContext], Callable[[], EditorDraft]]] = {
    "another screen": (lambda: context(**{**ON_SCREEN, "route": "/pools/:id"}), draft),
    "another question": (lambda: context(**ON_SCREEN), lambda: draft(question_id=str(uuid.UUID(int=1)))),
    "no question on screen": (lambda: context(route="/questions/:id", entities={}), draft),
    "another entity with its id": (lambda: context(route="/questions/:id", entities={"pool": POOL}), draft),
}


@pytest.mark.parametrize(("seen", "held"), OFF_SCREEN.values(), ids=OFF_SCREEN)
def test_a_draft_of_anything_but_the_question_on_screen_is_off_screen(
    seen: Callable[[], AssistContext], held: Callable[[], EditorDraft]
) -> None:
    with pytest.raises(AssistError) as refused:
        refuse_draft_off_screen(seen(), held())
    assert refused.value.code is Code.EDITOR_OFF_SCREEN


def test_the_draft_of_the_question_on_screen_passes_and_so_does_none() -> None:
    refuse_draft_off_screen(context(**ON_SCREEN), draft())
    refuse_draft_off_screen(context(), None)
