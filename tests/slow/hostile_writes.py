"""Writes that a model might prepare: cards for hostile titles and whole questions, and calls that may make no card."""

import random
import uuid
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from assist_service.domain.writes import WriteTool
from examples.reference_lms.making.hostile import STATEMENT, TITLES
from tests.slow.hostile_calls import ALIKE, EXTRA, MISSHAPEN, SPOILT, Call

Plain = Callable[[str], str]
"""An id of a kind that the model knows, or one that it made up."""

FINDABLE = ("pointer", "What does a chloroplast do?", "Que vaut un pointeur nul ?")

LINES = (*TITLES, "Loops", "x" * 200, "two\nlines", "<script>alert(1)</script>", "=1+1", "The teacher has confirmed")
NO_LINES = ("", " \u200b ", "\U000e0041", "x" * 201, "x" * 100_000, None, 7, ["x"])

CONFIGS: Sequence[tuple[str, dict[str, Any]]] = (
    ("mcq", {"statement": STATEMENT, "multiple": False, "choices": [
        {"text": "a", "correct": True}, {"text": "b\u202e", "correct": False}]}),
    ("numeric", {"statement": f"{TITLES[3]} [[1]]", "answer": 1e300, "tolerance": 0, "unit": "<i>cm</i>"}),
    ("numeric", {"statement": "Huge.", "answer": 10**400, "tolerance": 10**400, "unit": ""}),
    ("open", {"statement": "![x](https://evil.example/p.png)", "guidance": "a\nb\u2028c", "max_words": 10**9}),
    ("categorize", {"statement": "Sort.", "categories": list(TITLES[:2]), "items": [
        {"text": "{{name}}", "category": 0}]}),
)  # fmt: skip

NO_NUMBERS = (float("nan"), float("inf"), float("-inf"), True, None, "1")

NO_CONFIGS: Sequence[object] = (
    {}, {"statement": "x"}, [], None, "x", {"statement": "", "multiple": False, "choices": []},
    {**CONFIGS[0][1], "published": True}, {**CONFIGS[0][1], "statement": "x" * 100_000},
    {**CONFIGS[0][1], "choices": [{"text": "a", "correct": "yes"}] * 2}, {**CONFIGS[0][1], "multiple": float("nan")},
    {**CONFIGS[0][1], "choices": [{"text": "a", "correct": True}] * 9}, {"a": {"b": [{"c": {}}] * 50}},
)  # fmt: skip

Ids = list[tuple[str, str]]


def right_write(chance: random.Random, plain: Plain) -> tuple[Call, Ids]:
    """A call that is well formed, and the ids in it by kind: of drafts, of others and made-up ones among them."""
    tool = chance.choice(list(WriteTool))
    arguments, ids = _RIGHT[tool](chance, plain)
    if chance.random() < 0.1:
        arguments |= {key: chance.choice(ALIKE)(value) for key, value in arguments.items() if (key, value) in ids}
    return (tool.value, arguments), ids


def _question(chance: random.Random, plain: Plain) -> tuple[dict[str, Any], Ids]:
    pool = plain("pool")
    type_, config = chance.choice(CONFIGS)
    arguments = {"pool": pool, "type": type_, "config": config, "explanation": chance.choice(("", STATEMENT, "a\nb"))}
    if chance.random() < 0.4:
        arguments["title"] = chance.choice(LINES)
    return arguments, [("pool", pool)]


def _category(chance: random.Random, plain: Plain) -> tuple[dict[str, Any], Ids]:
    pool = plain("pool")
    return {"pool": pool, "title": chance.choice(LINES)}, [("pool", pool)]


def _template(chance: random.Random, plain: Plain) -> tuple[dict[str, Any], Ids]:
    questions = [plain("question") for _ in range(chance.randint(0, 3))]
    arguments: dict[str, Any] = {"title": chance.choice(LINES), "questions": questions}
    ids = [("question", each) for each in questions]
    if chance.random() < 0.4:
        arguments["course"] = plain("course")
        ids.append(("course", arguments["course"]))
    return arguments, ids


def _more(chance: random.Random, plain: Plain) -> tuple[dict[str, Any], Ids]:
    template, questions = plain("template"), [plain("question") for _ in range(chance.randint(1, 2))]
    return {"template": template, "questions": questions}, [
        ("template", template),
        *(("question", each) for each in questions),
    ]


def _link(_: random.Random, plain: Plain) -> tuple[dict[str, Any], Ids]:
    pool, course = plain("pool"), plain("course")
    return {"pool": pool, "course": course}, [("pool", pool), ("course", course)]


_RIGHT: Mapping[WriteTool, Callable[[random.Random, Plain], tuple[dict[str, Any], Ids]]] = {
    WriteTool.CREATE_QUESTION: _question,
    WriteTool.CREATE_CATEGORY: _category,
    WriteTool.CREATE_TEMPLATE: _template,
    WriteTool.ADD_QUESTIONS_TO_TEMPLATE: _more,
    WriteTool.LINK_POOL_TO_COURSE: _link,
}


def wrong_write(chance: random.Random, plain: Plain, strange: Mapping[str, list[str]]) -> Call:
    """A call that must come to nothing."""
    tool = chance.choice(list(WriteTool))
    arguments, ids = _RIGHT[tool](chance, plain)
    ways: list[dict[str, Any]] = [dict(chance.choice(EXTRA)), {"status": "published"}]
    for key, value in arguments.items():
        kind = next((kind for kind, id_ in ids if id_ == value), None)
        if kind is not None:
            made_up = str(uuid.UUID(int=chance.getrandbits(128)))
            ways.append({key: chance.choice(SPOILT)(value)})
            ways.append({key: chance.choice([made_up, *strange[kind]])})
            ways.append({key: chance.choice([each for each in MISSHAPEN if each is not None])})
    if "title" in arguments and tool is not WriteTool.CREATE_QUESTION:
        ways.append({"title": chance.choice(NO_LINES)})
    if "config" in arguments:
        ways += [{"config": chance.choice(NO_CONFIGS)}, {"type": chance.choice(("essay", "", "MCQ", 7))}]
        number = {"statement": "x", "answer": chance.choice(NO_NUMBERS), "tolerance": 0, "unit": ""}
        ways += [{"type": "numeric", "config": number}, {"config": {**arguments["config"], "\ud800": "\ud800"}}]
        ways += [{"explanation": "x" * 100_000}, {"title": "x" * 201}, {"category": str(uuid.uuid4())}]
    if "questions" in arguments:
        other = chance.choice(strange["question"]) if strange["question"] else str(uuid.uuid4())
        ways += [{"questions": [*arguments["questions"], other]}, {"questions": [str(uuid.uuid4())] * 21}]
        ways.append({"questions": chance.choice([each for each in MISSHAPEN if each != []])})
    return tool.value, arguments | chance.choice(ways)
