"""What a manual publishes lies in its folder: no link leads out of it, no pipe is waited for, no device read."""

import os
import socket
import tracemalloc
from pathlib import Path

import pytest

from assist_service.adapters.manual.files import read_manual
from assist_service.adapters.manual.folders import MAX_MAPPING_BYTES, ManualFolders, load_folders
from assist_service.adapters.plain_files import NotPlainError, read_inside
from assist_service.adapters.search.glossary import read_glossary
from assist_service.adapters.search.questions import MAX_QUESTIONS_BYTES, read_questions
from assist_service.bootstrap.reading import ManualSource, check_manual
from assist_service.domain.errors import ConfigurationError
from assist_service.domain.manual import Audience, ManualInvalid
from assist_service.domain.screens import Language
from tests.unit.test_manual_files import manual

FOLDERS = ManualFolders(Language.ENGLISH, {"guide": Audience.STUDENT, "old": "ignore"})


def faults(root: Path) -> list[str]:
    with pytest.raises(ManualInvalid) as invalid:
        read_manual(root, FOLDERS)
    return [str(fault) for fault in invalid.value.faults]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A manual of a page, beside a file that is none of its pages."""
    manual(tmp_path / "secret", {"key.md": "# The key\n\nkept"})
    return manual(tmp_path / "manual", {"guide/a.md": "# A\na", "old/b.md": "# B\nb"})


@pytest.mark.parametrize("target", ["/proc/self/environ", "../../secret/key.md", "a.md", "nowhere"])
def test_a_link_is_no_page(root: Path, target: str) -> None:
    (root / "guide" / "env.md").symlink_to(target)
    assert faults(root) == ["guide/env.md:1: a link is no page"]


@pytest.mark.parametrize("name", ["guide/more", "guide/more.md"])
def test_a_link_to_a_folder_is_told_and_not_entered(root: Path, name: str) -> None:
    (root / name).symlink_to(root.parent / "secret")
    [fault] = faults(root)
    assert fault.startswith(f"{name}:1: a link is no page")


def test_a_link_in_a_folder_that_is_left_out_is_left_out(root: Path) -> None:
    (root / "old" / "env.md").symlink_to("/proc/self/environ")
    (root / "old" / "more").symlink_to(root.parent / "secret")
    assert [page.path for page in read_manual(root, FOLDERS).pages] == ["guide/a"]


def test_a_mapped_folder_that_is_a_link_is_told_or_left_out_as_the_mapping_says(root: Path) -> None:
    (root / "more").symlink_to(root.parent / "secret")
    told = ManualFolders(Language.ENGLISH, {**FOLDERS.targets, "more": Audience.STUDENT})
    left_out = ManualFolders(Language.ENGLISH, {**FOLDERS.targets, "more": "ignore"})
    with pytest.raises(ManualInvalid, match="more:1: a link is no page"):
        read_manual(root, told)
    assert [page.path for page in read_manual(root, left_out).pages] == ["guide/a"]


def test_a_manual_may_itself_be_had_by_a_link(root: Path, tmp_path: Path) -> None:
    (tmp_path / "current").symlink_to(root)
    assert [page.path for page in read_manual(tmp_path / "current", FOLDERS).pages] == ["guide/a"]


def test_a_pipe_and_a_socket_are_no_pages_and_nobody_waits_for_them(root: Path) -> None:
    os.mkfifo(root / "guide" / "pipe.md")
    with socket.socket(socket.AF_UNIX) as bound:
        bound.bind(str(root / "guide" / "s.md"))
        told = faults(root)
    assert told[0] == "guide/pipe.md:1: what is no file is no page"
    assert told[1].startswith("guide/s.md:1: the file cannot be read")


def test_a_folder_that_became_a_link_since_it_was_looked_at_is_not_entered(root: Path) -> None:
    (root / "guide" / "swapped").symlink_to(root.parent / "secret")
    with pytest.raises(NotPlainError):
        read_inside(root, "guide/swapped/key.md", 1_000)


def test_a_file_is_read_to_its_bound_and_a_byte_more(root: Path) -> None:
    assert read_inside(root, "guide/a.md", 2) == b"# A"
    assert read_inside(root, "guide/a.md", 1_000) == b"# A\na"


def test_no_reading_leaves_a_file_open(root: Path) -> None:
    (root / "guide" / "env.md").symlink_to("a.md")
    (root / "guide" / "b.md").mkdir()
    os.mkfifo(root / "guide" / "pipe.md")
    descriptors = Path("/proc/self/fd")
    before = len(list(descriptors.iterdir()))
    faults(root)
    assert len(list(descriptors.iterdir())) == before


def test_a_glossary_that_is_a_link_or_a_pipe_is_a_fault(root: Path) -> None:
    (root / "glossary.yaml").symlink_to("/proc/self/environ")
    assert faults(root) == ["glossary.yaml:1: a link is no page"]
    (root / "glossary.yaml").unlink()
    os.mkfifo(root / "glossary.yaml")
    with pytest.raises(ManualInvalid, match="no file"):
        read_glossary(root)


def test_a_file_without_end_is_read_to_its_bound_only() -> None:
    tracemalloc.start()
    try:
        with pytest.raises(ConfigurationError, match=f"has more than {MAX_QUESTIONS_BYTES} bytes"):
            read_questions(Path("/dev/zero"))
        with pytest.raises(ConfigurationError, match=f"has more than {MAX_MAPPING_BYTES} bytes"):
            load_folders(Path("/dev/zero"))
        assert tracemalloc.get_traced_memory()[1] < 4 * MAX_QUESTIONS_BYTES
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("name", ["guide/UP.MD", "guide/page.markdown", "guide/Page.Md"])
def test_a_file_that_looks_like_a_page_and_is_none_is_worth_a_look(root: Path, tmp_path: Path, name: str) -> None:
    manual(root, {name: "# Lost\n\nwords", "old/page.markdown": "left out"})
    folders = tmp_path / "folders.toml"
    folders.write_text('[folders]\nguide = "student"\nold = "ignore"\n', "utf-8")
    checked = check_manual(ManualSource(root, folders))
    assert checked.faults == ()
    assert checked.warnings == (f"{name}:1: warning: the file is no page: its name does not end with .md",)
