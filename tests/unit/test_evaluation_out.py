"""Where the report of a run goes: a folder that is tried before anything is asked, or else standard output."""

from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from assist_service.bootstrap.evaluation_runs import refuse_folder
from assist_service.cli import cli
from assist_service.cli.eval import finish
from assist_service.domain.evaluating.markdown import markdown
from assist_service.domain.evaluating.report import Report
from tests.unit import evaluated


def test_a_folder_that_cannot_be_written_is_refused_before_anything_is_asked(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    arguments = ["eval", "run", "--set", "live", "--model", "stub", "--out", str(tmp_path / "file" / "reports")]
    refused = CliRunner().invoke(cli, arguments)
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert refused.stderr.count("\n") == 1, "a question would have a line of its own"
    assert "cannot be written (NotADirectoryError)" in refused.stderr


def test_a_folder_for_reports_is_made_and_nothing_is_left_in_it(tmp_path: Path) -> None:
    refuse_folder(tmp_path / "some" / "reports")
    assert list((tmp_path / "some" / "reports").iterdir()) == []


@pytest.mark.parametrize("gate", [None, 0.5])
def test_a_report_that_can_be_written_no_more_is_printed_whole_and_the_exit_code_is_1(
    gate: float | None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = evaluated.report(evaluated.result(1), evaluated.result(2))
    (tmp_path / "file").write_text("")
    with pytest.raises(typer.Exit) as ended:
        finish(made, tmp_path / "file", gate)
    assert ended.value.exit_code == 1
    told = capsys.readouterr()
    assert told.out.startswith(markdown(made))
    assert Report.model_validate_json(told.out.splitlines()[-1]) == made
    assert "cannot be written" in told.err
    finish(made, tmp_path / "reports", gate)
    assert len(list((tmp_path / "reports").iterdir())) == 2
