"""What the stub prepares for a person to confirm: a category, a question, a template, questions for one, a link.

Titles come from the question's quotes, ids from the screen or from a look-up of this question.
"""

from collections.abc import Mapping
from typing import Any

from assist_service.adapters.models.stub_asked import Asked, Call, Said
from assist_service.adapters.models.stub_object import least
from assist_service.adapters.models.stub_words import as_words, closest, names, words

CATEGORY, QUESTION, TEMPLATE = "create_category", "create_question", "create_template"
MORE, LINK = "add_questions_to_template", "link_pool_to_course"
SIMILAR, TYPES = "find_similar_questions", "describe_question_types"

_CREATE = words("create add new make cree creer ajoute ajouter nouvelle nouveau gumawa lumikha idagdag magdagdag")
_ADD = words("add put ajoute ajouter mets idagdag magdagdag ilagay")
_LINK = words("link connect lie lier relie relier associe iugnay ikonekta")
_CATEGORIES = words("category categorie kategorya")
_QUESTIONS = words("question questions tanong")
_TEMPLATES = words("template modele")
_POOLS = words("pool banque")
_COURSES = words("course cours kurso")

ADDED = 2
"""Published questions of a pool that go into a template, where no one question is on screen."""

WAITS: Said = {
    "en": "It waits for your word.",
    "fr": "Cela attend ta confirmation.",
    "fil": "Naghihintay ito ng salita mo.",
}
CLOSEST: Said = {
    "en": "The closest there is: “{}”.",
    "fr": "La plus proche qui existe : « {} ».",
    "fil": "Pinakamalapit na mayroon: “{}”.",
}


def prepare(asked: Asked) -> Call | str | None:
    """The one change that the question asks for, by the words it uses outside its quotes."""
    wanted = _wanted(asked.unquoted)
    if wanted is None or not asked.has(wanted):
        return None
    if (made := asked.result(wanted)) is not None:
        return made.content if made.is_error else _waiting(asked)
    return _STEPS[wanted](asked)


def _wanted(said: frozenset[str]) -> str | None:
    if said & _LINK and said & _POOLS and said & _COURSES:
        return LINK
    if said & _ADD and said & _TEMPLATES and said & _QUESTIONS:
        return MORE
    if not said & _CREATE:
        return None
    kinds = ((_CATEGORIES, CATEGORY), (_TEMPLATES, TEMPLATE), (_QUESTIONS, QUESTION))
    return next((tool for called, tool in kinds if said & called), None)


def _waiting(asked: Asked) -> str:
    alike = asked.records(SIMILAR)
    if not alike:
        return asked.said(WAITS)
    return f"{asked.said(CLOSEST).format(as_words(str(alike[0].get('title', '?'))))} {asked.said(WAITS)}"


def _category(asked: Asked) -> Call | str | None:
    pool = asked.at_hand("pool")
    return Call(CATEGORY, {"pool": pool, "title": asked.quotes[0]}) if pool is not None and asked.quotes else None


def _template(asked: Asked) -> Call | str | None:
    course = asked.at_hand("course")
    of_course = {"course": course} if course is not None else {}
    return Call(TEMPLATE, {"title": asked.quotes[0], **of_course}) if asked.quotes else None


def _question(asked: Asked) -> Call | str | None:
    """Looks for one like it, reads what the types take, then prepares the draft."""
    pool = asked.at_hand("pool")
    if pool is None or not asked.quotes or not asked.has(SIMILAR, TYPES):
        return None
    if asked.result(SIMILAR) is None:
        return Call(SIMILAR, {"text": asked.quotes[0], "pool": pool})
    types = asked.records(TYPES)
    if types is None:
        return Call(TYPES, {})
    if not types:
        return None
    type_ = next((each for each in types if each["type"] in asked.unquoted), types[0])
    config = _config(type_.get("config_schema", {}), asked)
    return Call(QUESTION, {"pool": pool, "type": type_["type"], "config": config})


def _config(schema: Mapping[str, Any], asked: Asked) -> dict[str, Any]:
    """The least that its schema takes, with the quoted statement and, for choices, the quotes that follow."""
    made = least(schema)
    config: dict[str, Any] = made if isinstance(made, dict) else {}
    config["statement"], *texts = asked.quotes
    choices = config.get("choices")
    if isinstance(choices, list) and choices and isinstance(choices[0], dict):
        named = texts or [chr(ord("A") + place) for place in range(len(choices))]
        config["choices"] = [{**choices[0], "text": text} for text in named]
    return config


def _more(asked: Asked) -> Call | str | None:
    """The question on screen, or the first published ones of the pool on screen, for the template that is named."""
    if not asked.has("list_templates", "list_questions"):
        return None
    templates = asked.records("list_templates")
    if templates is None:
        return Call("list_templates", {})
    template = closest(_named(asked), _titles(templates))
    question, pool = asked.at_hand("question"), asked.at_hand("pool")
    if template is None or (question is None and pool is None):
        return None
    if question is not None:
        return Call(MORE, {"template": template, "questions": [question]})
    questions = asked.records("list_questions")
    if questions is None:
        return Call("list_questions", {"pool": pool, "status": "published"})
    return Call(MORE, {"template": template, "questions": [each["id"] for each in questions[:ADDED]]})


def _link(asked: Asked) -> Call | str | None:
    """The pool that is named, else the one on screen, and the course that is named, else the one there is."""
    if not asked.has("list_pools", "list_courses"):
        return None
    pools = asked.records("list_pools")
    if pools is None:
        return Call("list_pools", {})
    courses = asked.records("list_courses")
    if courses is None:
        return Call("list_courses", {})
    pool = closest(_named(asked), _titles(pools)) or asked.at_hand("pool")
    course = closest(_named(asked), _titles(courses)) or asked.at_hand("course") or next(iter(_titles(courses)), None)
    return Call(LINK, {"pool": pool, "course": course}) if pool is not None and course is not None else None


def _named(asked: Asked) -> frozenset[str]:
    """The words that may be of a title: those that are quoted, else those that say nothing of what is to be done."""
    if asked.quotes:
        return frozenset(names(" ".join(asked.quotes)))
    return frozenset(names(asked.question)) - _LINK - _ADD - _POOLS - _COURSES - _QUESTIONS - _TEMPLATES - _SMALL


_SMALL = words(
    "the this that to my of in with a la le les l de des du d ce cet cette au aux mon ma mes ang ng mga sa ko"
)


def _titles(records: list[dict[str, Any]]) -> Mapping[str, str]:
    return {record["id"]: str(record.get("title", "")) for record in records}


_STEPS = {CATEGORY: _category, QUESTION: _question, TEMPLATE: _template, MORE: _more, LINK: _link}
