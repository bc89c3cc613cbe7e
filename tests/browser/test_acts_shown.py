"""Each act of the panel is shown at each size: by a test that there is, that runs at all of them, and that tells."""

import inspect
from importlib import import_module
from typing import get_args

import pytest

from tests.browser.acts_shown import SHOWN_BY, Act
from tests.browser.chromium import SIZES


def test_each_act_has_a_test() -> None:
    assert list(SHOWN_BY) == list(get_args(Act))


@pytest.mark.parametrize("name", sorted(set(SHOWN_BY.values())))
def test_the_test_runs_at_each_size_and_tells(name: str) -> None:
    module, function = name.split(".")
    test = getattr(import_module(f"tests.browser.{module}"), function)
    given = [mark.args for mark in test.pytestmark if mark.name == "parametrize"]
    assert given == [("size", sorted(SIZES))]
    assert "tick" in inspect.signature(test).parameters
