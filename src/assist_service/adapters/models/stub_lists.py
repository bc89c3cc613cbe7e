"""What the stub looks up: which courses, pools or evaluations the person has, where they ask that and nothing else.

Each language has few words for it. A question with any other in it, *How do I delete my courses?*, is the manual's.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from assist_service.adapters.models.stub_words import as_words, folded_words, words
from assist_service.domain.messages import ToolResult

COURSES, POOLS, EVALUATIONS = "list_courses", "list_pools", "list_evaluations"

TITLES = 10
"""How many are named in an answer; that there are more, an ellipsis says."""

LISTS = frozenset({COURSES, POOLS, EVALUATIONS})


@dataclass(frozen=True)
class _Tongue:
    """A language's words for whose they are, for what they are, and what may stand around them."""

    own: frozenset[str]
    around: frozenset[str]
    things: Mapping[str, tuple[str, ...]]
    """By tool, the longest name first."""
    leads: Mapping[str, str]
    none: str
    failed: str

    def wanted(self, question: str) -> str | None:
        """The tool that lists what is asked for."""
        for tool, names in self.things.items():
            for name in names:
                before, found, after = question.partition(f" {name} ")
                others = {*before.split(), *after.split()}
                if found and others & self.own and others <= self.own | self.around:
                    return tool
        return None


_TONGUES = (
    _Tongue(
        own=words("my i mine"),
        around=words("which what show tell list give me all of the are is do have got in please"),
        things={COURSES: ("courses",), POOLS: ("question pools", "pools"), EVALUATIONS: ("evaluations", "exams")},
        leads={COURSES: "Your courses:", POOLS: "Your pools:", EVALUATIONS: "Your evaluations:"},
        none="none.",
        failed="That could not be looked up.",
    ),
    _Tongue(
        own=words("mes je j moi miens miennes"),
        around=words("quel quels quelle quelles que qu est ce sont ai les tous toutes a liste montre donne"),
        things={COURSES: ("cours",), POOLS: ("banques de questions", "banques"), EVALUATIONS: ("evaluations",)},
        leads={COURSES: "Tes cours :", POOLS: "Tes banques :", EVALUATIONS: "Tes évaluations :"},
        none="aucun résultat.",
        failed="La recherche n'a pas abouti.",
    ),
    _Tongue(
        own=words("ko aking akin ako"),
        around=words("ano anong alin aling ang mga na lahat ng sa may mayroon meron ipakita ilista"),
        things={COURSES: ("kurso",), POOLS: ("pool", "pools"), EVALUATIONS: ("pagsusulit", "exam")},
        leads={COURSES: "Mga kurso mo:", POOLS: "Mga pool mo:", EVALUATIONS: "Mga pagsusulit mo:"},
        none="wala.",
        failed="Hindi ito nahanap.",
    ),
)


def list_wanted(question: str, offered: Iterable[str]) -> str | None:
    """The tool that answers the question, if it is offered."""
    return next((tool for _, tool in _readings(question) if tool in offered), None)


def list_told(question: str, tool: str, result: ToolResult) -> str:
    """What the list holds, in the language of the question."""
    tongue = next((tongue for tongue, _ in _readings(question)), _TONGUES[0])
    if result.is_error:
        return tongue.failed
    lines = result.content.splitlines()
    titles = [as_words(str(json.loads(line).get("title", "?"))) for line in lines if line.startswith("{")]
    if not titles:
        return f"{tongue.leads[tool]} {tongue.none}"
    named = [f"- {title}" for title in titles[:TITLES]]
    more = [] if len(named) == len(lines) else ["- …"]  # the mark of a cut is a line, too
    return "\n".join([tongue.leads[tool], "", *named, *more])


def _readings(question: str) -> Iterator[tuple[_Tongue, str]]:
    """In which languages it asks for a list, and for which."""
    said = f" {' '.join(folded_words(question))} "
    return ((tongue, tool) for tongue in _TONGUES if (tool := tongue.wanted(said)) is not None)
