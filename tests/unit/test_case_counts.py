"""What the slow suites say of themselves: true counts, added up over all their tests."""

from tests.case_counts import PROPERTY, lines_of


def test_cases_are_added_up_by_suite_and_kinds_counted_once() -> None:
    told: list[tuple[str, object]] = [
        (f"{PROPERTY}kill -9", [11, "publishing"]),
        (f"{PROPERTY}cut bodies", [700, "anthropic"]),
        (f"{PROPERTY}cut bodies", [801, "anthropic"]),
        (f"{PROPERTY}cut bodies", [500, "openai"]),
        ("of junit", "anything"),
        (f"{PROPERTY}kill -9", [1, "asking"]),
    ]
    assert lines_of(told) == ["cut bodies: 2,001 cuts over 2 wires", "kill -9: 12 kills"]


def test_nothing_is_said_where_nothing_ran() -> None:
    assert lines_of([]) == []
