"""A service that is set up wrong does not start: one line, the variable's name, never a secret's value."""

import base64
from pathlib import Path

import pytest

from assist_service.bootstrap.configuring import configure
from assist_service.domain.errors import ConfigurationError
from assist_service.settings import DatabaseSettings, Environment, Settings, load_settings, unknown_variables
from tests.fakes.house import CLIENT_KEY_PEM

CANARY = "canary-3f9c1e"

KEY = base64.b64encode(CANARY.encode().ljust(32, b".")).decode()
OTHER_KEY = base64.b64encode(CANARY.encode().rjust(32, b".")).decode()

WHOLE = {
    "ENV": "development",
    "DATABASE_URL": f"postgresql://assist:{CANARY}@db.test/assist",
    "SECRET_KEYS": f"{KEY},{OTHER_KEY}",
    "MODEL": "stub",
    "LMS_URL": "http://lms.test",
    "LMS_ORIGIN": "https://lms.example",
    "SESSION_ISSUER": "http://lms.test",
}


@pytest.fixture(autouse=True)
def a_whole_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything a service needs, and nothing of the machine the test runs on."""
    for name in Settings.model_fields:
        monkeypatch.delenv(f"ASSIST_{name.upper()}", raising=False)
    for name, value in WHOLE.items():
        monkeypatch.setenv(f"ASSIST_{name}", value)


def refusal() -> str:
    """The one line of a service that does not start."""
    with pytest.raises(ConfigurationError) as refused:
        configure(load_settings(Settings))
    line = str(refused.value)
    assert "\n" not in line
    assert CANARY not in line
    assert KEY not in line
    assert OTHER_KEY not in line
    return line


def test_a_whole_environment_starts() -> None:
    configuration = configure(load_settings(Settings))
    assert configuration.settings.env is Environment.DEVELOPMENT
    assert configuration.policy.name == "default"
    assert configuration.publication.pages
    assert "stub" in configuration.prices


def test_settings_do_not_show_their_secrets() -> None:
    shown = f"{load_settings(Settings)!r} {load_settings(Settings)} {configure(load_settings(Settings))!r}"
    assert CANARY not in shown
    assert KEY not in shown


@pytest.mark.parametrize("name", [name for name in WHOLE if name != "ENV"])
def test_a_setting_that_is_missing_is_named(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.delenv(f"ASSIST_{name}")
    assert refusal() == f"ASSIST_{name}: Field required"


def test_without_a_word_on_the_environment_it_is_production(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ASSIST_ENV")
    assert load_settings(Settings).env is Environment.PRODUCTION


BROKEN: dict[str, list[str]] = {
    "ENV": ["", "staging", "Development"],
    "PORT": ["", "0", "-1", "65536", "http", "80.5"],
    "LOG_LEVEL": ["", "loud", "info", "INFO "],
    "DATABASE_URL": ["", f"mysql://u:{CANARY}@x/y", f"{CANARY}", f" postgresql://{CANARY}"],
    "DATABASE_CONNECTIONS": ["0", "201", "many"],
    "SECRET_KEYS": [
        "",
        CANARY,
        f"{KEY},",
        f",{KEY}",
        f"{KEY},{KEY}",
        f"{KEY}{OTHER_KEY}",
        KEY.rstrip("="),
        base64.b64encode(CANARY.encode().ljust(31, b".")).decode(),
        KEY.replace("A", "é", 1) if "A" in KEY else f"é{KEY[1:]}",
    ],
    "DAILY_CAP_USD": ["", "0", "-1", "nan", "inf", "1000001", "ten", "10 USD"],
    "CHAT_SHARE": ["", "0", "-0.1", "0.51", "1", "nan", "a quarter"],
    "TIMEZONE": ["", "Mars/Base", "../../etc/passwd", "/etc/localtime"],
    "LMS_URL": ["", "lms.test", "ftp://lms.test", "http://", f"http://u:{CANARY}@lms.test", "http://["],
    "LMS_ORIGIN": ["", "null", "https://lms.example/app", "https://lms.example?x=1", "https://lms.example#x", "//lms"],
    "SESSION_ISSUER": [""],
    "SESSION_JWKS_URL": ["", "jwks.json", "file:///etc/passwd"],
    "LMS_CLIENT_JWKS_URL": ["", "jwks.json", "file:///etc/passwd", f"https://u:{CANARY}@lms.test/jwks"],
    "LMS_CLIENT_ISSUER": [""],
    "SESSION_ALGORITHM": ["", "none", "HS256", "es256", "ES256 "],
    "MODEL": [
        "",
        "gpt",
        "anthropic",
        "anthropic:",
        "stub:x",
        "anthropic:no-such-model",
        "Anthropic:claude-sonnet-5-5",
        ":claude-sonnet-5-5",
    ],
    "FALLBACK_MODEL": ["", "gpt", "anthropic:no-such-model", "stub"],
    "COMPLETION_MODELS": ["gpt", "stub,anthropic:no-such-model"],
    "PURPOSES": ["assist", "grading,assist", "Grading", "a b", "x" * 33],
    "POLICY": ["no-such-policy", "/no/such/policy.toml", "", "x" * 5_000],
    "SCREENS": ["/no/such/screens.yaml", "", "/"],
}


@pytest.mark.parametrize(("name", "value"), [(name, value) for name, values in BROKEN.items() for value in values])
def test_a_broken_setting_is_refused_by_its_name(monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    monkeypatch.setenv(f"ASSIST_{name}", value)
    assert refusal().startswith(f"ASSIST_{name}: ")


def test_every_broken_setting_is_named_on_the_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("PORT", "LMS_URL", "CHAT_SHARE", "DATABASE_URL"):
        monkeypatch.setenv(f"ASSIST_{name}", CANARY)
    line = refusal()
    assert all(f"ASSIST_{name}: " in line for name in ("PORT", "LMS_URL", "CHAT_SHARE", "DATABASE_URL"))


def test_the_stub_is_refused_in_production(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASSIST_ENV", "production")
    assert refusal() == "ASSIST_MODEL: the stub answers nobody in production (ASSIST_ENV)"
    monkeypatch.setenv("ASSIST_MODEL", "anthropic:claude-sonnet-5-5")
    assert refusal().startswith("ASSIST_CLIENT_KEY is not set: policy default asks the LMS")
    monkeypatch.setenv("ASSIST_CLIENT_KEY", CLIENT_KEY_PEM)
    assert configure(load_settings(Settings)).settings.model == "anthropic:claude-sonnet-5-5"


def test_a_model_has_a_price_once_a_file_of_prices_names_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("ASSIST_MODEL", "anthropic:new-model")
    assert "has no price" in refusal()
    prices = tmp_path / "prices.toml"
    prices.write_text('["anthropic:new-model"]\ninput = 1\ncached_input = 1\ncache_write = 1\noutput = 1\n')
    monkeypatch.setenv("ASSIST_PRICES", str(prices))
    assert configure(load_settings(Settings)).prices["anthropic:new-model"].output == 1


@pytest.mark.parametrize("model", ["anthropic:", "anthropic", "stub:x", "gpt:5"])
def test_a_price_does_not_make_a_name_a_model(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, model: str) -> None:
    prices = tmp_path / "prices.toml"
    prices.write_text(f'["{model}"]\ninput = 1\ncached_input = 1\ncache_write = 1\noutput = 1\n')
    monkeypatch.setenv("ASSIST_PRICES", str(prices))
    monkeypatch.setenv("ASSIST_MODEL", model)
    assert refusal().startswith("ASSIST_MODEL: ")


FILES: dict[str, tuple[str, str, str]] = {
    "prices that are no TOML": ("PRICES", "[", "is not TOML"),
    "prices with a fraction": ("PRICES", "[stub]\ninput = 1.5", "entry 'stub': input"),
    "a policy that is no TOML": ("POLICY", "[", "not TOML"),
    "a policy of nothing": ("POLICY", "", "name: "),
    "screens that are no YAML": ("SCREENS", "screens: [", "not YAML"),
    "screens of nothing": ("SCREENS", "", "file: "),
}


@pytest.mark.parametrize(("name", "text", "told"), FILES.values(), ids=FILES)
def test_a_broken_file_is_refused_by_its_path(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str, text: str, told: str
) -> None:
    file = tmp_path / "broken-file"
    file.write_text(text)
    monkeypatch.setenv(f"ASSIST_{name}", str(file))
    line = refusal()
    assert str(file) in line
    assert told in line


def test_a_broken_manual_is_refused_with_file_and_line_of_every_fault(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "teacher").mkdir()
    (tmp_path / "teacher" / "a.md").write_text("# no header")
    (tmp_path / "teacher" / "b.md").write_text("---\naudience: student\ntitle: B\n---\ntext")
    monkeypatch.setenv("ASSIST_MANUAL", str(tmp_path))
    line = refusal()
    assert line.startswith("the manual cannot be published: teacher/a.md:1: ")
    assert "; teacher/b.md:2: " in line


@pytest.mark.parametrize("folder", ["/no/such/folder", "two\nlines"])
def test_a_manual_that_is_not_there_is_refused(monkeypatch: pytest.MonkeyPatch, folder: str) -> None:
    monkeypatch.setenv("ASSIST_MANUAL", folder)
    assert refusal().endswith("there is no Markdown file here")


def test_an_address_loses_the_slash_at_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASSIST_LMS_URL", "http://lms.test/")
    monkeypatch.setenv("ASSIST_LMS_ORIGIN", "https://LMS.example/")
    settings = load_settings(Settings)
    assert settings.lms_url == "http://lms.test"
    assert settings.lms_origin == "https://lms.example"


def test_a_variable_that_is_no_setting_is_told_by_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    assert unknown_variables() == ()
    monkeypatch.setenv("ASSIST_DAILY_CAP", CANARY)
    monkeypatch.setenv("ASSIST_CHATSHARE", CANARY)
    monkeypatch.setenv("ASSISTANT", CANARY)
    assert unknown_variables() == ("ASSIST_CHATSHARE", "ASSIST_DAILY_CAP")


def test_a_command_that_needs_the_database_alone_asks_for_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in WHOLE:
        if name != "DATABASE_URL":
            monkeypatch.delenv(f"ASSIST_{name}")
    assert load_settings(DatabaseSettings).database_url.get_secret_value() == WHOLE["DATABASE_URL"]


def test_the_keys_lie_at_the_lms_unless_a_setting_says_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    assert load_settings(Settings).jwks_url == "http://lms.test/.well-known/jwks.json"
    monkeypatch.setenv("ASSIST_SESSION_JWKS_URL", "https://keys.test/jwks")
    assert load_settings(Settings).jwks_url == "https://keys.test/jwks"
