"""A manual is built into one file, the same bytes for the same content, and read back whole or refused."""

import gzip
import json
import os
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from assist_service.adapters.manual.artifact import (
    MAX_BYTES_BETWEEN,
    MAX_STRINGS,
    MAX_UNPACKED_BYTES,
    Artifact,
    read_artifact,
    write_artifact,
)
from assist_service.adapters.manual.bounds import SECTION_CHARACTERS
from assist_service.adapters.manual.files import read_manual
from assist_service.domain.manual import Audience, ManualInvalid, Publication
from assist_service.domain.search import Glossary
from assist_service.settings import ROOT
from tests.unit.small_manual import publication, section
from tests.unit.test_manual_files import TEACHER, manual

pytestmark = pytest.mark.slow

CREATE, SHARE = section(), section(anchor="share", text="Press Share.")
SIGN_IN = section("shared/account", "sign-in", audience=Audience.SHARED, page_title="Account")
SMALL = Publication(publication(CREATE, SHARE, SIGN_IN).pages, Glossary({"en": (("bucket", "pool"),)}))


def written(folder: Path, wanted: Publication = SMALL) -> Path:
    file = folder / "manual.json.gz"
    write_artifact(wanted, file)
    return file


def refusal(file: Path) -> str:
    with pytest.raises(ManualInvalid) as invalid:
        read_artifact(file)
    [fault] = invalid.value.faults
    assert (fault.file, fault.line) == (file.name, 1)
    assert fault.message.isprintable()
    return fault.message


def test_the_shipped_manual_comes_back_as_its_folder_is_read(tmp_path: Path) -> None:
    shipped = read_manual(ROOT / "corpus")
    found = read_artifact(written(tmp_path, shipped)).publication
    assert found == shipped
    assert found.id == shipped.id
    assert found.glossary.groups


ODD = {
    "joiners where a text ends": TEACHER + "# \u0915\u200d\n\n\u0915\u200d \n",
    "an emoji of several": TEACHER + "# A\n\n\U0001f468\u200d\U0001f469\ufe0f\n",
    "a title as long as it may be": f"---\naudience: teacher\ntitle: {'ß' * 120}\n---\ntext",
    "a section of many parts": TEACHER + "# A\n\n" + "word " * 5_000,
    "private characters": TEACHER + "# A \ue000\n\n\ue001 \u0600\n",
    "characters that were taken out": TEACHER + "# A\u202e\n\nb\u200bc\U000e0041\n",
}


@pytest.mark.parametrize("text", ODD.values(), ids=ODD)
def test_what_can_be_published_can_be_built(tmp_path: Path, text: str) -> None:
    read = read_manual(manual(tmp_path / "manual", {"teacher/a.md": text}))
    assert read_artifact(written(tmp_path, read)) == Artifact(read)


def test_equal_content_is_equal_bytes_whatever_order_and_time_it_was_read_in(tmp_path: Path) -> None:
    files = {"teacher/a.md": TEACHER + "one", "teacher/a.fr.md": TEACHER + "two", "glossary.yaml": "en: {a: [b]}"}
    first = written(tmp_path, read_manual(manual(tmp_path / "first", files))).read_bytes()
    renamed = {"teacher/a.en.md": files["teacher/a.md"], **{name: files[name] for name in reversed(list(files)[1:])}}
    second = manual(tmp_path / "second", renamed)
    os.utime(second / "teacher" / "a.fr.md", (1, 1))
    assert written(tmp_path, read_manual(second)).read_bytes() == first
    pages = Publication(SMALL.pages[::-1], SMALL.glossary)
    assert written(tmp_path, pages).read_bytes() == written(tmp_path).read_bytes()


def test_neither_a_moment_nor_a_name_is_in_the_bytes(tmp_path: Path) -> None:
    assert written(tmp_path).read_bytes()[3:8] == bytes(5)  # RFC 1952: flags (no name), then the time


Change = Callable[[dict[str, Any]], object]

CHANGES: dict[str, tuple[Change, str]] = {
    "another format": (lambda it: it.update(format=3, sections=[], pages={}), "is not of format 1"),
    "no format": (lambda it: it.pop("format"), "is not of format 1"),
    "a key more": (lambda it: it.update(more=1), "more: Extra inputs"),
    "no glossary": (lambda it: it.pop("glossary"), "glossary: Field required"),
    "no page": (lambda it: it["pages"].clear(), "pages: Tuple should have at least 1 item"),
    "a page without sections": (lambda it: it["pages"][0]["sections"].clear(), "pages.0.sections: "),
    "a number for a text": (lambda it: it["pages"][0].update(title=1), "pages.0.title: "),
    "an unknown audience": (lambda it: it["pages"][0].update(audience="everyone"), "pages.0.audience: "),
    "an unknown language": (lambda it: it["pages"][0].update(language="xx"), "pages.0.language: "),
    "a page that stands twice": (
        lambda it: it["pages"].append({**it["pages"][0], "sections": [{"anchor": "x", "title": "X", "text": "x"}]}),
        "the page shared/account (en) stands twice",
    ),
    "a section that stands twice": (
        lambda it: it["pages"][0]["sections"].append(it["pages"][0]["sections"][0]),
        "the section shared/account, sign-in, ",
    ),
    "a text too long": (lambda it: of_section(it).update(text="x" * (SECTION_CHARACTERS + 1)), "at most 6000"),
    "no text": (lambda it: of_section(it).update(text=""), "text: String should have at least 1"),
    "a title too long": (lambda it: of_section(it).update(title="x" * 5_000), "title: String should have at most"),
    "a title of two lines": (lambda it: of_section(it).update(title="a\nb"), "title: Value error, is not one line"),
    "a path of two lines": (lambda it: it["pages"][0].update(path="a\nb"), "path: Value error, is not one line"),
    "half a character": (lambda it: of_section(it).update(text="\ud800"), "Invalid JSON"),
    "a NUL": (lambda it: of_section(it).update(text="a\0"), "characters that nobody can see"),
    "words for the model alone": (lambda it: of_section(it).update(text="a\U000e0041"), "that nobody can see"),
    "letters turned round": (lambda it: of_section(it).update(title="a\u202eb"), "that nobody can see"),
    "a glossary in an unknown language": (lambda it: it["glossary"].update(xx=[["a", "b"]]), "glossary.xx"),
    "a language without names": (lambda it: it["glossary"].update(fr=[]), "glossary.fr: "),
    "a name alone": (lambda it: it["glossary"].update(en=[["a"]]), "glossary.en.0: "),
    "a name that is a sentence": (lambda it: it["glossary"].update(en=[["a", "b c d e f g"]]), "one to 5 words"),
    "a name nobody sees": (lambda it: it["glossary"].update(en=[["a", "b\0"]]), "that nobody can see"),
    "a glossary without end": (lambda it: it["glossary"].update(en=[["a"] * 50] * 401), "at most 20000 names"),
    "a group of too many names": (
        lambda it: it["glossary"].update(en=[["a"] * 51]),
        "glossary.en.0: Tuple should have",
    ),
    "another text": (lambda it: of_section(it).update(text="Press Delete."), "changed after it was built"),
    "another audience": (lambda it: it["pages"][0].update(audience="student"), "changed after it was built"),
    "another glossary": (lambda it: it["glossary"].update(en=[["bucket", "pail"]]), "changed after it was built"),
    "another id": (lambda it: it.update(id="0" * 16), "changed after it was built"),
}


def of_section(it: dict[str, Any]) -> dict[str, Any]:
    section: dict[str, Any] = it["pages"][0]["sections"][0]
    return section


def changed(folder: Path, change: Change) -> Path:
    file = written(folder)
    it = json.loads(gzip.decompress(file.read_bytes()))
    change(it)
    file.write_bytes(gzip.compress(json.dumps(it).encode()))
    return file


@pytest.mark.parametrize(("change", "words"), CHANGES.values(), ids=CHANGES)
def test_a_file_that_was_changed_is_refused(tmp_path: Path, change: Change, words: str) -> None:
    assert words in refusal(changed(tmp_path, change))


BYTES: dict[str, tuple[Callable[[bytes], bytes], str]] = {
    "not gzip": (gzip.decompress, "not gzip"),
    "nothing": (lambda _: b"", "Invalid JSON"),
    "cut short": (lambda it: it[:-9], "cut short"),
    "its end cut off": (lambda it: it[:-1], "cut short"),
    "its check sum wrong": (lambda it: it[:-8] + bytes(4) + it[-4:], "damaged"),
    "a byte wrong": (lambda it: it[:60] + bytes([it[60] ^ 255]) + it[61:], "damaged"),
    "a block of no kind": (lambda it: it[:10] + b"\xff" + it[11:], "damaged"),
    "more behind it": (lambda it: it + b"x", "damaged"),
    "not JSON": (lambda _: gzip.compress(b"x"), "the file: Invalid JSON"),
    "not UTF-8": (lambda it: gzip.compress(gzip.decompress(it).replace(b"Press", b"\xff")), "Invalid JSON"),
    "a list": (lambda _: gzip.compress(b"[]"), "the file: Input should be an object"),
    "nested out of reason": (lambda _: gzip.compress(b"[" * 1_000_000), "Invalid JSON"),
}


@pytest.mark.parametrize(("change", "words"), BYTES.values(), ids=BYTES)
def test_a_file_that_is_not_whole_is_refused(tmp_path: Path, change: Callable[[bytes], bytes], words: str) -> None:
    file = written(tmp_path)
    file.write_bytes(change(file.read_bytes()))
    assert words in refusal(file)


MANY: dict[str, Change] = {
    "pages": lambda it: it.update(pages=[1] * 100_000),
    "sections": lambda it: it["pages"][0].update(sections=[1] * 100_000),
    "groups": lambda it: it["glossary"].update(en=[1] * 100_000),
    "names": lambda it: it["glossary"].update(en=[[1] * 100_000]),
}


@pytest.mark.parametrize("change", MANY.values(), ids=MANY)
def test_a_file_of_endless_faults_is_refused_at_the_first(tmp_path: Path, change: Change) -> None:
    _, peak = refused_with(changed(tmp_path, change))
    assert peak < 5_000_000


def test_of_a_file_that_unpacks_to_gigabytes_no_more_is_unpacked_than_may_be(tmp_path: Path) -> None:
    file = tmp_path / "small"
    file.write_bytes(gzip.compress(b" " * 1_000_000) * 2_000)
    assert file.stat().st_size < 3_000_000
    words, peak = refused_with(file)
    assert words == f"it unpacks to more than {MAX_UNPACKED_BYTES} bytes"
    assert peak < 3 * MAX_UNPACKED_BYTES


ENDLESS: dict[str, tuple[bytes, str]] = {
    "sections": (b'{"anchor":"a","title":"a","text":"a"},' * 100_000, f"more than {MAX_STRINGS} keys and texts"),
    "sections with keys in escapes": (b'{"\\u0061nchor":"a"},' * 400_000, f"more than {MAX_STRINGS} keys and texts"),
    "numbers": (b"1," * 3_000_000, f"more than {MAX_BYTES_BETWEEN} bytes outside its texts"),
    "a text without end": (b'"' + b'\\"' * 3_000_000, "Invalid JSON"),
    "a text that ends with an escape": (b'"' + b"\\", "Invalid JSON"),
}


@pytest.mark.parametrize(("filling", "words"), ENDLESS.values(), ids=ENDLESS)
def test_a_file_of_endless_values_is_refused_before_they_are_made(tmp_path: Path, filling: bytes, words: str) -> None:
    file = tmp_path / "small"
    file.write_bytes(gzip.compress(b'{"pages":[' + filling))
    told, peak = refused_with(file)
    assert words in told
    assert peak < 40_000_000


def refused_with(file: Path) -> tuple[str, int]:
    """The words of a refusal, and the bytes of memory that it took."""
    tracemalloc.start()
    try:
        return refusal(file), tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_what_could_not_be_read_back_is_not_written(tmp_path: Path) -> None:
    with pytest.raises(ManualInvalid, match="at most 6000"):
        written(tmp_path, publication(section(text="x" * (SECTION_CHARACTERS + 1))))
    assert list(tmp_path.iterdir()) == []
