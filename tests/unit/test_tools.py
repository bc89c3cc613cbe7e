"""The tools are a closed list; each gives this person's manual, or words, and nothing past its bounds."""

import json
from typing import Any

import pytest
from pydantic import ValidationError

from assist_service.domain.loop import AskedBack, Declined
from assist_service.domain.manual import NAME_CHARACTERS, Audience
from assist_service.domain.screens import Language
from assist_service.domain.writes import WriteTool
from assist_service.tools.catalog import TOOLS
from assist_service.tools.conversing import ASK_BACK, DECLINE, QUESTION_BACK_CHARACTERS
from assist_service.tools.guide import READ_GUIDE
from assist_service.tools.looking_up import ANY_FORM
from assist_service.tools.searching import SEARCH_GUIDE
from assist_service.tools.tool import OPEN_ONLY, RESULT_CHARACTERS, Desk, Effect, Family, Said, Tool
from tests.unit.small_manual import desk, publication, section
from tests.unit.test_tools_allowlist import INTERFACE, LOOKUPS, READS, SEALED

STUDENT = frozenset({Audience.SHARED, Audience.STUDENT})

MANUAL = publication(
    section(anchor="create", text="Press New pool."),
    section(anchor="share", title="Share a pool", text="Press Share."),
    section(language="fr", page_title="Banques", anchor="creer", title="Créer", text="Appuyez sur Nouvelle."),
    section("shared/account", "sign-in", "Type your name.", audience=Audience.SHARED, page_title="Account"),
    section("administrator/people", "erase", "Press Erase.", audience=Audience.ADMINISTRATOR_FULL, page_title="People"),
)


async def call(tool: Tool, at: Desk, **arguments: object) -> Any:
    """A call as the toolbox makes it."""
    return await tool.run(tool.arguments.model_validate_json(json.dumps(arguments)), at)


async def said(at: Desk, **arguments: object) -> Said:
    answer = await call(READ_GUIDE, at, **arguments)
    assert isinstance(answer, Said)
    return answer


def test_the_tools_are_a_closed_list() -> None:
    assert {name: (tool.effect, tool.family, tool.disclosures) for name, tool in TOOLS.items()} == {
        **dict.fromkeys(READS, (Effect.READ, Family.DATA, ANY_FORM)),
        **dict.fromkeys(LOOKUPS, (Effect.READ, Family.LIVE, SEALED)),
        "read_guide": (Effect.READ, Family.MANUAL, OPEN_ONLY),
        "search_guide": (Effect.READ, Family.MANUAL, OPEN_ONLY),
        "decline": (Effect.END, Family.CONVERSING, OPEN_ONLY),
        "ask_back": (Effect.END, Family.CONVERSING, OPEN_ONLY),
        **dict.fromkeys(INTERFACE, (Effect.ACT, Family.INTERFACE, OPEN_ONLY)),
        "propose_question_edit": (Effect.PREPARE, Family.EDITING, OPEN_ONLY),
        **{tool.value: (Effect.PREPARE, Family.WRITING, OPEN_ONLY) for tool in WriteTool},
    }
    assert all(tool.name == name for name, tool in TOOLS.items())


@pytest.mark.parametrize("tool", TOOLS.values(), ids=TOOLS)
def test_a_tool_takes_no_argument_it_does_not_name(tool: Tool) -> None:
    schema = tool.arguments.model_json_schema()
    assert schema["additionalProperties"] is False
    with pytest.raises(ValidationError, match="Extra inputs"):
        tool.arguments.model_validate_json('{"page": "x", "text": "x", "person": "anne"}')


async def test_a_page_is_read_whole_under_handles_to_cite() -> None:
    at = desk(MANUAL)
    answer = await said(at, page="teacher/pools")
    assert answer == Said(
        "[s1] teacher/pools | create | Pools: Create\nPress New pool.\n\n"
        "[s2] teacher/pools | share | Pools: Share a pool\nPress Share.\n"
    )
    assert at.given.section("s2") == MANUAL.pages[0].sections[1]


async def test_a_page_and_a_section_of_the_longest_names_are_read_and_none_longer() -> None:
    page, anchor = "teacher/" + "x" * (NAME_CHARACTERS - 8), "y" * NAME_CHARACTERS
    at = desk(publication(section(page, anchor, "Found.")))
    assert (await said(at, page=page, section=anchor)).text.endswith("Found.\n")
    for longer in ({"page": page + "x"}, {"page": page, "section": anchor + "y"}):
        with pytest.raises(ValidationError):
            await said(at, **longer)


@pytest.mark.parametrize("name", ["share", "SHARE", " share ", "Share a pool", "share A pool"])
async def test_a_section_is_read_alone_by_anchor_or_title(name: str) -> None:
    at = desk(MANUAL)
    assert await said(at, page="teacher/pools", section=name) == Said(
        "[s1] teacher/pools | share | Pools: Share a pool\nPress Share.\n"
    )
    assert at.given.section("s2") is None


async def test_a_page_comes_in_the_language_of_the_answer_and_is_named_as_in_any() -> None:
    at = desk(MANUAL, language=Language.FRENCH)
    assert "Appuyez sur Nouvelle." in (await said(at, page="teacher/pools")).text
    assert "Appuyez sur Nouvelle." in (await said(at, page="teacher/pools", section="creer")).text
    by_the_index = await said(at, page="teacher/pools", section="share")
    assert "Press Share." in by_the_index.text
    assert "Press New pool." in (await said(desk(MANUAL, language=Language.FILIPINO), page="teacher/pools")).text


@pytest.mark.parametrize(
    "page", ["administrator/people", "teacher/no-such-page", "teacher/pools.md", "../secrets", "s1"]
)
async def test_a_page_that_is_not_theirs_reads_like_one_that_is_not_there_and_names_those_that_are(page: str) -> None:
    at = desk(MANUAL)
    answer = await said(at, page=page)
    words, _, names = answer.text.partition(": ")
    assert (words, answer.is_error) == ("There is no such page. Those there are, the nearest first", True)
    assert sorted(names.split(", ")) == ["shared/account", "teacher/pools"]
    assert at.given.section("s1") is None


async def test_a_student_is_told_of_no_page_of_a_teacher() -> None:
    answer = await said(desk(MANUAL, audiences=STUDENT), page="teacher/pools", section="create")
    assert answer == Said("There is no such page. Those there are, the nearest first: shared/account", is_error=True)


async def test_a_wrong_section_names_those_there_are() -> None:
    answer = await said(desk(MANUAL), page="teacher/pools", section="delete")
    assert answer == Said("There is no such section. Those there are, the nearest first: create, share", is_error=True)


@pytest.mark.parametrize("count", [1, 3, 40])
async def test_a_long_page_is_cut_between_sections_and_says_how_to_go_on(count: int) -> None:
    sections = [section(anchor=f"part-{number}", text=f"{number} " + "x" * 9_000) for number in range(count)]
    at = desk(publication(*sections))
    answer = await said(at, page="teacher/pools")
    assert len(answer.text) <= RESULT_CHARACTERS
    fitting = min(count, 2)
    assert [each.text in answer.text for each in sections] == [True] * fitting + [False] * (count - fitting)
    assert [at.given.section(f"s{number + 1}") for number in range(count)] == [
        each if number < fitting else None for number, each in enumerate(sections)
    ], "what the model did not read it cannot cite"
    if count > fitting:
        assert answer.text.splitlines()[-1].startswith(
            "Too long for one result: narrow your request to one of the sections part-2"
        )


@pytest.mark.parametrize("size", range(7_880, 8_000, 7))
async def test_sections_near_the_bound_are_whole_or_not_there(size: int) -> None:
    sections = [section(anchor=f"part-{number}", text="x" * size + str(number)) for number in range(3)]
    answer = await said(desk(publication(*sections)), page="teacher/pools")
    assert len(answer.text) <= RESULT_CHARACTERS
    whole = [each.text in answer.text for each in sections]
    assert all(whole) or "narrow your request" in answer.text


async def test_the_names_of_what_did_not_fit_stay_within_the_bound() -> None:
    sections = [section(anchor=f"{number}-" + "long-" * 14, text="x" * 1_000) for number in range(600)]
    answer = await said(desk(publication(*sections)), page="teacher/pools")
    assert len(answer.text) <= RESULT_CHARACTERS
    assert answer.text.endswith("…")


async def test_a_section_longer_than_any_result_is_still_given() -> None:
    long = section(text="x" * (RESULT_CHARACTERS * 2))
    at = desk(publication(long, section(anchor="share")))
    assert (await said(at, page="teacher/pools", section="create")).text.startswith("[s1]")
    assert at.given.section("s1") == long
    assert at.given.section("s2") is None


async def test_decline_ends_the_question_without_words_of_the_model() -> None:
    assert await call(DECLINE, desk(MANUAL)) == Declined()


@pytest.mark.parametrize(
    "text",
    [
        "Which pool do you mean?",
        "Bonjour ! Que veux-tu savoir ?",
        "x" * QUESTION_BACK_CHARACTERS,
        "Do you mean “Share” or “Link”?",
        "A pool [of questions], then?",
        "Is 3 < 4 what you ask?",
    ],
)
async def test_a_short_question_back_is_asked(text: str) -> None:
    assert await call(ASK_BACK, desk(MANUAL), text=text) == AskedBack(text)


@pytest.mark.parametrize(
    "text",
    [
        "See https://evil.example",
        "See HTTP://evil.example",
        "See ftp://evil.example",
        "[here](/pools)",
        "[here] (/pools)",
        "![](x.png)",
        "[here][1]",
        "See www.evil.example",
        "<a href=x>here</a>",
        "<https:x>",
        "<!-- x -->",
        "</p>",
        "mailto:anne@evil.example",
    ],
)
async def test_a_question_back_with_a_link_is_not_asked(text: str) -> None:
    answer = await call(ASK_BACK, desk(MANUAL), text=text)
    assert answer == Said("Not said: a question back holds no link.", is_error=True)


@pytest.mark.parametrize("text", [" ", "\n\t", "\u200b", "\u2060\U000e0041"])
async def test_an_empty_question_back_is_not_asked(text: str) -> None:
    answer = await call(ASK_BACK, desk(MANUAL), text=text)
    assert answer == Said("Not said: it is empty.", is_error=True)


@pytest.mark.parametrize("text", ["", "x" * (QUESTION_BACK_CHARACTERS + 1), 7, None, ["Which?"]])
async def test_a_question_back_of_another_form_is_no_argument(text: object) -> None:
    with pytest.raises(ValidationError):
        await call(ASK_BACK, desk(MANUAL), text=text)


async def test_a_wrong_name_is_answered_with_the_nearest_first() -> None:
    answer = await said(desk(MANUAL), page="teacher/pool")
    assert answer.text.endswith("teacher/pools, shared/account")


async def search(at: Desk, query: str) -> Said:
    answer = await SEARCH_GUIDE.run(SEARCH_GUIDE.arguments.model_validate({"query": query}), at)
    assert isinstance(answer, Said)
    return answer


async def test_a_search_names_what_this_person_may_read_and_gives_nothing_to_cite() -> None:
    at = desk(MANUAL)
    found = await search(at, "how to share a pool")
    assert "- teacher/pools | share | " in found.text
    assert at.given.section("s1") is None
    student = desk(MANUAL, audiences=frozenset({Audience.SHARED, Audience.STUDENT}))
    assert "teacher/" not in (await search(student, "how to share a pool")).text


@pytest.mark.parametrize("query", ["(" * 300, "title:*", "the of and", "中文", "zzzzqq"])
async def test_a_search_for_nothing_finds_nothing_and_says_so(query: str) -> None:
    assert (await search(desk(MANUAL), query)).text.startswith("Nothing found.")
