"""What of a question and of an answer is moderated, and in which form: never a name that a model was not shown."""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Any

from assist_service.domain.acts import Acts
from assist_service.domain.answer import Checked
from assist_service.domain.context import Command
from assist_service.domain.names import Masks

MODERATED_CHARACTERS = 120_000
"""The most of one answer that is judged, proposals and cards included, and the only bound there is. What is longer is
refused unread: the longest answer is 20,000 characters, and 100,000 more are more than anybody reads in a chat."""

WORDS, OPENAI = "words", "openai"

MODERATORS = (WORDS, OPENAI)
"""The kinds of moderators there are: how their names begin, and what metrics call them."""

OPENAI_COMPATIBLE = "an OpenAI-compatible server"
"""What a notice calls a server that is not OpenAI's: whose it is only the operator knows, and no company may be named
that may have no part in it."""

_ID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


class Judged(StrEnum):
    """Whose words are judged. It decides by whom: the service's own never leave it."""

    QUESTION = "question"
    ANSWER = "answer"
    SERVICE = "service"


class Verdict(StrEnum):
    """What a moderator came to; the last two say nothing of the text.

    `fault` is the moderator's, `unjudged` is nobody's: the question's time was used up before.
    """

    PASSED = "passed"
    REFUSED = "refused"
    FAULT = "fault"
    UNJUDGED = "unjudged"


def written(checked: Checked, masks: Masks, seen: Callable[[str], str]) -> Mapping[Judged, str]:
    """Everything of a checked answer that a person would read, by whose words it is; the model's are masked.

    `seen` gives what a reader sees of Markdown. A word may be whole on the page only: what it does not say is judged
    as it is written too, for a card shows it so.
    """
    # The answer is masked still, but for names that came with the question; what it does has all of them already.
    # Names are hidden last: markup could part one, and be gone on the page.
    acts = (each for text in texts_of(checked.acts) for each in dict.fromkeys((text, seen(text))))
    by_model = [masks.hidden(seen(checked.words)), *map(masks.kept_from, acts)]
    return {Judged.ANSWER: _paragraphs(by_model), Judged.SERVICE: checked.added}


def asked_beside(question: str, commands: Sequence[Command]) -> str:
    """A question with the commands that go to the model beside it: whoever writes the one can write the others."""
    return "\n".join((question, *(f"{command.id} | {command.label}" for command in commands)))


def texts_of(acts: Acts) -> Iterator[str]:
    """The texts of the model's in what an answer does. A card's titles and the people it names are the LMS's."""
    if acts.screen is not None:
        yield from acts.screen.params.values()
    if acts.edit is not None:
        yield from (change.after for change in acts.edit.changes)
    for prepared in acts.writes:
        yield from _texts_in(json.loads(prepared.request.body))


def _texts_in(value: Any) -> Iterator[str]:
    """Every text of a JSON value, keys too, but for ids: a card shows them all."""
    match value:
        case str():
            if not _ID.fullmatch(value):
                yield value
        case list():
            for each in value:
                yield from _texts_in(each)
        case dict():
            for key, each in value.items():
                yield key
                yield from _texts_in(each)


def _paragraphs(texts: Iterable[str]) -> str:
    return "\n\n".join(text for text in texts if text.strip())
