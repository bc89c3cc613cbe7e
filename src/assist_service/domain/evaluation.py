"""How well the search finds what people ask for: questions in their words, and the rank of the right page."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from assist_service.domain.people import Role
from assist_service.domain.screens import Language

RANKS = (1, 3, 5)
"""The ranks down to which a page counts as found."""

LOOKED_THROUGH = 20
"""A page further down than this is not found."""

Line = Annotated[str, StringConstraints(min_length=1, max_length=1_000)]


class Expected(BaseModel):
    """A question in a person's words, and the page that answers it."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    role: Role
    language: Language
    question: Line
    page: Line = Field(description="Its path under the manual's root, without its ending.")
    also: tuple[Line, ...] = Field(default=(), description="Further pages that answer it as well.")

    @property
    def pages(self) -> tuple[str, ...]:
        return (self.page, *self.also)

    @property
    def asked(self) -> tuple[Role, Language, str]:
        """What makes it another question: who asks, in which language, and the words, however they are written."""
        return self.role, self.language, " ".join(self.question.casefold().split())


@dataclass(frozen=True)
class Ranked:
    """A question with the rank of the first page that answers it, from 1; None where none was among those looked at."""

    expected: Expected
    rank: int | None
    closed: tuple[str, ...] = ()
    """Those of its pages that its role may not read: no search could find them."""


@dataclass(frozen=True)
class Recall:
    """How many questions of a group there are, and the share of them whose page stands at each of RANKS or above."""

    group: str
    questions: int
    at: Mapping[int, float]


def recalls(ranked: Sequence[Ranked]) -> tuple[Recall, ...]:
    """By role, by language, and over all."""
    roles = [(role.value, [one for one in ranked if one.expected.role is role]) for role in Role]
    languages = [
        (language.value, [one for one in ranked if one.expected.language is language]) for language in Language
    ]
    return tuple(_recall(name, group) for name, group in (*roles, *languages, ("all", list(ranked))) if group)


def _recall(name: str, group: Sequence[Ranked]) -> Recall:
    found = {rank: sum(one.rank is not None and one.rank <= rank for one in group) for rank in RANKS}
    return Recall(name, len(group), {rank: count / len(group) for rank, count in found.items()})


def _closed(ranked: Ranked) -> str:
    return f"  (closed to {ranked.expected.role.value}: {', '.join(ranked.closed)})" if ranked.closed else ""


def table(rankings: Mapping[str, Sequence[Ranked]]) -> str:
    """The ranks and the recalls as lines for a terminal, side by side for each way of searching, by its name.

    All are of the same questions in the same order. The name of a single way may be empty.
    """
    ways = list(rankings)
    lines = [
        "".join(f"{way or 'rank':>{max(4, len(way))}}  " for way in ways) + "role           lang  page  <-  question"
    ]
    for asked in zip(*rankings.values(), strict=True):
        expected = asked[0].expected
        ranks = "".join(
            f"{'-' if one.rank is None else one.rank:>{max(4, len(way))}}  "
            for way, one in zip(ways, asked, strict=True)
        )
        lines.append(
            f"{ranks}{expected.role.value:<13}  {expected.language.value:<4}  {expected.page}  <-  "
            f"{' '.join(expected.question.split())}{_closed(asked[0])}"
        )
    for way, ranked in rankings.items():
        lines += ["", f"{way:<15}{'questions':>9}" + "".join(f"{f'recall@{rank}':>10}" for rank in RANKS)]
        lines += [_recall_line(recall) for recall in recalls(ranked)]
    return "\n".join(lines)


def _recall_line(recall: Recall) -> str:
    return f"{recall.group:<15}{recall.questions:>9}" + "".join(f"{recall.at[rank]:>10.2f}" for rank in RANKS)
