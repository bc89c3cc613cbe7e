"""The writes of the contract: one draft question is made; the others are asked for what they must refuse."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from pydantic import BaseModel, SecretStr

from assist_service.adapters.lms.checking.apart import ID, Naming, only_theirs
from assist_service.adapters.lms.checking.bench import Bench, judge_exchange
from assist_service.adapters.lms.checking.judging import API_REFUSALS, judge, refusal, told
from assist_service.adapters.lms.checking.probe import Asking, Response
from assist_service.adapters.lms.checking.survey import Kind
from assist_service.adapters.lms.wire import Answer
from assist_service.domain.lms_check import WORKS, Outcome, Rule, broken, not_checked, wrong
from assist_service.domain.school import Question, Word

MISMATCH = frozenset({409, 422})


class Refused(BaseModel):
    """How the API words a refusal."""

    error: Word
    message: str
    fields: list[str] = []


@dataclass(frozen=True)
class Write:
    """One write, by the tool that its scope names."""

    tool: str
    path: str
    kind: Kind | None = None

    @property
    def name(self) -> str:
        return f"POST {self.path}"

    @property
    def scope(self) -> str:
        return f"assist:write:{self.tool}"


CREATE = Write("create_question", "/api/questions")

REFUSING = (
    Write("create_category", "/api/pools/{id}/categories", Kind.POOL),
    Write("create_template", "/api/templates"),
    Write("add_questions_to_template", "/api/templates/{id}/questions", Kind.TEMPLATE),
    Write("link_pool_to_course", "/api/courses/{id}/pools", Kind.COURSE),
)
"""Of these an empty body is refused, with a token that may write: as much as can be seen without a trace."""

WRITE_NAMES = tuple(write.name for write in (CREATE, *REFUSING))

ASK_FOR_WRITES = not_checked("add --with-writes: it makes one draft question, and says so in its statement")

NO_SAMPLE = not_checked("no question to make another like it: give a teacher who has one")

Found = tuple[Mapping[str, Outcome], Mapping[Rule, Outcome]]


@dataclass(frozen=True)
class Writes:
    """One round through the writes."""

    bench: Bench
    sample: Question | None
    """A question of the person's: its pool, its type and its config are good for a new one."""

    async def run(self) -> Found:
        if not self.bench.options.writes:
            return dict.fromkeys(WRITE_NAMES, ASK_FOR_WRITES), dict.fromkeys(WRITE_RULES, ASK_FOR_WRITES)
        refusing = {write.name: await self._refuses(write) for write in REFUSING}
        if self.sample is None:
            return {CREATE.name: NO_SAMPLE, **refusing}, dict.fromkeys(WRITE_RULES, NO_SAMPLE)
        created, rules = await self._create(_draft_like(self.sample))
        return {CREATE.name: created, **refusing}, rules

    async def _create(self, draft: Mapping[str, Any]) -> tuple[Outcome, Mapping[Rule, Outcome]]:
        probe, asking = self.bench.probe, Asking("POST", CREATE.path, body=draft)
        by_reader = await probe.call(Asking("POST", CREATE.path, body=draft), self.bench.token)
        rules = {Rule.READ_SCOPE: refusal("a write with a read token", by_reader, API_REFUSALS)}
        outcome, token = await self._token(CREATE)
        if token is None:
            return outcome, {**rules, Rule.IDEMPOTENCY: not_checked(f"no token that may write: {outcome.why}")}
        first = await probe.call(asking, token)
        made, question = judge(first, Question, due=201)
        if question is not None and question.status != "draft":
            made = wrong("the new question is no draft")
        again = await probe.call(asking, token)
        other = await probe.call(replace(asking, body=_asking_else(draft)), token)
        await self._write_to_theirs(draft, token)
        idempotency = _idempotency(first, again, other) if made is WORKS else not_checked(f"{CREATE.name}: {made.why}")
        return made, {**rules, Rule.IDEMPOTENCY: idempotency}

    async def _write_to_theirs(self, draft: Mapping[str, Any], token: SecretStr) -> None:
        """Into the other teacher's pool, unless it is known already that reads get there."""
        bench = self.bench
        naming = Naming(Kind.POOL, "POST", CREATE.path, body={**draft, "pool": ID})
        pools = only_theirs(bench.theirs or {}, bench.mine).get(Kind.POOL, ())
        if pools and not bench.apart.leaks:
            await bench.apart.compare(bench.probe, token, naming, pools[0])
            bench.apart.wrote = True

    async def _refuses(self, write: Write) -> Outcome:
        ids = self.bench.mine.get(write.kind, ()) if write.kind else ()
        if write.kind and not ids:
            return not_checked(f"--session reaches no {write.kind}: give a teacher who has one")
        outcome, token = await self._token(write)
        if token is None:
            return outcome
        path = write.path.replace(ID, str(ids[0])) if ids else write.path
        judged, _ = judge(await self.bench.probe.call(Asking("POST", path, body={}), token), Refused, due=422)
        return judged

    async def _token(self, write: Write) -> tuple[Outcome, SecretStr | None]:
        answer = await self.bench.probe.exchange(self.bench.given.session, scope=write.scope)
        kind = self.bench.probe.proofs.token_type
        outcome, issued = judge_exchange(answer, token_type=kind, scope=write.scope)
        if issued is None or outcome is not WORKS:
            return wrong(f"no token for {write.scope}: {outcome.why}"), None
        return outcome, SecretStr(issued.access_token)


WRITE_RULES = (Rule.READ_SCOPE, Rule.IDEMPOTENCY)

STATEMENT = "Made by `assist-service lms check`; it may be deleted."


def _draft_like(sample: Question) -> Mapping[str, Any]:
    config = {**sample.config, "statement": STATEMENT}
    return {"pool": str(sample.pool.id), "type": sample.type, "config": config}


def _asking_else(draft: Mapping[str, Any]) -> Mapping[str, Any]:
    return {**draft, "config": {**draft["config"], "statement": f"{STATEMENT} (2)"}}


def _idempotency(first: Response, again: Response, other: Response) -> Outcome:
    if _said(first) != _said(again):
        return broken(f"a repeated write got another answer ({told(again)})")
    return refusal("another body under a key that was used", other, MISMATCH)


def _said(answer: Response) -> object:
    """Without its headers: a nonce in them is another each time."""
    return (answer.status, answer.body) if isinstance(answer, Answer) else answer
