"""What the service itself says of an answer's acts, from its own records: the model's prose is never the witness (B7).

The words are of this file alone. Nothing that a model, a title or a front end wrote goes into a sentence of the answer;
the reply's `statement` names screens, commands and writes beside it.
"""

from collections.abc import Mapping

from assist_service.domain.acts import Acts
from assist_service.domain.reply import OpenScreen, ScreenCommand, Statement
from assist_service.domain.screens import Language
from assist_service.domain.writes import WriteTool

Words = Mapping[Language, str]

EN, FR, FIL = Language.ENGLISH, Language.FRENCH, Language.FILIPINO

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


def sentence_of(acts: Acts, language: Language) -> str:
    """What was opened, offered and prepared, in one line; empty where there was nothing."""
    said: list[str] = []
    said += dict.fromkeys(COMMANDS[command.type][language] for command in acts.commands)
    if acts.screen is not None:
        said.append(OPENS[language].format(what=acts.screen.title))
    if prepared := _prepared(acts, language):
        said.append(PREPARED[language].format(what=", ".join(prepared)))
    return " ".join(said)


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
