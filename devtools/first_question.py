"""The demo's questions: a teacher of the reference LMS asks over HTTP, and the answer is printed."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2

from devtools.demo_settings import DemoError, Ports

QUESTION = "How do I create a pool?"

LIVE_QUESTION = "Which courses do I have?"
"""One whose answer is no page of the manual but what the LMS shows this teacher."""

ANSWER_SECONDS = 100.0
"""A little more than a question's own deadline of 90 s, so that the service's refusal is what one sees."""

Json = dict[str, Any]


@dataclass(frozen=True)
class Asker:
    """Who asks, by `sub` and name, and the pool they own whose screen they are on, with its title."""

    sub: str
    name: str
    pool: str
    pool_title: str = ""


def json_of(response: httpx2.Response, *, doing: str) -> Json:
    """A 200's body; DemoError with the status and the problem otherwise."""
    if response.status_code != 200:
        raise DemoError(f"{doing} failed: {response.status_code} {response.text[:500]}")
    body: Json = response.json()
    return body


def choose_asker(school: Json) -> Asker:
    """The first teacher of `GET /demo/school`, with the first pool that is theirs."""
    for person in school["people"]:
        if person["role"] != "teacher":
            continue
        for entity in school["entities"]:
            if entity["kind"] == "pool" and entity["owner"] == person["sub"]:
                return Asker(
                    sub=person["sub"], name=person["name"], pool=entity["id"], pool_title=entity.get("title", "")
                )
    raise DemoError("The reference LMS has no teacher with a pool")


def session_request(asker: Asker) -> Json:
    """The body of `POST /demo/session` for an ordinary session of `asker`."""
    return {"person": asker.sub, "kind": "portal", "elevated": False}


def ask_request(asker: Asker, question: str) -> Json:
    """The body of `POST /assist/ask` for a question from the screen of the asker's pool."""
    context = {
        "route": "/pools/:id",
        "topic": "pool",
        "language": "en",
        "entities": {"pool": asker.pool},
        "commands": [],
    }
    return {
        "conversation_id": None,
        "question": question,
        "context": context,
        "editor": None,
        "reference": None,
    }


def post(client: httpx2.Client, ports: Ports, asker: Asker, path: str, body: Json) -> httpx2.Response:
    """The service's answer, in a session of its own; DemoError when there is none to be had."""
    session = client.post(f"{ports.lms_url}/demo/session", json=session_request(asker))
    token = json_of(session, doing="Starting a session")["token"]
    return client.post(
        f"{ports.service_url}{path}",
        json=body,
        headers={"Authorization": f"Bearer {token}"},
        timeout=ANSWER_SECONDS,
    )


def ask(client: httpx2.Client, ports: Ports, asker: Asker, question: str) -> Json:
    """The service's reply; DemoError when it is refused."""
    reply = post(client, ports, asker, "/assist/ask", ask_request(asker, question))
    return json_of(reply, doing=f"Asking {question!r}")


def ask_first_question(client: httpx2.Client, ports: Ports) -> tuple[Asker, Json]:
    """Who asked and the service's reply; DemoError when any of the three requests is refused."""
    asker = asker_of(client, ports)
    return asker, ask(client, ports, asker, QUESTION)


def asker_of(client: httpx2.Client, ports: Ports) -> Asker:
    """The teacher of the reference LMS who asks."""
    school = client.get(f"{ports.lms_url}/demo/school")
    return choose_asker(json_of(school, doing="Reading the reference LMS's school"))


def describe_answer(question: str, reply: Json) -> str:
    """The question and the answer only, for a terminal."""
    return _paragraphs({f"Question: {question}": [], _answer_title(reply): reply["answer"].splitlines()})


def describe_reply(asker: Asker, reply: Json) -> str:
    """The question, the answer, what it cites and what it cost, for a terminal."""
    receipt = reply["receipt"]
    cited = [f"[{one['marker']}] {one['title']}, {one['page']}: {one['href']}" for one in reply["citations"]]
    tools = [f"{one['tool']} ({one['disclosure']})" for one in receipt["sent"]]
    paragraphs = {
        f"Question, from {asker.name}, a teacher, at /pools/:id": [QUESTION],
        _answer_title(reply): reply["answer"].splitlines(),
        "Citations": cited or ["none"],
        "Receipt": [
            f"models         {', '.join(receipt['models'])}",
            f"requests       {receipt['requests']}",
            f"tokens         {receipt['input_tokens']} in, {receipt['cached_input_tokens']} of them cached; "
            f"{receipt['output_tokens']} out",
            f"cost           {receipt['cost_micros'] / 1_000_000:.6f} USD",
            f"manual         {receipt['corpus_version']}",
            f"tools' results {', '.join(tools) or 'none'}",
            f"also sent      {', '.join(receipt['also_sent']) or 'nothing'}",
        ],
    }
    return _paragraphs(paragraphs)


def _answer_title(reply: Json) -> str:
    return f"Answer ({reply['kind']}, {reply['language']})"


def _paragraphs(paragraphs: Mapping[str, Sequence[str]]) -> str:
    return "\n\n".join("\n".join([title, *(f"  {line}" for line in lines)]) for title, lines in paragraphs.items())


WALK = "docs/first-walk.md"


def describe_next_steps(asker: Asker, ports: Ports, *, logs: Path, has_walk: bool) -> str:
    """Where to look while the demo serves, and how to ask another question: first of all what a browser opens.

    `has_walk` where the policy lets a teacher do what the walk does.
    """
    json_type = "-H 'Content-Type: application/json'"
    session = json.dumps(session_request(asker))
    question = json.dumps(ask_request(asker, "What is a template?"))
    walk = f"sign in as a teacher, and take {WALK} along" if has_walk else "and sign in as anybody"
    return f"""Open {ports.lms_url}, {walk}.

The service is at {ports.service_url}.

  Be one of its people      {ports.lms_url}/sign-in (in a browser: the pages, with the assistant)
  What this session may do  {ports.service_url}/assist/availability (with the token below)
  Ready, and why not        {ports.service_url}/readyz
  People and things         {ports.lms_url}/demo/school
  What the servers print    {logs}

Ask another question (a session lasts five minutes):

  TOKEN=$(curl -s {ports.lms_url}/demo/session {json_type} -d '{session}' \\
    | python3 -c 'import json, sys; print(json.load(sys.stdin)["token"])')
  curl -s {ports.service_url}/assist/ask -H "Authorization: Bearer $TOKEN" {json_type} \\
    -d '{question}'

Ctrl-C ends the demo and leaves nothing behind."""
