"""`make demo POLICY=school-manuals`, as it is run: the real programs, the stub, and its own checks passed.

One run for both: who reads what of the manual, and the lookups that no model reads.
"""

import os
import subprocess
import sys
from collections.abc import AsyncIterator

import pytest

from assist_service.domain.screens import Language
from devtools.demo_lookups import FOLLOW_UP, UNCLEAR
from devtools.demo_lookups import QUESTION as LOOKED_UP
from devtools.demo_roles import OUTSIDE, QUESTIONS
from examples.reference_lms.school import SCHOOL
from tests.conftest import TEMPLATE, cloned
from tests.fakes.house import TEACHER
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
    _check_lookups(ran.stdout)
    assert "Show me" not in ran.stdout
    assert "Which courses" not in ran.stdout


def _check_lookups(printed: str) -> None:
    """Each stands there as it is read, with what the receipt says of it."""
    own = next(each.title for each in SCHOOL.entities if (each.owner, each.kind.value) == (TEACHER, "classroom"))
    looked_up = printed.partition(f"role teacher: {LOOKED_UP}\n")[2]
    first, followed, asked, chosen = (part for part in looked_up.split("\n\n") if "receipt:" in part)
    assert own in first
    assert "query_classes (sealed); asked of the model: 1" in first
    assert FOLLOW_UP in looked_up
    assert "query_rankings (sealed); asked of the model: 1" in followed
    assert UNCLEAR in looked_up
    assert "query_participation (sealed); asked of the model: 1" in asked
    assert asked.count("to choose: ") == 2
    assert "query_participation (sealed); asked of the model: 0" in chosen
