"""The demo of a policy that opens and changes nothing: each role asks, and cites only pages that it may read."""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2

from devtools.demo_settings import DemoError, Ports
from devtools.first_question import ANSWER_SECONDS, Json, json_of

ROOT = Path(__file__).resolve().parent.parent

POLICIES = ROOT / "src" / "assist_service" / "policies"

QUESTIONS: Mapping[str, str] = {
    "student": "How do I leave a course?",
    "teacher": "How do I create a pool?",
    "trainer_admin": "How do I create a trainer's account?",
    "admin": "How do I switch elevated rights on and off?",
}
"""By role, each about a page that nobody else of them has but the administrator, who has all."""

OUTSIDE = "Who won the football world cup?"

FOLDERS: Mapping[str, frozenset[str]] = {
    "student": frozenset({"shared", "student"}),
    "teacher": frozenset({"shared", "student", "teacher"}),
    "trainer_admin": frozenset({"shared", "administrator"}),
    "admin": frozenset({"shared", "student", "teacher", "administrator"}),
}
"""What each may read, as the article has it. It is not taken from the policy: that is what is tried."""

FOR_TRAINERS = frozenset({"all", "trainer"})
"""The marks of the administrators' pages that a trainer administrator may read."""


@dataclass(frozen=True, kw_only=True)
class School:
    """Where the questions go, who asks them, and the manual that is read for the marks of its pages."""

    client: httpx2.Client
    ports: Ports
    people: Mapping[str, Json]
    """The first of each role in the reference LMS."""
    manual: Path


def opens_nothing(policy: Json) -> bool:
    """Whether nobody's answers open a screen: the usual demo would have nothing to show."""
    return not any("open_screen" in role.get("tools", {}) for role in policy["roles"].values())


def read_policy(name: str) -> Json:
    """The policy of a name or a path, as its file says it; the service has read it by now."""
    path = POLICIES / f"{name}.toml"
    return tomllib.loads((path if path.is_file() else Path(name)).read_text(encoding="utf-8"))


def ask_as_each_role(client: httpx2.Client, ports: Ports, *, policy: Json, environ: Mapping[str, str]) -> str:
    """The four answers with what they cite, and the refusal of a question that is outside the manual, for a terminal.

    Raises DemoError where a request is refused, an answer cites nothing or a page its reader may not read, or the
    refusal is another text than the policy's.
    """
    school = school_of(client, ports, environ=environ)
    told = [_answered(school, role) for role in QUESTIONS]
    return "\n\n".join([*told, _refused(school, policy["texts"])])


def school_of(client: httpx2.Client, ports: Ports, *, environ: Mapping[str, str]) -> School:
    """The reference LMS's school, asked who is in it."""
    known = json_of(client.get(f"{ports.lms_url}/demo/school"), doing="Reading the reference LMS's school")
    people = {person["role"]: person for person in reversed(known["people"])}
    manual = Path(environ.get("ASSIST_MANUAL") or ROOT / "corpus")
    return School(client=client, ports=ports, people=people, manual=manual)


def _answered(school: School, role: str) -> str:
    reply = ask_as(school, role, QUESTIONS[role])
    cited = reply["citations"]
    if not cited:
        raise DemoError(f"The {role} was answered without a citation: {reply['answer']}")
    for each in cited:
        if not (_may_read(role, each["page"], school.manual) and _opens(school, role, each["href"])):
            raise DemoError(f"The {role} was answered from {each['page']}, which is not theirs to read")
    return "\n".join(
        (
            f"Question, from {school.people[role]['name']}, role {role}: {QUESTIONS[role]}",
            f"Answer ({reply['kind']}, {reply['language']})",
            *indented(reply["answer"]),
            *(f"  cites {each['page']}: {each['title']}, which this role may read" for each in cited),
        )
    )


def _refused(school: School, texts: Mapping[str, Mapping[str, str]]) -> str:
    reply = ask_as(school, "student", OUTSIDE)
    fixed = {texts[each][reply["language"]] for each in ("decline", "not_found")}
    if reply["answer"] not in fixed or reply["citations"] or reply["actions"]:
        raise DemoError(f"{OUTSIDE!r} was not refused in the policy's words and no others: {reply['answer']}")
    return "\n".join(
        (
            f"Question, outside the manual: {OUTSIDE}",
            f"Answer ({reply['kind']}, {reply['language']})",
            *indented(reply["answer"]),
            "  exactly the policy's refusal, and nothing else",
        )
    )


def _may_read(role: str, page: str, manual: Path) -> bool:
    folder = page.partition("/")[0]
    if role != "trainer_admin" or folder != "administrator":
        return folder in FOLDERS[role]
    return _mark(manual / f"{page}.md") in FOR_TRAINERS


def _mark(page: Path) -> str:
    """Which administrators a page is for, by its header; full administrators where it says nothing."""
    if not page.is_file():
        raise DemoError(f"The mark of {page} cannot be read: the demo wants the manual as a folder")
    header = page.read_text(encoding="utf-8").split("---")[1]
    marks = [line.partition(":")[2].strip() for line in header.splitlines() if line.startswith("admins:")]
    return marks[0] if marks else "full"


def _opens(school: School, role: str, href: str) -> bool:
    """Whether the service opens a citation for who was answered with it."""
    answer = school.client.get(f"{school.ports.service_url}{href}", headers=_session(school, role))
    return answer.status_code == 200


def ask_as(
    school: School, role: str, question: str, *, conversation: str | None = None, reference: str | None = None
) -> Json:
    """The reply to this role's person; DemoError where it is refused."""
    context: Json = {"route": "/", "topic": None, "language": "en", "entities": {}, "commands": []}
    body: dict[str, Any] = {"conversation_id": conversation, "question": question, "context": context}
    reply = school.client.post(
        f"{school.ports.service_url}/assist/ask",
        json={**body, "editor": None, "reference": reference},
        headers=_session(school, role),
        timeout=ANSWER_SECONDS,
    )
    return json_of(reply, doing=f"Asking {question!r} as {role}")


def _session(school: School, role: str) -> dict[str, str]:
    if role not in school.people:
        raise DemoError(f"The reference LMS has nobody with the role {role}")
    session = {"person": school.people[role]["sub"], "kind": "portal", "elevated": False}
    started = school.client.post(f"{school.ports.lms_url}/demo/session", json=session)
    return {"Authorization": f"Bearer {json_of(started, doing='Starting a session')['token']}"}


def indented(text: str) -> Sequence[str]:
    """Its lines, as they stand under what they belong to."""
    return [f"  {line}".rstrip() for line in text.splitlines()]
