"""The demo of lookups: a teacher asks, asks on about what an answer lists, and chooses; no model reads any of it."""

from collections.abc import Sequence

from devtools.demo_roles import School, ask_as, indented
from devtools.demo_settings import DemoError
from devtools.first_question import Json

ROLE = "teacher"

QUESTION = "Which classes do I have?"

FOLLOW_UP = "Who are the top three?"
"""It names no class: that is the reference's to say."""

UNCLEAR = "Who has not taken the exam?"
"""It names no exam, and there are several."""

LABELS = 3
"""How many of what can be asked on about are named."""


def looks_up(policy: Json) -> bool:
    """Whether a teacher's lookups are answered by the service itself."""
    tools = policy["roles"].get(ROLE, {}).get("tools", {})
    return any(tool.startswith("query_") for tool in tools)


def look_up_and_follow(school: School) -> str:
    """A lookup, a follow-up through a reference of its answer, and a choice where one is asked for, for a terminal.

    Raises DemoError where a request is refused, a lookup was answered by a model, or the receipt says that one was
    asked for a choice or read what was found.
    """
    first = ask_as(school, ROLE, QUESTION)
    told = [_told(f"Question, from {school.people[ROLE]['name']}, role {ROLE}: {QUESTION}", first)]
    if not first["references"]:
        raise DemoError(f"{QUESTION!r} was answered with nothing to ask on about: {first['answer']}")
    talk, listed = first["conversation_id"], first["references"][0]
    further = ask_as(school, ROLE, FOLLOW_UP, conversation=talk, reference=listed["token"])
    told.append(_told(f"Follow-up, about {listed['label']}: {FOLLOW_UP}", further))
    asked = ask_as(school, ROLE, UNCLEAR, conversation=talk)
    told.append(_told(f"Question: {UNCLEAR}", asked, kinds=("live", "choice")))
    if asked["choices"]:
        chosen = asked["choices"][0]
        resumed = ask_as(school, ROLE, "", conversation=talk, reference=chosen["token"])
        if resumed["receipt"]["requests"]:
            raise DemoError(f"A model was asked again after {chosen['label']!r} was chosen")
        told.append(_told(f"Chosen: {chosen['label']}", resumed))
    return "\n\n".join(told)


def _told(asked: str, reply: Json, *, kinds: Sequence[str] = ("live",)) -> str:
    if reply["kind"] not in kinds:
        raise DemoError(f"{asked} did not come as {' or '.join(kinds)}: {reply['kind']}, {reply['answer']}")
    receipt = reply["receipt"]
    sent = [f"{each['tool']} ({each['disclosure']})" for each in receipt["sent"]]
    if not sent or any(each["disclosure"] != "sealed" for each in receipt["sent"]):
        raise DemoError(f"{asked} was not sealed, says the receipt: {', '.join(sent) or 'nothing was looked up'}")
    listed = [each["label"] for each in reply["references"]]
    return "\n".join(
        (
            asked,
            f"Answer ({reply['kind']}, {reply['language']})",
            *indented(reply["answer"]),
            *(f"  to choose: {each['label']}" for each in reply["choices"]),
            *([f"  to ask on about: {'; '.join(listed[:LABELS])}{_more(listed)}"] if listed else []),
            f"  receipt: {', '.join(sent)}; asked of the model: {receipt['requests']}",
        )
    )


def _more(listed: Sequence[str]) -> str:
    return f"; {len(listed) - LABELS} more" if len(listed) > LABELS else ""
