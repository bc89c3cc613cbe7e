"""The sentences that only the service says, and how they are taken out of what anybody else wrote.

A model that reads them in a conversation learns to write them, and a reader cannot tell whose they are. So they leave
what it says before the service adds its own, and what it is sent of earlier answers.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby, takewhile

from assist_service.domain.claims import plain
from assist_service.domain.folding import folded
from assist_service.domain.lookalikes import read_as_latin
from assist_service.domain.screens import Language

Words = Mapping[Language, str]

EN, FR, FIL = Language.ENGLISH, Language.FRENCH, Language.FILIPINO

OPENS: Words = {
    EN: "Opens: {what}.",
    FR: "S'ouvre : {what}.",
    FIL: "Bubuksan: {what}.",
}

COMMANDS: Mapping[str, Words] = {
    "run_command": {
        EN: "A command of this screen runs.",
        FR: "Une commande de cet écran s'exécute.",
        FIL: "Tatakbo ang isang command ng screen na ito.",
    },
    "offer_command": {
        EN: "A command of this screen is offered as a button; it runs only when you click it.",
        FR: "Une commande de cet écran est proposée par un bouton ; elle ne s'exécute que si tu cliques.",
        FIL: "May button para sa isang command ng screen na ito; tatakbo lang kapag pinindot mo.",
    },
    "confirm_command": {
        EN: "A command of this screen waits for your confirmation; nothing has changed yet.",
        FR: "Une commande de cet écran attend ta confirmation ; rien n'a encore changé.",
        FIL: "Naghihintay ng kumpirmasyon mo ang isang command ng screen na ito; wala pang nagbago.",
    },
}

PREPARED: Words = {
    EN: "Prepared, and waiting for you: {what}. Nothing has changed yet.",
    FR: "Préparé, et en attente de ta décision : {what}. Rien n'a encore changé.",
    FIL: "Inihanda, at naghihintay sa iyo: {what}. Wala pang nagbago.",
}

NOTHING_CHANGED: Words = {
    EN: "Nothing was changed on the platform.",
    FR: "Rien n'a été modifié sur la plateforme.",
    FIL: "Walang binago sa platform.",
}

NOTHING_PREPARED: Words = {
    EN: "Nothing waits for your confirmation.",
    FR: "Rien n'attend ta confirmation.",
    FIL: "Walang naghihintay ng kumpirmasyon mo.",
}

SAYS: Words = {
    EN: "The service says:",
    FR: "Le service indique :",
    FIL: "Sabi ng serbisyo:",
}
"""How the panel begins the line in which it says what this service has done."""

SAYS_OTHERWISE = ("The service said:", "Le service dit :", "Sinasabi ng serbisyo:", "Ayon sa serbisyo:")

OUTCOMES: Mapping[str, Words] = {
    "opened": {EN: "Opened: {what}", FR: "Ouvert : {what}", FIL: "Binuksan: {what}"},
    "done": {EN: "Done: {what}", FR: "Fait : {what}", FIL: "Tapos na: {what}"},
}
"""The lines of the panel that say that something was done.

They are known where a paragraph is nothing else: in a list or a table the same words are a date or a count, and before
a sentence they are anybody's.
"""

BEGINNING_WORDS = 6
"""By as many a sentence of the service is known; what is told in it differs after them."""

_SENTENCE_END = re.compile(r"""(?<=[.!?…])\s+|(?<=[.!?…][*_`~)\]"'»])\s+|(?<=[.!?…]\*\*)\s+""")


def _key(text: str) -> tuple[str, ...]:
    """How a sentence begins, whatever marks and accents it is written with."""
    return tuple(re.findall(r"[^\W_]+|:", _read(text)))[:BEGINNING_WORDS]


def _read(text: str) -> str:
    """As somebody reads it who takes each letter for what it looks like."""
    return folded(read_as_latin(plain(text)))


def _beginnings(*templates: str) -> frozenset[tuple[str, ...]]:
    sentences = (sentence for template in templates for sentence in _SENTENCE_END.split(template))
    return frozenset(_key(sentence.partition("{")[0]) for sentence in sentences)


def _all(*words: Words) -> Iterator[str]:
    return (template for each in words for template in each.values())


_BEGINNINGS = _beginnings(
    *_all(OPENS, PREPARED, NOTHING_CHANGED, NOTHING_PREPARED, SAYS, *COMMANDS.values()), *SAYS_OTHERWISE
)
_OUTCOME_BEGINNINGS = _beginnings(*_all(*OUTCOMES.values()))

_TOLD = "|".join(re.sub(r"^(?:the|le) ", "", folded(each)).rstrip(" :") for each in (*SAYS.values(), *SAYS_OTHERWISE))
_SERVICE_SAYS = re.compile(
    # Wherever it stands before a colon; before another mark, or as all that is said, where it begins.
    rf"\b(?:{_TOLD})\W*:|^(?:(?:the|le)\s)?(?:{_TOLD})\s*(?:[-–—―…=>→]|[.!]?$)"
)

_IN_A_ROW = re.compile(r"\s*(?:[-*+]\s|\d+[.)]\s|\|)")
"""How a line of a list or of a table begins."""


_BREAKS = " \t\\"
"""How a line ends after which the next one goes on."""


def without_statement(text: str) -> str:
    """The text without every sentence that begins like one of the service's; what has none stays as it is."""
    lines = text.split("\n")
    whole = list(_whole(lines))
    kept = [each for each in map(_kept, whole) if each is not None]
    others = [line for paragraph in _paragraphs(kept) if not _are_outcomes(paragraph) for line in paragraph]
    return text if others == lines else re.sub(r"\n{3,}", "\n\n", "\n".join(others)).strip()


def _whole(lines: Sequence[str]) -> Iterator[str]:
    """The lines, joined where the beginning of a sentence of ours goes over their ends: it is read as if in one."""
    waiting: str | None = None
    for place, line in enumerate(lines):
        joined = line if waiting is None else f"{waiting.rstrip(_BREAKS)} {line.lstrip()}"
        last = _SENTENCE_END.split(joined)[-1]
        rest = " ".join((last.rstrip(_BREAKS), *_same_paragraph(lines[place + 1 : place + BEGINNING_WORDS])))
        waiting = joined if _is_ours(rest) and not _is_ours(last) else None
        if waiting is None:
            yield joined


def _same_paragraph(lines: Sequence[str]) -> Iterator[str]:
    return takewhile(lambda line: line.strip() and not _IN_A_ROW.match(line), lines)


def _paragraphs(lines: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """The lines in groups: those of a paragraph, and those that are blank."""
    return (tuple(group) for _, group in groupby(lines, key=lambda line: bool(line.strip())))


def _kept(line: str) -> str | None:
    """What is left of a line; None where it was nothing else."""
    sentences = _SENTENCE_END.split(line)
    others = [sentence for sentence in sentences if not _is_ours(sentence)]
    if len(others) == len(sentences):
        return line
    return " ".join(others) if any(map(str.isalnum, plain(" ".join(others)))) else None


def _is_ours(sentence: str) -> bool:
    return _begins(sentence, _BEGINNINGS) or bool(_SERVICE_SAYS.search(_read(sentence)))


def _begins(sentence: str, beginnings: frozenset[tuple[str, ...]]) -> bool:
    key = _key(sentence)
    return any(key[:length] in beginnings for length in range(1, len(key) + 1))


def _are_outcomes(paragraph: Sequence[str]) -> bool:
    """Whether each line of it reads like a line of the panel, or all of them together, broken after the beginning."""
    first, *rest = paragraph
    is_broken = bool(rest) and _key(first) in _OUTCOME_BEGINNINGS and not any(map(_IN_A_ROW.match, rest))
    return all(map(_is_outcome, paragraph)) or (is_broken and _is_outcome(" ".join(map(str.strip, paragraph))))


def _is_outcome(line: str) -> bool:
    """Whether it is one sentence that reads like a line of the panel."""
    is_one = len(_SENTENCE_END.split(line.strip())) == 1
    return is_one and not _IN_A_ROW.match(line) and _begins(line, _OUTCOME_BEGINNINGS)
