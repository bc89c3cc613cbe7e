"""A manual written elsewhere: its folders say who reads what, and what is odd in it is a warning."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from assist_service.adapters.manual.files import MAX_FILE_BYTES, read_manual
from assist_service.adapters.manual.folders import ManualFolders, load_folders
from assist_service.bootstrap.reading import ManualSource, check_manual
from assist_service.domain.errors import ConfigurationError
from assist_service.domain.manual import Audience, ManualInvalid, Publication
from tests.unit.test_manual_files import TEACHER, manual

FOLDERS = """language = "fr"
[folders]
"guide" = "teacher"
"guide/admin" = "administrator:full"
"guide/old/" = "ignore"
"""


def mapping(folder: Path, text: str = FOLDERS) -> ManualFolders:
    file = folder / "folders.toml"
    file.write_text(text, "utf-8")
    return load_folders(file)


def mapped(folder: Path, files: Mapping[str, str | bytes], text: str = FOLDERS) -> Publication:
    whole = {"guide/a.md": "# A\na", "guide/admin/b.md": "# B\nb", "guide/old/c.md": b"\xff", **files}
    return read_manual(manual(folder / "manual", whole), mapping(folder, text))


def test_the_longest_mapped_folder_says_who_may_read_a_file_without_a_header(tmp_path: Path) -> None:
    found = mapped(tmp_path, {"guide/admin/deep/x.md": "# X\nx", "guide/administrators/y.md": "# Y\ny"})
    assert {page.path: page.audience for page in found.pages} == {
        "guide/a": Audience.TEACHER,
        "guide/admin/b": Audience.ADMINISTRATOR_FULL,
        "guide/admin/deep/x": Audience.ADMINISTRATOR_FULL,
        "guide/administrators/y": Audience.TEACHER,
    }
    assert {page.language for page in found.pages} == {found.language} == {"fr"}


TITLES: dict[str, tuple[str, str, str]] = {
    "of the header": ("guide/x.md", "---\ntitle: Said\nlayout: wide\n---\n# Heading\ntext", "Said"),
    "of the first heading": ("guide/x.md", "Before.\n\n## First <a id='x'></a>\ntext\n# Second", "First"),
    "of a heading under a header without one": ("guide/x.md", "---\nlayout: wide\n---\n# Heading\ntext", "Heading"),
    "under a line across": ("guide/x.md", "---\n\nPlain words.\n\n---\n\n# Heading\n", "Heading"),
    "of the file's name": ("guide/how_to-log in.md", "text", "How to log in"),
    "of the folder": ("guide/first_steps/README.md", "text", "First steps"),
}


@pytest.mark.parametrize(("name", "text", "title"), TITLES.values(), ids=TITLES)
def test_a_page_without_a_header_has_a_title(tmp_path: Path, name: str, text: str, title: str) -> None:
    found = mapped(tmp_path, {name: text})
    assert [page.title for page in found.pages if page.path == name.removesuffix(".md")] == [title]


@pytest.mark.parametrize("name", ["guide/readme.2/README.md", "guide/Été 2.0/a b.md", "guide/v1.2/X.y.md"])
def test_a_pages_path_is_that_of_its_file(tmp_path: Path, name: str) -> None:
    assert name.removesuffix(".md") in {page.path for page in mapped(tmp_path, {name: "text"}).pages}


MAPPED_FAULTS: dict[str, tuple[str, str | bytes, str]] = {
    "outside": ("other/x.md", "text", "1: the file is in no folder of the mapping"),
    "another audience": (
        "guide/x.md",
        "---\ntitle: X\naudience: student\n---\nx",
        "3: the header says audience student, the mapping says teacher",
    ),
    "other administrators": (
        "guide/admin/x.md",
        "---\naudience: administrator\nadmins: trainer\n---\nx",
        "3: the header says admins trainer, the mapping says administrator:full",
    ),
    "administrators of a teacher's page": ("guide/x.md", "---\nadmins: all\n---\nx", "2: the header says admins all"),
    "an audience nobody knows": ("guide/x.md", "---\naudience: parents\n---\nx", "2: header audience: "),
    "a header without end": ("guide/x.md", "---\naudience: student\n\nx", "1: the header has no end"),
    "no YAML": ("guide/x.md", "---\ntitle: [x\n---\nx", "2: the header is not YAML"),
    "no UTF-8": ("guide/x.md", b"fine\n\xff", "2: the file is not UTF-8 here"),
    "too large": ("guide/x.md", b"x" * (MAX_FILE_BYTES + 1), "1: the file has more than "),
    "twice": ("guide/a.fr.md", "text", "1: "),
}


@pytest.mark.parametrize(("name", "text", "told"), MAPPED_FAULTS.values(), ids=MAPPED_FAULTS)
def test_a_fault_of_a_mapped_manual_is_named(tmp_path: Path, name: str, text: str | bytes, told: str) -> None:
    with pytest.raises(ManualInvalid) as invalid:
        mapped(tmp_path, {name: text})
    [fault] = map(str, invalid.value.faults)
    assert fault.startswith(
        (f"{name}:{told}", "guide/a.md:1: the page guide/a (fr) stands twice, in guide/a.fr.md too")
    )


def test_a_header_may_say_what_the_mapping_says(tmp_path: Path) -> None:
    text = "---\naudience: administrator\nadmins: full\n---\nx"
    assert len(mapped(tmp_path, {"guide/admin/x.md": text, "guide/x.md": "---\naudience: teacher\n---\nx"}).pages) == 4


def test_a_mapped_folder_that_is_not_there_is_a_fault_of_the_mapping(tmp_path: Path) -> None:
    with pytest.raises(ManualInvalid) as invalid:
        mapped(tmp_path, {}, FOLDERS + '"guide/amdin" = "administrator:full"\n')
    assert list(map(str, invalid.value.faults)) == [f"{tmp_path}/folders.toml:6: the manual has no folder guide/amdin"]


def test_a_point_maps_the_whole_manual(tmp_path: Path) -> None:
    found = mapped(tmp_path, {"x.md": "x", "guide/old/c.md": "c"}, '[folders]\n"." = "shared"\n')
    assert {page.audience for page in found.pages} == {Audience.SHARED}
    assert (len(found.pages), found.language) == (4, "en")


WRONG_MAPPINGS = {
    "no TOML": "[folders",
    "no folders": "language = 'fr'",
    "none of them": "[folders]",
    "an audience nobody knows": "[folders]\na = 'everyone'",
    "a language nobody knows": "language = 'xx'\n[folders]\na = 'shared'",
    "a key nobody knows": "lang = 'fr'\n[folders]\na = 'shared'",
    "outside": "[folders]\n'../a' = 'shared'",
    "from the root": "[folders]\n'/a' = 'shared'",
    "no name": "[folders]\n'' = 'shared'",
    "twice": "[folders]\na = 'shared'\n'a/' = 'teacher'",
    "nested": "[folders.a]\nb = 'shared'",
}


@pytest.mark.parametrize("text", WRONG_MAPPINGS.values(), ids=WRONG_MAPPINGS)
def test_a_wrong_mapping_is_refused_on_one_line(tmp_path: Path, text: str) -> None:
    with pytest.raises(ConfigurationError) as refused:
        mapping(tmp_path, text)
    assert str(refused.value).startswith(f"{tmp_path}/folders.toml: ")
    assert str(refused.value).isprintable()


def test_a_mapping_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="cannot be read"):
        load_folders(tmp_path / "none.toml")


LINKED = """# Links <a id="own"></a>

[a](b.md) [b](b.md#heading-two) [c](sub/c%20d.md) [d](#links) [e](#own) [f](https://x.org/none.md) [g](/none.md)
![image](none.png) [h](none.png) `[i](none.md)` [j](b.md#twice-1) [k](b.md#twice-2)

```
[l](none.md)
```

- first
  line [m](none.md)
  and [n](b.md#nowhere)
  and [o](#nowhere)
- [p](../../outside.md) [q][ref]

[ref]: gone.md
"""


def test_links_to_nowhere_are_warnings_with_file_and_line(tmp_path: Path) -> None:
    files = {
        "teacher/a.md": TEACHER + LINKED,
        "teacher/b.md": TEACHER + "# Heading *two*\nx\n# Twice\nx\n# Twice\nx",
        "teacher/sub/c d.md": TEACHER + "text",
    }
    checked = check_manual(ManualSource(manual(tmp_path, files)))
    assert checked.faults == ()
    assert checked.warnings == (
        "teacher/a.md:15: warning: the link none.md leads to no file of the manual",
        "teacher/a.md:16: warning: the link b.md#nowhere leads to no heading of teacher/b.md",
        "teacher/a.md:17: warning: the link #nowhere leads to no heading of teacher/a.md",
        "teacher/a.md:18: warning: the link ../../outside.md leads to no file of the manual",
        "teacher/a.md:18: warning: the link gone.md leads to no file of the manual",
    )


def test_a_mapped_page_without_text_is_left_out_and_warned_of(tmp_path: Path) -> None:
    folder = manual(tmp_path / "manual", {"guide/a.md": "# A\na", "guide/README.md": "# Guide\n", "guide/b.md": ""})
    file = tmp_path / "folders.toml"
    file.write_text('[folders]\nguide = "teacher"\n', "utf-8")
    checked = check_manual(ManualSource(folder, file))
    assert checked.faults == ()
    assert checked.warnings == (
        "guide/README.md:1: warning: the page has no text and is left out",
        "guide/b.md:1: warning: the page has no text and is left out",
    )
    (folder / "guide" / "a.md").write_text("# A\n", "utf-8")
    [fault] = check_manual(ManualSource(folder, file)).faults
    assert fault.endswith("none of the Markdown files here holds text")


ODDITIES: dict[str, tuple[str, str | None]] = {
    "a line above it": ("\n---\naudience: administrator\n---\ntext", "2: warning: this looks like a header"),
    "of TOML": ("+++\naudience = 1\n+++\ntext", "1: warning: this looks like a header"),
    "on one line": ("---\n{audience: administrator}\n---\ntext", "1: warning: this looks like a header"),
    "a key in capitals": ("---\ntitle: X\nAudience: administrator\n---\ntext", "3: warning: the header's Audience"),
    "a key of its author": ("---\ntitle: X\nLayout: wide\n---\ntext", None),
    "a line across": ("---\n\nWords.\n\n---\n\ntext", None),
    "a line across below": ("\n\n---\n\nWords.", None),
    "text": ("# A\nAudience: everyone", None),
    "nothing": ("", "1: warning: the page has no text"),
}


@pytest.mark.parametrize(("text", "told"), ODDITIES.values(), ids=ODDITIES)
def test_what_is_nearly_a_header_is_worth_a_look(tmp_path: Path, text: str, told: str | None) -> None:
    folders = tmp_path / "folders.toml"
    folders.write_text('[folders]\nguide = "teacher"\n', "utf-8")
    root = manual(tmp_path / "manual", {"guide/a.md": "# A\na", "guide/x.md": text})
    checked = check_manual(ManualSource(root, folders))
    assert checked.faults == ()
    assert [each.startswith(f"guide/x.md:{told}") for each in checked.warnings] == ([True] if told else [])
