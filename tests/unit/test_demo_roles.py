"""The demo of the four roles believes no answer: what is cited, what is refused, and what opens are tried by itself."""

import json
from collections.abc import Mapping
from typing import Any

import httpx2
import pytest

from assist_service.adapters.configuration import load_policy
from devtools.demo_roles import OUTSIDE, QUESTIONS, ask_as_each_role, opens_nothing, read_policy
from devtools.demo_settings import DemoError, Ports

POLICY = read_policy("school-manuals")

REFUSAL = POLICY["texts"]["not_found"]["en"]

PAGES: Mapping[str, str] = {
    "student": "student/joining-a-course",
    "teacher": "teacher/pools",
    "trainer_admin": "administrator/trainer-accounts",
    "admin": "administrator/elevated-rights",
}

PORTS = Ports(service=1, lms=2)


def told(
    pages: Mapping[str, str | None] = PAGES, *, refusal: str = REFUSAL, cited_beside: bool = False, opened: int = 200
) -> str:
    """What the demo prints of a service that cites these pages by role; a role that is left out has no person."""

    def answer(request: httpx2.Request) -> httpx2.Response:
        body = json.loads(request.content or b"null")
        match request.url.path:
            case "/demo/school":
                people = [{"sub": f"sub of {role}", "name": f"A {role}", "role": role} for role in pages]
                return httpx2.Response(200, json={"people": people, "entities": []})
            case "/demo/session":
                return httpx2.Response(200, json={"token": body["person"].removeprefix("sub of ")})
            case "/assist/ask":
                return httpx2.Response(200, json=reply(body["question"], request.headers["authorization"].split()[1]))
            case path:
                assert path.startswith("/assist/manual/v/")
                return httpx2.Response(opened, json={})

    def reply(question: str, role: str) -> dict[str, Any]:
        page = pages[role]
        cites = [] if page is None else [{"page": page, "title": "T", "href": "/assist/manual/v/1"}]
        if question == OUTSIDE:
            return {
                "kind": "refusal", "language": "en", "answer": refusal, "citations": cites if cited_beside else [],
                "actions": [],
            }  # fmt: skip
        assert question == QUESTIONS[role]
        return {"kind": "manual", "language": "en", "answer": "So [1].", "citations": cites, "actions": []}

    with httpx2.Client(transport=httpx2.MockTransport(answer)) as client:
        return ask_as_each_role(client, PORTS, policy=POLICY, environ={})


def test_each_role_is_told_with_what_it_cites_and_the_refusal_word_for_word() -> None:
    said = told()
    for role, page in PAGES.items():
        assert f"role {role}: {QUESTIONS[role]}" in said
        assert f"  cites {page}: T" in said
    assert f"\n  {REFUSAL}\n" in said


@pytest.mark.parametrize(
    ("role", "page"),
    [
        ("student", "teacher/pools"),
        ("student", "administrator/import-people"),
        ("teacher", "administrator/people"),
        ("trainer_admin", "teacher/pools"),
        ("trainer_admin", "student/your-results"),
        ("trainer_admin", "administrator/people"),
        ("trainer_admin", "administrator/nowhere"),
        ("admin", "elsewhere/page"),
        ("student", None),
    ],
)
def test_an_answer_from_a_page_of_another_role_or_from_none_fails_the_demo(role: str, page: str | None) -> None:
    with pytest.raises(DemoError):
        told({**PAGES, role: page})


@pytest.mark.parametrize("page", ["administrator/import-people", "shared/signing-in"])
def test_a_trainer_may_have_what_is_marked_for_all_and_what_is_shared(page: str) -> None:
    assert f"cites {page}" in told({**PAGES, "trainer_admin": page})


@pytest.mark.parametrize(
    "changed",
    [{"refusal": f"{REFUSAL} Sorry."}, {"refusal": "No."}, {"cited_beside": True}, {"opened": 404}],
    ids=str,
)
def test_another_refusal_or_a_citation_that_does_not_open_fails_the_demo(changed: Any) -> None:
    with pytest.raises(DemoError):
        told(**changed)


def test_a_school_that_lacks_a_role_fails_the_demo() -> None:
    with pytest.raises(DemoError, match="nobody with the role admin"):
        told({role: page for role, page in PAGES.items() if role != "admin"})


@pytest.mark.parametrize(("name", "does"), [("default", False), ("teacher-assistant", False), ("school-manuals", True)])
def test_which_demo_a_policy_has_is_read_from_its_tools(name: str, does: bool) -> None:
    assert opens_nothing(read_policy(name)) is does
    assert read_policy(name)["name"] == load_policy(name).name
