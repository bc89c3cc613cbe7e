"""The whole API under generated requests, valid and not: no 500, no undocumented status, type or shape."""

import asyncio
import sys
from pathlib import Path

import pytest

from examples.reference_lms.clients import LLM_AUDIENCE, PRIVACY_AUDIENCE
from tests.fakes.house import ADMINISTRATOR, House, running_house

OPENAPI = Path(__file__).resolve().parents[2] / "openapi.yaml"

CHECKS = (
    "not_a_server_error",
    "status_code_conformance",
    "content_type_conformance",
    "response_schema_conformance",
    "response_headers_conformance",
    "negative_data_rejection",
    "ignored_auth",
    "unsupported_method",
)

LIMITS = {"limits": {"questions_per_minute": 1000, "questions_per_day": 100_000}}


async def _configuration(house: House, folder: Path) -> Path:
    """Ids that exist, for made-up ones alone would only ever meet a 404; and to each door the token it takes."""
    asked = (await house.ask(person=ADMINISTRATOR)).json()
    citation = asked["citations"][0]
    path = folder / "schemathesis.toml"
    path.write_text(
        f"""
[parameters]
conversation_id = "{asked["conversation_id"]}"
publication = "{house.publication.id}"
section = "{citation["section"]}"

[[operations]]
include-path = "/llm/complete"
headers = {{ Authorization = "Bearer {house.clients.mint(LLM_AUDIENCE)}" }}

[[operations]]
include-path = "/assist/people/{{sub}}/data"
headers = {{ Authorization = "Bearer {house.clients.mint(PRIVACY_AUDIENCE)}" }}

[[operations]]
exclude-path = ["/llm/complete", "/assist/people/{{sub}}/data"]
headers = {{ Authorization = "{(await house.bearer(ADMINISTRATOR, elevated=True))["Authorization"]}" }}
"""
    )
    return path


async def _fuzzed(house: House, *, config: Path, examples: int) -> tuple[int, str]:
    """Schemathesis against the running service: exit code and print; `examples` bounds each operation."""
    process = await asyncio.create_subprocess_exec(
        Path(sys.executable).parent / "schemathesis",
        *("--config-file", str(config), "run", str(OPENAPI), "--url", str(house.service.base_url)),
        *("--checks", ",".join(CHECKS)),
        *("--mode", "all", "--max-examples", str(examples), "--seed", "20261101", "--no-color"),
        *("--phases", "examples,coverage,fuzzing", "--generation-database", "none"),
        cwd=config.parent,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    printed, _ = await process.communicate()
    assert process.returncode is not None
    return process.returncode, printed.decode()


@pytest.mark.slow
async def test_the_whole_api_keeps_to_its_document(database_url: str, tmp_path: Path) -> None:
    async with running_house(database_url, ruled=LIMITS) as house:
        code, said = await _fuzzed(house, config=await _configuration(house, tmp_path), examples=40)
        assert code == 0, said[-6000:]
        assert "Tested: 16" in said
