"""The shipped policies say what they say, and a policy with anything else in it is refused in one line."""

from pathlib import Path

import pytest

from assist_service.adapters.configuration import load_policy
from assist_service.bootstrap.configuring import configure
from assist_service.domain.conversation import ConversationTimes, Kind
from assist_service.domain.errors import ConfigurationError
from assist_service.domain.manual import Audience
from assist_service.domain.people import Role
from assist_service.domain.policy import Citations, Disclosure, ModerationRule, Policy
from assist_service.domain.screens import Language
from assist_service.settings import ROOT
from assist_service.tools.catalog import TOOLS
from tests.fakes.house import settings_for
from tests.unit.test_tools_allowlist import LOOKUPS

SHIPPED = ROOT / "src" / "assist_service" / "policies"

OF_EVERYONE = dict.fromkeys(
    ("read_guide", "search_guide", "decline", "ask_back", "open_screen", "run_screen_command"), Disclosure.OPEN
)
OF_THE_MANUAL = dict.fromkeys(("read_guide", "search_guide", "decline", "ask_back"), Disclosure.OPEN)
OPEN_RESULTS = dict.fromkeys(set(TOOLS) - set(LOOKUPS), Disclosure.OPEN)
MASKED_RESULTS = OPEN_RESULTS | {"get_classroom_results": Disclosure.MASKED}
OF_THE_MANUAL_AND_LOOKUPS = OF_THE_MANUAL | dict.fromkeys(LOOKUPS, Disclosure.SEALED)

OF_A_STUDENT = {Audience.SHARED, Audience.STUDENT}
OF_A_TEACHER = OF_A_STUDENT | {Audience.TEACHER}
OF_A_TRAINER = {Audience.SHARED, Audience.ADMINISTRATOR_TRAINER, Audience.ADMINISTRATOR_ALL}

ROLES: dict[tuple[str, Role], tuple[bool, set[Audience], dict[str, Disclosure]]] = {
    ("default", Role.STUDENT): (True, OF_A_STUDENT, OF_EVERYONE),
    ("default", Role.TEACHER): (True, OF_A_TEACHER, MASKED_RESULTS),
    ("default", Role.TRAINER_ADMIN): (True, OF_A_TRAINER, OF_EVERYONE),
    ("default", Role.ADMIN): (True, set(Audience), MASKED_RESULTS),
    ("school-manuals", Role.STUDENT): (True, OF_A_STUDENT, OF_THE_MANUAL),
    ("school-manuals", Role.TEACHER): (True, OF_A_TEACHER, OF_THE_MANUAL_AND_LOOKUPS),
    ("school-manuals", Role.TRAINER_ADMIN): (True, OF_A_TRAINER, OF_THE_MANUAL),
    ("school-manuals", Role.ADMIN): (True, set(Audience), OF_THE_MANUAL_AND_LOOKUPS),
    ("teacher-assistant", Role.STUDENT): (False, set(), {}),
    ("teacher-assistant", Role.TEACHER): (True, OF_A_TEACHER, OPEN_RESULTS),
    ("teacher-assistant", Role.TRAINER_ADMIN): (False, set(), {}),
    ("teacher-assistant", Role.ADMIN): (True, set(Audience), OPEN_RESULTS),
}


@pytest.mark.parametrize(("name", "role"), ROLES)
def test_what_a_role_has_under_a_shipped_policy_is_pinned(name: str, role: Role) -> None:
    has = load_policy(name).of_role(role)
    assert (has.offered, set(has.audiences), has.tools) == ROLES[name, role]


def test_the_shipped_policies_are_pinned_and_named_as_their_files() -> None:
    names = sorted(file.stem for file in SHIPPED.glob("*.toml"))
    assert names == ["default", "school-manuals", "teacher-assistant"]
    assert [load_policy(name).name for name in names] == names


def test_the_limits_of_the_shipped_policies_are_pinned() -> None:
    default, school, teachers = map(load_policy, ("default", "school-manuals", "teacher-assistant"))
    assert default.citations is school.citations is Citations.REQUIRED
    assert teachers.citations is Citations.SHOWN
    for policy in (default, school):
        assert (policy.limits.questions_per_minute, policy.limits.questions_per_day) == (10, 100)
    assert (teachers.limits.questions_per_minute, teachers.limits.questions_per_day) == (6, None)
    assert default.retention.days(Kind.MANUAL) == 90
    assert {default.retention.days(kind) for kind in set(Kind) - {Kind.MANUAL}} == {30}, "any may follow a look-up"
    assert {teachers.retention.days(kind) for kind in Kind} == {30}
    assert school.retention.days(Kind.MANUAL) == 365
    assert {school.retention.days(kind) for kind in set(Kind) - {Kind.MANUAL}} == {90}
    for policy in (default, school, teachers):
        assert (policy.effort.provider_requests, policy.effort.deadline_seconds) == (6, 90)
        assert (policy.history.pairs, policy.history.characters) == (6, 12_000)
        assert (policy.switches.manual, policy.switches.live) == (True, True)


def test_only_the_schools_policy_has_one_active_conversation_and_must_be_moderated() -> None:
    default, school, teachers = map(load_policy, ("default", "school-manuals", "teacher-assistant"))
    assert school.conversation == ConversationTimes(one_active=True, idle_minutes=30, total_hours=24)
    assert default.conversation == teachers.conversation == ConversationTimes()
    assert school.moderation is ModerationRule.REQUIRED
    assert (default.standing, school.standing, teachers.standing) == (True, True, False)


def test_the_school_refuses_in_one_text_whatever_the_reason() -> None:
    texts = load_policy("school-manuals").texts
    assert texts.decline == texts.not_found


@pytest.mark.parametrize("name", ["default", "school-manuals", "teacher-assistant"])
def test_a_shipped_policy_has_words_in_every_language_and_the_familiar_form_in_french(name: str) -> None:
    texts = load_policy(name).texts
    for wording in (getattr(texts, name) for name in type(texts).model_fields):
        assert set(wording) == set(Language)
        assert not {"vous", "votre", "vos"} & set(wording[Language.FRENCH].casefold().split())
    assert all("{providers}" in text for text in texts.notice.values())


def test_a_role_that_a_policy_does_not_name_has_nothing(tmp_path: Path) -> None:
    policy = load_policy(str(policy_file(tmp_path, replaced("[roles.student]\noffered = false\n", ""))))
    has = policy.of_role(Role.STUDENT)
    assert (has.offered, has.audiences, has.tools) == (False, frozenset(), {})


TEACHERS = (SHIPPED / "teacher-assistant.toml").read_text("utf-8")
NOT_FOUND_IN_FILIPINO = 'fil = "Wala akong nakita tungkol diyan sa manwal na mababasa mo."'


def replaced(old: str, new: str) -> str:
    assert old in TEACHERS
    return TEACHERS.replace(old, new, 1)


def policy_file(folder: Path, text: str | bytes) -> Path:
    file = folder / "my-policy.toml"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return file


def test_a_policy_of_a_file_loads(tmp_path: Path) -> None:
    assert load_policy(str(policy_file(tmp_path, TEACHERS))) == load_policy("teacher-assistant")


MALFORMED: dict[str, tuple[str | bytes, str]] = {
    "a key nobody knows": (replaced('citations = "shown"', 'citations = "shown"\nmoderator = true'), "moderator: "),
    "a role nobody knows": (TEACHERS + "\n[roles.parent]\noffered = true\n", "roles.parent"),
    "a key of a role nobody knows": (TEACHERS.replace("[roles.student]", "[roles.student]\nage = 1"), "student.age"),
    "an audience nobody knows": (replaced('["shared", ', '["everyone", '), "roles.teacher.audiences"),
    "a disclosure nobody knows": (replaced('read_guide = "open"', 'read_guide = "full"'), "tools.read_guide: "),
    "a missing wording": (replaced('fil = "Hindi kita', 'xx = "Hindi kita'), "texts.decline"),
    "a wording left out": (replaced(NOT_FOUND_IN_FILIPINO, ""), "texts: "),
    "an empty wording": (replaced(NOT_FOUND_IN_FILIPINO, 'fil = ""'), "texts.not_found.fil: "),
    "a wording of blanks": (
        replaced(NOT_FOUND_IN_FILIPINO, 'fil = "  \\n\\u00a0"'),
        "not_found.fil: Value error, has no word",
    ),
    "a wording of signs": (
        replaced(NOT_FOUND_IN_FILIPINO, 'fil = "…\u2800"'),
        "not_found.fil: Value error, has no word",
    ),
    "a wording with what nobody sees": (replaced(NOT_FOUND_IN_FILIPINO, 'fil = "Wala\\u202e."'), "that nobody sees"),
    "a wording with an image": (replaced(NOT_FOUND_IN_FILIPINO, 'fil = "![x](/a.png) Wala."'), "one of [ ] < "),
    "a wording with HTML": (replaced(NOT_FOUND_IN_FILIPINO, 'fil = "<b>Wala.</b>"'), "one of [ ] < "),
    "a wording with a bare link": (replaced(NOT_FOUND_IN_FILIPINO, 'fil = "HTTPS://evil.example"'), "one of [ ] < "),
    "a wording with a bare host": (replaced(NOT_FOUND_IN_FILIPINO, 'fil = "Sa www.evil.example"'), "one of [ ] < "),
    "a notice with a link": (replaced('[texts.notice]\nen = "', '[texts.notice]\nen = "[x](//y) '), "notice.en: "),
    "no word on standing": (replaced("standing = false\n", ""), "standing: Field required"),
    "no word on moderation": (replaced('moderation = "off"\n', ""), "moderation: Field required"),
    "a moderation nobody knows": (replaced('moderation = "off"', 'moderation = "requred"'), "moderation: "),
    "a text nobody knows": (replaced("[texts.lms_silent]", "[texts.lms_quiet]"), "texts.lms_quiet: "),
    "a text left out": (TEACHERS.partition("[texts.notice]")[0], "texts.notice: "),
    "no limit": (replaced("questions_per_minute = 6", ""), "limits.questions_per_minute: "),
    "a limit of nothing": (replaced("questions_per_minute = 6", "questions_per_minute = 0"), "questions_per_minute: "),
    "a limit that is a word": (
        replaced("questions_per_minute = 6", 'questions_per_minute = "six"'),
        "limits.questions_per_minute: ",
    ),
    "a limit of digits in quotes": (
        replaced("questions_per_minute = 6", 'questions_per_minute = "6"'),
        "limits.questions_per_minute: ",
    ),
    "a limit that is true": (
        replaced("questions_per_minute = 6", "questions_per_minute = true"),
        "limits.questions_per_minute: ",
    ),
    "a switch that is a number": (replaced("manual = true", "manual = 1"), "switches.manual: "),
    "a date": (replaced("manual = true", "manual = 2026-11-02"), "switches.manual: "),
    "a limit with a fraction": (
        replaced("questions_per_minute = 6", "questions_per_minute = 6.5"),
        "limits.questions_per_minute: ",
    ),
    "more requests than a question may take": (
        replaced("provider_requests = 6", "provider_requests = 7"),
        "effort.provider_requests: ",
    ),
    "a deadline out of reason": (
        replaced("deadline_seconds = 90", "deadline_seconds = 601"),
        "effort.deadline_seconds",
    ),
    "a negative retention": (replaced("manual_days = 30", "manual_days = -1"), "retention.manual_days: "),
    "citations nobody knows": (replaced('citations = "shown"', 'citations = "maybe"'), "citations: "),
    "a name of no form": (replaced('name = "teacher-assistant"', 'name = "My policy"'), "name: "),
    "no TOML": ("[roles", "not TOML"),
    "no UTF-8": (b"# \xff\n", "not TOML"),
    "a number without end": ("x = " + "9" * 5_000, "not TOML"),
    "nested out of reason": ("x = " + "[" * 20_000, "not TOML"),
    "a key of two lines": (TEACHERS + '\n["a\\nb"]\n', "a b: "),
    "an empty file": ("", "name: "),
}


@pytest.mark.parametrize(("text", "told"), MALFORMED.values(), ids=MALFORMED)
def test_a_malformed_policy_is_refused_in_one_line_that_names_the_place(
    tmp_path: Path, text: str | bytes, told: str
) -> None:
    file = policy_file(tmp_path, text)
    with pytest.raises(ConfigurationError) as refused:
        load_policy(str(file))
    line = str(refused.value)
    assert line.startswith(f"policy {file}: ")
    assert told in line
    assert "\n" not in line


@pytest.mark.parametrize(
    "name",
    ["no-such-policy", "../policies/default", "", ".", "x" * 5_000, "two\nlines"],
    ids=["unknown", "a path that is none", "empty", "a folder", "too long", "two lines"],
)
def test_a_policy_that_cannot_be_read_is_refused_by_its_setting(name: str) -> None:
    with pytest.raises(ConfigurationError) as refused:
        load_policy(name)
    line = str(refused.value)
    assert line.startswith("ASSIST_POLICY: ")
    assert "\n" not in line


def test_a_wording_stands_without_the_blanks_around_it(tmp_path: Path) -> None:
    text = replaced(NOT_FOUND_IN_FILIPINO, 'fil = """\n  Wala.\n"""')
    assert load_policy(str(policy_file(tmp_path, text))).texts.not_found[Language.FILIPINO] == "Wala."


STUDENT = "[roles.student]\noffered = false\n"
TRAINER = "[roles.trainer_admin]\noffered = false\n"


FORM = dict.fromkeys(TOOLS, Disclosure.OPEN) | dict.fromkeys(LOOKUPS, Disclosure.SEALED)
"""A form that each tool can be shown in."""


def given(role: str, *tools: str) -> str:
    """The policy with these tools for a role that has none."""
    head = role.splitlines()[0].strip("[]")
    return replaced(
        role, f"[{head}]\noffered = true\n[{head}.tools]\n" + "".join(f'{tool} = "{FORM[tool]}"\n' for tool in tools)
    )


def of_no_other_role(role: str) -> str:
    """What is said of a policy that gives this role every tool there is."""
    others = sorted(set(TOOLS) - set(OF_EVERYONE))
    assert {"get_classroom_results", "propose_question_edit", "create_question", *LOOKUPS} <= set(others)
    return "; ".join(f"roles.{role}.tools.{tool}: not for this role" for tool in others)


UNSERVED: dict[str, tuple[str, str]] = {
    "tools nobody knows": (
        replaced('read_guide = "open"', 'read_guide = "open"\ndrop_tables = "open"\nrun_sql = "masked"'),
        "roles.teacher.tools: there is no tool drop_tables; roles.teacher.tools: there is no tool run_sql",
    ),
    "a tool shown as it cannot be": (
        replaced('read_guide = "open"', 'read_guide = "sealed"'),
        "roles.teacher.tools.read_guide: cannot be sealed",
    ),
    "a lookup that a model would read": (
        replaced('read_guide = "open"', 'read_guide = "open"\nquery_exam_results = "masked"'),
        "roles.teacher.tools.query_exam_results: cannot be masked",
    ),
    "every tool for a student": (given(STUDENT, *TOOLS), of_no_other_role("student")),
    "every tool for a trainer administrator": (given(TRAINER, *TOOLS), of_no_other_role("trainer_admin")),
    "pages for staff for a student": (
        replaced(STUDENT, f"[roles.student]\noffered = true\naudiences = {[each.value for each in Audience]}\n"),
        "roles.student.audiences: not for this role: "
        "administrator:all, administrator:full, administrator:trainer, teacher",
    ),
    "nobody to offer it to": (TEACHERS.replace("offered = true", "offered = false"), "roles: none is offered"),
}


@pytest.mark.parametrize(("text", "told"), UNSERVED.values(), ids=UNSERVED)
def test_what_this_service_cannot_do_of_a_policy_is_refused_at_start(tmp_path: Path, text: str, told: str) -> None:
    settings = settings_for("postgresql://nowhere", "http://lms.test", policy=str(policy_file(tmp_path, text)))
    with pytest.raises(ConfigurationError) as refused:
        configure(settings)
    assert str(refused.value) == f"policy teacher-assistant: {told}"


def test_the_lookups_can_be_turned_on_beside_in_a_copy_of_the_default_policy(tmp_path: Path) -> None:
    """As the first lines of `default.toml` say: the lines of the school's policy, for who teaches."""
    school, text = ((SHIPPED / f"{name}.toml").read_text("utf-8") for name in ("school-manuals", "default"))
    lookups = list(dict.fromkeys(line for line in school.splitlines(keepends=True) if line.startswith("query_")))
    for role in ("teacher", "admin"):
        text = text.replace(f"[roles.{role}.tools]\n", f"[roles.{role}.tools]\n{''.join(lookups)}")
    settings = settings_for("postgresql://nowhere", "http://lms.test", policy=str(policy_file(tmp_path, text)))
    policy = configure(settings).policy
    for role in (Role.TEACHER, Role.ADMIN):
        assert policy.of_role(role).tools == MASKED_RESULTS | dict.fromkeys(LOOKUPS, Disclosure.SEALED)


def test_a_policy_file_with_the_tools_there_are_starts(tmp_path: Path) -> None:
    settings = settings_for("postgresql://nowhere", "http://lms.test", policy=str(policy_file(tmp_path, TEACHERS)))
    assert isinstance(configure(settings).policy, Policy)
