"""The files that share a worker are there, and are of one group: a path that matches nothing would group nothing."""

from collections import Counter

import pytest

from assist_service.settings import ROOT
from tests.together import TOGETHER, Together


@pytest.mark.parametrize("begins", sorted(TOGETHER))
def test_what_is_made_once_is_made_on_one_worker(begins: str) -> None:
    files = [path.relative_to(ROOT).as_posix() for path in ROOT.glob(f"{begins}*") if path.name.startswith("test_")]
    scopes = Counter(Together._split_scope(Together.__new__(Together), f"{file}::test[a@b]") for file in files)
    assert scopes == {TOGETHER[begins]: len(files)} != {}


def test_any_other_goes_by_itself() -> None:
    alone = "tests/slow/test_frozen_bytes.py::test_it[1]"
    assert Together._split_scope(Together.__new__(Together), alone) == alone
