"""An answer of everything that one may hold, in the contract's shapes and the service's own HTML, to be looked at.

No one question brings all of it: the page's `POST /assist/ask` is answered with it here.
"""

import json
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from playwright.async_api import Page, Route

from assist_service.adapters.markdown.markup import Markup
from assist_service.domain.reply import Reply

MARKDOWN = """# A pool

A pool holds the **questions** of a *topic*, ~~not~~ of a [course](/courses).[1] Each has
a status: draft, published or archived.\\
Only published ones can be drawn.[2]

## To make one

1. Open **Pools**, then `New pool`.
2. Give it a title:
   - short, such as *Optics*,
   - and in the language of its questions.
3. Save it.[1]

### What it says of each question

| Question | Type | Difficulty | Answered | Correct | Last used |
|---|---|---|---|---|---|
| Refraction at a plane surface | Single choice | Medium | 128 | 61 % | 3 November 2026 |
| Thin lenses, the equation and its signs | Numeric | Hard | 97 | 38 % | 3 November 2026 |
| Donaudampfschifffahrtselektrizitaetenhauptbetriebswerk | Essay | Easy | 12 | 92 % | 28 October 2026 |

#### As a file

```toml
title = "Optics"
question = "What becomes of a ray of light that leaves the water under an angle of more than forty-nine degrees?"
```

##### A limit

> A pool has at most 2,000 questions.
> Above that, make a second one.

###### And an address

---

Donaudampfschifffahrtselektrizitaetenhauptbetriebswerkbauunterbeamtengesellschaftsvorsitzenderzimmertuerschluessel
"""
"""Every tag that an answer may hold, a table that is wider than the panel and words that are longer."""

CITATIONS = [
    {"marker": marker, "page": page, "section": "s", "title": title, "href": f"/assist/manual/{UUID(int=1)}/{marker}"}
    for marker, page, title in (
        (1, "teacher/pools", "Pools: Making a pool"),
        (2, "teacher/questions", "Questions: From a draft to a published question"),
    )
]


def whole_reply(now: datetime, **changes: Any) -> Reply:
    """The answer with a card, chips, choices, an offered command, one to confirm, and a rewritten question."""
    html = Markup("https://lms.example").html(MARKDOWN, markers={1, 2})
    ends = now + timedelta(minutes=9)
    return Reply.model_validate(
        {
            "conversation_id": UUID(int=2),
            "exchange_id": UUID(int=3),
            "kind": "proposal",
            "answer": MARKDOWN,
            "html": html,
            "language": "en",
            "citations": CITATIONS,
            "actions": [
                {"type": "offer_command", "id": "try-it", "label": "Try it"},
                {"type": "confirm_command", "id": "publish", "label": "Publish"},
                {"type": "edit_question", "question_id": UUID(int=4), "base": "r7", **_edit()},
            ],
            "writes": [{"id": UUID(int=5), "tool": "create_question", "expires_at": ends, "lines": _lines()}],
            "references": [
                {"kind": kind, "label": label, "token": f"r{number}"}
                for number, (kind, label) in enumerate((("class", "Physics 2b"), ("exam", "Optics, midterm")))
            ],
            "choices": [{"label": "Physics 2b, autumn", "token": "c1"}, {"label": "Physics 2b, spring", "token": "c2"}],
            "statement": {"opened": [], "prepared": ["A question"], "changed": False},
            "receipt": {
                "models": ["stub:demo"],
                "requests": 3,
                "input_tokens": 8_412,
                "cached_input_tokens": 6_100,
                "output_tokens": 391,
                "cost_micros": 9_140,
                "corpus_version": "2026-11",
                "also_sent": ["question"],
                "sent": [{"tool": "read_guide", "disclosure": "open"}],
            },
            **changes,
        }
    )


def _edit() -> dict[str, Any]:
    changes = [
        {
            "path": "/config/statement",
            "label": "statement",
            "before": "What becomes of a ray of light that leaves the water?",
            "after": "A ray of light leaves the water at more than 49 degrees. What becomes of it?",
        },
        {"path": "/config/choices/2/text", "label": "choice", "before": "", "after": "It is reflected wholly."},
    ]
    return {"changes": changes, "config": {"statement": "…"}, "explanation": ""}


def _lines() -> list[dict[str, str]]:
    return [
        {"label": label, "value": value}
        for label, value in (
            ("pool", "Optics"),
            ("type", "mcq"),
            ("statement", "A ray of light leaves the water at more than 49 degrees. What becomes of it?"),
            ("choice", "It is reflected wholly."),
            ("choice", "It is bent away from the perpendicular."),
            ("status", "draft"),
        )
    ]


COMMANDS = [
    {"id": "try-it", "label": "Try it", "effect": "none", "gesture": True, "danger": False},
    {"id": "publish", "label": "Publish", "effect": "write", "gesture": False, "danger": False},
]
"""What the screen must have registered for the answer's commands."""

EDITOR = f"""
page.screen.commands = %s;
page.editor = {{
  flush: async () => {{}},
  draft: () => ({{question_id: "{UUID(int=4)}", type: "mcq", base: "r7", config: {{statement: "…"}}, explanation: ""}}),
  apply: async () => "applied",
}};
"""


async def answers_with(page: Page, **changes: Any) -> None:
    """From here on every question of this page has this answer; its card's time is the browser's."""
    now = datetime.fromisoformat(await page.evaluate("new Date().toISOString()"))
    reply = whole_reply(now, **changes)
    await page.evaluate(EDITOR % json.dumps(COMMANDS))

    async def fulfil(route: Route) -> None:
        if route.request.method == "OPTIONS":
            await route.continue_()
            return
        origin = "/".join(page.url.split("/")[:3])
        headers = {"Access-Control-Allow-Origin": origin, "Content-Type": "application/json"}
        await route.fulfill(body=reply.model_dump_json(), headers=headers)

    await page.route("**/assist/ask", fulfil)
