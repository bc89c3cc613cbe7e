"""Key and address of Anthropic come from the environment; what is broken there is refused at start."""

from pathlib import Path

import pytest

from assist_service.adapters.models.anthropic import AnthropicModel
from assist_service.domain.errors import ConfigurationError
from assist_service.domain.messages import (
    Message,
    ModelReply,
)
from tests.fakes.anthropic_wire import AnthropicWire, text_reply
from tests.fakes.claude import request_of
from tests.fakes.serving import serve


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")


async def _ask(model: AnthropicModel, *messages: Message, may_call: bool = True) -> ModelReply:
    return await model.send(request_of(*messages, may_call=may_call), timeout_seconds=5)


async def test_key_and_address_come_from_the_environment_by_the_sdk(monkeypatch: pytest.MonkeyPatch) -> None:
    wire = AnthropicWire(text_reply("a"))
    async with serve(wire) as url:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", url)
        monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-from-environment")
        model = AnthropicModel("claude-haiku-5-5")
        assert (await _ask(model)).text == "a"
        await model.close()
    assert model.model == "anthropic:claude-haiku-5-5"
    assert wire.requests[0].headers["authorization"] == "Bearer sk-ant-from-environment"
    assert wire.requests[0].body["model"] == "claude-haiku-5-5"


BROKEN_SETTINGS = {
    "no key": ("", "https://example.org", "ANTHROPIC_API_KEY is not set"),
    "a key with a line end": ("sk-ant-x\n", "https://example.org", "ANTHROPIC_API_KEY holds"),
    "a key with a typographic dash": ("sk–ant", "https://example.org", "ANTHROPIC_API_KEY holds"),
    "an address that is none": ("sk-ant-x", "http://host:port", "ANTHROPIC_BASE_URL is no address"),
    "another scheme": ("sk-ant-x", "ftp://example.org", "ANTHROPIC_BASE_URL is no http"),
    "no host": ("sk-ant-x", "/v1", "ANTHROPIC_BASE_URL is no http"),
}


def _without_other_credentials(monkeypatch: pytest.MonkeyPatch, home: Path) -> None:
    for name in ("AUTH_TOKEN", "PROFILE", "FEDERATION_RULE_ID", "CONFIG_DIR"):
        monkeypatch.delenv(f"ANTHROPIC_{name}", raising=False)
    for name in ("HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(name, str(home))


@pytest.mark.parametrize(("key", "address", "told"), BROKEN_SETTINGS.values(), ids=BROKEN_SETTINGS)
def test_broken_settings_are_refused_at_start_in_one_line(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, key: str, address: str, told: str
) -> None:
    _without_other_credentials(monkeypatch, tmp_path)
    monkeypatch.setenv("ANTHROPIC_API_KEY", key)
    monkeypatch.setenv("ANTHROPIC_BASE_URL", address)
    with pytest.raises(ConfigurationError, match=told) as refused:
        AnthropicModel("claude-sonnet-5-5")
    assert "\n" not in str(refused.value)
    assert not key or key not in str(refused.value)


def test_credentials_that_cannot_be_read_are_refused_at_start(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    _without_other_credentials(monkeypatch, tmp_path)
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    monkeypatch.setenv("ANTHROPIC_PROFILE", "no-such-profile")
    with pytest.raises(ConfigurationError, match="no ANTHROPIC_API_KEY"):
        AnthropicModel("claude-sonnet-5-5")
