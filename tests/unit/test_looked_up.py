"""What is missing of an answer is what no later call made up for, each for its reason."""

import pytest

from assist_service.domain.looked_up import LookedUp, LookUp, LookUps, Miss

FOUND = LookUp("get_pool", "1")
OTHER = LookUp("get_pool", "2")
ABSENT = LookUp("get_pool", "1", Miss.ABSENT)
SILENT = LookUp("get_pool", "1", Miss.SILENT)
WRONG = LookUp("get_pool", None, Miss.UNDONE)
ELSEWHERE = LookUp("list_pools", "1")
UNDONE = LookUp("get_pool", "1", Miss.UNDONE)


def listed(arguments: str, miss: Miss | None = None) -> LookUp:
    return LookUp("list_questions", arguments, miss)


ALL, DRAFTS = '{"pool":"a","search":null,"status":null}', '{"pool":"a","search":null,"status":"draft"}'
ANOTHERS, ACID = '{"pool":"b","search":null,"status":"draft"}', '{"pool":"a","search":"acid","status":null}'
CUT = listed(ALL, Miss.CUT)


def test_one_that_grew_beyond_the_bound_when_names_were_hidden_is_cut() -> None:
    look_ups = LookUps()
    look_ups.note([listed(ALL)])
    look_ups.note_cut("list_questions", ALL)
    assert look_ups.outcome == found(Miss.CUT)


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
    "one too many": ([[OTHER, UNDONE]], found(Miss.UNDONE)),
    "one too many, run later": ([[OTHER, UNDONE], [FOUND]], found()),
    "one too many, and later another": ([[OTHER, UNDONE], [OTHER]], found(Miss.UNDONE)),
    "one too many that was run beside it": ([[UNDONE, FOUND, UNDONE]], found()),
    "one too many, and in vain later": ([[OTHER, UNDONE], [ABSENT]], found(Miss.ABSENT)),
    "one that was cut": ([[CUT]], found(Miss.CUT)),
    "cut, then a part of it": ([[CUT], [listed(DRAFTS)]], found()),
    "cut, then the same whole": ([[CUT], [listed(ALL)]], found()),
    "cut, then a part that is cut too": ([[CUT], [listed(DRAFTS, Miss.CUT)]], found(Miss.CUT)),
    "cut, then a part of a part": ([[CUT], [listed(DRAFTS, Miss.CUT)], [listed(DRAFTS)]], found()),
    "cut, then a part in vain": ([[CUT], [listed(DRAFTS, Miss.SILENT)]], found(Miss.CUT, Miss.SILENT)),
    "cut beside a part of it": ([[CUT, listed(DRAFTS)]], found(Miss.CUT)),
    "cut, then another's part": ([[CUT], [listed(ANOTHERS)]], found(Miss.CUT)),
    "a part cut, then another part": ([[listed(DRAFTS, Miss.CUT)], [listed(ACID)]], found(Miss.CUT)),
    "a part cut, then the whole": ([[listed(DRAFTS, Miss.CUT)], [listed(ALL)]], found(Miss.CUT)),
    "cut, then another tool": ([[CUT], [LookUp("list_pools", DRAFTS)]], found(Miss.CUT)),
    "the same twice at once, one of them cut": ([[listed(ALL), CUT]], found()),
    "in vain, then cut": ([[listed(ALL, Miss.SILENT)], [CUT]], found(Miss.CUT)),
}


@pytest.mark.parametrize(("steps", "outcome"), CASES.values(), ids=CASES)
def test_what_is_missing_is_what_no_later_call_made_up_for(steps: list[list[LookUp]], outcome: LookedUp) -> None:
    assert came_to(*steps) == outcome
