"""Policy and setting together say who moderates; what does not fit is one line at start."""

from pathlib import Path

import pytest

from assist_service.adapters.configuration import load_policy
from assist_service.adapters.models.openai_moderation import OpenAIModeration
from assist_service.adapters.models.prices import load_prices
from assist_service.adapters.moderation.words import load_moderator
from assist_service.bootstrap.configuring import configure
from assist_service.bootstrap.moderating import FREE, open_moderation, read_moderation
from assist_service.bootstrap.providers import provider_names
from assist_service.domain.budget import Price
from assist_service.domain.errors import ConfigurationError
from assist_service.domain.policy import ModerationRule
from assist_service.settings import Settings
from tests.fakes.clocks import HandClock
from tests.fakes.house import settings_for
from tests.fakes.moderation_wire import ModerationWire
from tests.fakes.serving import serve

OMNI = "openai:omni-moderation-latest"
PRICES = load_prices(None)
REQUIRED, WHERE_SET, OFF = ModerationRule


def settings(**changes: object) -> Settings:
    return settings_for("postgresql://nowhere/none", "http://lms.test", **changes)


def refused(wanted: ModerationRule, prices: dict[str, Price] | None = None, **changes: object) -> str:
    policy = load_policy("default").model_copy(update={"moderation": wanted})
    try:
        read_moderation(settings(**changes), policy, {**PRICES, **(prices or {})})
    except ConfigurationError as error:
        return str(error)
    return ""


def test_what_each_shipped_policy_wants() -> None:
    shipped = {name: load_policy(name).moderation for name in ("default", "school-manuals", "teacher-assistant")}
    assert shipped == {"default": WHERE_SET, "school-manuals": REQUIRED, "teacher-assistant": OFF}


def test_where_it_is_required_it_must_be_set() -> None:
    with pytest.raises(ConfigurationError, match="ASSIST_MODERATION is not set: the policy school-manuals"):
        configure(settings(policy="school-manuals"))
    configure(settings(policy="school-manuals", moderation="words"))


@pytest.mark.parametrize("wanted", [WHERE_SET, OFF])
def test_elsewhere_it_need_not(wanted: ModerationRule) -> None:
    assert refused(wanted) == ""


@pytest.mark.parametrize("setting", ["words", *sorted(FREE)])
@pytest.mark.parametrize("wanted", ModerationRule)
def test_what_there_is(wanted: ModerationRule, setting: str) -> None:
    assert refused(wanted, moderation=setting) == ""


@pytest.mark.parametrize("setting", ["", "word", "words:en", "openai", "openai:", "anthropic:claude", "Words"])
def test_what_is_no_moderator(setting: str) -> None:
    assert refused(WHERE_SET, moderation=setting) == (
        f"ASSIST_MODERATION: {setting!r} is neither words nor openai:<model>"
    )


FREE_OF_CHARGE = Price(input=0, cached_input=0, cache_write=0, output=0)


def test_a_model_that_is_not_free_is_refused() -> None:
    said = "has no price that is nothing, so no budget could hold it"
    assert said in refused(WHERE_SET, moderation="openai:another")
    assert said in refused(
        WHERE_SET,
        {"openai:another": Price(input=0, cached_input=0, cache_write=0, output=1)},
        moderation="openai:another",
    )
    assert said in refused(WHERE_SET, moderation="openai:gpt-6-luna")
    assert refused(WHERE_SET, {"openai:another": FREE_OF_CHARGE}, moderation="openai:another") == ""


@pytest.mark.parametrize("word", ["lookup", "classement", "lumiban"])
def test_a_list_that_refuses_what_is_said_of_lookups_is_refused(word: str, tmp_path: Path) -> None:
    """Then titles and names alone are why an answer from a lookup is refused."""
    file = tmp_path / "words.toml"
    file.write_text(f'fr = ["{word}"]', encoding="utf-8")
    said = refused(WHERE_SET, moderation="words", moderation_words=file)
    assert said.startswith("ASSIST_MODERATION_WORDS: refuses the service's own text ")


def test_a_list_that_refuses_the_refusals_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "words.toml"
    file.write_text('en = ["manual"]', encoding="utf-8")
    assert "ASSIST_MODERATION_WORDS: refuses the policy's own text" in refused(
        WHERE_SET, moderation=OMNI, moderation_words=file
    )
    assert refused(OFF, moderation_words=file) == ""


@pytest.mark.parametrize("moderation", [None, "words", OMNI])
def test_a_bad_list_is_refused_at_start_whoever_moderates(moderation: str | None, tmp_path: Path) -> None:
    file = tmp_path / "words.toml"
    file.write_text("en = 1", encoding="utf-8")
    assert refused(WHERE_SET, moderation=moderation, moderation_words=file).startswith("ASSIST_MODERATION_WORDS")


async def test_who_moderates(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-x")
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    local = load_moderator(None)
    for setting, provider, name in (("words", None, "words"), (OMNI, "OpenAI", OMNI)):
        async with open_moderation(settings(moderation=setting), local, clock=HandClock()) as moderation:
            assert moderation.moderators is not None
            assert (moderation.provider, moderation.moderators.chosen.name) == (provider, name)
            assert moderation.moderators.local.name == "words"
    async with open_moderation(settings(moderation=OMNI), None, clock=HandClock()) as moderation:
        assert moderation.moderators is None


def test_switched_off_there_is_no_list() -> None:
    policies = {name: load_policy(name) for name in ("default", "teacher-assistant")}
    words = {name: read_moderation(settings(moderation="words"), policy, PRICES) for name, policy in policies.items()}
    assert words["default"] is not None
    assert words["teacher-assistant"] is None


ELSEWHERE = "an OpenAI-compatible server"
OPENAI_V1 = "https://api.openai.com/v1"
ADDRESSES = {
    "the SDK's own": (None, None, "OpenAI"),
    "a server beside it": (None, "http://127.0.0.1:9/v1", ELSEWHERE),
    "the chat's server": ("http://127.0.0.1:9/v1", None, ELSEWHERE),
    "OpenAI beside the chat's server": ("http://127.0.0.1:9/v1", OPENAI_V1, "OpenAI"),
    "a name that begins like it": (None, "https://api.openai.com.example/v1", ELSEWHERE),
}


@pytest.mark.parametrize(("chat", "own", "provider"), ADDRESSES.values(), ids=ADDRESSES)
async def test_who_is_named_is_who_is_asked(
    chat: str | None, own: str | None, provider: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-chat")
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    if chat is not None:
        monkeypatch.setenv("OPENAI_BASE_URL", chat)
    given = settings(moderation=OMNI, moderation_base_url=own, moderation_key=own and "sk-own")
    async with open_moderation(given, load_moderator(None), clock=HandClock()) as moderation:
        assert moderation.provider == provider
        assert provider_names(given, moderation.provider) == ("stub", provider)


async def test_its_own_address_and_key_are_where_it_goes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-chat")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    wire = ModerationWire()
    async with serve(wire) as url:
        given = settings(moderation=OMNI, moderation_base_url=f"{url}/v1", moderation_key="sk-own")
        async with open_moderation(given, load_moderator(None), clock=HandClock()) as moderation:
            assert moderation.moderators is not None
            assert not await moderation.moderators.chosen.refuses("A question?")
    [request] = wire.requests
    assert request.headers["authorization"] == "Bearer sk-own"
    assert wire.violations == []


def test_another_address_without_its_key_is_refused() -> None:
    """The key there is belongs to another server."""
    said = refused(WHERE_SET, moderation=OMNI, moderation_base_url=OPENAI_V1)
    assert said.startswith("ASSIST_MODERATION_BASE_URL: has no ASSIST_MODERATION_KEY")


async def test_a_key_of_its_own_that_is_none_is_told_by_its_own_name() -> None:
    given = settings(moderation=OMNI, moderation_key="sk own")
    with pytest.raises(ConfigurationError, match="ASSIST_MODERATION_KEY holds"):
        async with open_moderation(given, load_moderator(None), clock=HandClock()):
            pass


@pytest.mark.parametrize(
    ("key", "address", "words"),
    [
        ("", "http://127.0.0.1:9/v1", "OPENAI_API_KEY"),
        ("sk x", "http://127.0.0.1:9/v1", "OPENAI_API_KEY holds"),
        ("sk-x", "ftp://example.org", "OPENAI_BASE_URL"),
    ],
)
def test_a_missing_key_is_a_clear_line(key: str, address: str, words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", key)
    monkeypatch.setenv("OPENAI_BASE_URL", address)
    with pytest.raises(ConfigurationError, match=words):
        OpenAIModeration("omni-moderation-latest", clock=HandClock())
