"""Which command of the screen the stub names: by its label or its id, where the question asks to do just that.

Whether it is run, offered or put on a card is the service's rule; a question of how something is done names none.
"""

import re
from collections.abc import Sequence

from assist_service.adapters.models.stub_asked import Asked, Call, OnScreen, Said
from assist_service.adapters.models.stub_words import folded_words, words

RUN = "run_screen_command"

_RUN = words("run execute launch trigger press lance lancer execute declenche appuie patakbuhin pindutin")
_SMALL = words("the a an this that of it to le la les l un une ce cet cette de du d ang ng itong ito command commande")

_STEM = 5
"""*Publie* and *Publier* begin alike."""

DONE: Said = {
    "en": "That is the command.",
    "fr": "C'est la commande.",
    "fil": "Iyan ang command.",
}


def command(asked: Asked) -> Call | str | None:
    """The command whose label or id the question says, after a verb for it or as an order of its own."""
    if not asked.has(RUN):
        return None
    if (ran := asked.result(RUN)) is not None:
        return ran.content if ran.is_error else asked.said(DONE)
    said = asked.order
    runs = bool(said) and said[0] in _RUN
    found = [each for each in asked.commands if _is_said(each, asked, said[1:] if runs else said, is_run=runs)]
    longest = max(found, key=lambda each: len(each.label), default=None)
    return Call(RUN, {"id": longest.id}) if longest is not None else None


def _is_said(each: OnScreen, asked: Asked, said: Sequence[str], *, is_run: bool) -> bool:
    """By its id as it stands, behind a verb for it; by all words of its label, where an order of its own begins with
    the first of them."""
    if is_run and re.search(rf"(?<![\w.-]){re.escape(each.id)}(?![\w-]|\.\w)", asked.question):
        return True
    label, heard = _stems(folded_words(each.label)), _stems(said)
    if not label or not set(label) <= set(heard):
        return False
    return is_run or heard[0] == label[0]


def _stems(told: Sequence[str]) -> Sequence[str]:
    return [word[:_STEM] for word in told if word not in _SMALL]
