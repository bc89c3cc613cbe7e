"""Which plan answers which lookup: the closed list of all there are."""

from collections.abc import Callable, Mapping

from assist_service.domain.live.asking import Plan
from assist_service.domain.live.class_performance import class_performance
from assist_service.domain.live.classes import classes
from assist_service.domain.live.exam_results import exam_results
from assist_service.domain.live.exams import exams
from assist_service.domain.live.participation import participation
from assist_service.domain.live.query import Lookup
from assist_service.domain.live.rankings import rankings
from assist_service.domain.live.scope import Ask
from assist_service.domain.live.student_performance import student_performance
from assist_service.domain.live.students import students

PLANS: Mapping[Lookup, Callable[[Ask], Plan]] = {
    Lookup.CLASSES: classes,
    Lookup.STUDENTS: students,
    Lookup.EXAMS: exams,
    Lookup.CLASS_PERFORMANCE: class_performance,
    Lookup.STUDENT_PERFORMANCE: student_performance,
    Lookup.EXAM_RESULTS: exam_results,
    Lookup.RANKINGS: rankings,
    Lookup.PARTICIPATION: participation,
}


def plan(ask: Ask) -> Plan:
    """The reads that answer a lookup, step by step, and then what came of them."""
    return PLANS[ask.query.lookup](ask)
