"""docs/adding-an-lms.md names all that the check looks at."""

import re

import pytest

from assist_service.adapters.lms.checking.check import ENDPOINTS
from assist_service.domain.lms_check import Rule, Verdict
from assist_service.settings import ROOT

TEXT = (ROOT / "docs" / "adding-an-lms.md").read_text("utf-8")


def test_every_rule_is_explained_once_and_no_other() -> None:
    section = TEXT.split("## What the rules protect")[1].split("## ")[0]
    assert sorted(re.findall(r"`([a-z_]+)`", section)) == sorted(Rule)


@pytest.mark.parametrize("endpoint", ENDPOINTS)
def test_every_endpoint_is_told(endpoint: str) -> None:
    assert endpoint in TEXT


@pytest.mark.parametrize("verdict", Verdict)
def test_every_verdict_is_told(verdict: str) -> None:
    assert f"`{verdict}`" in TEXT
