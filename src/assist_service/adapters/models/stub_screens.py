"""Which screen the stub opens: what a question names or has at hand, on a tab that it says, searched by what it wants.

A title is found by its words in what the person has; a word of the question that no title shares finds none.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from assist_service.adapters.models.stub_asked import FAILED, Asked, Call, Said
from assist_service.adapters.models.stub_lists import LISTS
from assist_service.adapters.models.stub_words import QUOTED, closest, names, words

OPEN = "open_screen"

_SHOW = words("show open see go display montre montrer affiche afficher ouvre ouvrir voir ipakita buksan tingnan")
_TAB = words("tab onglet tabs")
_RESULTS = words("results marks scores resultats notes resulta marka")
"""Without a word for a tab these are asked to be told, not to be shown where they stand."""
_COMMON = words(
    "can you could would want i like let now je veux voudrais peux tu paki "
    "me the of on in to please questions question tanong this that it its my only ones la le les de des du d l moi mes "
    "s svp il te plait cette ce ces sur dans ang mga ng ko sa ito itong na at and et un une a"
)
_THIS = words("this it its here current cette ce ces celle celui ici ito itong dito")

SHOWN: Said = {"en": "Here it is.", "fr": "Voici.", "fil": "Narito na."}
UNNAMED: Said = {
    "en": "I found nothing of yours that is called so.",
    "fr": "Je n'ai rien trouvé de tel parmi ce que tu as.",
    "fil": "Wala akong nakitang ganoon sa mga sa iyo.",
}


@dataclass(frozen=True)
class _Kind:
    """A screen of one thing: its words, the tool that lists such things, and its tabs by their words."""

    screen: str
    names: frozenset[str]
    lists: str
    tabs: Mapping[str, frozenset[str]] = field(default_factory=dict)
    telling: frozenset[str] = frozenset()
    """Words of a tab that say the kind, too: *the gradebook*."""
    of: str = ""
    """Where the list is of other things: the key of this one in them."""
    record: str = ""
    """What a follow-up reference calls it."""
    takes_search: bool = False
    by: str = ""
    """The argument of the list that takes the quoted title; without one it takes none, and a title need no quotes."""


_KINDS: Sequence[_Kind] = (
    _Kind(
        "classroom",
        words("classroom classe class klase silid"),
        "list_evaluations",
        {
            "gradebook": words("gradebook carnet grades"),
            "leaderboard": words("leaderboard classement ranking"),
            "roster": words("roster eleves students mag aaral"),
        },
        telling=words("gradebook carnet leaderboard classement roster"),
        of="classroom",
        record="class",
    ),
    _Kind(
        "pool",
        words("pool banque"),
        "list_pools",
        {
            "stats": words("stats statistics statistiques statistique estadistika figures chiffres bilang"),
            "settings": words("settings reglages parametres"),
            "questions": words("questions"),
        },
        telling=words("stats statistics statistiques figures chiffres bilang"),
        takes_search=True,
    ),
    _Kind(
        "evaluation",
        words("evaluation test exam controle examen pagsusulit"),
        "list_evaluations",
        {
            "results": words("results resultats resulta"),
            "settings": words("settings reglages parametres"),
            "questions": words("questions"),
        },
        record="exam",
    ),
    _Kind("template", words("template modele"), "list_templates"),
    _Kind(
        "course",
        words("course cours kurso"),
        "list_courses",
        {
            "pools": words("pools banques"),
            "classrooms": words("classrooms classes"),
            "staff": words("staff equipe"),
        },
        telling=words("staff equipe"),
    ),
    _Kind("question", words("question tanong"), "find_similar_questions", by="text"),
)

_TAG = re.compile(r"(?:\btag:|#)([\w-]{1,50})")
_SEARCH = re.compile(
    r"\bonly (?:the |those |show )*(?:ones |questions )?(?:about |on |with )?(?P<only>.+?)(?: ones| questions)?$"
    r"|\bsearch(?:ed)? (?:(?:it|them|this pool|the pool|in it) )?for (?P<searched>.+)$"
    r"|\b(?:seulement|uniquement|juste) (?:les |celles |ceux )?(?:questions )?(?:sur |avec |de )?(?P<seulement>.+)$"
    r"|\b(?:cherche|cherches|recherche|filtre) (?P<cherche>.+?)(?: dans cette banque)?$"
    r"|\b(?:tungkol sa|hanapin ang) (?P<tungkol>.+?)(?: lang(?: dito)?)?$",
    re.IGNORECASE,
)
_ENDS = re.compile(r"(?:,?\s*\b(?:please|now|s['’]il (?:te|vous) pla[iî]t|svp))?[\s.!?…]*$", re.IGNORECASE)
_AROUND = re.compile(r"^[\s«“\"']+|[\s»”\"']+$")

SEARCH_CHARACTERS = 200


def show(asked: Asked) -> Call | str | None:
    """The screen that a question asks to see; the commands of the screen at hand come before it."""
    if not asked.has(OPEN):
        return None
    if (opened := asked.result(OPEN)) is not None:
        return opened.content if opened.is_error else asked.said(SHOWN)
    rest, search = _searched(asked.question)
    said = frozenset(names(rest))
    if not (search and not said and asked.at_hand("pool")) and not (asked.order and asked.order[0] in _SHOW):
        return None
    kind = _kind_of(rest, asked, search)
    if kind is None or (said & _RESULTS and not _says_tab(said, kind)):
        return None
    tab = next((tab for tab, called in kind.tabs.items() if said & called and _says_tab(said, kind)), None)
    params = {**({"tab": tab} if tab else {}), **({"search": search} if search and kind.takes_search else {})}
    if kind.screen == "pool" and "tab" not in params:
        params = {"tab": "questions", **params}
    return _opened(asked, kind, rest, params)


def _says_tab(said: frozenset[str], kind: _Kind) -> bool:
    return bool(said & (_TAB | kind.telling))


def _kind_of(rest: str, asked: Asked, search: str) -> _Kind | None:
    """What is asked for: by the first word for a kind, by a tab only it has, else what is selected or on screen."""
    in_order = names(QUOTED.sub(" ", rest))
    said = frozenset(in_order)
    is_quoted = QUOTED.search(rest) is not None
    spoken_of = (kind for word in in_order for kind in _KINDS if word in kind.names)
    named = next((kind for kind in spoken_of if is_quoted or not kind.by), None)
    telling = next((kind for kind in _KINDS if said & kind.telling), None)
    if named is not None or telling is not None:
        return named or telling
    if asked.selected and said & _THIS:
        return next(
            (kind for record in reversed(list(asked.selected)) for kind in _KINDS if kind.record == record), None
        )
    has = [kind for kind in _KINDS if asked.at_hand(kind.screen) is not None]
    return next((kind for kind in has if said & _TAB or (search and kind.takes_search)), None)


def _at_hand(asked: Asked, kind: _Kind) -> str | None:
    return asked.selected.get(kind.record) or asked.at_hand(kind.screen)


def _opened(asked: Asked, kind: _Kind, rest: str, params: Mapping[str, str]) -> Call | str | None:
    """Opens the thing at hand where the question says this one or names none; else looks for the one it names."""
    said, title = frozenset(names(rest)), " ".join(QUOTED.findall(rest))
    quoted = frozenset(names(title))
    tabs: frozenset[str] = frozenset().union(*kind.tabs.values())
    telling = quoted or said - _SHOW - _TAB - _COMMON - _THIS - kind.names - tabs
    at_hand = _at_hand(asked, kind)
    if at_hand is not None and (not telling or (said & _THIS and not quoted)):
        return Call(OPEN, {"screen": kind.screen, "ids": {"id": at_hand}, "params": dict(params)})
    if not asked.has(kind.lists) or not telling:
        return None
    records = asked.records(kind.lists)
    if records is None:
        return Call(kind.lists, {kind.by: title} if kind.by else {})
    result = asked.result(kind.lists)
    if result is not None and result.is_error:
        return asked.said(FAILED)
    things = [record[kind.of] if kind.of else record for record in records if not kind.of or kind.of in record]
    found = closest(telling, {thing["id"]: thing.get("title", "") for thing in things})
    if found is None:
        return None if kind.lists in LISTS and not kind.of else asked.said(UNNAMED)
    return Call(OPEN, {"screen": kind.screen, "ids": {"id": found}, "params": dict(params)})


def _searched(question: str) -> tuple[str, str]:
    """The question without the words that say what is searched for, and what that is."""
    line = _ENDS.sub("", " ".join(question.split()))
    if (tag := _TAG.search(line)) is not None:
        found = _SEARCH.search(line)
        rest = line[: min(tag.start(), found.start() if found is not None else tag.start())]
        return rest + line[tag.end() :], f"tag:{tag[1]}"
    if (found := _SEARCH.search(line)) is None:
        return line, ""
    wanted = next(text for text in found.groups() if text is not None)
    return line[: found.start()], _AROUND.sub("", wanted)[:SEARCH_CHARACTERS].strip()
