"""OpenAI's key and address: from where they come, what is refused at start, and who gets to see them."""

import logging

import pytest

from assist_service.adapters.models.openai import OpenAIModel
from assist_service.adapters.models.openai_chat import OpenAIChatModel
from assist_service.domain.errors import ConfigurationError
from assist_service.domain.messages import UserText
from tests.fakes.gpt import ADAPTERS, API_KEY, MODEL_ID, WIRES, ask, gpt_over
from tests.fakes.openai_wire import OpenAIWire, Said
from tests.fakes.serving import serve

both = pytest.mark.parametrize("wire", WIRES)


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")


@both
async def test_the_key_is_in_no_request_but_its_header(wire: str, caplog: pytest.LogCaptureFixture) -> None:
    server = OpenAIWire(Said("The canary answer."))
    with caplog.at_level(logging.DEBUG):
        async with gpt_over(wire, server) as model:
            await ask(model, UserText("The canary question?"))
    (request,) = server.requests
    assert API_KEY.encode() not in request.raw
    assert [name for name, value in request.headers.items() if API_KEY in value] == ["authorization"]
    assert "canary" not in caplog.text
    assert [record.name for record in caplog.records if record.name.startswith("openai")] == []


@both
async def test_key_and_address_come_from_the_environment_by_the_sdk(wire: str, monkeypatch: pytest.MonkeyPatch) -> None:
    server = OpenAIWire(Said("a"))
    async with serve(server) as url:
        monkeypatch.setenv("OPENAI_BASE_URL", f"{url}/v1")
        monkeypatch.setenv("OPENAI_API_KEY", "sk-from-environment")
        model = ADAPTERS[wire]("gpt-6-luna")
        assert (await ask(model)).text == "a"
        await model.close()
    assert model.model == f"{wire}:gpt-6-luna"
    assert server.requests[0].headers["authorization"] == "Bearer sk-from-environment"
    assert server.requests[0].body["model"] == "gpt-6-luna"


BROKEN_SETTINGS = {
    "no key": ("", "https://example.org/v1", "OPENAI_API_KEY"),
    "a key with a line end": ("sk-x\n", "https://example.org/v1", "OPENAI_API_KEY holds"),
    "a key with a typographic dash": ("sk–x", "https://example.org/v1", "OPENAI_API_KEY holds"),
    "an address that is none": ("sk-x", "http://host:port", "OPENAI_BASE_URL is no address"),
    "another scheme": ("sk-x", "ftp://example.org", "OPENAI_BASE_URL is no http"),
    "no host": ("sk-x", "/v1", "OPENAI_BASE_URL is no http"),
}


@both
@pytest.mark.parametrize(("key", "address", "told"), BROKEN_SETTINGS.values(), ids=BROKEN_SETTINGS)
def test_broken_settings_are_refused_at_start_in_one_line(
    monkeypatch: pytest.MonkeyPatch, wire: str, key: str, address: str, told: str
) -> None:
    monkeypatch.delenv("OPENAI_ADMIN_KEY", raising=False)
    monkeypatch.setenv("OPENAI_API_KEY", key)
    monkeypatch.setenv("OPENAI_BASE_URL", address)
    with pytest.raises(ConfigurationError, match=told) as refused:
        ADAPTERS[wire](MODEL_ID)
    assert "\n" not in str(refused.value)
    assert not key or key not in str(refused.value)


def test_an_administrators_key_alone_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.setenv("OPENAI_ADMIN_KEY", "sk-admin-x")
    with pytest.raises(ConfigurationError, match="OPENAI_API_KEY is not set"):
        OpenAIModel(MODEL_ID)


def test_a_compatible_server_is_to_be_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    with pytest.raises(ConfigurationError, match="OPENAI_BASE_URL names no server"):
        OpenAIChatModel(MODEL_ID, api_key=API_KEY)
