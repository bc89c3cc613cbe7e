"""docs/data.md and docs/for-students.md say of policies, tables and the audit log what these say themselves."""

import re
from collections.abc import Iterator

import pytest

from assist_service.adapters.configuration import load_policy
from assist_service.adapters.postgres.purging import CALLS_KEPT
from assist_service.adapters.postgres.tables import METADATA
from assist_service.domain.people import Role
from assist_service.domain.policy import Policy
from assist_service.settings import ROOT
from assist_service.tools.catalog import TOOLS
from assist_service.tools.tool import Family

DATA = (ROOT / "docs/data.md").read_text("utf-8")
STUDENTS = (ROOT / "docs/for-students.md").read_text("utf-8")

POLICIES = {file.stem: load_policy(file.stem) for file in sorted((ROOT / "src/assist_service/policies").glob("*.toml"))}
LANGUAGES = ("English", "Français", "Filipino")
NOT_AT_ALL = "not at all"


def _section(text: str, title: str, level: str = "##") -> str:
    """What stands under a heading. An absent one is no empty section."""
    _, head, rest = text.partition(f"\n{level} {title}\n")
    assert head, title
    return re.split(rf"\n#{{1,{len(level)}}} ", rest)[0]


def _rows(section: str) -> Iterator[list[str]]:
    """The rows of its first table, headings first."""
    table = re.search(r"(?:^\|.*\|\n)+", section, re.MULTILINE)
    assert table
    for line in table.group().splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if not set(line) <= set("|- "):
            yield cells


def _quoted(text: str) -> list[str]:
    return re.findall(r"`([^`]+)`", text)


def _days(text: str) -> set[int]:
    return set(map(int, re.findall(r"\d+", text)))


SENT = list(_rows(_section(DATA, "To the companies of the models, by policy", "###")))
ROWS_OF_TOOLS = {tuple(tools): row for row in SENT if (tools := [name for name in _quoted(row[0]) if name in TOOLS])}


def test_what_is_sent_has_a_column_for_each_shipped_policy_and_no_other() -> None:
    assert [_quoted(head) for head in SENT[0][1:]] == [[name] for name in POLICIES]
    assert {len(row) for row in SENT} == {1 + len(POLICIES)}


def test_every_tool_of_a_policy_stands_in_one_row() -> None:
    told = [tool for tools in ROWS_OF_TOOLS for tool in tools]
    assert sorted(told) == sorted({t for p in POLICIES.values() for role in p.roles.values() for t in role.tools})


@pytest.mark.parametrize("name", POLICIES)
@pytest.mark.parametrize("role", [Role.TEACHER, Role.ADMIN])
def test_the_form_of_each_tools_result_is_the_policys(name: str, role: Role) -> None:
    ruled = POLICIES[name].of_role(role).tools
    column = 1 + list(POLICIES).index(name)
    for tools, row in ROWS_OF_TOOLS.items():
        assert {ruled[tool].value if tool in ruled else NOT_AT_ALL for tool in tools} == {row[column]}, tools


@pytest.mark.parametrize("name", POLICIES)
@pytest.mark.parametrize("role", [Role.STUDENT, Role.TRAINER_ADMIN])
def test_nobody_else_has_a_tool_that_reads_the_lms(name: str, role: Role) -> None:
    assert "Students and trainer administrators have no tool that reads the LMS under any of the three" in DATA
    reading = {name for name, tool in TOOLS.items() if tool.needs}
    assert reading >= {name for name, tool in TOOLS.items() if tool.family is Family.DATA}
    assert reading.isdisjoint(POLICIES[name].of_role(role).tools)


def test_when_is_moderated_is_what_the_policies_say() -> None:
    head, row = _rows(_section(DATA, "To the company of the moderator", "###"))
    told = {_quoted(policy)[0]: _quoted(said)[0] for policy, said in zip(head[1:], row[1:], strict=True)}
    assert told == {name: policy.moderation.value for name, policy in POLICIES.items()}


def test_days_are_the_policies() -> None:
    _, *rows = _rows(_section(DATA, "How long, by policy"))
    told = {_quoted(row[0])[0]: [_days(cell) for cell in row[1:]] for row in rows}
    assert told == {name: [{days} for days in _kept(policy)] for name, policy in POLICIES.items()}


def _kept(policy: Policy) -> tuple[int, int, int]:
    kept = policy.retention
    return kept.manual_days, kept.live_days, kept.audit_days


def test_every_table_has_its_row_and_no_other_thing_has() -> None:
    _, *rows = _rows(_section(DATA, "What is stored"))
    told = [name for row in rows for name in _quoted(row[0])]
    assert sorted(told) == sorted(METADATA.tables)


def test_the_accounts_are_kept_as_long_as_is_told() -> None:
    (row,) = (row for row in _rows(_section(DATA, "What is stored")) if row[0] == "`llm_calls`")
    assert _days(row[3]) == {CALLS_KEPT.days}


def test_every_entry_of_the_audit_log_is_named() -> None:
    code = "".join(file.read_text("utf-8") for file in sorted((ROOT / "src").rglob("*.py")))
    entered = set(re.findall(r"""["'](assist\.[a-z]+)["']""", code))
    (told,) = re.findall(r"^Entries of `audit`:.*?\n\n", DATA, re.MULTILINE | re.DOTALL)
    assert {"assist.read", "assist.delete", "assist.confirm", "assist.write"} <= entered <= set(_quoted(told))


def test_a_test_that_holds_a_claim_is_there() -> None:
    named = re.findall(r"`(tests/[^`]+)`", DATA)
    assert len(named) > 10
    assert [name for name in named if not (ROOT / name).is_file()] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_students_are_told_of_every_policy_what_is_sent_and_how_long_it_stays(language: str) -> None:
    section = _section(STUDENTS, language)
    lists = re.findall(r"(?:^- .*\n)+", section, re.MULTILINE)
    told = [dict(re.findall(r"^- `([^`]+)` ?: (.*)$", each, re.MULTILINE)) for each in lists]
    assert [list(each) for each in told] == [list(POLICIES)] * 3
    asking, asked_about, kept = told
    for name, policy in POLICIES.items():
        assert _days(kept[name]) == {policy.retention.manual_days, policy.retention.live_days}, name
        assert not _days(asking[name] + asked_about[name])
    rest = re.sub(r"^- .*\n", "", section, flags=re.MULTILINE)
    assert _days(rest) == {CALLS_KEPT.days, *(policy.retention.audit_days for policy in POLICIES.values())}
    can_ask = {name for name, policy in POLICIES.items() if policy.of_role(Role.STUDENT).offered}
    assert {name for name in POLICIES if asking[name] == asking["default"]} == can_ask


IN_LOOKUPS = {
    "English": ("final marks", "absences", "place", "points", "Who can read it", "no AI model"),
    "Français": ("notes finales", "absences", "place", "points", "Qui peut lire", "aucun modèle d'IA"),
    "Filipino": ("pinal na marka", "pagliban", "puwesto", "puntos", "Sino ang makababasa", "hindi ng anumang AI model"),
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_students_are_told_what_of_them_stays_from_a_lookup_and_who_reads_it(language: str) -> None:
    section = _section(STUDENTS, language)
    kept = re.findall(r"^- `school-manuals` ?: (.*)$", section, re.MULTILINE)[-1]
    assert [words for words in IN_LOOKUPS[language] if words not in kept] == []
    assert f"**{IN_LOOKUPS[language][4]}" in section


def test_the_texts_for_students_are_short_and_in_french_familiar() -> None:
    for language in LANGUAGES:
        assert len(_section(STUDENTS, language).splitlines()) <= 45
    assert not {"vous", "votre", "vos"} & set(re.findall(r"\w+", _section(STUDENTS, "Français").casefold()))


def test_the_two_documents_lead_to_each_other_and_the_readme_to_both() -> None:
    assert "(for-students.md)" in DATA
    assert "(data.md)" in STUDENTS
    for file in ("README.md", "docs/architecture.md"):
        text = (ROOT / file).read_text("utf-8")
        assert re.search(r"data\.md\)", text)
        assert re.search(r"for-students\.md\)", text)
