"""What of the panel needs no browser: what it makes of any answer, of a cut stream, of a token taken back, of a tab."""

from pathlib import Path

import pytest

from tests.panel.node import failures, in_node


@pytest.mark.parametrize(
    "name",
    [
        *("client.test.mjs", "stream.test.mjs", "talk.test.mjs", "hosted.test.mjs", "when.test.mjs"),
        *("tokens.test.mjs", "learning.test.mjs", "tab.test.mjs"),
    ],
)
async def test_what_it_promises_holds(name: str, tmp_path: Path) -> None:
    outcomes = await in_node(name, folder=tmp_path, given={})
    assert failures(outcomes) == {}
    assert len(outcomes) >= 4
