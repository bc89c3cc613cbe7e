"""The demo's acts: a screen that an answer opens, and a change that a person is shown and confirms."""

from collections.abc import Sequence

import httpx2

from devtools.demo_settings import Ports
from devtools.first_question import Asker, Json, ask, json_of, post

SHOW_QUESTION = "Show me the pool {title}"
CHANGE_QUESTION = "Create the category “Revision” in this pool"


def show_and_change(client: httpx2.Client, ports: Ports, asker: Asker) -> str:
    """Two answers that do something, for a terminal. A policy or a model that does neither is told as it answered.

    Raises DemoError when a request is refused.
    """
    shown = SHOW_QUESTION.format(title=asker.pool_title)
    opening = ask(client, ports, asker, shown)
    changing = ask(client, ports, asker, CHANGE_QUESTION)
    parts = [*_told(shown, opening), "", *_told(CHANGE_QUESTION, changing)]
    for write in changing["writes"]:
        parts += ["  On the card:", *(f"    {line['label']}: {line['value']}" for line in write["lines"])]
        body = {"conversation_id": changing["conversation_id"]}
        confirmed = post(client, ports, asker, f"/assist/writes/{write['id']}/confirm", body)
        done = json_of(confirmed, doing="Confirming the change")
        parts += ["  Confirmed by the person:", f"    {done['title']}: {done['path']}"]
    return "\n".join(parts)


def _told(question: str, reply: Json) -> Sequence[str]:
    actions = [f"    {action['type']}: {action.get('path') or action.get('label')}" for action in reply["actions"]]
    return (
        f"Question: {question}",
        f"Answer ({reply['kind']}, {reply['language']})",
        *(f"  {line}" for line in reply["answer"].splitlines()),
        *(["  For the browser:", *actions] if actions else []),
    )
