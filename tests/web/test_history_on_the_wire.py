"""What an earlier question leaves on the wire: whole pairs of words, however the window trims them, and no calls."""

from pathlib import Path
from typing import Any

import pytest

from tests.fakes.house import running_house
from tests.fakes.openai_wire import Said, calling
from tests.fakes.wires import WIRES, adapter_over, reply_on, server_of

pytestmark = pytest.mark.slow

READ = calling(("read_guide", {"page": "teacher/pools"}), reasoning="Let me look.")
PRICE = "\ninput = 2_000_000\ncached_input = 200_000\ncache_write = 2_500_000\noutput = 10_000_000\n"
QUESTIONS = ("First question?", "Second question?", "Third question?")


def _spoken(wire: str, body: Any) -> list[str]:
    """The words of a request after its stable part, one for each message."""
    messages = [each for each in body.get("messages") or body["input"] if each["role"] in ("user", "assistant")]
    contents = [message["content"] for message in messages]
    return [content if isinstance(content, str) else content[0]["text"] for content in contents]


@pytest.mark.parametrize("wire", WIRES)
async def test_a_trimmed_history_orphans_no_call(
    wire: str, database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    (tmp_path / "prices.toml").write_text(f'["{wire}:wired"]{PRICE}', encoding="utf-8")
    steps = (READ, READ, Said("Press New pool [s1]."))
    server = server_of(wire, *(reply_on(wire, said) for _ in QUESTIONS for said in steps))
    async with (
        adapter_over(wire, server) as provider,
        running_house(
            database_url,
            provider=provider,
            model=f"{wire}:wired",
            prices=tmp_path / "prices.toml",
            ruled={"history": {"pairs": 1}},
        ) as house,
    ):
        conversation = None
        for question in QUESTIONS:
            reply = (await house.ask(question, conversation_id=conversation)).json()
            assert (reply["kind"], reply["receipt"]["requests"]) == ("manual", 3)
            conversation = reply["conversation_id"]
            house.clock.move(1)
    first_of_each = [request.body for request in server.requests[::3]]
    assert [_spoken(wire, body) for body in first_of_each] == [
        ["First question?"],
        ["First question?", "Press New pool.", "Second question?"],
        ["Second question?", "Press New pool.", "Third question?"],
    ]
    assert server.violations == []
