"""A run of an evaluation set: the real prompt, tools, loop and checks with a real model; LMS and money in memory."""

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

from assist_service.adapters.clock import SystemClock
from assist_service.adapters.config_schema import JsonConfigSchemas
from assist_service.adapters.configuration import load_catalogue, load_policy
from assist_service.adapters.evaluation_files import read_report, read_school, read_set, refuse_unwritable, write_report
from assist_service.adapters.language import LangidDetector
from assist_service.adapters.markdown.markup import Markup
from assist_service.adapters.memory.ledger import RunLedger
from assist_service.adapters.memory.manuals import OneManual
from assist_service.adapters.memory.school import MadeLms, School
from assist_service.adapters.models.prices import load_prices
from assist_service.adapters.wording import BabelWording
from assist_service.bootstrap.evaluating import edition_of
from assist_service.bootstrap.providers import make_provider, refuse_unknown
from assist_service.bootstrap.reading import source_of
from assist_service.bootstrap.warming import load_languages
from assist_service.domain.budget import Price, micros_of_usd
from assist_service.domain.errors import ConfigurationError
from assist_service.domain.evaluating.comparing import NotComparableError, comparison
from assist_service.domain.evaluating.questions import Question, SetName, digest_of
from assist_service.domain.evaluating.report import SCHEMA_VERSION, Report
from assist_service.domain.policy import Policy
from assist_service.ports import Clock, ModelProvider
from assist_service.services.answering import Answering
from assist_service.services.checks import Checks
from assist_service.services.examining import Examination, Told
from assist_service.services.gateway import Gateway
from assist_service.services.meanings import Progress
from assist_service.services.metering import Meter, Spending
from assist_service.services.prefixes import Prefixes
from assist_service.services.recording import RecordingProvider
from assist_service.services.sources import Source
from assist_service.services.toolbox import toolbox_of
from assist_service.settings import ROOT, EvaluationSettings
from assist_service.tools.catalog import TOOLS
from assist_service.tools.tool import Family

SETS = ROOT / "evaluation"
"""Where the sets lie, and the made school that the live ones are asked about."""

POLICY = "school-manuals"
"""The one that has both, the manual of each role and the lookups."""

OWN_SERVER = "openai-chat:"

FREE = Price(input=0, cached_input=0, cache_write=0, output=0)

LMS_ORIGIN = "https://lms.invalid"
"""No link of an answer leads anywhere."""

ALL_OF_IT = Decimal("0.5")
"""The chat's share of twice the cap: what the rules of a day leave to the run is then the cap exactly."""


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """What is to be run. `questions` is a file of one's own in the form of the set."""

    set: str
    model: str
    policy: str = POLICY
    cap_usd: Decimal
    questions: Path | None = None
    deadline_seconds: int | None = None
    is_free: bool = False


@dataclass(frozen=True, kw_only=True)
class _Prepared:
    """What was read and checked before a model is asked anything."""

    wanted: Wanted
    questions: tuple[Question, ...]
    school: School
    policy: Policy
    price: Price
    cap_micros: int


async def run_evaluation(
    wanted: Wanted,
    settings: EvaluationSettings,
    *,
    tell: Told,
    progress: Progress,
    clock: Clock | None = None,
    provider_of: Callable[[str], ModelProvider] = make_provider,
) -> Report:
    """Runs a set and reports on it. Raises ConfigurationError before anything is asked.

    Nothing else may be waiting in its event loop: the manual is read and indexed in it. Cancelled, it ends early with
    a report of what was asked by then.
    """
    prepared = _prepared(wanted, settings)
    model = RecordingProvider(provider_of(wanted.model))
    manual = OneManual(edition_of(source_of(settings), embeddings=settings.embeddings, progress=progress))
    return await _run(prepared, settings, manual, model, tell, clock or SystemClock())


def compare_reports(before: Path, after: Path) -> str:
    """What got better and worse, as lines. Raises ConfigurationError for reports of other sets."""
    try:
        return comparison(read_report(before), read_report(after))
    except NotComparableError as error:
        raise ConfigurationError(str(error)) from None


def refuse_folder(folder: Path) -> None:
    """Raises ConfigurationError for a folder that no report could be written to: before a model is paid for one."""
    refuse_unwritable(folder)


def keep_report(report: Report, folder: Path) -> tuple[Path, Path]:
    """Writes it as JSON and as Markdown; where they are. Raises ConfigurationError."""
    return write_report(report, folder)


def _prepared(wanted: Wanted, settings: EvaluationSettings) -> _Prepared:
    if wanted.set not in set(SetName):
        raise ConfigurationError(f"there is no set {wanted.set!r}: it is one of {', '.join(SetName)}")
    name = SetName(wanted.set)
    questions = read_set(name, wanted.questions or SETS / f"{name.value}.yaml")
    school = read_school(SETS / "school.yaml")
    for number, question in enumerate(questions, start=1):
        for kind, selected in question.lookup.selected.items() if question.lookup else ():
            if not school.has(kind, selected):
                raise ConfigurationError(f"question {number}: the made school has no {kind.value} {selected!r}")
    policy = load_policy(wanted.policy)
    _refuse_policy(policy, questions)
    if wanted.deadline_seconds is not None:
        effort = policy.effort.model_copy(update={"deadline_seconds": wanted.deadline_seconds})
        policy = policy.model_copy(update={"effort": effort})
    return _Prepared(
        wanted=wanted,
        questions=questions,
        school=school,
        policy=policy,
        price=_price(wanted, load_prices(settings.prices)),
        cap_micros=micros_of_usd(wanted.cap_usd),
    )


def _refuse_policy(policy: Policy, questions: tuple[Question, ...]) -> None:
    """A policy under which a set has no sense: every question would fail for the policy's sake, not the model's."""
    for role in dict.fromkeys(question.role for question in questions):
        ruled = policy.of_role(role)
        if not ruled.offered:
            raise ConfigurationError(f"policy {policy.name} offers a {role.value} nothing, and the set asks as one")
        looks_up = any(question.lookup is not None and question.role is role for question in questions)
        if looks_up and not any(TOOLS[tool].family is Family.LIVE for tool in ruled.tools if tool in TOOLS):
            raise ConfigurationError(f"policy {policy.name} has no lookups for a {role.value}: the set needs them")


def _price(wanted: Wanted, prices: Mapping[str, Price]) -> Price:
    if wanted.is_free:
        if not wanted.model.startswith(OWN_SERVER):
            raise ConfigurationError(f"--free is for a server of your own: {OWN_SERVER}<id>")
        prices = {**prices, wanted.model: FREE}
    refuse_unknown("--model", wanted.model, prices)
    return prices[wanted.model]


async def _run(
    prepared: _Prepared,
    settings: EvaluationSettings,
    manual: OneManual,
    model: RecordingProvider,
    tell: Told,
    clock: Clock,
) -> Report:
    load_languages()  # or the first question's seconds would hold it
    ledger, started_at = RunLedger(), clock.now()
    async with _gateway(prepared, settings, model, ledger, clock) as gateway:
        examination = Examination(
            answering=_answering(prepared, settings, manual, gateway, clock),
            model=model,
            spent_micros=lambda: ledger.spent_micros,
            picked=prepared.school.find,
            detector=LangidDetector(),
            clock=clock,
        )
        examined = await examination(prepared.questions, tell=tell)
    return Report(
        schema_version=SCHEMA_VERSION,
        set=prepared.wanted.set,
        questions=len(prepared.questions),
        questions_digest=digest_of(prepared.questions),
        model=prepared.wanted.model,
        policy=prepared.policy.name,
        corpus_version=manual.active().publication.id,
        started_at=started_at,
        cap_micros=prepared.cap_micros,
        cost_micros=ledger.spent_micros,
        stopped=examined.stopped,
        results=examined.results,
    )


@asynccontextmanager
async def _gateway(
    prepared: _Prepared, settings: EvaluationSettings, model: RecordingProvider, ledger: RunLedger, clock: Clock
) -> AsyncIterator[Gateway]:
    spending = Spending(cap_micros=2 * prepared.cap_micros, share=ALL_OF_IT, tz=settings.zone)
    gateway = Gateway(
        sources=(Source(model, prepared.price),),
        meter=Meter(ledger=ledger, clock=clock, spending=spending),
        clock=clock,
    )
    try:
        yield gateway
    finally:
        await gateway.close()


def _answering(
    prepared: _Prepared, settings: EvaluationSettings, manual: OneManual, gateway: Gateway, clock: Clock
) -> Answering:
    policy, lms = prepared.policy, MadeLms(prepared.school)
    catalogue = load_catalogue(settings.screens)
    wording = BabelWording(settings.zone)
    return Answering(
        policy=policy,
        catalogue=catalogue,
        prefixes=Prefixes(policy, catalogue),
        toolbox=lambda roles: toolbox_of(policy, roles, TOOLS, lms.offers),
        manuals=manual,
        lms=lms,
        schemas=JsonConfigSchemas(),
        gateway=gateway,
        checks=Checks(policy=policy, manuals=manual, markup=Markup(LMS_ORIGIN), wording=wording),
        detector=LangidDetector(),
        clock=clock,
    )
