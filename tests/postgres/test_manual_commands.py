"""The commands on the manual as an operator runs them, on a database of their own."""

import gzip
import re
from pathlib import Path

import pytest

from tests.fakes.commands import typed

pytestmark = pytest.mark.slow


def page(folder: Path, words: str) -> Path:
    """A manual of one page."""
    file = folder / "teacher" / "pools.md"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"---\naudience: teacher\ntitle: Pools\n---\n# Pools\n\n## Create\n\n{words}\n", "utf-8")
    return folder


def run(database_url: str, manual: Path, *arguments: str, **changes: str) -> tuple[int, str, str]:
    """Exit code, what was printed, and what was complained of."""
    environment = {
        "ASSIST_DATABASE_URL": database_url,
        "ASSIST_MANUAL": str(manual),
        "ASSIST_LOG_LEVEL": "ERROR",
        **changes,
    }
    done = typed("manual", *arguments, environment=environment)
    return done.returncode, done.stdout, done.stderr


def test_publish_change_list_verify_roll_back_and_withdraw(database_url: str, tmp_path: Path) -> None:
    def manual(*arguments: str) -> tuple[int, str, str]:
        return run(database_url, tmp_path, *arguments)

    code, _, complaint = manual("rollback")
    assert (code, complaint.splitlines()[0]) == (1, "there is none to go back to")
    assert "run manual publish again" in complaint

    page(tmp_path, "Press New.")
    code, printed, _ = manual("publish")
    assert (code, printed.endswith("is live: 1 sections\n")) == (0, True)
    first = printed.split()[0]
    assert "was live already" in manual("publish")[1]

    page(tmp_path, "Press Make.")
    second = manual("publish")[1].split()[0]
    listed = manual("list")[1].splitlines()
    assert {line.split()[0] for line in listed} == {first, second}
    assert [line.split()[0] for line in listed if re.search(r"  live$", line)] == [second]
    assert manual("verify")[1] == f"{second}: no faults\n"
    assert manual("rollback")[1] == f"{first} is live\n"
    assert manual("rollback", second)[1] == f"{second} is live\n"

    code, _, complaint = manual("rollback", "")
    assert (code, complaint.splitlines()[0]) == (1, "'' was never live")


def test_withdraw_publish_and_restore(database_url: str, tmp_path: Path) -> None:
    def manual(*arguments: str) -> tuple[int, str, str]:
        return run(database_url, tmp_path, *arguments)

    page(tmp_path, "Press New.")
    first = manual("publish")[1].split()[0]
    create = "  teacher/pools (en), section create\n"
    assert manual("withdraw", "teacher/pools", "create")[1] == f"1 sections withdrawn\n{create}"
    code, _, complaint = manual("withdraw", "teacher/nothing")
    assert (code, complaint.splitlines()[0]) == (1, "there is no page teacher/nothing")
    assert f"{first} stays live" in complaint

    page(tmp_path, "Press Make.")
    closed = f"1 sections stay closed by withdrawals:\n{create}"
    code, published, _ = manual("publish")
    assert (code, published.split("\n", 1)[1]) == (0, closed)
    assert manual("verify")[1].split("\n", 1)[1] == closed
    assert len(re.findall(r"  1 sections, 1 of them closed by withdrawals  live", manual("list")[1])) == 2

    assert manual("restore", "teacher/pools", "create")[1] == f"1 sections open again\n{create}"
    assert manual("verify")[1].count("\n") == 1
    code, _, complaint = manual("restore", "teacher/pools")
    assert (code, complaint.splitlines()[0]) == (
        1,
        "page teacher/pools is not withdrawn as such; withdrawn is: nothing of this page",
    )


def test_a_broken_manual_changes_nothing(database_url: str, tmp_path: Path) -> None:
    assert run(database_url, page(tmp_path, "Press New."), "publish")[0] == 0
    (tmp_path / "teacher" / "pools.md").write_text("no header", "utf-8")
    code, _, complaint = run(database_url, tmp_path, "publish")
    assert (code, "teacher/pools.md:1: " in complaint) == (2, True)
    assert "  live\n" in run(database_url, tmp_path, "list")[1]


def test_what_is_built_once_is_published_everywhere(database_url: str, tmp_path: Path) -> None:
    folder = page(tmp_path / "manual", "Press New.")
    (folder / "glossary.yaml").write_text("en: {bucket: [pool]}\n", "utf-8")
    code, printed, _ = run("", folder, "build", "--out", str(tmp_path))
    publication, built = printed.split()
    assert (code, Path(built)) == (0, tmp_path / f"manual-{publication}.json.gz")
    page(folder, "Press Make.")  # what lies in the folder meanwhile is not what was built
    assert run("", Path(built), "check")[1] == f"{publication}: whole, no faults\n"
    assert run(database_url, Path(built), "publish")[1] == f"{publication} is live: 1 sections\n"
    page(folder, "Press New.")
    assert run(database_url, folder, "publish")[1] == f"{publication} was live already: 1 sections\n"
    (folder / "glossary.yaml").write_text("en: {pail: [pool]}\n", "utf-8")
    assert "is live: 1 sections" in run(database_url, folder, "publish")[1]


def test_a_file_that_was_changed_is_published_by_nobody(database_url: str, tmp_path: Path) -> None:
    built = tmp_path / "built"
    assert run("", page(tmp_path / "manual", "Press New."), "build", "--out", str(built))[0] == 0
    built.write_bytes(gzip.compress(gzip.decompress(built.read_bytes()).replace(b"New", b"Now")))
    code, _, complaint = run(database_url, built, "publish")
    assert (code, len(complaint.splitlines())) == (2, 1)
    assert "the manual cannot be published: built:1: its content is not what its id says" in complaint
    code, _, complaint = run("", built, "check")
    assert (code, complaint.startswith("built:1: its content ")) == (1, True)
    assert run(database_url, built, "list")[1] == ""


def test_a_built_file_and_a_mapping_of_folders_are_refused_together(database_url: str, tmp_path: Path) -> None:
    built, folders = tmp_path / "built", tmp_path / "folders.toml"
    folders.write_text('[folders]\nteacher = "teacher"\n', "utf-8")
    assert run("", page(tmp_path / "manual", "Press New."), "build", "--out", str(built))[0] == 0
    for command in ("publish", "check"):
        code, _, complaint = run(database_url, built, command, ASSIST_MANUAL_FOLDERS=str(folders))
        assert (code, len(complaint.splitlines())) == (2, 1)
        assert "ASSIST_MANUAL_FOLDERS (or --folders) goes with a folder only" in complaint
