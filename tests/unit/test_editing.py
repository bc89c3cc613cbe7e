"""A proposal for the editor's draft: what is a text, what of a text stays, what may be added, and all else refused."""

import json
from typing import Any

import pytest
from pydantic import ValidationError

from assist_service.domain.draft_texts import tokens_of
from assist_service.domain.editing import (
    EDIT_CHARACTERS,
    EXPLANATION,
    NotProposed,
    Proposed,
    SchemaFault,
    faults_of_edit,
    propose,
    texts_of,
)
from assist_service.domain.question_types import QuestionType
from tests.unit.drafts import EMPTY, TYPES, at_hand, choice, mcq

STATEMENT = "/config/statement"
THREE = mcq(choice("one", correct=True), choice("two"), choice("three"))


def refusal(found: Proposed | NotProposed) -> str:
    assert isinstance(found, NotProposed), found
    return found.reason


def proposed(found: Proposed | NotProposed) -> Proposed:
    assert isinstance(found, Proposed), found
    return found


# Which are texts


CLOZE = {"statement": "S", "text": "[[1]] is red.", "gaps": [{"id": 1, "answers": ["a fox"]}]}
SORTING = {"statement": "S", "categories": ["A", "B"], "items": [{"text": "x", "category": 0}]}
TEXTS: dict[str, tuple[dict[str, Any], list[tuple[str, str, str]]]] = {
    "mcq": (
        THREE,
        [(f"/config/choices/{n}/text", "choice", text) for n, text in enumerate(("one", "two", "three"))],
    ),
    "cloze": (CLOZE, [("/config/text", "text", "[[1]] is red.")]),
    "categorize": (
        SORTING,
        [
            ("/config/categories/0", "column", "A"),
            ("/config/categories/1", "column", "B"),
            ("/config/items/0/text", "card", "x"),
        ],
    ),
    "numeric": ({"statement": "S", "answer": 2, "tolerance": 0, "unit": "cm"}, [("/config/unit", "unit", "cm")]),
    "open": ({"statement": "S", "guidance": "G", "max_words": 9}, [("/config/guidance", "guidance", "G")]),
}


@pytest.mark.parametrize("type_", TYPES)
def test_the_texts_are_those_the_type_declares_and_never_the_key_or_a_setting(type_: str) -> None:
    config, own = TEXTS[type_]
    of = at_hand(config, type_=type_)
    assert texts_of(of.draft, of.type) == [
        (STATEMENT, "statement", config["statement"]),
        *own,
        ("/explanation", "explanation", "Because."),
    ]


@pytest.mark.parametrize(
    "config",
    [
        {},
        {"statement": None, "choices": None},
        {"statement": ["S"], "choices": {"0": choice("one")}},
        {"statement": 1, "choices": [None, "one", [], [choice("one")], {}, {"text": ["one"]}]},
        {"choices": {"text": {"text": "one"}}, "config": {"statement": "S"}},
    ],
    ids=str,
)
def test_what_is_no_text_where_one_is_declared_is_not_there(config: dict[str, Any]) -> None:
    of = at_hand(config)
    assert texts_of(of.draft, of.type) == [("/explanation", "explanation", "Because.")]
    assert "no text" in refusal(propose(of, [("/config/choices/0/text", "x")], []))
    if not isinstance(config.get("choices"), list):
        assert "Nothing can be added" in refusal(propose(of, [], ["x"]))


def test_a_draft_as_deep_as_any_that_comes_in_is_read() -> None:
    deep: Any = choice("one")
    for _ in range(14):
        deep = [{"choices": deep}]
    of = at_hand({"statement": "S", "choices": deep})
    assert proposed(propose(of, [(STATEMENT, "T")], ["x"])).config["choices"] == [*deep, choice("x")]


def test_keys_with_a_slash_or_a_tilde_are_escaped_in_a_path() -> None:
    fields = [{"path": "config.a/b~c[].x~1", "label": "text"}]
    of = QuestionType.model_validate_json(json.dumps({"type": "odd", "title": "Odd", "text_fields": fields}))
    odd = at_hand({"a/b~c": [{"x~1": "old"}]}, type_="odd", of=of)
    (path, _, _), *_ = texts_of(odd.draft, odd.type)
    assert path == "/config/a~1b~0c/0/x~01"
    assert proposed(propose(odd, [(path, "new")], [])).config == {"a/b~c": [{"x~1": "new"}]}


@pytest.mark.parametrize(
    "changes",
    [
        {"text_fields": [{"path": "statement", "label": "statement"}]},
        {"text_fields": [{"path": "config", "label": "text"}]},
        {"text_fields": [{"path": "config[].text", "label": "text"}]},
        {"text_fields": [{"path": "config..text", "label": "text"}]},
        {"text_fields": [{"path": "config.text", "label": "Text"}]},
        {"text_fields": [{"path": "config.statement", "label": "statement"}]},
        {"append": {"path": "config.choices[]", "text": "text", "item": EMPTY, "most": 8}},
        {"append": {"path": "config.choices", "text": "why", "item": {"why": ""}, "most": 8}},
        {"append": {"path": "config.choices", "text": "text", "item": choice("Here"), "most": 8}},
        {"append": {"path": "config.choices", "text": "text", "item": {"correct": False}, "most": 8}},
    ],
    ids=str,
)
def test_a_type_that_declares_no_such_thing_is_no_answer_of_an_lms(changes: dict[str, Any]) -> None:
    mcq_type = json.loads(TYPES["mcq"].model_dump_json())
    QuestionType.model_validate_json(json.dumps(mcq_type))
    with pytest.raises(ValidationError):
        QuestionType.model_validate_json(json.dumps({**mcq_type, **changes}))


# Rewrites


def test_a_rewrite_is_shown_before_and_after_and_changes_that_text_alone() -> None:
    found = proposed(propose(at_hand(THREE), [("/config/choices/1/text", "zwei"), ("/explanation", "So.")], []))
    assert [each.model_dump() for each in found.changes] == [
        {"path": "/config/choices/1/text", "label": "choice", "before": "two", "after": "zwei"},
        {"path": "/explanation", "label": "explanation", "before": "Because.", "after": "So."},
    ]
    assert found.config == mcq(choice("one", correct=True), choice("zwei"), choice("three"))
    assert (found.explanation, THREE["choices"][1]["text"]) == ("So.", "two")


@pytest.mark.parametrize(
    ("rewrites", "why"),
    [
        ([("/config/choices/0/correct", "false")], "no text"),
        ([("/config/multiple", "true")], "no text"),
        ([("/config/choices/3/text", "four")], "no text"),
        ([("/config/choices/00/text", "x")], "no text"),
        ([("config/statement", "x")], "no text"),
        ([("", "x")], "no text"),
        ([(STATEMENT, "a"), (STATEMENT, "b")], "twice"),
        ([(STATEMENT, "What is it?"), (STATEMENT, "b")], "twice"),
        ([(STATEMENT, "")], "is empty"),
        ([(STATEMENT, " \n\u200b")], "is empty"),
        ([("/config/choices/0/text", "")], "is empty"),
        ([(STATEMENT, "x" * (EDIT_CHARACTERS + 1))], "longer"),
        ([(STATEMENT, "What is it?")], "changes nothing"),
        ([(STATEMENT, "What\u200b is it?\U000e0041")], "changes nothing"),
        ([], "changes nothing"),
    ],
    ids=str,
)
def test_a_rewrite_that_may_not_be_is_refused_with_all_that_came_with_it(
    rewrites: list[tuple[str, str]], why: str
) -> None:
    assert why in refusal(propose(at_hand(THREE), rewrites, []))
    if "nothing" not in why:
        assert why in refusal(propose(at_hand(THREE), [(EXPLANATION, "Else."), *rewrites], ["four"]))


def test_what_nobody_sees_is_taken_out_of_a_text() -> None:
    found = proposed(propose(at_hand(THREE), [(STATEMENT, "a\u202eb\u200b\r\nc")], ["fo\u2066ur"]))
    assert [each.after for each in found.changes] == ["ab\nc", "four"]


def test_the_explanation_alone_may_be_emptied_and_not_of_what_it_refers_to() -> None:
    assert proposed(propose(at_hand(THREE), [(EXPLANATION, " ")], [])).explanation == ""
    of = at_hand(THREE, explanation="See asset:figure-1.")
    assert "does not keep" in refusal(propose(of, [(EXPLANATION, "")], []))


KEPT = [
    ("[[1]] is red", "Red is [[1]]", True),
    ("[[1]] is red", "It is red", False),
    ("[[1]] is red", "[[2]] is red", False),
    ("[[1]] is red", "[[1]] is [[1]]", False),
    ("[[1]] and [[1]]", "[[1]]", False),
    ("[[1]] and [[2]]", "[[2]], [[1]]", True),
    ("[[1]]", "[[ 1 ]]", False),
    ("[[a[0]]]", "[[a[0]] ]", False),
    ("[[a\nb]]!", "so: [[a\nb]]", True),
    ("{{figure}}!", "{{figure}}?", True),
    ("{{figure}}!", "{{Figure}}!", False),
    ("{{a}} {{b}}", "{{a {{b}}", False),
    ("plain", "[[new]]", False),
    ("plain", "{{new}}", False),
    ("plain", "asset:new", False),
    ("plain", "ASSET:new", False),
    ("See asset:fig-1.", "asset:fig-1 shows it", True),
    ("See asset:fig-1.", "See asset:fig-2.", False),
    ("See asset:a%20b", "See asset:a%20c", False),
    ("![x](asset:fig_1)", "![y](asset:fig_1)", True),
    (r"\frac{1}{x^{2}}", r"\frac{2}{x^{3}}", True),
    ("a[b[0]]", "the a[b[1]]", True),
]


@pytest.mark.parametrize(("before", "after", "is_kept"), KEPT)
def test_tokens_stay_as_they_are_and_as_often(before: str, after: str, *, is_kept: bool) -> None:
    found = propose(at_hand(mcq(statement=before)), [(STATEMENT, after)], [])
    assert isinstance(found, Proposed) == is_kept
    if not is_kept:
        assert "does not keep" in refusal(found)


@pytest.mark.parametrize("text", ["[[" * 100_000, "{{a" * 60_000, "[[1]]" * 40_000, "asset:" * 30_000])
def test_tokens_of_a_text_as_long_as_any_are_counted_in_one_go(text: str) -> None:
    assert sum(tokens_of(text).values()) in {0, 1, 40_000}


# The schema


@pytest.mark.parametrize(
    ("place", "touched", "is_brought"),
    [
        ("/choices/1/text", "/config/choices/1/text", True),
        ("/choices/1/text/more", "/config/choices/1/text", True),
        ("/choices", "/config/choices/1/text", True),
        ("", "/config/choices/1/text", True),
        ("/choices/3/correct", "/config/choices/3", True),
        ("/choices/1/correct", "/config/choices/1/text", False),
        ("/choices/10/text", "/config/choices/1", False),
        ("/multiple", "/config/choices/1/text", False),
        ("", "/explanation", False),
    ],
)
def test_a_fault_counts_where_something_was_touched_and_not_if_the_draft_had_it(
    place: str, touched: str, *, is_brought: bool
) -> None:
    fault = SchemaFault(place, "/rule", "words")
    assert faults_of_edit((), (fault,), (touched,)) == ((fault,) if is_brought else ())
    assert faults_of_edit((fault._replace(words="other"),), (fault,), (touched,)) == ()
    assert bool(faults_of_edit((fault._replace(rule="/other"),), (fault,), (touched,))) == is_brought
