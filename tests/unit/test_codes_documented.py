"""Every refusal that a question can meet stands at its operation in the OpenAPI document, and in docs/front-end.md."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import yaml

from assist_service.domain.errors import Code
from assist_service.settings import ROOT
from assist_service.web.errors import PROBLEMS

SOURCES = ROOT / "src"

PACKAGE = "assist_service"

ON_THE_PATH = ("domain", "services", "tools")
"""Of what `services/ask.py` imports, these are followed to the end: any code they name may be raised there."""

AROUND = ("services/live_manual.py", "adapters/tokens.py", "web/deps.py", "web/bodies.py", "web/streaming.py")
"""What answers behind a port or stands before the use case; of these only what they name themselves counts."""

OPERATION = yaml.safe_load((ROOT / "openapi.yaml").read_text("utf-8"))["paths"]["/assist/ask"]["post"]


@cache
def _tree(file: Path) -> ast.Module:
    return ast.parse(file.read_text("utf-8"))


def _imported(file: Path) -> Iterator[Path]:
    for node in ast.walk(_tree(file)):
        if isinstance(node, ast.ImportFrom) and node.module is not None:
            package, _, rest = node.module.partition(".")
            found = SOURCES / f"{node.module.replace('.', '/')}.py"
            if package == PACKAGE and rest.partition(".")[0] in ON_THE_PATH and found.is_file():
                yield found


def _path_of(file: Path) -> set[Path]:
    """The module and whatever it imports on the path, near and far."""
    seen, ahead = {file}, [file]
    while ahead:
        further = set(_imported(ahead.pop())) - seen
        seen |= further
        ahead += further
    return seen


def _named(file: Path) -> set[Code]:
    return {
        Code[node.attr]
        for node in ast.walk(_tree(file))
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "Code"
    }


def _raised() -> set[Code]:
    path = _path_of(SOURCES / PACKAGE / "services" / "ask.py")
    assert {file.stem for file in path} >= {"answering", "converse", "gateway", "line", "moderation", "standing"}
    return {code for file in (*path, *(SOURCES / PACKAGE / each for each in AROUND)) for code in _named(file)}


def test_every_code_that_a_question_can_meet_stands_at_its_operation_and_no_other() -> None:
    told = {
        (int(status), Code(code))
        for status, answer in OPERATION["responses"].items()
        if status != "200"
        for code in re.findall(r"`([a-z_]+)`", answer["description"])
    }
    assert told == {(PROBLEMS[code][0].value, code) for code in _raised()}


def test_the_front_end_is_told_what_to_do_with_each() -> None:
    _, _, rest = (ROOT / "docs/front-end.md").read_text("utf-8").partition("\n## When a question is not answered\n")
    rows = re.findall(r"^\| (\d{3}) \| (.*?) \|", rest.partition("\n## ")[0], re.MULTILINE)
    told = [(int(status), Code(code)) for status, codes in rows for code in re.findall(r"`([a-z_]+)`", codes)]
    assert sorted(told) == sorted((PROBLEMS[code][0].value, code) for code in _raised())
