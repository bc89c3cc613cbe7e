"""The commands as an operator runs them: what is wrong is one line and exit code 2, never a traceback."""

import base64
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.fakes.commands import typed

pytestmark = pytest.mark.slow

COMMAND = Path(sys.executable).parent / "assist-service"

SECRET = base64.b64encode(b"canary-canary-canary-canary-can!").decode()

SETTINGS = {
    "ASSIST_ENV": "development",
    "ASSIST_DATABASE_URL": "postgresql://someone:canary-password@127.0.0.1:1/none",
    "ASSIST_SECRET_KEYS": SECRET,
    "ASSIST_MODEL": "stub",
    "ASSIST_LMS_URL": "http://127.0.0.1:1",
    "ASSIST_LMS_ORIGIN": "http://127.0.0.1:1",
    "ASSIST_SESSION_ISSUER": "http://127.0.0.1:1",
}


def run(*arguments: str, **changes: str) -> subprocess.CompletedProcess[str]:
    """Runs the command in an environment of its own."""
    environment = {"PATH": os.environ["PATH"], **SETTINGS, **changes}  # noqa: TID251 the environment of a child
    return subprocess.run(
        [COMMAND, *arguments],
        env={name: value for name, value in environment.items() if value},
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )


def here(*arguments: str, **changes: str) -> subprocess.CompletedProcess[str]:
    """The same in this process."""
    return typed(*arguments, environment={name: value for name, value in (SETTINGS | changes).items() if value})


REFUSED = {
    "no database": ({}, "ASSIST_DATABASE_URL: the database does not answer"),
    "no address of one": ({"ASSIST_DATABASE_URL": "mysql://x"}, "ASSIST_DATABASE_URL"),
    "no model": ({"ASSIST_MODEL": ""}, "ASSIST_MODEL"),
    "an unknown provider": ({"ASSIST_MODEL": "nobody:x"}, "neither stub nor anthropic"),
    "a model without a price": ({"ASSIST_MODEL": "anthropic:claude-0"}, "has no price"),
    "the stub in production": ({"ASSIST_ENV": "production"}, "the stub answers nobody in production"),
    "a broken key": ({"ASSIST_SECRET_KEYS": "c2hvcnQ="}, "ASSIST_SECRET_KEYS: key 1"),
    "no key for the LMS": (
        {"ASSIST_ENV": "production", "ASSIST_MODEL": "anthropic:claude-sonnet-5-5"},
        "ASSIST_CLIENT_KEY is not set",
    ),
    "no such policy": ({"ASSIST_POLICY": "nowhere"}, "there is no policy nowhere"),
    "no manual": ({"ASSIST_MANUAL": "/nowhere"}, "the manual cannot be published"),
    "no such zone": ({"ASSIST_TIMEZONE": "Mars/Base"}, "ASSIST_TIMEZONE"),
    "a share above half": ({"ASSIST_CHAT_SHARE": "0.6"}, "ASSIST_CHAT_SHARE"),
}


AS_INSTALLED = {"no database", "no model"}
"""Those that are tried on the installed program: one that is found by the settings, one by what they name."""


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_wrong_at_start_is_one_line(name: str) -> None:
    changes, words = REFUSED[name]
    done = (run if name in AS_INSTALLED else here)("serve", **changes)
    assert done.returncode == 2
    [line] = done.stderr.strip().splitlines()
    assert line.startswith("assist-service: ")
    assert words in line
    assert "canary" not in line
    assert SECRET not in line


def test_migrate_needs_the_database_alone_and_says_so_in_one_line() -> None:
    nothing_else = dict.fromkeys(SETTINGS, "") | {"ASSIST_DATABASE_URL": SETTINGS["ASSIST_DATABASE_URL"]}
    done = run("migrate", **nothing_else)
    assert (done.returncode, len(done.stderr.strip().splitlines())) == (2, 1)
    assert "canary" not in done.stderr


def test_a_policy_that_asks_for_what_is_not_there_is_refused(tmp_path: Path) -> None:
    shipped = Path(__file__).resolve().parents[2] / "src" / "assist_service" / "policies" / "default.toml"
    for before, after, words in (
        ('read_guide = "open"', 'read_guide = "sealed"', "cannot be sealed"),
        ('read_guide = "open"', 'read_grades = "open"', "there is no tool read_grades"),
        ('get_classroom_results = "masked"', 'get_classroom_results = "sealed"', "cannot be sealed"),
        ("[limits]", "[limits]\nper_hour = 3", "limits.per_hour"),
    ):
        policy = tmp_path / "policy.toml"
        policy.write_text(shipped.read_text("utf-8").replace(before, after, 1), "utf-8")
        done = here("serve", ASSIST_POLICY=str(policy))
        assert done.returncode == 2
        [line] = done.stderr.strip().splitlines()
        assert words in line


def test_the_manuals_check_names_file_and_line(tmp_path: Path) -> None:
    page = tmp_path / "teacher" / "pools.md"
    page.parent.mkdir()
    page.write_text("---\naudience: student\ntitle: Pools\n---\n# Pools\n\nWords.\n", "utf-8")
    done = run("manual", "check", str(tmp_path))
    assert (done.returncode, done.stderr.startswith("teacher/pools.md:2: ")) == (1, True)
    page.write_text("---\naudience: teacher\ntitle: Pools\n---\n# Pools\n\nWords.\n", "utf-8")
    assert run("manual", "check", str(tmp_path)).stdout.strip() == "no faults"


def test_the_manuals_check_takes_a_mapping_of_folders(tmp_path: Path) -> None:
    page = tmp_path / "manual" / "guide" / "pools.md"
    page.parent.mkdir(parents=True)
    page.write_text("# Pools\n\n[Gone](gone.md)\n", "utf-8")
    folders = tmp_path / "folders.toml"
    folders.write_text('[folders]\nguide = "teacher"\n', "utf-8")
    done = here("manual", "check", str(tmp_path / "manual"), "--folders", str(folders))
    assert (done.returncode, done.stdout.strip()) == (0, "no faults")
    assert done.stderr.startswith("guide/pools.md:3: warning: the link gone.md ")
    folders.write_text('[folders]\nguide = "teachers"\n', "utf-8")
    for refused in (
        here("manual", "check", str(tmp_path / "manual"), "--folders", str(folders)),
        here("serve", ASSIST_MANUAL=str(tmp_path / "manual"), ASSIST_MANUAL_FOLDERS=str(folders)),
    ):
        assert (refused.returncode, len(refused.stderr.strip().splitlines())) == (2, 1)
        assert "folders.toml: folders.guide" in refused.stderr


def test_a_setting_nobody_knows_is_named() -> None:
    done = run("serve", ASSIST_DAILY_CAP="5", ASSIST_MODEL="stub")
    assert "ASSIST_DAILY_CAP" in done.stderr.splitlines()[0]
