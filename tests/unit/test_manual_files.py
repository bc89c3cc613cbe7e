"""A manual is read whole or refused with file and line of every fault."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from assist_service.adapters.configuration import load_catalogue, load_policy
from assist_service.adapters.manual.files import MAX_FILE_BYTES, read_manual
from assist_service.bootstrap.reading import ManualSource, check_manual
from assist_service.domain.manual import NAME_CHARACTERS, Audience, ManualInvalid, Publication
from assist_service.domain.people import Role
from assist_service.settings import ROOT

CORPUS = ROOT / "corpus"

TEACHER = "---\naudience: teacher\ntitle: Pools\n---\n"


def manual(folder: Path, files: Mapping[str, str | bytes]) -> Path:
    for name, text in files.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return folder


def faults(folder: Path, files: Mapping[str, str | bytes]) -> list[str]:
    with pytest.raises(ManualInvalid) as invalid:
        read_manual(manual(folder, files))
    told = [str(fault) for fault in invalid.value.faults]
    assert str(invalid.value) == "; ".join(told)
    return told


POOLS = "teacher/pools.md"

FAULTS: dict[str, tuple[str, str | bytes, str]] = {
    "no header": (POOLS, "# Pools\ntext", "1: the file does not start with a header"),
    "an empty file": (POOLS, "", "1: the file does not start with a header"),
    "a header after a line": (POOLS, "\n" + TEACHER + "text", "1: the file does not start with a header"),
    "an unfinished header": (
        POOLS,
        "---\naudience: teacher\ntitle: Pools\n# Pools\n",
        "1: the header has no end (---)",
    ),
    "no YAML": (POOLS, "---\naudience: teacher\ntitle: [Pools\n---\ntext", "3: the header is not YAML"),
    "a tab in the YAML": (POOLS, "---\naudience: teacher\n\ttitle: x\n---\ntext", "3: the header is not YAML"),
    "a date that is none": (POOLS, "---\naudience: teacher\ntitle: 2026-13-45\n---\nt", "1: the header is not YAML"),
    "a number that is none": (POOLS, "---\naudience: teacher\ntitle: !!int x\n---\nt", "1: the header is not YAML"),
    "an object of Python": (POOLS, "---\ntitle: !!python/name:os.getcwd x\n---\nt", "2: the header is not YAML"),
    "nested out of reason": (POOLS, "---\ntitle: " + "[" * 1_000 + "\n---\nt", "1: the header is not YAML"),
    "a control character": (POOLS, "---\naudience: teacher\ntitle: a\x01b\n---\ntext", "1: the header is not YAML"),
    "an empty header": (POOLS, "---\n---\ntext", "1: the header is no list of keys and values"),
    "a header that is a list": (POOLS, "---\n- audience\n---\ntext", "1: the header is no list of keys and values"),
    "a key nobody knows": (POOLS, "---\naudience: teacher\ntitle: x\nauthor: Anne\n---\nt", "4: header author: "),
    "a short key nobody knows": (POOLS, "---\naudience: teacher\ntitle: x\nt: Anne\n---\nt", "4: header t: "),
    "a key in quotes": (POOLS, '---\naudience: teacher\ntitle: x\n"author" : Anne\n---\nt', "4: header author: "),
    "a key twice": (
        POOLS,
        "---\naudience: student\naudience: teacher\ntitle: x\n---\nt",
        "3: the header is not YAML: a key",
    ),
    "no audience": (POOLS, "---\ntitle: Pools\n---\ntext", "1: header audience: "),
    "an audience nobody knows": (POOLS, "---\ntitle: x\naudience: teachers\n---\ntext", "3: header audience: "),
    "an audience that is a list": (POOLS, "---\ntitle: x\naudience: [teacher]\n---\nt", "3: header audience: "),
    "no title": (POOLS, "---\naudience: teacher\n---\ntext", "1: header title: "),
    "an empty title": (POOLS, "---\naudience: teacher\ntitle: ''\n---\ntext", "3: header title: "),
    "a blank title": (POOLS, "---\naudience: teacher\ntitle: '  '\n---\ntext", "3: header title: "),
    "a title that is a number": (POOLS, "---\naudience: teacher\ntitle: 7\n---\ntext", "3: header title: "),
    "a title too long": (POOLS, f"---\naudience: teacher\ntitle: {'x' * 121}\n---\nt", "3: header title: "),
    "a title of two lines": (POOLS, '---\naudience: teacher\ntitle: "a\\nb"\n---\nt', "3: header title: "),
    "a title with an override": (POOLS, '---\naudience: teacher\ntitle: "a\\u202eb"\n---\nt', "3: header title: "),
    "a title with a tag": (POOLS, "---\naudience: teacher\ntitle: a\U000e0041b\n---\nt", "3: header title: "),
    "the audience of another folder": (
        "student/pools.md",
        "---\ntitle: Pools\naudience: teacher\n---\ntext",
        "3: the header says audience teacher, the folder is student",
    ),
    "no folder at all": ("pools.md", TEACHER + "text", "2: the header says audience teacher, the folder is pools.md"),
    "a folder nobody knows": (
        "parents/x.md",
        TEACHER + "text",
        "2: the header says audience teacher, the folder is par",
    ),
    "administrators elsewhere": (
        POOLS,
        "---\naudience: teacher\ntitle: x\nadmins: all\n---\ntext",
        "4: only a page of the administrator folder can carry admins",
    ),
    "administrators nobody knows": (
        "administrator/people.md",
        "---\naudience: administrator\ntitle: x\nadmins: some\n---\ntext",
        "4: header admins: ",
    ),
    "no text": (POOLS, TEACHER, "5: the page has no text"),
    "blank text": (POOLS, TEACHER + "\n \n", "5: the page has no text"),
    "headings only": (POOLS, TEACHER + "# Pools\n\n## Create\n", "5: the page has no text"),
    "no UTF-8": (POOLS, TEACHER.encode() + b"fine\nalso fine\nBr\xfcche\n", "7: the file is not UTF-8 here"),
    "no UTF-8 at once": (POOLS, b"\xff\xfe#", "1: the file is not UTF-8 here"),
    "too large": (POOLS, TEACHER.encode() + b"x" * MAX_FILE_BYTES, f"1: the file has more than {MAX_FILE_BYTES} bytes"),
}


@pytest.mark.parametrize(("name", "text", "told"), FAULTS.values(), ids=FAULTS)
def test_a_fault_is_named_with_file_and_line(tmp_path: Path, name: str, text: str | bytes, told: str) -> None:
    [fault] = faults(tmp_path, {name: text})
    assert fault.startswith(f"{name}:{told}")
    assert "\n" not in fault


def test_a_page_that_stands_twice_is_a_fault(tmp_path: Path) -> None:
    told = faults(tmp_path, {"teacher/pools.en.md": TEACHER + "text", "teacher/pools.md": TEACHER + "text"})
    assert told == ["teacher/pools.md:1: the page teacher/pools (en) stands twice, in teacher/pools.en.md too"]


def test_a_page_with_the_longest_path_is_read_and_one_longer_refused(tmp_path: Path) -> None:
    deep = "/".join(["teacher", *["d" * 99] * 4, "f"])
    path = deep + "f" * (NAME_CHARACTERS - len(deep))
    [page] = read_manual(manual(tmp_path / "whole", {f"{path}.fr.md": TEACHER + "text"})).pages
    assert page.path == path
    [fault] = faults(tmp_path / "refused", {f"{path}f.md": TEACHER + "text"})
    assert fault == f"{path}f.md:1: the page's path has more than {NAME_CHARACTERS} characters"


def test_every_anchor_of_a_page_is_a_name_a_call_can_give(tmp_path: Path) -> None:
    body = "".join(f"# {'long heading ' * 30}\n" + f"{'word ' * 1_100}\n\n" * 3 for _ in range(20))
    [page] = read_manual(manual(tmp_path, {POOLS: TEACHER + body})).pages
    assert max(len(section.anchor) for section in page.sections) <= NAME_CHARACTERS


def test_every_fault_of_a_manual_is_named_at_once(tmp_path: Path) -> None:
    told = faults(
        tmp_path,
        {
            "shared/fine.md": "---\naudience: shared\ntitle: Fine\n---\ntext",
            "student/x.md": TEACHER + "text",
            "teacher/a.md": "# no header",
            "teacher/b.md": TEACHER,
            "teacher/c.md": b"\xff",
            "teacher/pools.en.md": TEACHER + "text",
            "teacher/pools.md": TEACHER + "text",
        },
    )
    assert [fault.split(": ")[0] for fault in told] == [
        "student/x.md:2",
        "teacher/a.md:1",
        "teacher/b.md:5",
        "teacher/c.md:1",
        "teacher/pools.md:1",
    ]


def test_the_check_of_the_operator_says_the_same(tmp_path: Path) -> None:
    manual(tmp_path, {POOLS: "# no header"})
    [fault] = check_manual(ManualSource(tmp_path)).faults
    assert fault.startswith("teacher/pools.md:1: ")


@pytest.mark.parametrize("name", ["teacher/a\nb.md", "teacher/a\u202eb.md", "teacher/a\udcffb.md"])
def test_a_file_whose_name_nobody_can_read_is_a_fault_on_one_line(tmp_path: Path, name: str) -> None:
    [fault] = faults(tmp_path, {name: TEACHER + "text"})
    assert "the file's name holds characters" in fault
    assert fault.isprintable()


def test_a_folder_that_is_named_like_a_page_is_a_fault(tmp_path: Path) -> None:
    [fault] = faults(tmp_path, {"teacher/a.md/b.txt": "", "teacher/c.md": TEACHER + "text"})
    assert fault.startswith("teacher/a.md:1: the file cannot be read")


@pytest.mark.parametrize("folder", ["", "no-such-folder"])
def test_a_folder_without_a_page_is_a_fault(tmp_path: Path, folder: str) -> None:
    with pytest.raises(ManualInvalid, match="there is no Markdown file here"):
        read_manual(tmp_path / folder)


def administrators(admins: str) -> str:
    return f"---\naudience: administrator\ntitle: People\n{admins}---\ntext"


AUDIENCES: dict[str, tuple[str, str, Audience]] = {
    "shared": ("shared/a.md", "---\naudience: shared\ntitle: A\n---\ntext", Audience.SHARED),
    "student": ("student/a.md", "---\naudience: student\ntitle: A\n---\ntext", Audience.STUDENT),
    "teacher": ("teacher/a/b/c.md", TEACHER + "text", Audience.TEACHER),
    "full administrators": ("administrator/a.md", administrators(""), Audience.ADMINISTRATOR_FULL),
    "said to be full": ("administrator/a.md", administrators("admins: full\n"), Audience.ADMINISTRATOR_FULL),
    "said to be empty": ("administrator/a.md", administrators("admins:\n"), Audience.ADMINISTRATOR_FULL),
    "trainers": ("administrator/a.md", administrators("admins: trainer\n"), Audience.ADMINISTRATOR_TRAINER),
    "all administrators": ("administrator/a.md", administrators("admins: all\n"), Audience.ADMINISTRATOR_ALL),
}


@pytest.mark.parametrize(("name", "text", "audience"), AUDIENCES.values(), ids=AUDIENCES)
def test_who_may_read_a_page(tmp_path: Path, name: str, text: str, audience: Audience) -> None:
    [page] = read_manual(manual(tmp_path, {name: text})).pages
    assert page.audience is audience
    assert {section.audience for section in page.sections} == {audience}


@pytest.mark.parametrize(
    ("name", "path", "language"),
    [
        ("teacher/pools.md", "teacher/pools", "en"),
        ("teacher/pools.en.md", "teacher/pools", "en"),
        ("teacher/pools.fr.md", "teacher/pools", "fr"),
        ("teacher/help/pool.fil.md", "teacher/help/pool", "fil"),
        ("teacher/pools.de.md", "teacher/pools.de", "en"),
        ("teacher/v1.2.md", "teacher/v1.2", "en"),
    ],
)
def test_a_files_name_says_path_and_language(tmp_path: Path, name: str, path: str, language: str) -> None:
    [page] = read_manual(manual(tmp_path, {name: TEACHER + "text"})).pages
    assert (page.path, page.language) == (path, language)
    assert {(section.page, section.language) for section in page.sections} == {(path, language)}


def test_byte_order_mark_and_windows_line_ends_change_nothing(tmp_path: Path) -> None:
    text = TEACHER + "# Pools\n\nBefore\nthat.\n\n## Create\n\nPress\nNew.\n"
    plain = read_manual(manual(tmp_path / "a", {POOLS: text}))
    windows = read_manual(manual(tmp_path / "b", {POOLS: b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode()}))
    old_mac = read_manual(manual(tmp_path / "c", {POOLS: text.replace("\n", "\r")}))
    assert plain == windows == old_mac
    assert plain.id == windows.id == old_mac.id


@pytest.fixture(scope="module")
def shipped() -> Publication:
    return read_manual(CORPUS)


def test_the_shipped_manual_has_no_fault() -> None:
    assert check_manual(ManualSource(CORPUS)).faults == ()


def test_the_shipped_manual_has_pages_for_everybody(shipped: Publication) -> None:
    assert {page.audience for page in shipped.pages} >= {
        Audience.SHARED,
        Audience.STUDENT,
        Audience.TEACHER,
        Audience.ADMINISTRATOR_FULL,
        Audience.ADMINISTRATOR_TRAINER,
    }


@pytest.mark.parametrize("role", Role)
def test_every_screen_of_a_role_has_help_in_english_and_french_that_the_role_may_read(
    shipped: Publication, role: Role
) -> None:
    audiences = load_policy("default").of_role(role).audiences
    screens = load_catalogue(ROOT / "contracts" / "screens.yaml").of_roles(role)
    topics = {screen.topic for screen in screens.values() if screen.topic is not None}
    assert topics
    for topic in topics:
        for language in ("en", "fr"):
            page = shipped.help_page(topic, audiences, language)
            assert page is not None, (topic, language)
            assert page.language == language, (topic, language)
