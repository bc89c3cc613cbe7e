"""The rules of who reaches what, by what two teachers without a common course see of each other."""

from assist_service.adapters.lms.checking.apart import Apart, only_theirs
from assist_service.adapters.lms.checking.bench import Bench
from assist_service.adapters.lms.checking.judging import told
from assist_service.adapters.lms.checking.probe import token_of
from assist_service.adapters.lms.checking.sessions import ELEVATED, PLAIN, claims_of
from assist_service.adapters.lms.checking.survey import Kind, Reach, reach_of
from assist_service.domain.lms_check import KEPT, Outcome, broken, not_checked

NOT_SHARED = (Kind.COURSE, Kind.CLASSROOM)
"""Kinds of which two teachers without a common course have nothing in common; a template may be everyone's."""

NO_OTHER = not_checked("nothing could be read as the person of --other-session: give a teacher's session of now")


async def other_people(bench: Bench) -> Outcome:
    if bench.theirs is None:
        return NO_OTHER
    if bench.apart.leaks:
        return broken(bench.apart.leaks[0])
    shared = sum(len(set(bench.mine.get(kind, ())) & set(bench.theirs.get(kind, ()))) for kind in NOT_SHARED)
    if shared:
        return broken(
            f"{shared} courses and classrooms are in the lists of both teachers: one sees the other's, or they share a"
            " course (give two who share none)"
        )
    if not bench.apart.wrote:
        return not_checked(
            "reads hold; for writes add --with-writes, and give another teacher with a pool of their own"
        )
    return _all_kinds(bench.theirs)


async def no_seat(bench: Bench) -> Outcome:
    if bench.theirs is None:
        return NO_OTHER
    if bench.apart.tells:
        return broken(bench.apart.tells[0])
    return _all_kinds(bench.theirs)


def _all_kinds(theirs: Reach) -> Outcome:
    """Kept where there was something of each kind to ask for."""
    lacking = [kind for kind in Kind if not theirs.get(kind)]
    return not_checked(f"the other teacher has no {', no '.join(lacking)}: give one who has") if lacking else KEPT


async def elevated(bench: Bench) -> Outcome:
    raised = await bench.fit(bench.given.elevated, ELEVATED)
    if isinstance(raised, Outcome):
        return raised
    plain = await bench.fit(bench.given.plain or bench.given.session, PLAIN)
    if isinstance(plain, Outcome) or _sub(plain) != _sub(raised):
        return not_checked(f"give {PLAIN.option}: {PLAIN.what}")
    return await _compare(bench, raised, plain)


async def _compare(bench: Bench, raised: str, plain: str) -> Outcome:
    """What the one session reaches, and what the other."""
    answer = await bench.probe.exchange(raised)
    token, own = token_of(answer), await reach_of(bench.probe, plain)
    if token is None:
        return broken(f"its exchange: {told(answer)}, where it is to be taken as if it were not elevated")
    if own is None:
        return not_checked(f"no token for {PLAIN.option}")
    seen = await reach_of(bench.probe, raised) or {}
    if more := sum(map(len, only_theirs(seen, own).values())):
        return broken(f"its lists hold {more} things more than without")
    if any(only_theirs(own, seen).values()):
        return not_checked("its lists hold less than without, so they say nothing")
    apart = Apart()
    for reach in (bench.mine, bench.theirs or {}):
        await apart.compare_all(bench.probe, token, only_theirs(reach, own))
    return broken(f"elevated, {apart.leaks[0]}") if apart.leaks else KEPT


def _sub(session: str) -> object:
    return claims_of(session, option="a session")["sub"]
