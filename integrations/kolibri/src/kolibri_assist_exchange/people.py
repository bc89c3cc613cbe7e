"""Who somebody is in this Kolibri, in the words of the service."""

from importlib import import_module

from django.conf import settings
from django.contrib.auth import SESSION_KEY
from kolibri.core.auth.constants import role_kinds
from kolibri.core.auth.models import FacilityUser
from kolibri.core.exams.models import Exam
from kolibri.core.logger.models import MasteryLog

STUDENT, TEACHER, ADMIN = "student", "teacher", "admin"

READERS = frozenset({TEACHER, ADMIN})
"""Whom a token is given for: what it opens is made for coaches."""


def role_of(user: FacilityUser) -> str:
    """The highest there is: a coach of one class and a coach of the facility are both teachers."""
    kinds = set(user.roles.values_list("kind", flat=True))
    if user.is_superuser or role_kinds.ADMIN in kinds:
        return ADMIN
    return TEACHER if kinds & {role_kinds.COACH, role_kinds.ASSIGNABLE_COACH} else STUDENT


def active_user(user_id: str) -> FacilityUser | None:
    """None for somebody unknown and for a deleted account."""
    return FacilityUser.objects.filter(pk=user_id).first() if _is_id(user_id) else None


def standing_of(user_id: str) -> dict[str, object] | None:
    """None for somebody this Kolibri has never had."""
    user = FacilityUser.all_objects.filter(pk=user_id).first() if _is_id(user_id) else None
    if user is None:
        return None
    return {
        "role": role_of(user),
        "active": user.date_deleted is None,
        "exam_in_progress": _has_open_quiz(user),
    }


def is_signed_in(user_id: str, session_key: str) -> bool:
    """Whether that sign-in still stands: signing out ends what was built on it."""
    store = import_module(settings.SESSION_ENGINE).SessionStore(session_key=session_key)
    return store.get(SESSION_KEY) == user_id


def _has_open_quiz(user: FacilityUser) -> bool:
    """Whether they have begun a quiz that is still running and have not handed it in.

    Attempts at quizzes have negative mastery levels, and the quiz stands where a resource's content would.
    """
    begun = MasteryLog.objects.filter(user=user, complete=False, mastery_level__lt=0)
    ids = list(begun.values_list("summarylog__content_id", flat=True))
    return Exam.objects.filter(pk__in=ids, active=True, archive=False).exists()


def _is_id(text: str) -> bool:
    return len(text) == 32 and set(text) <= set("0123456789abcdef")
