"""A proposal for the open draft is read word by word and becomes one edit, or is dropped where that has changed."""

import itertools
import random
from typing import Any

import pytest
from playwright.async_api import Browser, Locator, Route, expect

from tests.browser.acting import Acting, ActingPanel, has_outcome
from tests.browser.chromium import SIZES
from tests.web.editing import CANARY, CONFIG, EXPLANATION, PROPOSES, QUESTION, REWRITES, WAITS, draft

pytestmark = pytest.mark.slow

EDITOR = """draft => {
    const now = window.page.draft = draft;
    window.page.applied = [];
    window.page.editor = {
        flush: async () => {
            if (window.page.unsaved === undefined) return;
            if (window.page.unsaved === "fails") throw new Error("409");
            now.base = window.page.unsaved;
        },
        draft: () => now,
        apply: async (edit) => {
            window.page.applied.push(edit);
            return window.page.says ?? "applied";
        },
    };
}"""
"""An editor with a draft; `page.unsaved` is the base that saving what was typed since would give."""

BEYOND = """exchange => {
    const dialog = exchange.closest('dialog');
    const around = [dialog, ...dialog.querySelectorAll('.body, .main')];
    return Math.max(...around.map((each) => each.scrollHeight - each.clientHeight));
}"""
"""By how many pixels a part around the conversation is higher than it may be."""


async def proposed(panel: ActingPanel) -> Locator:
    await panel.on_screen(route="/questions/:id", entities={"question": QUESTION})
    await panel.shown.page.evaluate("() => { delete window.page.unsaved; delete window.page.says; }")
    await panel.shown.page.evaluate(EDITOR, draft())
    exchange = await panel.ask(PROPOSES, WAITS)
    await expect(exchange.get_by_role("heading", name="Proposed for this question")).to_be_visible()
    return exchange


async def put(panel: ActingPanel, script: str) -> None:
    await panel.shown.page.evaluate(f"() => {{ {script} }}")


async def apply(exchange: Locator) -> None:
    await exchange.get_by_role("button", name="Apply").click()


@pytest.mark.parametrize("size", sorted(SIZES))
async def test_a_proposal_is_read_and_applied_as_one_edit(browser: Browser, acting: Acting, size: str) -> None:
    async with acting.panel(browser, size=size) as panel:
        exchange = await proposed(panel)
        assert await exchange.locator("h5").all_text_contents() == ["Statement", "Explanation", "Choice 3", "Choice 4"]
        statement = exchange.locator(".change").first
        assert await _told(statement, "del") == str(CONFIG["statement"])
        assert await _told(statement, "ins") == REWRITES[0]["text"]
        gone, came = await _marked(statement, "del"), await _marked(statement, "ins")
        assert gone == [" (removed: What) ", f" (removed: {CANARY}-statement) "]
        assert came == [" (added: Which) ", " (added: it) "]
        assert await exchange.locator(".change").nth(2).locator("del, .side-of-diff.del").count() == 0
        assert await panel.page_has("applied") == []
        await apply(exchange)
        await has_outcome(exchange, "Applied to your draft. Undo in the editor takes it back.")
        (edit,) = await panel.page_has("applied")
        assert (edit["base"], edit["explanation"]) == (draft()["base"], REWRITES[1]["text"])
        assert edit["config"]["statement"] == REWRITES[0]["text"]
        assert edit["config"]["setting"] == CONFIG["setting"]
        assert await exchange.get_by_role("button", name="Apply").count() == 0


async def _told(change: Locator, side: str) -> str:
    """The text of one side, without what only those who listen are told."""
    script = """side => {
        const copy = side.cloneNode(true);
        copy.querySelectorAll('.unseen').forEach((each) => each.remove());
        return copy.textContent;
    }"""
    return str(await change.locator(f".side-of-diff.{side} .text").evaluate(script))


async def _marked(change: Locator, tag: str) -> list[str]:
    return await change.locator(tag).all_text_contents()


DROPPED = {
    "the draft was saved since": "window.page.draft.base = 'another'",
    "words typed since are saved first": "window.page.unsaved = 'another'",
    "another question is open": "window.page.draft.question_id = '00000000-0000-4000-8000-000000000000'",
    "no editor is open": "window.page.editor = null",
}


async def test_a_proposal_goes_into_no_other_draft(browser: Browser, acting: Acting) -> None:
    async with acting.panel(browser) as panel:
        for name, script in DROPPED.items():
            exchange = await proposed(panel)
            await put(panel, script)
            await apply(exchange)
            await has_outcome(exchange, "The draft has changed meanwhile, so this was dropped. Ask again.")
            assert await panel.page_has("applied") == [], name
            assert await exchange.get_by_role("button", name="Apply").count() == 0, name
        exchange = await proposed(panel)
        await put(panel, "window.page.says = 'changed'")
        await apply(exchange)
        await has_outcome(exchange, "The draft has changed meanwhile")

        exchange = await proposed(panel)
        await put(panel, "window.page.unsaved = 'fails'")
        await apply(exchange)
        await expect(exchange.get_by_text("nothing was applied. Try again.")).to_be_visible()
        assert await panel.page_has("applied") == []
        await put(panel, "delete window.page.unsaved")
        await apply(exchange)
        await has_outcome(exchange, "Applied to your draft.")

        exchange = await proposed(panel)
        await exchange.get_by_role("button", name="Cancel").click()
        await has_outcome(exchange, "Dropped. Your draft is as it was.")
        assert await panel.page_has("applied") == []
        assert await exchange.evaluate(BEYOND) == 0, "nothing but the conversation scrolls"
        await _on_its_own_screen_only(panel)
        await _an_editor_that_fails_is_told(panel)
        await _differences(panel)


LEFT = "Not done: you have left the screen that this was for."

ANOTHER = {"question": "00000000-0000-4000-8000-000000000000"}

LEAVES_WHILE_SAVED = """entities => {
    window.page.editor.flush = async () => { Object.assign(window.page.screen, {entities}); };
}"""


async def _on_its_own_screen_only(panel: ActingPanel) -> None:
    exchange = await proposed(panel)
    await panel.on_screen(entities=ANOTHER)
    await put(panel, "window.page.unsaved = 'fails'")  # what is open there is not even saved
    await apply(exchange)
    await expect(exchange.get_by_text(LEFT)).to_be_visible()
    assert await panel.page_has("applied") == []
    await panel.on_screen(entities={"question": QUESTION})
    await put(panel, "window.page.flush = window.page.editor.flush")
    await panel.shown.page.evaluate(LEAVES_WHILE_SAVED, ANOTHER)
    await apply(exchange)
    await expect(exchange.get_by_text(LEFT)).to_be_visible()
    assert await panel.page_has("applied") == []
    await panel.on_screen(entities={"question": QUESTION})
    await put(panel, "delete window.page.unsaved; window.page.editor.flush = window.page.flush")
    await apply(exchange)
    await has_outcome(exchange, "Applied to your draft.")

    async def leave(route: Route) -> None:
        answer = await route.fetch()
        await panel.on_screen(route="/questions")
        await route.fulfill(response=answer)

    await panel.shown.page.route("**/assist/ask", leave)
    exchange = await panel.ask(PROPOSES, WAITS)
    await has_outcome(exchange, LEFT)
    assert await exchange.locator(".card").count() == 0
    await panel.honest()


async def _an_editor_that_fails_is_told(panel: ActingPanel) -> None:
    exchange = await proposed(panel)
    await put(panel, "window.page.works = window.page.editor.apply")
    for body in ("() => { throw new Error('no'); }", "async () => { throw new Error('no'); }", "() => 'nonsense'"):
        await put(panel, f"window.page.editor.apply = {body}")
        await apply(exchange)
        await expect(exchange.get_by_text("The editor could not take it in. Try again.")).to_be_visible()
        await expect(exchange.get_by_role("button", name="Apply")).to_be_enabled()
    await put(panel, "window.page.reads = window.page.editor.draft")
    await put(panel, "window.page.editor.draft = () => { throw new Error('no'); }")
    await apply(exchange)
    await expect(exchange.get_by_text("The editor could not take it in. Try again.")).to_be_visible()
    await put(panel, "window.page.editor.draft = window.page.reads")
    await put(panel, "window.page.editor.apply = () => new Promise(() => {})")
    await apply(exchange)
    await panel.shown.page.clock.fast_forward(10_000)
    await expect(exchange.get_by_text("The editor has not said whether it took this in.")).to_be_visible()
    await put(panel, "window.page.editor.apply = window.page.works")
    twice = "button => { button.click(); button.click(); }"
    await exchange.get_by_role("button", name="Apply").evaluate(twice)
    await has_outcome(exchange, "Applied to your draft.")
    assert len(await panel.page_has("applied")) == 1
    exchange = await proposed(panel)
    await put(panel, "window.page.editor.draft = () => null")
    await apply(exchange)
    await has_outcome(exchange, "The draft has changed meanwhile")


WORDS = ("pointer", "null", " ", "  ", "\n", ",", ".", "[[1]]", "d'été", "ñ", "標題", "👩‍🏫", "a")

DIFFS = """async ([service, pairs]) => {
    const {wordDiff} = await import(service + '/assist/panel/view/diff.js');
    return pairs.map(([before, after]) => wordDiff(before, after));
}"""


async def _differences(panel: ActingPanel) -> None:
    """Joined, the runs are the texts; what is not marked is the same on both sides; a long text is not compared."""
    made = random.Random(9)
    texts = ["".join(made.choices(WORDS, k=made.randrange(12))) for _ in range(200)]
    pairs = list(itertools.pairwise(texts))
    service = str(panel.acting.house.service.base_url).rstrip("/")
    found: list[dict[str, Any]] = await panel.shown.page.evaluate(DIFFS, [service, pairs])
    for (before, after), told in zip(pairs, found, strict=True):
        assert [_joined(told[side]) for side in ("before", "after")] == [before, after]
        kept = [_joined([each for each in told[side] if not each["changed"]]) for side in ("before", "after")]
        assert kept[0] == kept[1]
    one, none, long = await panel.shown.page.evaluate(
        DIFFS, [service, [("a b c", "a x c"), (EXPLANATION, EXPLANATION), ("a " * 400, "b " * 400)]]
    )
    assert [each["text"] for each in one["after"]] == ["a ", "x", " c"]
    assert [each["changed"] for each in none["before"]] == [False]
    assert long is None


def _joined(pieces: list[dict[str, Any]]) -> str:
    return "".join(each["text"] for each in pieces)
