"""What is missing of an answer is what no later call made up for, each for its reason."""

import pytest

from assist_service.domain.looked_up import LookedUp, LookUp, LookUps, Miss

FOUND = LookUp("get_pool", "1")
OTHER = LookUp("get_pool", "2")
ABSENT = LookUp("get_pool", "1", Miss.ABSENT)
SILENT = LookUp("get_pool", "1", Miss.SILENT)
WRONG = LookUp("get_pool", None, Miss.UNDONE)
ELSEWHERE = LookUp("list_pools", "1")


def came_to(*steps: list[LookUp]) -> LookedUp:
    look_ups = LookUps()
    for step in steps:
        look_ups.note(step)
    return look_ups.outcome


def found(*missing: Miss) -> LookedUp:
    return LookedUp(found=True, missing=frozenset(missing))


def nothing(*missing: Miss) -> LookedUp:
    return LookedUp(found=False, missing=frozenset(missing))


CASES: dict[str, tuple[list[list[LookUp]], LookedUp]] = {
    "nothing asked": ([], nothing()),
    "one found": ([[FOUND]], found()),
    "one failed beside one found": ([[ABSENT, OTHER]], found(Miss.ABSENT)),
    "one failed before one found": ([[ABSENT], [OTHER]], found(Miss.ABSENT)),
    "both reasons": ([[ABSENT], [LookUp("list_pools", "1", Miss.SILENT)]], nothing(Miss.ABSENT, Miss.SILENT)),
    "the same again, in vain for another reason": ([[SILENT], [ABSENT]], nothing(Miss.ABSENT)),
    "the same again, with success": ([[SILENT], [FOUND]], found()),
    "the same twice at once, one with success": ([[FOUND, SILENT]], found()),
    "with success, then no more": ([[FOUND], [ABSENT]], found(Miss.ABSENT)),
    "the same arguments of another tool": ([[SILENT], [ELSEWHERE]], found(Miss.SILENT)),
    "a mistake": ([[WRONG]], nothing(Miss.UNDONE)),
    "a mistake made up for": ([[WRONG], [FOUND]], found()),
    "a mistake made up for at the second try": ([[WRONG], [WRONG], [FOUND]], found()),
    "a mistake made up for by what failed": ([[WRONG], [ABSENT]], nothing(Miss.ABSENT)),
    "a mistake beside a success is not made up for": ([[WRONG, FOUND]], found(Miss.UNDONE)),
    "of two mistakes at once one made up for": ([[WRONG, WRONG], [FOUND]], found(Miss.UNDONE)),
    "of two mistakes at once both made up for": ([[WRONG, WRONG], [FOUND, OTHER]], found()),
    "a mistake, and another tool": ([[WRONG], [ELSEWHERE]], found(Miss.UNDONE)),
}


@pytest.mark.parametrize(("steps", "outcome"), CASES.values(), ids=CASES)
def test_what_is_missing_is_what_no_later_call_made_up_for(steps: list[list[LookUp]], outcome: LookedUp) -> None:
    assert came_to(*steps) == outcome
