"""`assist-service lms check` against the reference LMS: green, and red by name for each rule that it breaks."""

from collections.abc import AsyncIterator, Mapping

import pytest

from assist_service.adapters.lms import school_reads
from assist_service.adapters.lms.checking.check import ENDPOINTS, RULES
from assist_service.adapters.lms.checking.survey import READ_NAMES, name_of
from assist_service.adapters.lms.checking.writes import WRITE_RULES
from assist_service.adapters.lms.reading import Read
from assist_service.bootstrap.checking import Given
from assist_service.domain.lms_check import RESTS_ON, SENTENCES, Rule, Verdict
from examples.reference_lms.rules import Break
from examples.reference_lms.school import ADMIN, STUDENTS
from tests.web.checked_lms import OTHER, TEACHER, Checked, open_checked, red, unchecked

pytestmark = pytest.mark.slow

RULE_OF: Mapping[Break, Rule] = {
    Break.ACCEPT_WRONG_AUDIENCE: Rule.WRONG_AUDIENCE,
    Break.ACCEPT_FOREIGN_SUBJECT: Rule.FOREIGN_SUBJECT,
    Break.ACCEPT_FORGED_SESSION: Rule.FORGED_SESSION,
    Break.ACCEPT_FORGED_CLIENT: Rule.CLIENT_KEY,
    Break.ACCEPT_WITHOUT_CLIENT: Rule.CLIENT_NEEDED,
    Break.ACCEPT_WITHOUT_TOKEN: Rule.TOKEN_NEEDED,
    Break.HONOUR_ELEVATED: Rule.ELEVATED,
    Break.ACCEPT_EXPIRED: Rule.EXPIRED,
    Break.LEAK_OTHER_PEOPLE: Rule.OTHER_PEOPLE,
    Break.WRITE_WITH_READ_TOKEN: Rule.READ_SCOPE,
    Break.FORGET_IDEMPOTENCY_KEYS: Rule.IDEMPOTENCY,
    Break.ACCEPT_WITHOUT_PROOF: Rule.PROOF_NEEDED,
    Break.ACCEPT_REPLAYED_PROOF: Rule.PROOF_REPLAYED,
    Break.ACCEPT_FOREIGN_PROOF: Rule.PROOF_BOUND,
    Break.IGNORE_REVOCATION: Rule.REVOKED,
    Break.LONG_LIVED_TOKENS: Rule.LIFETIME,
    Break.TELL_NO_SEAT: Rule.NO_SEAT,
}


@pytest.fixture
async def lms() -> AsyncIterator[Checked]:
    async with open_checked() as opened:
        yield opened


def test_every_read_and_every_rule_has_its_check() -> None:
    every = {name_of(read) for read in vars(school_reads).values() if isinstance(read, Read)}
    assert set(READ_NAMES) == every
    assert len(ENDPOINTS) == len(set(ENDPOINTS)) == 29
    assert {*RULES, *WRITE_RULES} == set(Rule) == set(SENTENCES)
    order = list(RULES)
    assert all(order.index(base) < order.index(rule) for rule, base in RESTS_ON.items())


async def test_the_reference_lms_is_green(lms: Checked) -> None:
    report = await lms.check()
    assert (red(report), unchecked(report)) == ({}, {})
    assert report.is_green
    assert {outcome.verdict for outcome in report.rules.values()} == {Verdict.KEPT}


async def test_it_leaves_one_draft_and_no_token(lms: Checked) -> None:
    await lms.check()
    assert [path for path, status in await lms.writes() if status == 201] == ["/api/questions"]
    assert await lms.live() == []


async def test_without_leave_nothing_is_written(lms: Checked) -> None:
    report = await lms.check(writes=False)
    assert not report.is_green
    assert red(report) == {}
    assert len(unchecked(report)) == 8
    assert all("--with-writes" in why for why in unchecked(report).values())
    assert await lms.writes() == []


@pytest.mark.parametrize("switch", Break)
async def test_a_broken_rule_is_red_by_its_name_and_no_other(lms: Checked, switch: Break) -> None:
    await lms.inject(switch)
    report = await lms.check()
    assert set(red(report)) == {RULE_OF[switch]}
    assert not report.is_green


@pytest.mark.parametrize(("dpop", "revocation"), [(False, True), (True, False), (False, False)])
async def test_what_the_settings_rule_out_is_not_needed(dpop: bool, revocation: bool) -> None:
    async with open_checked(dpop=dpop, revocation=revocation) as lms:
        report = await lms.check()
    assert (red(report), unchecked(report)) == ({}, {})
    not_needed = {rule for rule, outcome in report.rules.items() if outcome.verdict is Verdict.NOT_NEEDED}
    proofs = {Rule.PROOF_NEEDED, Rule.PROOF_REPLAYED, Rule.PROOF_KEY, Rule.PROOF_BOUND}
    assert not_needed == (set() if dpop else proofs) | (set() if revocation else {Rule.REVOKED})
    assert report.is_green


async def test_an_lms_without_what_the_settings_say_it_has_is_red() -> None:
    async with open_checked(dpop=False, revocation=False, lms_dpop=True, lms_revocation=True) as lms:
        report = await lms.check()
    assert red(report)["POST /oauth/token"] == "token_type is not DPoP"
    assert report.endpoints["POST /oauth/revoke"].verdict is Verdict.MISSING


async def given_of(lms: Checked, **more: str) -> Given:
    return Given(await lms.session(TEACHER), await lms.session(OTHER), **more)


async def test_a_rule_without_its_session_is_not_checked(lms: Checked) -> None:
    report = await lms.check(given=await given_of(lms))
    wanted = {"foreign_subject": "--foreign-session", "expired": "--expired-session", "elevated": "--elevated-session"}
    assert set(unchecked(report)) == set(wanted)
    assert all(wanted[rule] in why for rule, why in unchecked(report).items())
    assert not report.is_green


async def test_another_teacher_without_anything_shows_nothing(lms: Checked) -> None:
    report = await lms.check(given=Given(await lms.session(TEACHER), await lms.session(STUDENTS[0].sub)))
    assert {"other_people", "no_seat"} <= set(unchecked(report))
    assert "has no course, no pool" in unchecked(report)["no_seat"]


async def test_a_session_that_is_not_what_it_is_given_for_proves_nothing(lms: Checked) -> None:
    plain, admins = await lms.session(TEACHER), await lms.session(ADMIN.sub)
    report = await lms.check(given=await given_of(lms, foreign=plain, expired=plain, elevated=admins))
    assert set(unchecked(report)) == {"foreign_subject", "expired", "elevated"}
    forged = f"{await lms.session(TEACHER, audience='urn:other')}x"
    report = await lms.check(given=await given_of(lms, foreign=forged))
    assert "foreign_subject" in unchecked(report)


@pytest.mark.parametrize(
    "path", ["/api/courses", "/api/question-types", "/api/assist/standing/", "/oauth/token", "/oauth/revoke", "/api/"]
)
async def test_an_endpoint_that_is_not_there_is_missing(lms: Checked, path: str) -> None:
    given = await lms.given()
    await lms.inject("status", path=path, status=404)
    report = await lms.check(given=given)
    named = {name for name, outcome in report.endpoints.items() if outcome.verdict is Verdict.MISSING}
    assert named
    assert all(name.split()[1].startswith(path.rstrip("/")) for name in named)
    assert not any(outcome.verdict is Verdict.BROKEN for outcome in report.rules.values())
    assert not report.is_green


WRONG = {
    "other_schema": "another shape than ",
    "not_json": "not JSON",
    "html": "not JSON",
    "redirect": "status 302, 200 was due",
    "huge": "an answer above 2 MiB",
    "reset": "no answer",
}


@pytest.mark.parametrize(
    ("fault", "path"),
    [*((fault, "/api/question-types") for fault in WRONG), ("html", "/api/assist/standing/"), ("reset", "/api/pools")],
)
async def test_a_wrong_answer_is_told_with_its_reason(lms: Checked, fault: str, path: str) -> None:
    await lms.inject(fault, path=path)
    report = await lms.check(given=await lms.given(), writes=False)
    wrong = {name: why for name, why in red(report).items() if name.startswith(f"GET {path}")}
    assert wrong
    assert all(WRONG[fault] in why for why in wrong.values())


async def test_fields_are_named_and_no_content(lms: Checked) -> None:
    await lms.inject("other_schema", path="/api/courses")
    report = await lms.check()
    assert "items (" in red(report)["GET /api/courses"]


async def test_a_wrong_key_set_and_a_wrong_session_are_told(lms: Checked) -> None:
    report = await lms.check(given=Given(await lms.session(TEACHER, age_seconds=600), await lms.session(OTHER)))
    assert "it has expired" in red(report)["session of --session"]
    assert "invalid_grant" in red(report)["POST /oauth/token"]
    assert {outcome.verdict for outcome in report.rules.values()} == {Verdict.NOT_CHECKED}
    await lms.inject("jwks_garbage")
    assert "key set" in red(await lms.check())
