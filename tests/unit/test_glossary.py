"""A glossary is read as it is written, or refused with file and line of every fault."""

from pathlib import Path

import pytest

from assist_service.adapters.manual.files import read_manual
from assist_service.adapters.search.glossary import GLOSSARY_FILE, GROUP_NAMES, read_glossary
from assist_service.domain.manual import ManualInvalid
from assist_service.domain.search import Glossary

FAULTS = {
    "no YAML": ("en: {exam: [test\n", "2: the file is not YAML"),
    "not UTF-8": (b"en:\n  exam: [\xff]\n", "2: the file is not UTF-8 here"),
    "a list": ("- exam\n", "1: a glossary is languages"),
    "a language alone": ("en: exam\n", "1: a glossary is languages"),
    "an unknown language": ("en: {exam: [test]}\nxx: {exam: [test]}\n", "2: 'xx' is no language"),
    "a language twice": ("en: {exam: [test]}\nen: {mark: [grade]}\n", "2: 'en' stands twice"),
    "a word twice": ("en:\n  exam: [test]\n  exam: [quiz]\n", "3: 'exam' stands twice"),
    "no list": ("en:\n  exam: test\n", "2: 'exam' needs a list"),
    "an empty list": ("en:\n  exam: []\n", "2: 'exam' needs a list"),
    "a name without a word": ("en:\n  exam: ['!']\n", "2: a name has one to 5 words"),
    "a sentence": ("en:\n  exam: [what they sit at the end]\n", "2: a name has one to 5 words"),
    "a mapping for a name": ("en:\n  exam:\n  - {a: b}\n", "3: a name has one to 5 words"),
    "a list for a word": ("en:\n  ? [exam]\n  : [test]\n", "2: a glossary is languages"),
    "a group of more names than may be": (
        f"en:\n  exam: [test]\n  a: [{', '.join(['b'] * GROUP_NAMES)}]\n",
        "3: 'a' has 50 words: a group has at most 50 names",
    ),
    "names repeated by aliases": (
        f"en:\n  a: &all [{', '.join(['b'] * 49)}]\n" + "".join(f"  c{at}: *all\n" for at in range(400)),
        "402: a glossary has at most 20000 names",
    ),
    "nested out of reason": ("[" * 1_000, "1: the file is not YAML"),
    "too large": ("#" * 300_000, "1: the file has more than"),
}


@pytest.mark.parametrize(("text", "fault"), FAULTS.values(), ids=FAULTS)
def test_a_wrong_glossary_is_named_by_file_and_line(tmp_path: Path, text: str | bytes, fault: str) -> None:
    (tmp_path / GLOSSARY_FILE).write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(ManualInvalid) as invalid:
        read_glossary(tmp_path)
    assert str(invalid.value).startswith(f"{GLOSSARY_FILE}:{fault}")


@pytest.mark.parametrize("text", [None, "", "# nothing yet\n"])
def test_no_glossary_is_an_empty_one(tmp_path: Path, text: str | None) -> None:
    if text is not None:
        (tmp_path / GLOSSARY_FILE).write_text(text)
    assert read_glossary(tmp_path) == Glossary()


def test_a_group_of_as_many_names_as_may_be_is_read(tmp_path: Path) -> None:
    names = [f"name{at}" for at in range(GROUP_NAMES - 1)]
    (tmp_path / GLOSSARY_FILE).write_text(f"en: {{exam: [{', '.join(names)}]}}")
    assert read_glossary(tmp_path).of("en") == (("exam", *names),)


def test_a_glossary_takes_words_as_they_are_written(tmp_path: Path) -> None:
    (tmp_path / GLOSSARY_FILE).write_text("en:\n  yes: [on, 2026]\n", "utf-8")
    assert read_glossary(tmp_path).of("en") == (("yes", "on", "2026"),)


def test_what_no_store_takes_is_left_out_of_a_name(tmp_path: Path) -> None:
    (tmp_path / GLOSSARY_FILE).write_text('en: {"ex\\0am": ["te\\ud800st"]}\n', "utf-8")
    assert read_glossary(tmp_path).of("en") == (("exam", "test"),)


def test_a_manual_names_the_faults_of_its_pages_and_of_its_glossary_at_once(tmp_path: Path) -> None:
    (tmp_path / GLOSSARY_FILE).write_text("xx: {exam: [test]}\n", "utf-8")
    (tmp_path / "a.md").write_text("no header", "utf-8")
    with pytest.raises(ManualInvalid) as invalid:
        read_manual(tmp_path)
    assert [(fault.file, fault.line) for fault in invalid.value.faults] == [("a.md", 1), (GLOSSARY_FILE, 1)]
