"""What the service itself says of an answer's acts, from its own records: the model's prose is never the witness (B7).

The words are of this file and of `own_words` alone. Nothing that a model, a title or a front end wrote goes into a
sentence of the answer; the reply's `statement` names screens, commands and writes beside it.
"""

from collections.abc import Mapping

from assist_service.domain.acts import Acts
from assist_service.domain.own_words import (
    COMMANDS,
    EN,
    FIL,
    FR,
    NOTHING_CHANGED,
    NOTHING_PREPARED,
    OPENS,
    PREPARED,
    Words,
    without_statement,
)
from assist_service.domain.reply import OpenScreen, ScreenCommand, Statement
from assist_service.domain.screens import Language
from assist_service.domain.unprepared import Unprepared
from assist_service.domain.writes import WriteTool

__all__ = [
    "COMMANDS",
    "EDIT",
    "EN",
    "FIL",
    "FR",
    "NOTHING_CHANGED",
    "NOTHING_PREPARED",
    "NOT_PREPARED",
    "OPENS",
    "PREPARED",
    "UNPREPARED",
    "WRITES",
    "Words",
    "says_unchanged",
    "sentence_of",
    "statement_of",
    "unprepared_of",
    "waits",
    "without_statement",
]

WRITES: Mapping[WriteTool, Words] = {
    WriteTool.CREATE_QUESTION: {
        EN: "create a question, as a draft",
        FR: "créer une question, en brouillon",
        FIL: "gumawa ng tanong, bilang draft",
    },
    WriteTool.CREATE_CATEGORY: {
        EN: "create a category",
        FR: "créer une catégorie",
        FIL: "gumawa ng kategorya",
    },
    WriteTool.CREATE_TEMPLATE: {
        EN: "create a template",
        FR: "créer un modèle",
        FIL: "gumawa ng template",
    },
    WriteTool.ADD_QUESTIONS_TO_TEMPLATE: {
        EN: "add questions to a template",
        FR: "ajouter des questions à un modèle",
        FIL: "magdagdag ng mga tanong sa isang template",
    },
    WriteTool.LINK_POOL_TO_COURSE: {
        EN: "link a pool to a course",
        FR: "lier une banque de questions à un cours",
        FIL: "iugnay ang isang pool sa isang kurso",
    },
}
"""What a write would do, after *Prepared:*."""

EDIT: Words = {
    EN: "edit this question's texts",
    FR: "modifier les textes de cette question",
    FIL: "baguhin ang mga teksto ng tanong na ito",
}

NOT_PREPARED: Mapping[bool, Words] = {
    False: {EN: "Nothing was prepared", FR: "Rien n'a été préparé", FIL: "Walang inihanda"},
    True: {EN: "Not everything was prepared", FR: "Tout n'a pas été préparé", FIL: "Hindi lahat ay naihanda"},
}
"""How a reason begins, by whether anything else was prepared."""

UNPREPARED: Mapping[Unprepared, Words] = {
    Unprepared.UNPUBLISHED: {
        EN: "only published questions go into a template. Publish it in the editor first, then ask again.",
        FR: "seules des questions publiées vont dans un modèle. Publie-la d'abord dans l'éditeur, puis redemande.",
        FIL: "mga naka-publish na tanong lang ang mailalagay sa template. I-publish muna ito sa editor, saka ulitin.",
    },
    Unprepared.SEARCH_FIRST: {
        EN: "similar questions have to be looked for before a new one is prepared. Ask again.",
        FR: "il faut chercher des questions semblables avant d'en préparer une nouvelle. Redemande.",
        FIL: "kailangan munang maghanap ng mga katulad na tanong bago maghanda ng bago. Humiling muli.",
    },
    Unprepared.TOO_LONG: {
        EN: "it is too long to be read on one card. Ask for less at once.",
        FR: "c'est trop long pour être lu sur une seule carte. Demande moins à la fois.",
        FIL: "masyado itong mahaba para mabasa sa isang card. Mas kaunti ang hilingin nang sabay.",
    },
    Unprepared.NO_SEAT: {
        EN: "you have no seat on the course it belongs to, or something it needs does not exist.",
        FR: "tu n'as pas accès au cours concerné, ou une chose nécessaire n'existe pas.",
        FIL: "wala kang access sa kursong iyon, o may kailangan itong wala roon.",
    },
    Unprepared.UNFIT: {
        EN: "what I wrote for it does not fit there. Ask again, more exactly.",
        FR: "ce que j'ai écrit pour cela ne convient pas. Redemande, plus précisément.",
        FIL: "hindi akma ang isinulat ko para rito. Humiling muli, nang mas tiyak.",
    },
    Unprepared.UNCHECKED: {
        EN: "it cannot be checked whether the platform takes it.",
        FR: "on ne peut pas vérifier si la plateforme l'accepte.",
        FIL: "hindi masuri kung tatanggapin ito ng platform.",
    },
    Unprepared.LIMIT: {
        EN: "one answer prepares only so much. Ask again for the rest.",
        FR: "une réponse ne prépare pas plus que cela. Redemande pour le reste.",
        FIL: "hanggang dito lang ang maihahanda ng isang sagot. Humiling muli para sa iba.",
    },
    Unprepared.SILENT: {
        EN: "the platform does not answer just now, or not in a way that I can use.",
        FR: "la plateforme ne répond pas en ce moment, ou pas d'une façon que je peux utiliser.",
        FIL: "hindi sumasagot ang platform ngayon, o hindi magamit ang sagot nito.",
    },
    Unprepared.REFUSED: {
        EN: "the platform refused a request for it, or there was too much to read.",
        FR: "la plateforme a refusé une demande pour cela, ou il y avait trop à lire.",
        FIL: "tinanggihan ng platform ang isang hiling para rito, o masyadong marami ang babasahin.",
    },
}
"""Why, after how it begins."""


def unprepared_of(acts: Acts, language: Language, *, is_any_prepared: bool) -> str:
    """What was to be prepared and was not, a sentence for each reason; empty where nothing was refused."""
    begins = NOT_PREPARED[is_any_prepared][language]
    reasons = {reason for of_tool in acts.unprepared.values() for reason in of_tool}
    return " ".join(f"{begins}: {UNPREPARED[reason][language]}" for reason in Unprepared if reason in reasons)


def sentence_of(acts: Acts, language: Language) -> str:
    """What was opened, offered and prepared, in one line; empty where there was nothing."""
    said: list[str] = []
    said += dict.fromkeys(COMMANDS[command.type][language] for command in acts.commands)
    if acts.screen is not None:
        said.append(OPENS[language].format(what=acts.screen.title))
    if prepared := _prepared(acts, language):
        said.append(PREPARED[language].format(what=", ".join(prepared)))
    return " ".join(said)


def waits(acts: Acts) -> bool:
    """Whether anything is left to the person's word or click."""
    return acts.propose or any(command.type != "run_command" for command in acts.commands)


def says_unchanged(acts: Acts) -> bool:
    """Whether `sentence_of` says already that nothing has changed yet."""
    return acts.propose or any(command.type == "confirm_command" for command in acts.commands)


def statement_of(acts: Acts, language: Language) -> Statement:
    """`opened`: what the browser opens or runs by itself. `prepared`: what waits for the person's word."""
    waiting = [c.label for c in acts.commands if c.type != "run_command"]
    return Statement(
        opened=tuple(_name(act) for act in acts.actions if isinstance(act, OpenScreen) or _runs(act)),
        prepared=(*waiting, *_prepared(acts, language)),
        changed=False,
    )


def _runs(act: object) -> bool:
    return isinstance(act, ScreenCommand) and act.type == "run_command"


def _name(act: object) -> str:
    return act.title if isinstance(act, OpenScreen) else act.label if isinstance(act, ScreenCommand) else ""


def _prepared(acts: Acts, language: Language) -> tuple[str, ...]:
    """Each kind once, in the order it was prepared."""
    edits = (EDIT[language],) if acts.edit is not None else ()
    return (*edits, *dict.fromkeys(WRITES[write.request.tool][language] for write in acts.writes))
