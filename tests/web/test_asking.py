"""A question over HTTP, from the screen it was asked on to the checked answer that is kept."""

from pathlib import Path

import asyncpg
import pytest

from assist_service.domain.messages import ProviderFault, ProviderFaultKind, Stop, Usage
from assist_service.domain.screens import Language
from tests.fakes.house import ADMINISTRATOR, OTHER_TEACHER, STUDENT, TEACHER, TRAINER, running_house
from tests.fakes.models import ScriptedModel, calls, reads, says


async def test_a_teachers_question_is_answered_from_the_manual_and_stored(
    database_url: str, pool: asyncpg.Pool
) -> None:
    async with running_house(database_url) as house:
        answer = await house.ask("How do I give a learner extra time?")
        assert answer.status_code == 200
        reply = answer.json()
        assert reply["kind"] == "manual"
        assert reply["language"] == "en"
        assert "[1]" in reply["answer"]
        assert '<sup class="citation" data-marker="1">[1]</sup>' in reply["html"]
        [citation] = reply["citations"]
        assert citation["page"] == "teacher/extra-time-and-absences"
        assert citation["href"] == f"/assist/manual/{house.publication.id}/{citation['section']}"
        assert reply["statement"] == {"opened": [], "prepared": [], "changed": False}
        receipt = reply["receipt"]
        assert receipt["models"] == ["stub"]
        assert receipt["requests"] == 3
        assert receipt["cost_micros"] > 0
        assert receipt["corpus_version"] == house.publication.id
        assert receipt["sent"] == [
            {"tool": "read_guide", "disclosure": "open"},
            {"tool": "search_guide", "disclosure": "open"},
        ]
        assert receipt["also_sent"] == ["question"]
        opened = await house.service.get(citation["href"], headers=await house.bearer())
        assert opened.status_code == 200
        assert opened.json()["active"] is True

        row = await pool.fetchrow("SELECT * FROM exchanges")
        assert row is not None
        assert (row["route"], row["topic"], row["language"]) == ("/pools/:id", "pool", "en")
        assert (row["model"], row["corpus_version"]) == ("stub", house.publication.id)
        assert b"extra time" not in row["sealed"]
        costs = await pool.fetchval("SELECT sum(cost_micros) FROM llm_calls")
        assert costs == receipt["cost_micros"]


async def test_a_manual_too_large_to_list_is_searched(database_url: str, tmp_path: Path) -> None:
    for number in range(700):
        page = tmp_path / "teacher" / f"a-page-among-many-{number}.md"
        page.parent.mkdir(exist_ok=True)
        page.write_text(f"---\naudience: teacher\ntitle: Page {number}\n---\nWords on w{number}x.\n", "utf-8")
    page.write_text("---\naudience: teacher\ntitle: Locks\n---\n# Unlock the door\nTurn the key.\n", "utf-8")
    async with running_house(database_url, manual=tmp_path) as house:
        reply = (await house.ask("How can I unlock a door?", context=_context(topic=None))).json()
        assert (reply["kind"], reply["receipt"]["requests"]) == ("manual", 3)
        assert [sent["tool"] for sent in reply["receipt"]["sent"]] == ["search_guide", "read_guide"]
        assert [citation["page"] for citation in reply["citations"]] == ["teacher/a-page-among-many-699"]


async def test_a_follow_up_carries_the_history_and_says_so(database_url: str) -> None:
    model = ScriptedModel(
        reads("teacher/pools"), says("First answer [s1]."), reads("teacher/pools"), says("Second [s2].")
    )
    async with running_house(database_url, provider=model) as house:
        first = (await house.ask("First question?")).json()
        second = (await house.ask("Second question?", conversation_id=first["conversation_id"])).json()
        assert second["conversation_id"] == first["conversation_id"]
        assert second["receipt"]["also_sent"] == ["question", "history"]
        spoken = [getattr(message, "text", None) for message in model.requests[2].messages]
        assert spoken == ["First question?", "First answer.", "Second question?"]


async def test_a_screens_help_that_was_sent_is_on_the_receipt(database_url: str) -> None:
    model = ScriptedModel(says("So says the help [s1]."))
    async with running_house(database_url, provider=model) as house:
        reply = (await house.ask()).json()
        assert reply["citations"][0]["page"] == "teacher/help/pool"
        assert reply["receipt"]["sent"] == [{"tool": "read_guide", "disclosure": "open"}]
        elsewhere = (await house.ask(context=_context(topic=None))).json()
        assert elsewhere["receipt"]["sent"] == []


async def test_numbered_steps_stay_numbered(database_url: str) -> None:
    model = ScriptedModel(says("1. Open **Pools**.\n2. Press **New pool**.\n3. Press **Create**. [s1]"))
    async with running_house(database_url, provider=model) as house:
        reply = (await house.ask()).json()
        assert reply["answer"].splitlines()[1:] == ["2. Press **New pool**.", "3. Press **Create**. [1]"]


async def test_counts_that_cannot_be_are_charged_at_the_worst_case(database_url: str, pool: asyncpg.Pool) -> None:
    absurd = Usage(2**31 - 1, 0, 0, 2**31 - 1)
    nothing = Usage(0, 0, 0, 0)
    model = ScriptedModel(says("So [s1].", usage=absurd), says("So [s1].", usage=nothing))
    async with running_house(database_url, provider=model) as house:
        for _ in range(2):
            assert (await house.ask()).status_code == 200
        rows = await pool.fetch("SELECT cost_micros, worst_micros, input_tokens FROM llm_calls")
        assert [(row["cost_micros"] == row["worst_micros"], row["input_tokens"]) for row in rows] == [(True, None)] * 2


@pytest.mark.parametrize(
    "invented", ["No citation at all.", "Invented [s999].", "A number [1].", "[s1]", "Another's [s0], [1] and [s99]."]
)
async def test_an_answer_without_a_valid_citation_is_the_fixed_refusal(database_url: str, invented: str) -> None:
    model = ScriptedModel(reads("teacher/pools"), says(invented))
    async with running_house(database_url, provider=model) as house:
        reply = (await house.ask()).json()
        assert reply["kind"] == "refusal"
        assert reply["answer"] == house.configuration.policy.texts.not_found[Language.ENGLISH]
        assert reply["citations"] == []


async def test_citations_are_only_shown_under_the_teacher_assistant(database_url: str) -> None:
    model = ScriptedModel(says("From memory [s9]."))
    async with running_house(database_url, provider=model, policy="teacher-assistant") as house:
        reply = (await house.ask()).json()
        assert (reply["kind"], reply["answer"], reply["citations"]) == ("manual", "From memory.", [])


async def test_the_model_declines_in_the_schools_words_and_the_persons_language(database_url: str) -> None:
    model = ScriptedModel(calls(("decline", {})))
    async with running_house(database_url, provider=model) as house:
        reply = (await house.ask("Peux-tu écrire un poème sur la mer, s'il te plaît ?")).json()
        assert (reply["kind"], reply["language"]) == ("refusal", "fr")
        assert reply["answer"] == house.configuration.policy.texts.decline[Language.FRENCH]


async def test_the_model_asks_back_without_a_link(database_url: str) -> None:
    model = ScriptedModel(
        calls(("ask_back", {"text": "See https://evil.example"})),
        calls(("ask_back", {"text": "x" * 301})),
        calls(("ask_back", {"text": "Which pool do you mean?"})),
    )
    async with running_house(database_url, provider=model) as house:
        reply = (await house.ask()).json()
        assert (reply["kind"], reply["answer"]) == ("question", "Which pool do you mean?")
        assert len(model.requests) == 3


async def test_a_provider_that_refuses_is_told_as_a_refusal(database_url: str) -> None:
    async with running_house(database_url, provider=ScriptedModel(says("", stop=Stop.REFUSAL))) as house:
        reply = (await house.ask()).json()
        assert reply["kind"] == "refusal"


@pytest.mark.parametrize(
    "said",
    [
        says("cut", stop=Stop.LENGTH),
        says("  "),
        ProviderFault(ProviderFaultKind.PERMANENT, billed=False, reason="status_400"),
        ProviderFault(ProviderFaultKind.TRANSIENT, billed=True, reason="timeout"),
        reads("teacher/pools"),
    ],
    ids=["cut short", "empty", "permanent", "transient", "never stops reading"],
)
async def test_no_answer_is_llm_unavailable_and_nothing_is_stored(
    database_url: str, pool: asyncpg.Pool, said: object
) -> None:
    model = ScriptedModel(said)  # type: ignore[arg-type]
    async with running_house(database_url, provider=model) as house:
        answer = await house.ask()
        assert (answer.status_code, answer.json()["code"]) == (503, "llm_unavailable")
        assert len(model.requests) <= 6
        assert await pool.fetchval("SELECT count(*) FROM conversations") == 0
        assert await pool.fetchval("SELECT count(*) FROM llm_calls WHERE settled_at IS NULL") == 0


async def test_at_most_six_requests_and_the_last_may_not_call(database_url: str) -> None:
    model = ScriptedModel(*(reads("teacher/pools") for _ in range(5)), says("Done [s1]."))
    async with running_house(database_url, provider=model) as house:
        assert (await house.ask()).json()["kind"] == "manual"
        assert [request.may_call for request in model.requests] == [True] * 5 + [False]


async def test_failed_tries_count_among_the_six_and_the_last_may_still_not_call(database_url: str) -> None:
    busy = ProviderFault(ProviderFaultKind.TRANSIENT, billed=False, reason="status_529")
    model = ScriptedModel(
        busy, reads("teacher/pools"), busy, busy, reads("teacher/pools"), says("Done after all [s1].")
    )
    async with running_house(database_url, provider=model) as house:
        reply = (await house.ask()).json()
        assert (reply["kind"], reply["receipt"]["requests"]) == ("manual", 6)
        assert [request.may_call for request in model.requests] == [True] * 5 + [False]


@pytest.mark.parametrize(
    ("person", "page", "kind"),
    [
        (STUDENT, "student/your-results", "manual"),
        (STUDENT, "teacher/pools", "refusal"),
        (STUDENT, "administrator/people", "refusal"),
        (TEACHER, "student/your-results", "manual"),
        (TEACHER, "administrator/people", "refusal"),
        (TRAINER, "administrator/trainer-accounts", "manual"),
        (TRAINER, "administrator/import-people", "manual"),
        (TRAINER, "administrator/people", "refusal"),
        (TRAINER, "teacher/pools", "refusal"),
        (ADMINISTRATOR, "administrator/people", "manual"),
        (ADMINISTRATOR, "administrator/trainer-accounts", "manual"),
        (ADMINISTRATOR, "teacher/pools", "manual"),
    ],
)
async def test_each_role_reads_its_own_part_of_the_manual(database_url: str, person: str, page: str, kind: str) -> None:
    model = ScriptedModel(reads(page), says("It says so [s1]."))
    async with running_house(database_url, provider=model) as house:
        reply = (await house.ask(person=person, context=_context(topic=None))).json()
        assert reply["kind"] == kind
        shown = str(model.requests[1].messages[-1])
        assert ("There is no such page" in shown) == (kind == "refusal")


async def test_a_section_of_another_audience_is_the_same_404_as_none(database_url: str) -> None:
    async with running_house(database_url) as house:
        section = next(p for p in house.publication.pages if p.path == "teacher/pools").sections[0]
        base = f"/assist/manual/{house.publication.id}"
        headers = await house.bearer(STUDENT)
        foreign = await house.service.get(f"{base}/{section.id}", headers=headers)
        absent = await house.service.get(f"{base}/{'0' * 20}", headers=headers)
        assert (foreign.status_code, foreign.json()["code"]) == (404, "section_not_found")
        assert foreign.content == absent.content
        other = await house.service.get(f"/assist/manual/{'0' * 16}/{section.id}", headers=await house.bearer())
        assert other.content == absent.content
        mine = await house.service.get(f"{base}/{section.id}", headers=await house.bearer(OTHER_TEACHER))
        assert mine.status_code == 200


async def test_hostile_words_leave_the_answer_harmless(database_url: str, pool: asyncpg.Pool) -> None:
    hostile = (
        "Look [s1] ![x](https://evil.example/a.png) [click](https://evil.example) <img src=x> "
        "[pool](/pools/1)\U000e0041\u202e"
    )
    model = ScriptedModel(reads("teacher/pools"), says(hostile))
    async with running_house(database_url, provider=model) as house:
        reply = (await house.ask("Hidden\U000e0041 words\u202e?")).json()
        for text in (reply["answer"], reply["html"], str(model.requests[0].messages)):
            assert "\U000e0041" not in text
            assert "\u202e" not in text
        assert "<img" not in reply["html"]
        assert 'href="https://evil' not in reply["html"]
        assert 'href="/pools/1"' in reply["html"]
        listed = await house.service.get("/assist/conversations", headers=await house.bearer())
        assert listed.json()["items"][0]["title"] == "Hidden words?"


def _context(**changes: object) -> dict[str, object]:
    return {"route": "/pools/:id", "topic": "pool", "language": "en", "entities": {}, "commands": [], **changes}
