"""An evaluation asks whole sets of a model, stops where it should, and is refused in one line where it cannot begin."""

import asyncio
import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
import structlog
from typer.testing import CliRunner

from assist_service.adapters.evaluation_files import read_set
from assist_service.bootstrap.evaluation_runs import SETS, Wanted, run_evaluation
from assist_service.bootstrap.providers import make_provider
from assist_service.cli import cli
from assist_service.domain.errors import ConfigurationError
from assist_service.domain.evaluating.criteria import Criterion
from assist_service.domain.evaluating.questions import Question, SetName
from assist_service.domain.evaluating.report import Report, Result, Stopped
from assist_service.domain.folding import folded
from assist_service.domain.live.query import Lookup
from assist_service.domain.messages import ModelReply, ModelRequest, ProviderFault, ProviderFaultKind, Stop
from assist_service.domain.screens import Language
from assist_service.ports import ModelProvider
from assist_service.settings import ROOT, EvaluationSettings
from tests.fakes.clocks import HandClock
from tests.fakes.knowing_model import KnowingModel
from tests.fakes.models import ScriptedModel, calls, says
from tests.fakes.openai_wire import OpenAIWire, Said
from tests.fakes.serving import serve

QUESTIONS = {name: read_set(name, SETS / f"{name.value}.yaml") for name in SetName}

DOWN = ProviderFault(ProviderFaultKind.CLOSED, billed=False, reason="unpaid")


@pytest.fixture(autouse=True)
def _logs_as_before() -> Iterator[None]:
    """The command logs errors alone, as long as it runs."""
    before = structlog.get_config()
    yield
    structlog.configure(**before)


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A manual of one page: reading the real one takes most of a second."""
    folder = tmp_path_factory.mktemp("manual")
    (folder / "teacher").mkdir()
    page = "---\naudience: teacher\ntitle: Pools\n---\n\n# Pools\n\nA pool holds questions.\n"
    (folder / "teacher" / "pools.md").write_text(page, "utf-8")
    return folder


async def ran(
    set_name: str,
    model: ModelProvider | None = None,
    *,
    named: str = "stub",
    manual: Path,
    cap_usd: Decimal = Decimal(5),
    tell: Callable[[Result], None] = lambda _: None,
    **wanted: Any,
) -> Report:
    """A run of a set with a model of a test's, or with the one that is named."""
    return await run_evaluation(
        Wanted(set=set_name, model=named, cap_usd=cap_usd, **wanted),
        EvaluationSettings(manual=manual),
        tell=tell,
        progress=lambda done, sections: None,
        clock=HandClock(),
        provider_of=make_provider if model is None else lambda _: model,
    )


def some(folder: Path, number: int, name: SetName = SetName.LIVE) -> Path:
    """A file of the first few questions of a set; in these no line is a comment."""
    lines = [line for line in (SETS / f"{name.value}.yaml").read_text("utf-8").splitlines() if line.startswith("-")]
    file = folder / "some.yaml"
    file.write_text("\n".join(lines[:number]), "utf-8")
    return file


def test_the_sets_are_as_large_as_they_should_be() -> None:
    live, conduct = QUESTIONS[SetName.LIVE], QUESTIONS[SetName.CONDUCT]
    assert {name.value: len(questions) for name, questions in QUESTIONS.items()} == {
        "manual": 64,
        "live": 22,
        "conduct": 40,
    }
    assert Counter(question.language for question in live) == {Language.ENGLISH: 11, Language.FILIPINO: 11}
    assert Counter(question.language for question in conduct) == {Language.ENGLISH: 20, Language.FRENCH: 20}
    for language in (Language.ENGLISH, Language.FILIPINO):
        asked = {question.lookup.tool for question in live if question.lookup and question.language is language}
        assert asked == set(Lookup)
    assert {question.group for question in conduct} == {"off-topic", "jailbreak", "legitimate"}


SLOWLY = pytest.mark.slow
"""A set of many requests: `live` holds the same in a second."""


@pytest.mark.parametrize(
    "name", [SetName.LIVE, *(pytest.param(each, marks=SLOWLY) for each in (SetName.MANUAL, SetName.CONDUCT))]
)
def test_the_stub_is_asked_a_whole_set_by_the_command(name: SetName, tmp_path: Path) -> None:
    asked = CliRunner().invoke(cli, ["eval", "run", "--set", name.value, "--model", "stub", "--out", str(tmp_path)])
    assert asked.exit_code == 0, asked.stderr
    data, text = map(Path, asked.stdout.split())
    report = Report.model_validate_json(data.read_bytes())
    questions = QUESTIONS[name]
    assert [each.question for each in report.results] == [question.question for question in questions]
    assert (report.stopped, report.questions) == (None, len(questions))
    assert len(asked.stderr.splitlines()) == len(questions)
    assert [each.error for each in report.results if each.error] == []
    assert all(each.requests and each.cost_micros and each.verdicts for each in report.results)
    assert sum(each.cost_micros for each in report.results) == report.cost_micros
    assert text.read_text("utf-8").startswith(f"# {name.value}: {report.passed} of {len(questions)} passed")


@pytest.mark.parametrize(
    "name", [SetName.LIVE, *(pytest.param(each, marks=SLOWLY) for each in (SetName.MANUAL, SetName.CONDUCT))]
)
async def test_a_model_that_knows_what_is_expected_passes_every_question(name: SetName) -> None:
    report = await ran(name.value, KnowingModel(QUESTIONS[name]), manual=ROOT / "corpus")
    assert [(each.question, each.why) for each in report.results if not each.passed] == []
    for question, came in zip(
        QUESTIONS[name], report.results, strict=True
    ):  # words that nothing is called are not repeated
        named = question.lookup.words.values() if question.lookup is not None else ()
        assert [words for words in named if folded(words) not in folded(came.answer)] == []
    judged = {verdict.criterion for each in report.results for verdict in each.verdicts}
    assert judged >= {Criterion.KIND, Criterion.TOOL, Criterion.LANGUAGE}


async def test_a_lookup_runs_on_the_made_school_and_what_it_found_is_in_the_report(tmp_path: Path, small: Path) -> None:
    report = await ran("live", KnowingModel(QUESTIONS[SetName.LIVE]), questions=some(tmp_path, 1), manual=small)
    assert all(title in report.results[0].answer for title in ("Physics 10A", "Biology 9B", "History 11C"))


async def test_a_run_stops_before_its_cap_and_says_how_far_it_came(small: Path) -> None:
    told: list[Result] = []
    cap = Decimal("0.1")
    report = await ran("conduct", manual=small, cap_usd=cap, tell=told.append)
    assert report.stopped is Stopped.CAP
    assert report.cost_micros <= report.cap_micros == 100_000
    assert 0 < len(report.results) < report.questions == 40
    assert tuple(told) == report.results
    assert report.share == report.passed / 40
    # What the question that did not fit had cost by then is told too, and no other cost is.
    assert sum(each.cost_micros for each in report.results) <= report.cost_micros


async def test_a_cap_below_the_first_request_asks_nothing(small: Path) -> None:
    model = ScriptedModel(calls(("decline", {})))
    report = await ran("conduct", model, cap_usd=Decimal("0.001"), manual=small)
    assert (report.stopped, report.results, report.cost_micros, model.requests) == (Stopped.CAP, (), 0, [])


async def test_a_provider_that_fails_one_question_fails_that_one_and_three_in_a_row_stop_the_run(small: Path) -> None:
    refuses = calls(("decline", {}))

    def anew(request: ModelRequest) -> ModelReply:
        return calls(("decline", {}))

    model = ScriptedModel(DOWN, DOWN, refuses, DOWN, anew, DOWN, DOWN, DOWN)
    report = await ran("conduct", model, manual=small)
    assert [each.error for each in report.results] == [
        *["provider: unpaid"] * 2,
        None,
        "provider: unpaid",
        None,
        *["provider: unpaid"] * 3,
    ]
    assert report.stopped is Stopped.PROVIDER
    assert [each.requests for each in report.results] == [1] * 8
    assert [len(each.calls) for each in report.results] == [0, 0, 1, 0, 1, 0, 0, 0]
    assert [each.passed for each in report.results[2:5]] == [True, False, True]


async def test_a_reply_nobody_can_use_is_the_models_fault_and_stops_nothing(tmp_path: Path, small: Path) -> None:
    report = await ran(
        "conduct",
        ScriptedModel(says("I ", stop=Stop.LENGTH)),
        questions=some(tmp_path, 5, SetName.CONDUCT),
        manual=small,
    )
    assert report.stopped is None
    assert {each.error for each in report.results} == {"no answer that could be used"}


async def test_a_run_that_is_interrupted_reports_what_was_asked_by_then(small: Path) -> None:
    running: asyncio.Task[Report] | None = None

    def interrupt(result: Result) -> None:
        assert running is not None
        if result.number == 2:
            running.cancel()

    running = asyncio.create_task(ran("conduct", tell=interrupt, manual=small))
    report = await running
    assert (report.stopped, len(report.results)) == (Stopped.INTERRUPTED, 2)


def expected(questions: Sequence[Question]) -> Callable[[dict[str, Any]], Said]:
    """What a server says that knows the sets: the calls of KnowingModel on the wire."""
    knowing = {question.question: question for question in questions}

    def said(body: dict[str, Any]) -> Said:
        question = next(m["content"] for m in reversed(body["messages"]) if m["role"] == "user")
        lookup = knowing[question].lookup
        assert lookup is not None
        arguments = {"operation": lookup.operations[0].value} | {
            f"{k.value}_search": w for k, w in lookup.words.items()
        }
        return Said(calls=((lookup.tool.value, json.dumps(arguments)),))

    return said


@pytest.mark.slow  # it starts a server, and imports an SDK
async def test_a_local_server_that_speaks_chat_completions_is_asked_and_costs_nothing(
    tmp_path: Path, small: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = OpenAIWire(script=expected(QUESTIONS[SetName.LIVE]))
    async with serve(server) as url:
        monkeypatch.setenv("OPENAI_BASE_URL", f"{url}/v1")
        monkeypatch.setenv("OPENAI_API_KEY", "none-needed")
        report = await ran("live", named="openai-chat:small", is_free=True, questions=some(tmp_path, 3), manual=small)
    assert server.violations == []
    assert (report.passed, report.cost_micros, report.requests) == (3, 0, 3)
    assert report.model == "openai-chat:small"


WRONG = {
    "a set that there is not": (["--set", "fun", "--model", "stub"], "there is no set 'fun'"),
    "a model that is none": (["--set", "live", "--model", "gpt"], "--model: 'gpt' is neither stub nor"),
    "a model without a price": (["--set", "live", "--model", "openai-chat:small"], "has no price"),
    "another's model for nothing": (["--set", "live", "--model", "openai:gpt-6-luna", "--free"], "--free is for"),
    "a model without its key": (["--set", "live", "--model", "openai:gpt-6-luna"], "OPENAI_API_KEY"),
    "a policy that there is not": (["--set", "live", "--model", "stub", "--policy", "no"], "there is no policy no"),
    "a policy without lookups": (
        ["--set", "live", "--model", "stub", "--policy", "teacher-assistant"],
        "policy teacher-assistant has no lookups for a teacher",
    ),
    "a policy without one of the roles": (
        ["--set", "manual", "--model", "stub", "--policy", "teacher-assistant"],
        "policy teacher-assistant offers a student nothing",
    ),
    "questions of another form": (
        ["--set", "live", "--model", "stub", "--questions", str(SETS / "conduct.yaml")],
        "conduct.yaml: question 1",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_run_that_cannot_begin_is_one_line_and_exit_code_2(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    arguments, why = WRONG[name]
    refused = CliRunner().invoke(cli, ["eval", "run", *arguments])
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert why in refused.stderr
    assert refused.stderr.count("\n") == 1


def test_a_selection_that_the_made_school_does_not_have_is_refused(tmp_path: Path) -> None:
    line = '{language: en, question: "x", tool: query_classes, operations: [list], selected: {class: Chemistry}}'
    (tmp_path / "own.yaml").write_text(f"- {line}\n")
    with pytest.raises(ConfigurationError, match="the made school has no class 'Chemistry'"):
        asyncio.run(ran("live", questions=tmp_path / "own.yaml", manual=tmp_path))


@pytest.mark.parametrize(("gate", "code"), [(0.0, 0), (1.0, 1)])
def test_a_gate_is_for_who_wants_one(
    gate: float, code: int, tmp_path: Path, small: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ASSIST_MANUAL", str(small))
    questions = str(some(tmp_path, 2, SetName.CONDUCT))
    arguments = ["--set", "conduct", "--model", "stub", "--questions", questions, "--max-usd", "0.05"]
    asked = CliRunner().invoke(cli, ["eval", "run", *arguments, "--fail-under", str(gate)])
    assert asked.exit_code == code
    assert "stopped after" in asked.stderr
