"""Who is let in at all: role × kind of session, pinned pair by pair; what no line names is denied."""

from typing import Any

import pytest

from assist_service.domain.people import (
    Admission,
    Person,
    Role,
    Session,
    SessionKind,
    admission,
    is_subject,
    person_of,
)

TABLE = {
    ("student", "portal"): "admitted",
    ("teacher", "portal"): "admitted",
    ("trainer_admin", "portal"): "admitted",
    ("admin", "portal"): "admitted",
    ("student", "student_view"): "not_offered",
    ("teacher", "student_view"): "not_offered",
    ("trainer_admin", "student_view"): "not_offered",
    ("admin", "student_view"): "not_offered",
    ("student", "impersonation"): "not_offered",
    ("teacher", "impersonation"): "not_offered",
    ("trainer_admin", "impersonation"): "not_offered",
    ("admin", "impersonation"): "not_offered",
    ("student", "api_token"): "not_offered",
    ("teacher", "api_token"): "not_offered",
    ("trainer_admin", "api_token"): "not_offered",
    ("admin", "api_token"): "not_offered",
    ("student", "oauth"): "not_offered",
    ("teacher", "oauth"): "not_offered",
    ("trainer_admin", "oauth"): "not_offered",
    ("admin", "oauth"): "not_offered",
    ("student", "seb"): "unauthenticated",
    ("teacher", "seb"): "unauthenticated",
    ("trainer_admin", "seb"): "unauthenticated",
    ("admin", "seb"): "unauthenticated",
    ("student", "kiosk"): "unauthenticated",
    ("teacher", "kiosk"): "unauthenticated",
    ("trainer_admin", "kiosk"): "unauthenticated",
    ("admin", "kiosk"): "unauthenticated",
}


def test_the_whole_table_is_pinned() -> None:
    told = {(role.value, kind.value): admission(role, kind).value for role in Role for kind in SessionKind}
    assert told == TABLE


def test_the_table_holds_every_role_and_every_kind() -> None:
    assert {role.value for role in Role} == {role for role, _ in TABLE}
    assert {kind.value for kind in SessionKind} == {kind for _, kind in TABLE}


@pytest.mark.parametrize(
    ("role", "kind"),
    [
        ("parent", SessionKind.PORTAL),
        (Role.ADMIN, "terminal"),
        ("", ""),
        (None, None),
        (SessionKind.PORTAL, Role.ADMIN),
    ],
)
def test_a_pair_the_table_does_not_hold_is_not_let_in(role: Any, kind: Any) -> None:
    assert admission(role, kind) is Admission.UNAUTHENTICATED


@pytest.mark.parametrize("role", Role)
@pytest.mark.parametrize("elevated", [True, False])
def test_elevated_rights_count_for_an_administrator_only(role: Role, elevated: bool) -> None:
    person = person_of(Session("s-1", "sid-1", role, SessionKind.PORTAL, elevated))
    assert person == Person("s-1", role, elevated and role is Role.ADMIN)


@pytest.mark.parametrize("name", ["a", "person-17", "urn:x:1", "!", "~" * 255, "a@b.example"])
def test_a_subject_is_visible_ascii(name: str) -> None:
    assert is_subject(name)


@pytest.mark.parametrize("name", ["", " ", "a b", "a\x00", "a\n", "é", "a\u200b", "\ud800", "~" * 256, "a\x7f"])
def test_nothing_else_is_a_subject(name: str) -> None:
    assert not is_subject(name)
