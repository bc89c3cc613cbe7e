"""Over drafts of every type: nothing but declared texts ever differs, whatever a model asks for."""

import asyncio
import copy
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from assist_service.adapters.config_schema import JsonConfigSchemas
from assist_service.domain.draft_texts import is_blank, likeness, tokens_of
from assist_service.domain.editing import DraftAtHand, Proposed, faults_of_edit, propose, texts_of
from tests.unit.drafts import TYPES, at_hand

pytestmark = pytest.mark.slow

PIECES = st.sampled_from(["[[1]]", "{{figure}}", "asset:fig-1", "[[", "]]", "a", "B ", "\u200b", "é", " ", "[[2]]"])
TEXT = st.lists(PIECES, max_size=6).map(" ".join)
TICK = st.booleans() | st.sampled_from([0, 1, None])


def config_of(**parts: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries({"statement": TEXT, **parts})


CHOICES = st.lists(st.fixed_dictionaries({"text": TEXT | st.just(""), "correct": TICK}), max_size=10)
CONFIGS = {
    "mcq": config_of(multiple=st.booleans(), choices=CHOICES),
    "cloze": config_of(
        text=TEXT,
        gaps=st.lists(st.fixed_dictionaries({"id": st.integers(1, 3), "answers": st.lists(TEXT)}), max_size=3),
    ),
    "categorize": config_of(
        categories=st.lists(TEXT, max_size=3),
        items=st.lists(st.fixed_dictionaries({"text": TEXT, "category": st.integers(0, 2)}), max_size=3),
    ),
    "numeric": config_of(answer=st.integers(), tolerance=st.integers(0, 3), unit=TEXT),
    "open": config_of(guidance=TEXT, max_words=st.integers(1, 9)),
}

KEYS = ["statement", "choices", "text", "correct", "categories", "items", "gaps", "unit", "guidance", "a/b", "~"]
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=3),
    max_leaves=12,
)


@st.composite
def drafts(draw: st.DrawFn) -> DraftAtHand:
    """Of any type; now and then something quite different stands where its parts are due."""
    type_ = draw(st.sampled_from(sorted(TYPES)))
    config = copy.deepcopy(draw(CONFIGS[type_]))
    if draw(st.integers(0, 3)) == 0:
        config[draw(st.sampled_from(sorted(config)))] = copy.deepcopy(draw(JSON))
    return at_hand(config, type_=type_, explanation=draw(TEXT))


@st.composite
def asked(draw: st.DrawFn) -> tuple[DraftAtHand, list[tuple[str, str]], list[str]]:
    """A draft and what a model asks for: its own texts otherwise, and sometimes what is no text."""
    of = draw(drafts())
    rewrites = []
    for path, _, text in texts_of(of.draft, of.type):
        if draw(st.booleans()):
            rewrites.append((path, draw(st.just(f"new {text}") | st.just(f"{text} — so") | TEXT)))
    if draw(st.integers(0, 9)) == 0:
        rewrites.append(
            (draw(st.sampled_from(["/config/multiple", "/config/choices/0/correct", "/config", "/x"])), "1")
        )
    return of, rewrites, draw(st.lists(TEXT | st.sampled_from(["new", "other", "third"]), max_size=3))


def blanked(of: DraftAtHand, config: dict[str, Any], explanation: str) -> tuple[Any, str]:
    """A draft with every declared text taken out."""
    root = copy.deepcopy({"config": config, "explanation": explanation})
    draft = of.draft.model_copy(update=root)
    for path, _, _ in texts_of(draft, of.type):
        *way, last = path.split("/")[1:]
        at: Any = root
        for step in way:
            at = at[int(step)] if isinstance(at, list) else at[step.replace("~1", "/").replace("~0", "~")]
        at[int(last) if isinstance(at, list) else last] = "…"
    return root["config"], str(root["explanation"])


@settings(max_examples=400, deadline=None)
@given(asked())
def test_nothing_but_declared_texts_differs_and_what_is_added_is_unticked(
    case: tuple[DraftAtHand, list[tuple[str, str]], list[str]],
) -> None:
    of, rewrites, additions = case
    base = copy.deepcopy(of.draft.config)
    found = propose(of, rewrites, additions)
    assert of.draft.config == base
    if not isinstance(found, Proposed):
        assert found.reason
        return
    then = copy.deepcopy(found.config)
    rows, before = then.get("choices"), base.get("choices")
    if of.type.append is not None and isinstance(rows, list) and isinstance(before, list):
        appended = rows[len(before) :]
        del rows[len(before) :]
        assert all(row["correct"] is False and set(row) == {"text", "correct"} for row in appended)
        assert len(before) + len(appended) <= max(len(before), of.type.append.most)
    assert repr(blanked(of, then, found.explanation)) == repr(blanked(of, base, of.draft.explanation))


@settings(max_examples=400, deadline=None)
@given(asked())
def test_changes_are_all_that_differs_and_keep_their_tokens(
    case: tuple[DraftAtHand, list[tuple[str, str]], list[str]],
) -> None:
    of, rewrites, additions = case
    found = propose(of, rewrites, additions)
    if not isinstance(found, Proposed):
        return
    before = {path: text for path, _, text in texts_of(of.draft, of.type)}
    draft = of.draft.model_copy(update={"config": found.config, "explanation": found.explanation})
    after = {path: text for path, _, text in texts_of(draft, of.type)}
    differing = {path for path in after if after[path] != before.get(path, "")}
    assert {each.path: (each.before, each.after) for each in found.changes} == {
        path: (before.get(path, ""), after[path]) for path in differing
    }
    for path in differing & set(before):
        assert tokens_of(after[path]) == tokens_of(before[path])
    for path in set(after) - set(before):
        assert not tokens_of(after[path])
    added = [each for each in found.changes if each.path.startswith("/config/choices/") and is_blank(each.before)]
    texts = [likeness(text) for path, text in after.items() if path.startswith("/config/choices/")]
    assert all(texts.count(likeness(each.after)) == 1 for each in added)


@settings(max_examples=100, deadline=None)
@given(asked())
def test_of_a_valid_draft_the_proposal_is_valid(
    case: tuple[DraftAtHand, list[tuple[str, str]], list[str]],
) -> None:
    of, rewrites, additions = case
    found = propose(of, rewrites, additions)
    schema = Draft202012Validator(of.type.config_schema)
    if not isinstance(found, Proposed):
        return
    configs = (of.draft.config, found.config)
    before, after = asyncio.run(JsonConfigSchemas().faults(of.type.config_schema, configs))
    assert (not before, not after) == (schema.is_valid(configs[0]), schema.is_valid(configs[1]))
    if not before and not faults_of_edit(before, after, found.touched):
        assert not after
