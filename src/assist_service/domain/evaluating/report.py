"""The report of a run: what it was of, how far it came, and of each question what came and how it was judged."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Literal

from pydantic import AwareDatetime, BaseModel, Field

from assist_service.domain.closed import CLOSED
from assist_service.domain.conversation import Kind
from assist_service.domain.evaluating.criteria import NOT_CHOSEN, CallMade, Criterion, Verdict
from assist_service.domain.people import Role
from assist_service.domain.screens import Language

SCHEMA_VERSION = 1
"""Of the report as JSON. A report of another version is not compared."""

Amount = Annotated[int, Field(ge=0)]


class Stopped(StrEnum):
    """Why a run ended before its last question."""

    CAP = "cap"
    """The next request could have passed the cost cap."""
    PROVIDER = "provider"
    """The provider brought no answer to several questions in a row."""
    INTERRUPTED = "interrupted"


STOPPED_BECAUSE = {
    Stopped.CAP: "the next request could have passed the cost cap",
    Stopped.PROVIDER: "the provider answered nothing three times in a row",
    Stopped.INTERRUPTED: "it was interrupted",
}


class Result(BaseModel):
    """One question's. `error` is set where no answer came; then nothing is judged, and the question has not passed."""

    model_config = CLOSED

    number: Amount
    group: str
    role: Role
    language: Language
    question: str
    error: str | None = None
    kind: Kind | None = None
    answered_in: Language | None = None
    cited: tuple[str, ...] = ()
    calls: tuple[CallMade, ...] = ()
    answer: str = ""
    verdicts: tuple[Verdict, ...] = ()
    requests: Amount
    cost_micros: Amount
    seconds: float

    @property
    def passed(self) -> bool:
        return self.error is None and all(verdict.passed for verdict in self.verdicts)

    @property
    def why(self) -> str:
        """What went wrong; empty where nothing did. A lookup that was not chosen is told once."""
        failed = [verdict for verdict in self.verdicts if not verdict.passed]
        told = [f"{verdict.criterion.value}: {verdict.why}" for verdict in failed if verdict.why != NOT_CHOSEN]
        return self.error or "; ".join(told)


class Report(BaseModel):
    """A whole run, as it is written to a file."""

    model_config = CLOSED

    schema_version: Literal[1]
    set: str
    questions: Amount
    """How many the set has; `results` are those that were asked."""
    questions_digest: str
    model: str
    policy: str
    corpus_version: str
    started_at: AwareDatetime
    cap_micros: Amount
    cost_micros: Amount
    """Of the whole run: of a question that the cap cut short, too."""
    stopped: Stopped | None
    results: tuple[Result, ...]

    @property
    def passed(self) -> int:
        return sum(result.passed for result in self.results)

    @property
    def share(self) -> float:
        """Of the whole set: a question that was not asked has not passed."""
        return self.passed / self.questions if self.questions else 0.0

    @property
    def requests(self) -> int:
        return sum(result.requests for result in self.results)

    @property
    def seconds(self) -> float:
        return sum(result.seconds for result in self.results)


@dataclass(frozen=True)
class Score:
    """How many of those that were judged passed."""

    name: str
    passed: int
    judged: int

    @property
    def told(self) -> str:
        return f"{self.passed} of {self.judged}"


def criteria_scores(results: Sequence[Result]) -> tuple[Score, ...]:
    """By criterion; one that judged nothing is left out."""
    verdicts = [verdict for result in results for verdict in result.verdicts]
    scores = (_score(c.value, (v.passed for v in verdicts if v.criterion is c)) for c in Criterion)
    return tuple(score for score in scores if score.judged)


def group_scores(results: Sequence[Result]) -> tuple[Score, ...]:
    """By group, then by language, of whole questions."""
    groups = dict.fromkeys(result.group for result in results)
    languages = dict.fromkeys(result.language.value for result in results)
    return (
        *(_score(group, (r.passed for r in results if r.group == group)) for group in groups),
        *(_score(language, (r.passed for r in results if r.language.value == language)) for language in languages),
    )


def _score(name: str, passed: Iterable[bool]) -> Score:
    outcomes = list(passed)
    return Score(name, sum(outcomes), len(outcomes))
