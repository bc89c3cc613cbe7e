"""docs/operations.md names every setting there is with its default, every event of the log, and no others."""

import re
from decimal import Decimal
from enum import StrEnum
from pathlib import Path
from typing import Any

import pytest
from pydantic.fields import FieldInfo

from assist_service.settings import PREFIX, ROOT, Settings


def _section(title: str) -> str:
    return (ROOT / "docs/operations.md").read_text().partition(f"\n## {title}\n")[2].partition("\n## ")[0]


SECTION = _section("Settings")

ROW = re.compile(rf"^\| (\*\*)?`({PREFIX}\w+)`(?:\*\*)? \|([^|]*)\|([^|]*)\|$", re.MULTILINE)

ROWS = {variable: (bool(bold), default, meaning) for bold, variable, default, meaning in ROW.findall(SECTION)}

VARIABLES: dict[str, FieldInfo] = {f"{PREFIX}{name}".upper(): field for name, field in Settings.model_fields.items()}

TOLD_OTHERWISE = {"ASSIST_SESSION_JWKS_URL": "`ASSIST_LMS_URL` + `/.well-known/jwks.json`"}
"""Defaults that come from another setting."""


def _told(default: Any) -> str:
    match default:
        case bool():
            return f"`{str(default).lower()}`"
        case None | ():
            return ""
        case StrEnum():
            return f"`{default.value}`"
        case tuple():
            return f"`{','.join(default)}`"
        case Path():
            inside = default.relative_to(ROOT).as_posix()
            return f"`{inside}{'/' if default.is_dir() else ''}` of the project"
        case float() | Decimal():
            return f"`{default:g}`" if isinstance(default, float) else f"`{default}`"
        case _:
            return f"`{default}`"


def test_the_table_names_every_setting_once_and_no_other() -> None:
    assert sorted(variable for _, variable, _, _ in ROW.findall(SECTION)) == sorted(VARIABLES)


@pytest.mark.parametrize("variable", VARIABLES)
def test_a_setting_is_told_with_its_default(variable: str) -> None:
    field = VARIABLES[variable]
    bold, default, meaning = ROWS[variable]
    assert bold == field.is_required()
    told = "" if field.is_required() else _told(field.default)
    assert default.strip() == TOLD_OTHERWISE.get(variable, told)
    assert meaning.strip() or variable == "ASSIST_PORT", "its name alone says what it is"


def test_every_event_of_the_log_is_explained_and_no_other() -> None:
    code = "".join(path.read_text() for path in sorted((ROOT / "src").rglob("*.py")))
    logged = set(re.findall(r"\blog\.(?:debug|info|warning|error)\(\s*\"(\w+)\"", code))
    cells = re.findall(r"^\| (`\w+`(?:, `\w+`)*) \|", _section("Logs"), re.MULTILINE)
    assert set(re.findall(r"\w+", " ".join(cells))) == logged
