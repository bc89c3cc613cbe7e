"""What is committed as the contract is what the code makes."""

from pathlib import Path

import jsonschema
import pytest
import yaml

from assist_service.domain.errors import Code
from assist_service.web.errors import PROBLEMS
from devtools.contracts import contract_files

ROOT = Path(__file__).resolve().parents[2]

FILES = contract_files()


@pytest.mark.parametrize("name", sorted(FILES))
def test_a_committed_contract_is_the_generated_one(name: str) -> None:
    committed = ROOT / name
    assert committed.exists(), f"run `make contracts`: {name} is missing"
    assert committed.read_text("utf-8") == FILES[name], f"run `make contracts`: {name} differs"


def test_no_schema_is_left_over() -> None:
    committed = {f"contracts/{path.name}" for path in (ROOT / "contracts").glob("*.schema.json")}
    assert committed == {name for name in FILES if name.startswith("contracts/")}


def test_the_screens_hold_to_their_schema() -> None:
    schema = yaml.safe_load(FILES["contracts/screens.schema.json"])
    screens = yaml.safe_load((ROOT / "contracts" / "screens.yaml").read_text("utf-8"))
    jsonschema.validate(screens, schema, cls=jsonschema.Draft202012Validator)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**screens, "more": 1}, schema, cls=jsonschema.Draft202012Validator)


def test_every_code_has_its_status_and_words() -> None:
    assert set(PROBLEMS) == set(Code)


def test_the_codes_and_their_statuses_are_these() -> None:
    assert {code.value: status.value for code, (status, _) in PROBLEMS.items()} == {
        "not_found": 404,
        "method_not_allowed": 405,
        "too_large": 413,
        "internal_error": 500,
        "unauthenticated": 401,
        "not_offered": 403,
        "exam_in_progress": 403,
        "conversation_not_found": 404,
        "write_not_found": 404,
        "section_not_found": 404,
        "conversation_ended": 409,
        "conversation_busy": 409,
        "invalid_request": 422,
        "editor_off_screen": 422,
        "reference_invalid": 422,
        "question_refused": 422,
        "idempotency_mismatch": 422,
        "write_failed": 422,
        "rate_limited": 429,
        "llm_budget_exhausted": 429,
        "llm_unavailable": 503,
        "moderation_unavailable": 503,
        "lms_unavailable": 503,
        "manual_unavailable": 503,
        "write_unknown": 504,
    }


def test_the_paths_are_these() -> None:
    document = yaml.safe_load(FILES["openapi.yaml"])
    assert {path: sorted(operations) for path, operations in document["paths"].items()} == {
        "/assist/ask": ["post"],
        "/assist/availability": ["get"],
        "/assist/conversations": ["get"],
        "/assist/conversations/{conversation_id}": ["delete", "get"],
        "/assist/people/{sub}/conversations": ["get"],
        "/assist/people/{sub}/data": ["delete", "get"],
        "/assist/writes/{write_id}/cancel": ["post"],
        "/assist/writes/{write_id}/confirm": ["post"],
        "/assist/manual/{publication}/{section}": ["get"],
        "/llm/complete": ["post"],
        "/.well-known/jwks.json": ["get"],
        "/healthz": ["get"],
        "/readyz": ["get"],
        "/metrics": ["get"],
    }
