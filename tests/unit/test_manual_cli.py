"""The commands that read a manual where it lies and need no database: build, check, evaluate."""

import os
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from assist_service.bootstrap.reading import ManualSource, build_manual, source_of
from assist_service.domain.errors import ConfigurationError
from assist_service.settings import SourceSettings
from tests.fakes.commands import typed
from tests.unit.test_cli import COMMAND
from tests.unit.test_manual_files import TEACHER, manual

pytestmark = pytest.mark.slow

FOREIGN = {"guide/pools.md": "# Pools\n\nPress [New](gone.md).\n"}
"""A page without a header, and so a manual only with a mapping of its folders; a link in it is told of."""

QUESTION = "[{role: teacher, language: en, question: new pools, page: guide/pools}]"


def run(cwd: Path, *arguments: str, **environment: str) -> CompletedProcess[str]:
    """Runs a command in a folder, with nothing in its environment but what is named."""
    return typed("manual", *arguments, environment=environment, folder=cwd)


def completed(cwd: Path, command: Sequence[str | Path], environment: Mapping[str, str]) -> CompletedProcess[str]:
    return subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, timeout=30, check=False)


def foreign(folder: Path) -> tuple[Path, Path]:
    """A manual without headers and the mapping it needs."""
    folders = folder / "folders.toml"
    folders.write_text('[folders]\nguide = "teacher"\n', "utf-8")
    return manual(folder / "manual", FOREIGN), folders


def test_a_build_lies_in_this_folder_under_its_id_and_is_the_same_every_time(tmp_path: Path) -> None:
    for seed in ("1", "2"):
        (tmp_path / seed).mkdir()
        done = completed(tmp_path / seed, [COMMAND, "manual", "build"], {"PYTHONHASHSEED": seed})
        publication, name = done.stdout.split()
        assert (done.returncode, done.stderr, name) == (0, "", f"manual-{publication}.json.gz")
    [first], [second] = (list((tmp_path / seed).iterdir()) for seed in ("1", "2"))
    assert (first.name, first.read_bytes()) == (second.name, second.read_bytes())
    plain = tmp_path / "plain"
    plain.touch()
    assert first.stat().st_mode == plain.stat().st_mode  # whoever may read what a pipeline writes may read this


def test_a_build_takes_the_mapping_of_the_settings_and_the_evaluation_what_was_built(tmp_path: Path) -> None:
    folder, folders = foreign(tmp_path)
    settings = {"ASSIST_MANUAL": str(folder), "ASSIST_MANUAL_FOLDERS": str(folders)}
    done = run(tmp_path, "build", "--out", "built", **settings)
    assert (done.returncode, done.stdout.split()[1]) == (0, "built")
    (tmp_path / "questions").write_text(QUESTION)
    assert "recall@1" in run(tmp_path, "evaluate", "questions", ASSIST_MANUAL="built").stdout


def test_a_manual_with_faults_is_not_built(tmp_path: Path) -> None:
    folder = manual(tmp_path / "manual", {"teacher/a.md": TEACHER + "text", "glossary.yaml": "xx: {a: [b]}"})
    done = run(tmp_path, "build", "--out", "built", ASSIST_MANUAL=str(folder))
    [line] = done.stderr.splitlines()
    assert done.returncode == 2
    assert line.startswith("assist-service: the manual cannot be published: glossary.yaml:1: ")
    assert not (tmp_path / "built").exists()


def test_a_build_that_fails_leaves_what_was_there_and_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "built").write_text("the one before")
    command = f"ulimit -f 1; exec {COMMAND} manual build --out built"  # its files may have a block of bytes
    done = completed(tmp_path, ["/bin/sh", "-c", command], {})
    [line] = done.stderr.splitlines()
    assert (done.returncode, line) == (2, "assist-service: built cannot be written (OSError)")
    assert [(file.name, file.read_text()) for file in tmp_path.iterdir()] == [("built", "the one before")]


@pytest.mark.parametrize("out", ["nowhere/built", "file/built", "fifo", "x" * 300])
def test_a_place_nobody_can_write_to_is_refused(tmp_path: Path, out: str) -> None:
    place = tmp_path / "place"
    place.mkdir()
    (place / "file").touch()
    os.mkfifo(place / "fifo")
    source = ManualSource(manual(tmp_path / "manual", {"teacher/a.md": TEACHER + "text"}))
    with pytest.raises(ConfigurationError, match="written"):
        build_manual(source, place / out)
    assert (place / "fifo").is_fifo()
    assert {file.name for file in place.iterdir()} == {"file", "fifo"}


SETTINGS = SourceSettings(manual=Path("theirs"), manual_folders=Path("theirs.toml"))


def test_a_command_takes_the_settings_manual_and_mapping_unless_it_is_told_another(tmp_path: Path) -> None:
    mine, other = tmp_path, Path("mine.toml")
    (built := tmp_path / "built").touch()
    assert source_of(SETTINGS) == ManualSource(Path("theirs"), Path("theirs.toml"))
    assert source_of(SETTINGS, folders=other) == ManualSource(Path("theirs"), other)
    assert source_of(SETTINGS, mine) == ManualSource(mine, Path("theirs.toml"))
    assert source_of(SETTINGS, mine, other) == ManualSource(mine, other)
    # The settings' mapping is for the folder that the file was built from.
    assert source_of(SETTINGS, built) == ManualSource(built)
    assert source_of(SETTINGS, built, other) == ManualSource(built, other)


def test_the_check_is_of_the_settings_manual_or_of_the_one_it_is_told(tmp_path: Path) -> None:
    folder, folders = foreign(tmp_path)
    settings = {"ASSIST_MANUAL": str(folder), "ASSIST_MANUAL_FOLDERS": str(folders)}
    theirs = run(tmp_path, "check", **settings)
    assert (theirs.stdout, theirs.stderr.startswith("guide/pools.md:3: warning: ")) == ("no faults\n", True)
    own = run(tmp_path, "check")
    assert (own.stdout, own.stderr) == ("no faults\n", "")  # the project's
    other = tmp_path / "other.toml"
    other.write_text('[folders]\nguides = "teacher"\n', "utf-8")
    told = run(tmp_path, "check", "--folders", str(other), **settings)
    assert (told.returncode, "the manual has no folder guides" in told.stderr) == (1, True)


def test_the_evaluation_is_of_the_settings_manual_or_of_the_one_it_is_told(tmp_path: Path) -> None:
    folder, folders = foreign(tmp_path)
    (tmp_path / "questions").write_text(QUESTION)
    settings = {"ASSIST_MANUAL": str(folder), "ASSIST_MANUAL_FOLDERS": str(folders)}
    assert "recall@1" in run(tmp_path, "evaluate", "questions", **settings).stdout
    told = ("--manual", str(folder), "--folders", str(folders))
    assert "recall@1" in run(tmp_path, "evaluate", "questions", *told, ASSIST_MANUAL="/nowhere").stdout
