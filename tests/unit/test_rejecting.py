"""Which replies are rejected whole where lookups are offered: unknown tools, a fourth call, a mixture (row J7)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assist_service.domain.messages import ToolCall
from assist_service.domain.rejecting import MOST_CALLS, is_rejected

LOOKUPS = frozenset({"query_classes", "query_exams"})
MANUAL = frozenset({"read_guide", "search_guide"})
OTHERS = frozenset({"decline", "ask_back", "open_screen"})
OFFERED = LOOKUPS | MANUAL | OTHERS


def rejected(*names: str, lookups: frozenset[str] = LOOKUPS, offered: frozenset[str] = OFFERED) -> bool:
    made = [ToolCall(str(number), name, None) for number, name in enumerate(names)]
    return is_rejected(made, offered=offered, lookups=lookups, manual=MANUAL)


PASS = [
    (),
    ("query_classes",),
    ("query_classes", "query_exams"),
    ("query_classes", "query_classes", "query_exams"),
    ("read_guide", "search_guide", "read_guide"),
    ("query_classes", "decline"),
    ("query_classes", "ask_back"),
    ("query_classes", "open_screen"),
    ("read_guide", "open_screen", "ask_back"),
]

REJECTED = [
    ("query_parents",),
    ("",),
    ("QUERY_CLASSES",),
    ("query_classes ",),
    ("query_classes", "run"),
    ("query_classes",) * 4,
    ("read_guide",) * 4,
    ("decline",) * 4,
    ("query_classes", "read_guide"),
    ("search_guide", "query_exams"),
    ("query_classes", "decline", "search_guide"),
]


@pytest.mark.parametrize("names", PASS)
def test_a_reply_within_the_rule_passes(names: tuple[str, ...]) -> None:
    assert not rejected(*names)


@pytest.mark.parametrize("names", REJECTED)
def test_a_reply_outside_the_rule_is_rejected_only_where_lookups_are_offered(names: tuple[str, ...]) -> None:
    assert rejected(*names)
    assert not rejected(*names, lookups=frozenset())


def test_a_tool_that_this_person_was_not_given_is_unknown() -> None:
    assert rejected("read_guide", offered=LOOKUPS | OTHERS)
    assert rejected("query_exams", lookups=frozenset({"query_classes"}), offered=OFFERED - {"query_exams"})


@given(st.lists(st.sampled_from(sorted(OFFERED | {"unknown"})), max_size=6))
def test_the_rule_does_not_go_by_the_order_of_the_calls(names: list[str]) -> None:
    mixes = not LOOKUPS.isdisjoint(names) and not MANUAL.isdisjoint(names)
    expected = len(names) > MOST_CALLS or "unknown" in names or mixes
    assert rejected(*names) == rejected(*reversed(names)) == expected
