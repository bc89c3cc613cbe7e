"""A card shows every value that is sent, whole, and leads to what was made (invariants W1, W2)."""

import json
from typing import Any
from uuid import UUID

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from assist_service.adapters.configuration import load_catalogue
from assist_service.domain.cards import CARD_LINES, VALUE_CHARACTERS, Label, Unfit, card, config_lines, line, passage
from assist_service.domain.draft_texts import pointer
from assist_service.domain.interface import parse_path
from assist_service.domain.landing import HOME, landing
from assist_service.domain.people import Role
from assist_service.domain.question_types import QuestionType
from assist_service.domain.reply import CardLine
from assist_service.domain.screens import Language
from assist_service.domain.writes import WriteRequest, WriteTool
from assist_service.settings import ROOT
from examples.reference_lms.api.question_types import QUESTION_TYPES

TYPES = {each.type: each for each in (QuestionType.model_validate_json(json.dumps(given)) for given in QUESTION_TYPES)}
SCREENS = load_catalogue(ROOT / "contracts" / "screens.yaml").of_roles(Role.TEACHER)

ENTITY, MADE = UUID(int=1), UUID(int=2)

scalars = st.none() | st.booleans() | st.integers() | st.text(max_size=20)
values = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4)
)


def leaves(value: Any, steps: tuple[str | int, ...] = ()) -> list[tuple[str, Any]]:
    """Every value that holds no other, by a walk of the test's own."""
    if isinstance(value, dict) and value:
        return [leaf for key, inner in value.items() for leaf in leaves(inner, (*steps, key))]
    if isinstance(value, list) and value:
        return [leaf for key, inner in enumerate(value) for leaf in leaves(inner, (*steps, key))]
    return [(pointer(steps), value)]


def as_json(value: Any) -> str:
    """With every line end escaped, those that JSON lets stand too."""
    escaped = {0x2028: r"\u2028", 0x2029: r"\u2029"}
    return json.dumps(value, ensure_ascii=False).translate(escaped)


@example(config={"\u2028a": "b\u2029"}, of_type=min(TYPES))
@given(config=st.dictionaries(st.text(max_size=8), values, max_size=5), of_type=st.sampled_from(sorted(TYPES)))
@settings(deadline=None)
def test_every_value_of_a_config_has_a_line_and_settings_say_where_they_stand(
    config: dict[str, Any], of_type: str
) -> None:
    lines = list(config_lines(config, TYPES[of_type]))
    expected = leaves(config)
    assert len(lines) == len(expected)
    for shown, (place, value) in zip(lines, expected, strict=True):
        if shown.label == Label.SETTING:
            assert shown == passage(Label.SETTING, f"{as_json(place)[1:-1]}: {as_json(value)}")
            assert "\n" not in shown.value
        else:
            assert shown == passage(shown.label, value)


@pytest.mark.parametrize("of_type", sorted(TYPES))
def test_a_text_that_the_type_declares_stands_under_its_label(of_type: str) -> None:
    (shown,) = config_lines({"statement": "Pourquoi ?"}, TYPES[of_type])
    assert (shown.label, shown.value) == ("statement", "Pourquoi ?")


@pytest.mark.parametrize(
    ("lines", "fits"),
    [
        ([line(Label.TITLE, "x")] * CARD_LINES, True),
        ([line(Label.TITLE, "x")] * (CARD_LINES + 1), False),
        ([passage(Label.EXPLANATION, "x" * VALUE_CHARACTERS)], True),
        ([passage(Label.EXPLANATION, "x" * (VALUE_CHARACTERS + 1))], False),
    ],
)
def test_what_is_too_long_to_be_read_is_refused_and_never_cut(lines: list[CardLine], fits: bool) -> None:
    if fits:
        assert card(lines) == tuple(lines)
    else:
        with pytest.raises(Unfit):
            card(lines)


def test_a_line_holds_nothing_that_cannot_be_seen() -> None:
    assert line(Label.TITLE, "a\u202eb\n c\U000e0041").value == "ab c"
    assert line(Label.POOL, "\u200b\u2066").value == "?"
    assert passage(Label.EXPLANATION, "a\u202eb\nc\U000e0041").value == "ab\nc"


# The screen, its id, and what stands behind the path.
PLACES = {
    WriteTool.CREATE_QUESTION: ("question", MADE, {}),
    WriteTool.CREATE_CATEGORY: ("pool", ENTITY, {"category": str(MADE)}),
    WriteTool.CREATE_TEMPLATE: ("template", MADE, {}),
    WriteTool.ADD_QUESTIONS_TO_TEMPLATE: ("template", MADE, {}),
    WriteTool.LINK_POOL_TO_COURSE: ("course", MADE, {"tab": "pools"}),
}


@pytest.mark.parametrize("tool", WriteTool)
def test_the_path_of_a_result_is_that_of_its_screen(tool: WriteTool) -> None:
    screen, identifier, params = PLACES[tool]
    request = WriteRequest.of(tool, ENTITY, {})
    confirmed = landing(request, MADE, title="Loops\u202e\n", screens=SCREENS, language=Language.ENGLISH)
    place = parse_path(SCREENS, confirmed.path)
    assert place is not None
    assert (place.screen, dict(place.params)) == (screen, params)
    assert {str(each) for each in place.ids.values()} == {str(identifier)}
    assert confirmed.title == "Loops"


def test_a_screen_that_takes_no_such_param_is_opened_without_it_and_one_that_is_not_there_is_home() -> None:
    request = WriteRequest.of(WriteTool.CREATE_CATEGORY, ENTITY, {})
    plain = {"pool": SCREENS["pool"].model_copy(update={"params": SCREENS["courses"].params})}
    assert landing(request, MADE, title="", screens=plain, language=Language.FRENCH).path == f"/pools/{ENTITY}"
    assert landing(request, MADE, title="", screens=plain, language=Language.FRENCH).title
    assert landing(request, MADE, title="x", screens={}, language=Language.FRENCH).path == HOME
