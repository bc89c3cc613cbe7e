"""Policy and setting together say who moderates; what does not fit is one line at start."""

from pathlib import Path

import pytest

from assist_service.adapters.configuration import load_policy
from assist_service.adapters.models.openai_moderation import OpenAIModeration
from assist_service.adapters.models.prices import load_prices
from assist_service.bootstrap.configuring import configure
from assist_service.bootstrap.moderating import FREE, open_moderation, refuse_moderation
from assist_service.domain.budget import Price
from assist_service.domain.errors import ConfigurationError
from assist_service.domain.policy import ModerationRule
from assist_service.settings import Settings
from tests.fakes.clocks import HandClock
from tests.fakes.house import settings_for

OMNI = "openai:omni-moderation-latest"
PRICES = load_prices(None)
REQUIRED, WHERE_SET, OFF = ModerationRule


def settings(**changes: object) -> Settings:
    return settings_for("postgresql://nowhere/none", "http://lms.test", **changes)


def refused(wanted: ModerationRule, prices: dict[str, Price] | None = None, **changes: object) -> str:
    policy = load_policy("default").model_copy(update={"moderation": wanted})
    try:
        refuse_moderation(settings(**changes), policy, {**PRICES, **(prices or {})})
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
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    policy = load_policy("default")
    for setting, provider, name in (("words", None, "words"), (OMNI, "OpenAI", OMNI)):
        async with open_moderation(settings(moderation=setting), policy, clock=HandClock()) as moderation:
            assert moderation.moderators is not None
            assert (moderation.provider, moderation.moderators.chosen.name) == (provider, name)
            assert moderation.moderators.local.name == "words"
    off = policy.model_copy(update={"moderation": OFF})
    async with open_moderation(settings(moderation=OMNI), off, clock=HandClock()) as moderation:
        assert moderation.moderators is None


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
