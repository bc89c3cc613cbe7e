"""The commands on the manual with a model of meanings: what lacks vectors is told in one line, with what mends it."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Timer

import pytest

from tests.fakes.commands import typed
from tests.postgres.test_manual_commands import page

pytestmark = pytest.mark.slow

COMMANDS = """
import json, sys
from assist_service.bootstrap import meanings
from tests.fakes.commands import typed
from tests.fakes.hashed_embedder import HashedEmbedder
meanings.EMBEDDERS["hashed"] = HashedEmbedder
for line in sys.stdin:
    arguments, environment = json.loads(line)
    done = typed(*arguments, environment=environment)
    print(json.dumps([done.returncode, done.stdout, done.stderr]), flush=True)
"""
"""A process with a model that takes no time, registered where a real one is; it runs one command after the other."""

SECONDS = 60.0

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run() -> Iterator[Run]:
    """Runs a command: exit code, what was printed, and what was complained of."""
    paths = {"PYTHONPATH": os.pathsep.join(sys.path)}
    with subprocess.Popen(
        [sys.executable, "-c", COMMANDS], env=paths, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        late = Timer(SECONDS, process.kill)
        late.start()

        def run(database_url: str, manual: Path, *arguments: str, embeddings: str = "hashed") -> tuple[int, str, str]:
            assert process.stdin is not None
            assert process.stdout is not None
            environment = environment_of(database_url, manual, embeddings)
            process.stdin.write(json.dumps([["manual", *arguments], environment]) + "\n")
            process.stdin.flush()
            code, printed, told = json.loads(process.stdout.readline())
            return code, printed, told

        yield run
        late.cancel()


def environment_of(database_url: str, manual: Path, embeddings: str) -> dict[str, str]:
    return {
        "ASSIST_DATABASE_URL": database_url,
        "ASSIST_MANUAL": str(manual),
        "ASSIST_LOG_LEVEL": "ERROR",
        "ASSIST_EMBEDDINGS": embeddings,
    }


def test_what_lacks_vectors_is_told_with_what_mends_it(database_url: str, tmp_path: Path, run: Run) -> None:
    folder = page(tmp_path / "manual", "Press New.")
    code, printed, _ = run(database_url, folder, "publish", embeddings="")
    first = printed.split()[0]
    assert (code, printed) == (0, f"{first} is live: 1 sections\n")
    code, printed, told = run(database_url, page(folder, "Press Make."), "publish")
    second = printed.split()[0]
    assert (code, "no vector" in told) == (0, False)

    lacking = rf"{first}: 1 sections have no vector of hashed-1: .*: run `assist-service manual embed {first}`\n"
    code, printed, told = run(database_url, folder, "rollback")
    assert (code, printed) == (0, f"{first} is live\n")
    assert re.fullmatch(lacking, told)
    code, printed, told = run(database_url, folder, "verify")
    assert (code, printed) == (0, f"{first}: no faults\n")
    assert re.fullmatch(lacking, told)
    assert run(database_url, folder, "verify", embeddings="")[2] == ""

    run(database_url, folder, "withdraw", "teacher/pools")
    code, _, told = run(database_url, folder, "restore", "teacher/pools")
    assert code == 0
    assert re.fullmatch(lacking, told)

    assert run(database_url, folder, "embed")[1] == f"{first} has the vectors of hashed-1\n"
    assert run(database_url, folder, "embed")[1] == f"{first} had the vectors of hashed-1 already\n"
    assert run(database_url, folder, "embed", "--anew")[1] == f"{first} has the vectors of hashed-1\n"
    assert run(database_url, folder, "verify")[2] == ""
    assert run(database_url, folder, "verify", second)[2] == ""


def test_a_command_that_makes_vectors_needs_the_model_named(database_url: str, tmp_path: Path) -> None:
    environment = environment_of(database_url, page(tmp_path, "Press New."), "")
    told = typed("manual", "embed", environment=environment)
    assert (told.returncode, "ASSIST_EMBEDDINGS is not set" in told.stderr) == (2, True)
