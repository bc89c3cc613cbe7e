"""Money is exact: what was spent rounds up, what may be spent rounds down, a worst case lies above every cost."""

import json
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from assist_service.domain.budget import (
    ASSIST,
    COUNTED_OVERHEAD_TOKENS,
    PROVIDER_OVERHEAD_TOKENS,
    Allowance,
    Counted,
    Price,
    allowance_of,
    believable,
    cost_micros,
    input_token_bound,
    least_tokens,
    micros_of_usd,
    size_bytes,
    worst_case_micros,
)
from assist_service.domain.messages import (
    AssistantText,
    AssistantTurn,
    Message,
    ModelRequest,
    ToolCall,
    ToolResult,
    ToolResults,
    ToolSpec,
    Usage,
    UserText,
)

LONG = Price(
    input=100_000,
    cached_input=10_000,
    cache_write=125_000,
    output=500_000,
    long_prompt_tokens=1_000,
    long_prompt_factor=5,
)

tokens = st.integers(0, 2_000_000)
prices = st.builds(
    Price,
    input=st.integers(0, 10**8),
    cached_input=st.integers(0, 10**8),
    cache_write=st.integers(0, 10**8),
    output=st.integers(0, 10**8),
    long_prompt_tokens=st.none() | st.integers(1, 3_000_000),
    long_prompt_factor=st.integers(1, 10),
)


def price(**changes: int) -> Price:
    return Price(**{"input": 0, "cached_input": 0, "cache_write": 0, "output": 0, **changes})


@pytest.mark.parametrize(
    ("per_million", "used", "micros"),
    [(1, 1, 1), (1, 1_000_000, 1), (1, 1_000_001, 2), (999_999, 1, 1), (1_000_000, 1, 1), (1_000_001, 1, 2), (5, 0, 0)],
)
def test_a_cost_is_rounded_up_to_a_whole_micro_unit(per_million: int, used: int, micros: int) -> None:
    assert cost_micros(price(output=per_million), Usage(0, 0, 0, used)) == micros


def test_a_cost_is_rounded_once_and_not_kind_by_kind() -> None:
    each = price(input=250_000, cached_input=250_000, cache_write=250_000, output=250_000)
    assert cost_micros(each, Usage(1, 1, 1, 1)) == 1


def test_each_kind_of_token_has_its_own_price() -> None:
    each = price(input=1_000_000, cached_input=10_000_000, cache_write=100_000_000, output=1_000_000_000)
    assert cost_micros(each, Usage(1, 2, 3, 4)) == 4321


@pytest.mark.parametrize(
    ("usage", "micros"),
    [
        (Usage(1_000, 0, 0, 0), 100),
        (Usage(1_001, 0, 0, 0), 501),
        (Usage(0, 1_001, 0, 0), 51),
        (Usage(500, 300, 201, 0), 391),
        (Usage(1_000, 0, 0, 10**6), 500_100),
    ],
    ids=["on the boundary", "one above", "cached tokens count", "all three kinds count", "output does not count"],
)
def test_the_dear_tier_begins_above_its_boundary(usage: Usage, micros: int) -> None:
    assert cost_micros(LONG, usage) == micros


@given(price=prices, usage=st.builds(Usage, tokens, tokens, tokens, tokens), spare=st.integers(0, 1_000))
@settings(max_examples=300)
def test_the_worst_case_is_never_below_a_cost_within_the_bound(price: Price, usage: Usage, spare: int) -> None:
    worst = worst_case_micros(
        price, input_token_bound=usage.all_input_tokens + spare, max_tokens=usage.output_tokens + spare
    )
    assert worst >= cost_micros(price, usage)


@given(price=prices, bound=tokens, max_tokens=tokens)
@settings(max_examples=100)
def test_the_worst_case_is_reached(price: Price, bound: int, max_tokens: int) -> None:
    """No looser than it must be: some usage within the bound costs just that."""
    usages = (Usage(*kinds, max_tokens) for kinds in ((bound, 0, 0), (0, bound, 0), (0, 0, bound)))
    dearest = max(cost_micros(price, usage) for usage in usages)
    assert dearest == worst_case_micros(price, input_token_bound=bound, max_tokens=max_tokens)


shares = st.decimals(min_value=0, max_value=Decimal("0.5"), allow_nan=False, places=40) | st.sampled_from(
    (
        Decimal("0.25"),
        Decimal("0.5"),
        Decimal("0.3333333333333333333333333333"),
        Decimal("0.33333333333333333333333333333333333333333"),
        Decimal("0.24999999999999999999999999999999999"),
        Decimal("0.1"),
        Decimal("1e-30"),
    )
)


@given(cap=st.integers(0, 10**12), share=shares)
@settings(max_examples=300)
def test_the_chat_has_its_share_to_the_micro_unit_and_leaves_as_much_to_the_others(cap: int, share: Decimal) -> None:
    allowance = allowance_of(ASSIST, cap_micros=cap, share=share)
    exact = Fraction(share) * cap
    assert allowance.purpose_micros is not None
    assert allowance.purpose_micros <= exact < allowance.purpose_micros + 1
    assert cap - allowance.day_micros >= exact > cap - allowance.day_micros - 1


ALLOWANCES: list[tuple[int, str, Allowance]] = [
    (10_000_000, "0.25", Allowance(7_500_000, 2_500_000)),
    (10, "0.25", Allowance(7, 2)),
    (1, "0.25", Allowance(0, 0)),
    (0, "0.25", Allowance(0, 0)),
    (10**12, "0.24999999999999999999999999999999", Allowance(750_000_000_000, 249_999_999_999)),
    (10**12, "0.33333333333333333333333333333333", Allowance(666_666_666_666, 333_333_333_333)),
]


@pytest.mark.parametrize(("cap", "share", "allowance"), ALLOWANCES)
def test_allowances(cap: int, share: str, allowance: Allowance) -> None:
    assert allowance_of(ASSIST, cap_micros=cap, share=Decimal(share)) == allowance


@pytest.mark.parametrize("purpose", ["grading", "review", "essays"])
def test_other_purposes_have_the_whole_day(purpose: str) -> None:
    assert allowance_of(purpose, cap_micros=7, share=Decimal("0.25")) == Allowance(7, None)


@pytest.mark.parametrize(
    ("usd", "micros"),
    [
        ("10", 10_000_000),
        ("0.000001", 1),
        ("0.0000019", 1),
        ("0.99999999999999999999999999999999999", 999_999),
        ("1e3", 1_000_000_000),
    ],
)
def test_what_lies_below_a_micro_unit_of_a_cap_is_dropped(usd: str, micros: int) -> None:
    assert micros_of_usd(Decimal(usd)) == micros


some_text = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
any_text = st.builds(lambda text, times: text * times, some_text, st.sampled_from((1, 1, 50)))
"""Long enough at times that the allowance for frames cannot hide a text that is not counted."""
json_values: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | any_text,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(any_text, inner, max_size=3),
    max_leaves=8,
)
json_objects = st.dictionaries(any_text, json_values, max_size=3)
specs = st.builds(ToolSpec, any_text, any_text, json_objects)
calls = st.builds(ToolCall, any_text, any_text, st.none() | json_objects)
turns = st.builds(AssistantTurn, st.lists(json_objects, max_size=3), any_text, st.lists(calls, max_size=2).map(tuple))
results = st.builds(ToolResults, st.lists(st.builds(ToolResult, any_text, any_text), max_size=3).map(tuple))
messages = st.builds(UserText, any_text) | st.builds(AssistantText, any_text) | turns | results
requests = st.builds(
    ModelRequest,
    any_text,
    any_text,
    st.lists(specs, max_size=2).map(tuple),
    st.lists(messages, max_size=4).map(tuple),
    st.booleans(),
    st.integers(1, 5_000),
)


def _written(message: Message) -> str:
    """A message the way a provider may show it to its model."""
    match message:
        case UserText(text) | AssistantText(text):
            return text
        case AssistantTurn(native):
            return json.dumps(native, ensure_ascii=True)
        case ToolResults(made):
            return "".join(result.call_id + result.content for result in made)


def _pieces(request: ModelRequest) -> list[str]:
    tools = (tool.name + tool.description + json.dumps(tool.schema, ensure_ascii=True) for tool in request.tools)
    return [request.prefix, request.screen, *tools, *map(_written, request.messages)]


@given(request=requests)
@settings(max_examples=200)
def test_the_bound_counts_every_byte_of_a_request(request: ModelRequest) -> None:
    said = sum(len(piece.encode()) for piece in _pieces(request))
    assert size_bytes(request) >= said
    assert input_token_bound(size_bytes(request), None) >= said + PROVIDER_OVERHEAD_TOKENS


@given(request=requests, more=st.lists(messages, min_size=1, max_size=3).map(tuple))
@settings(max_examples=200)
def test_a_request_that_adds_to_another_grows_by_the_bytes_added(
    request: ModelRequest, more: tuple[Message, ...]
) -> None:
    longer = ModelRequest(
        request.prefix, request.screen, request.tools, (*request.messages, *more), False, request.max_tokens
    )
    added = sum(len(_written(message).encode()) for message in more)
    assert size_bytes(longer) - size_bytes(request) >= added


@given(before=st.integers(0, 10**6), added=st.integers(0, 10**6), counted=st.integers(0, 10**6))
def test_after_a_count_only_what_was_added_is_bounded_by_its_bytes(before: int, added: int, counted: int) -> None:
    assume(counted <= before)
    bound = input_token_bound(before + added, Counted(before, counted))
    assert bound == counted + added + COUNTED_OVERHEAD_TOKENS
    assert bound <= input_token_bound(before + added, None)


@pytest.mark.parametrize(
    ("size", "counted", "learned"),
    [(6_000, 1, 1_000), (6_000, 999, 1_000), (6_005, 0, 1_000), (6_000, 1_001, 1_001), (0, 0, 0)],
)
def test_no_more_is_learned_of_a_count_than_any_text_bears_out(size: int, counted: int, learned: int) -> None:
    assert least_tokens(size, counted) == learned


@pytest.mark.parametrize(
    ("usage", "is_believed"),
    [
        (Usage(90, 0, 0, 10), True),
        (Usage(90, 0, 0, 11), False),
        (Usage(0, 0, 90, 10), True),
        (Usage(0, 0, 0, 10), False),
        (Usage(90, 0, 0, 0), False),
    ],
)
def test_counts_are_believed_up_to_what_the_bytes_can_cost(usage: Usage, is_believed: bool) -> None:
    price = Price(input=1_000_000, cached_input=0, cache_write=1_000_000, output=1_000_000)
    assert believable(usage, price=price, most_micros=100) is is_believed


def test_a_request_smaller_than_the_counted_one_is_never_bound_below_it() -> None:
    assert input_token_bound(10, Counted(1_000, 300)) == 300 + COUNTED_OVERHEAD_TOKENS
