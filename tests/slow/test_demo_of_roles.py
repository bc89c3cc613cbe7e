"""`make demo POLICY=school-manuals`, as it is run: the real programs, the stub, and its own checks passed."""

import os
import subprocess
import sys
from collections.abc import AsyncIterator

import pytest

from assist_service.domain.screens import Language
from devtools.demo_roles import OUTSIDE, QUESTIONS
from tests.conftest import TEMPLATE, cloned
from tests.unit.watched import ROOT, untaken_port
from tests.web.school_policy import REFUSALS

pytestmark = pytest.mark.slow

DEMO_SECONDS = 120.0


@pytest.fixture
async def database_url() -> AsyncIterator[str]:
    """With nothing in it: the demo publishes its manual itself."""
    async with cloned(TEMPLATE) as url:
        yield url


def test_the_four_roles_ask_and_cite_their_own_and_the_rest_is_the_refusal(database_url: str) -> None:
    environment = {
        "PYTHONPATH": os.pathsep.join(sys.path),
        "ASSIST_PORT": str(untaken_port()),
        "ASSIST_LMS_PORT": str(untaken_port()),
        "ASSIST_DATABASE_URL": database_url,
    }
    command = (sys.executable, "-m", "devtools.demo", "--once", "--policy", "school-manuals")
    ran = subprocess.run(  # the command is ours
        command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=DEMO_SECONDS, check=False
    )
    assert (ran.returncode, ran.stderr) == (0, "")
    for role, question in QUESTIONS.items():
        answer = ran.stdout.partition(f"role {role}: {question}\n")[2].partition("\n\nQuestion")[0]
        folder = "administrator" if "admin" in role else role
        assert f"  cites {folder}/" in answer
    refused = ran.stdout.partition(f"Question, outside the manual: {OUTSIDE}\n")[2].splitlines()
    assert refused[0] == "Answer (refusal, en)"
    assert refused[1] == f"  {REFUSALS[Language.ENGLISH]}"
    assert "Show me" not in ran.stdout
    assert "Which courses" not in ran.stdout
