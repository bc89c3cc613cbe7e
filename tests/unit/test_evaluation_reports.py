"""A report tells how far a run came and what went wrong; two of the same questions compare, others do not."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from assist_service.cli import cli
from assist_service.domain.evaluating.comparing import NotComparableError, comparison
from assist_service.domain.evaluating.markdown import markdown
from assist_service.domain.evaluating.report import Report, Stopped
from tests.unit.evaluated import report, result


def test_a_report_tells_totals_and_what_went_wrong_on_one_line_each() -> None:
    odd = result(2, passed=False, question="a | b\n<img src=x>")
    told = markdown(report(result(1), odd, result(3, error="provider: overloaded", verdicts=())))
    assert told.startswith("# manual: 1 of 3 passed\n")
    assert "| kind | 1 of 2 |" in told
    assert "| teacher | 1 of 3 |" in told
    assert "| 2. a \\| b &lt;img src=x> | kind: refusal instead of manual |" in told
    assert "| 3. question 3 | provider: overloaded |" in told
    assert "Stopped" not in told


@pytest.mark.parametrize("stopped", Stopped)
def test_a_report_of_a_run_that_stopped_says_where_and_why(stopped: Stopped) -> None:
    told = markdown(report(result(1), questions=4, stopped=stopped))
    assert "# manual: 1 of 4 passed" in told
    assert "Stopped after 1 of 4 questions: " in told


def test_what_was_not_asked_has_not_passed() -> None:
    assert report(result(1), questions=4).share == 0.25


BEFORE = report(result(1), result(2, passed=False), result(3), result(4, passed=False))
AFTER = report(result(1), result(2), result(3, passed=False), questions=4, model="openai:x", cost_micros=9_000)


def test_a_comparison_names_what_got_better_and_worse_and_the_totals() -> None:
    told = comparison(BEFORE, AFTER)
    better, worse = told.partition("worse: 1")[0], told.partition("worse: 1")[2].partition("before")[0]
    assert "better: 1" in better
    assert "question 2\n       was kind: refusal instead of manual" in better
    assert "question 3\n       kind: refusal instead of manual" in worse
    assert "stub  ->  openai:x" in told
    assert "1 questions were asked in one run only" in told
    rows = [line.split("  ") for line in told.splitlines()]
    assert ["passed", "2 of 4", "2 of 4"] in [[part.strip() for part in row if part] for row in rows]
    assert ["cost", "0.0040 USD", "0.0090 USD"] in [[part.strip() for part in row if part] for row in rows]


def test_the_same_report_twice_has_nothing_better_or_worse() -> None:
    told = comparison(BEFORE, BEFORE)
    assert "better: 0" in told
    assert "worse: 0" in told
    assert "->" not in told


@pytest.mark.parametrize("changes", [{"set": "live"}, {"questions_digest": "f" * 16}])
def test_reports_of_other_questions_are_not_compared(changes: Mapping[str, Any]) -> None:
    with pytest.raises(NotComparableError):
        comparison(BEFORE, BEFORE.model_copy(update=changes))


def written(folder: Path, name: str, data: str) -> str:
    (folder / name).write_text(data, "utf-8")
    return str(folder / name)


def test_the_command_compares_files_and_refuses_others_in_one_line(tmp_path: Path) -> None:
    first, second = (written(tmp_path, f"{at}.json", each.model_dump_json()) for at, each in enumerate((BEFORE, AFTER)))
    compared = CliRunner().invoke(cli, ["eval", "compare", first, second])
    assert (compared.exit_code, compared.stdout) == (0, comparison(BEFORE, AFTER) + "\n")
    later = written(tmp_path, "later.json", json.dumps({**json.loads(BEFORE.model_dump_json()), "schema_version": 2}))
    none = written(tmp_path, "none.json", "[")
    other = written(tmp_path, "other.json", report(result(1), set="live").model_dump_json())
    for wrong, why in (
        (later, "is no report of version 1"),
        (none, "cannot be understood"),
        (other, "one report is of the set manual, the other of live"),
        (str(tmp_path / "gone.json"), "cannot be read"),
    ):
        refused = CliRunner().invoke(cli, ["eval", "compare", first, wrong])
        assert refused.exit_code == 2
        assert why in refused.stderr
        assert refused.stderr.count("\n") == 1


def test_a_report_is_read_back_as_it_was_written() -> None:
    assert Report.model_validate_json(BEFORE.model_dump_json()) == BEFORE
