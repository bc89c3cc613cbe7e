"""What is typed above a pool's questions: words that must all be found, and operators that narrow the list."""

import re
from collections.abc import Mapping
from typing import NamedTuple

OPERATORS: Mapping[str, Mapping[str, str]] = {
    "type": {
        "choice": "mcq",
        "mcq": "mcq",
        "cloze": "cloze",
        "categorise": "categorize",
        "categorize": "categorize",
        "numeric": "numeric",
        "text": "open",
        "open": "open",
    },
    "status": {"draft": "draft", "published": "published"},
    "difficulty": {"easy": "easy", "medium": "medium", "hard": "hard"},
}
"""By the word before the colon, which is the column's name: its values by how they are typed."""

TAG = "tag"
"""What is behind it stands in the title: a question has no other tags."""

WORD = ""
"""In place of an operator: a text to be found in title or statement."""

QUESTIONS = (
    "SELECT q.id, q.title, type, status, difficulty, category.title AS category FROM my_question q"
    " LEFT JOIN category ON category.id = category WHERE q.pool = :pool"
    " AND (:category = '' OR coalesce(q.category, :uncategorised) = :category)"
    " AND NOT EXISTS (SELECT 1 FROM json_each(:terms) WHERE NOT CASE json_extract(value, '$[0]')"
    " WHEN 'type' THEN q.type IS json_extract(value, '$[1]')"
    " WHEN 'status' THEN q.status IS json_extract(value, '$[1]')"
    " WHEN 'difficulty' THEN q.difficulty IS json_extract(value, '$[1]')"
    " WHEN 'tag' THEN instr(folded(q.title), folded(json_extract(value, '$[1]')))"
    " ELSE instr(folded(q.title), folded(json_extract(value, '$[1]')))"
    " OR instr(folded(q.statement), folded(json_extract(value, '$[1]'))) END) ORDER BY place"
)
"""Those of a `:pool` that fit all the `:terms`, as JSON, and a `:category` or the word for none of them."""

_TERM = re.compile(r'"([^"]+)"|(\S+)')


class Term(NamedTuple):
    """One thing asked for."""

    operator: str
    value: str


def terms_of(search: str) -> list[Term]:
    """An unknown operator, or one with an unknown value, is a word like others; quotes keep words together."""
    return [Term(WORD, found[1]) if found[1] else _term(found[2]) for found in _TERM.finditer(search)]


def _term(word: str) -> Term:
    operator, _, value = word.casefold().partition(":")
    if operator == TAG and value:
        return Term(TAG, value)
    known = OPERATORS.get(operator, {})
    return Term(operator, known[value]) if value in known else Term(WORD, word)
