"""The bytes that the LMS gets are those that were frozen, and their values are the ones that the card showed (W1)."""

import base64
import hashlib
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from assist_service.adapters.postgres.sealed_writes import write_of
from assist_service.adapters.sealing import AesGcmSealer
from assist_service.domain.writes import WriteTool
from examples.reference_lms.api.question_types import QUESTION_TYPES
from tests.case_counts import CountCases
from tests.fakes.house import SECRET_KEY
from tests.slow.lms_gate import Sent
from tests.slow.write_world import CREATED, PREPARE, Card, Replica, World, open_world
from tests.web.writing import COURSE

pytestmark = pytest.mark.slow

SEALER = AesGcmSealer([base64.b64decode(SECRET_KEY)])

PLAIN = "Loops"

ODD = 'Été « 1 » <b>&amp;</b> "x" \\ [y](https://elsewhere.example) \u65e5\u672c \U0001f469\u200d\U0001f467'

TITLED = (WriteTool.CREATE_CATEGORY, WriteTool.CREATE_QUESTION, WriteTool.CREATE_TEMPLATE)

ADDRESSES = {
    WriteTool.CREATE_QUESTION: ("/api/questions", ""),
    WriteTool.CREATE_CATEGORY: ("/api/pools/", "/categories"),
    WriteTool.CREATE_TEMPLATE: ("/api/templates", ""),
    WriteTool.ADD_QUESTIONS_TO_TEMPLATE: ("/api/templates/", "/questions"),
    WriteTool.LINK_POOL_TO_COURSE: ("/api/courses/", "/pools"),
}
"""What stands before and after the entity in each address; where neither ends in a slash there is no entity."""


def entity_of(sent: Sent, tool: WriteTool) -> str:
    before, after = ADDRESSES[tool]
    assert sent.path.startswith(before)
    assert sent.path.endswith(after)
    return sent.path.removeprefix(before).removesuffix(after)


def digest_of(sent: Sent, tool: WriteTool) -> str:
    """Over tool, entity and body as they came, computed here and not by the code that froze them."""
    return hashlib.sha256(b"\0".join((sent.tool.encode(), entity_of(sent, tool).encode(), sent.body))).hexdigest()


def leaves(value: Any, place: str = "") -> Iterator[tuple[str, Any]]:
    """Each value of a body that holds no other, and where it stands."""
    children = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else None
    if children is None:
        yield place, value
        return
    for step, child in children:
        yield from leaves(child, f"{place}/{step}")


def title_of(world: World, identifier: str) -> str:
    """How a card names a thing of the school."""
    for kind in ("pool", "course", "category", "template"):
        row = world.school.row(f"SELECT title FROM {kind} WHERE id = :id", id=identifier)  # noqa: S608 one of these
        if row is not None:
            return str(row["title"])
    row = world.school.row(
        "SELECT question.title, pool.title AS pool FROM question JOIN pool ON pool.id = pool WHERE question.id = :id",
        id=identifier,
    )
    assert row is not None
    return f"{row['title']} ({row['pool']})"


NAMES = {"pool", "course", "category", "questions"}
"""Keys of bodies whose values are ids."""


def expected_values(world: World, sent: Sent, tool: WriteTool) -> Counter[str]:
    """What a card must show of these bytes and of their address: everything, and nothing beside."""
    shown: Counter[str] = Counter()
    if entity := entity_of(sent, tool):
        shown[title_of(world, entity)] += 1
    for place, value in leaves(json.loads(sent.body)):
        key = place.split("/")[1]
        if key in NAMES:
            shown[title_of(world, value)] += 1
        elif key == "type":
            shown[next(str(each["title"]) for each in QUESTION_TYPES if each["type"] == value)] += 1
        elif isinstance(value, str):
            shown[value] += 1
        else:
            shown[f"{place.removeprefix('/config')}: {json.dumps(value)}"] += 1
    if tool is WriteTool.LINK_POOL_TO_COURSE:
        shown.update(staff(world))
    return shown


def staff(world: World) -> list[str]:
    rows = world.school.rows(
        "SELECT name, seat.role FROM seat JOIN person ON person.id = seat.person WHERE course = :course", course=COURSE
    )
    return [f"{row['name']} ({row['role']})" for row in rows]


async def executed(world: World, replica: Replica, tool: WriteTool, title: str) -> tuple[Card, str, Sent]:
    """The card, the digest that was frozen with it, and what the LMS then got."""
    card = await replica.prepare(tool, title=title)
    frozen = write_of(await world.row(card), SEALER)
    assert [(line.label, line.value) for line in frozen.lines] == card.lines
    before = len(world.gate.sent)
    assert (await replica.confirm(card)).status_code == 200
    (sent,) = world.gate.sent[before:]
    assert (sent.status, sent.tool, sent.key) == (CREATED, tool.value, str(card.id))
    return card, frozen.digest, sent


async def test_what_the_lms_gets_is_what_was_frozen_and_what_was_shown(
    database_url: str, tmp_path: Path, count_cases: CountCases
) -> None:
    async with open_world(database_url, tmp_path) as world:
        replica = await world.start(PREPARE)
        wanted = [(tool, PLAIN) for tool in WriteTool] + [(tool, ODD) for tool in TITLED]
        for tool, title in wanted:
            card, digest, sent = await executed(world, replica, tool, title)
            assert digest_of(sent, tool) == digest
            assert Counter(value for _, value in card.lines) == expected_values(world, sent, tool)
            count_cases("executed bytes", 1, tool.value)


async def test_what_is_sent_again_by_another_process_is_the_same_bytes_under_the_same_key(
    database_url: str, tmp_path: Path, count_cases: CountCases
) -> None:
    async with open_world(database_url, tmp_path) as world:
        first = await world.start(PREPARE)
        card = await first.prepare(WriteTool.CREATE_QUESTION, title=ODD)
        digest = write_of(await world.row(card), SEALER).digest
        await world.inject("status", status=500, path="/api/questions", after=True, times=1)
        assert (await first.confirm(card)).status_code == 504
        await first.kill()
        second = await world.start()
        assert (await second.confirm(card)).status_code == 200
        made = [sent for sent in world.gate.sent if sent.status != 401]
        assert len(made) == 2
        assert {(digest_of(sent, WriteTool.CREATE_QUESTION), sent.key) for sent in made} == {(digest, str(card.id))}
        assert await world.written() == 1
    count_cases("executed bytes", 2, WriteTool.CREATE_QUESTION.value)
