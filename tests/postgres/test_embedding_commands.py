"""The commands on the manual with a model of meanings: what lacks vectors is told in one line, with what mends it."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.postgres.test_manual_commands import page

pytestmark = pytest.mark.slow

COMMANDS = """
import sys
from assist_service.bootstrap import meanings
from tests.fakes.hashed_embedder import HashedEmbedder
meanings.EMBEDDERS["hashed"] = HashedEmbedder
from assist_service.cli import main
main()
"""
"""The commands with a model that takes no time, registered where a real one is."""


def run(database_url: str, manual: Path, *arguments: str, embeddings: str = "hashed") -> tuple[int, str, str]:
    """Exit code, what was printed, and what was complained of."""
    environment = {
        "PATH": os.environ["PATH"],  # noqa: TID251 the environment of a child
        "PYTHONPATH": os.pathsep.join(sys.path),
        "ASSIST_DATABASE_URL": database_url,
        "ASSIST_MANUAL": str(manual),
        "ASSIST_LOG_LEVEL": "ERROR",
        "ASSIST_EMBEDDINGS": embeddings,
    }
    done = subprocess.run(
        [sys.executable, "-c", COMMANDS, "manual", *arguments],
        env=environment, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    return done.returncode, done.stdout, done.stderr


def test_what_lacks_vectors_is_told_with_what_mends_it(database_url: str, tmp_path: Path) -> None:
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
    code, _, told = run(database_url, page(tmp_path, "Press New."), "embed", embeddings="")
    assert (code, "ASSIST_EMBEDDINGS is not set" in told) == (2, True)
