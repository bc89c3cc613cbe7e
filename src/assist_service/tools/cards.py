"""Renders the card of a write from its frozen request, with every title read from the LMS as the person.

The same function renders it before it is shown and again before it is done: what differs then has changed.
"""

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any
from uuid import UUID

from assist_service.domain.cards import Label, Unfit, card, config_lines, line, passage
from assist_service.domain.question_types import QuestionType
from assist_service.domain.reply import CardLine
from assist_service.domain.school import PUBLISHED
from assist_service.domain.unprepared import Unprepared
from assist_service.domain.writes import WriteRequest, WriteTool
from assist_service.ports import SchoolReads
from assist_service.tools.paging import every

Body = Mapping[str, Any]

UNPUBLISHED = (
    "Not prepared: only published questions go into a template. Say that the question has to be published in the "
    "editor first, and to ask again then."
)

TOO_MANY = "Not prepared: too many people would gain access to name them all. Say so."


async def card_of(request: WriteRequest, reads: SchoolReads) -> tuple[CardLine, ...]:
    """The card's lines. Raises LmsFault for what this person does not reach, Unfit for what may not be done."""
    return card(await _CARDS[request.tool](request.entity, json.loads(request.body), reads))


async def type_of(name: str, reads: SchoolReads) -> QuestionType:
    """The type of question. Raises Unfit with the names there are."""
    types = (await reads.question_types()).items
    found = next((each for each in types if each.type == name), None)
    if found is None:
        raise Unfit(f"Not prepared: there is no such type. Those there are: {', '.join(each.type for each in types)}")
    return found


async def _question(_: UUID | None, body: Body, reads: SchoolReads) -> Sequence[CardLine]:
    pool, type_ = await asyncio.gather(reads.pool(UUID(body["pool"])), type_of(body["type"], reads))
    lines = [line(Label.POOL, pool.title), line(Label.TYPE, type_.title)]
    if "title" in body:
        lines.append(line(Label.TITLE, body["title"]))
    lines += config_lines(body["config"], type_)
    if body["explanation"]:
        lines.append(passage(Label.EXPLANATION, body["explanation"]))
    if "difficulty" in body:
        lines.append(line(Label.DIFFICULTY, body["difficulty"]))
    if "category" in body:
        titles = {str(each.id): each.title for each in pool.categories}
        if body["category"] not in titles:
            raise Unfit("Not prepared: the pool has no such category. get_pool lists those it has.")
        lines.append(line(Label.CATEGORY, titles[body["category"]]))
    return [*lines, line(Label.STATUS, body["status"])]


async def _category(pool: UUID | None, body: Body, reads: SchoolReads) -> Sequence[CardLine]:
    assert pool is not None
    return [line(Label.POOL, (await reads.pool(pool)).title), line(Label.TITLE, body["title"])]


async def _template(_: UUID | None, body: Body, reads: SchoolReads) -> Sequence[CardLine]:
    lines = [line(Label.TITLE, body["title"])]
    if "course" in body:
        lines.append(line(Label.COURSE, (await reads.course(UUID(body["course"]))).title))
    if "language" in body:
        lines.append(line(Label.LANGUAGE, body["language"]))
    return [*lines, *await _published(body, reads)]


async def _more_questions(template: UUID | None, body: Body, reads: SchoolReads) -> Sequence[CardLine]:
    assert template is not None
    found = await reads.template(template)
    return [line(Label.TEMPLATE, found.title), *await _published(body, reads)]


async def _published(body: Body, reads: SchoolReads) -> Sequence[CardLine]:
    """The questions by their titles. Raises Unfit where one is not published."""
    questions = await asyncio.gather(*(reads.question(UUID(each)) for each in body["questions"]))
    if any(question.status != PUBLISHED for question in questions):
        raise Unfit(UNPUBLISHED, Unprepared.UNPUBLISHED)
    return [line(Label.QUESTION, f"{question.title} ({question.pool.title})") for question in questions]


async def _link(course: UUID | None, body: Body, reads: SchoolReads) -> Sequence[CardLine]:
    """Who teaches the course gains access to the pool: everyone by name (row A16)."""
    assert course is not None
    pool, found, (staff, is_cut) = await asyncio.gather(
        reads.pool(UUID(body["pool"])),
        reads.course(course),
        every(lambda cursor: reads.course_staff(course, cursor=cursor)),
    )
    if is_cut:
        raise Unfit(TOO_MANY, Unprepared.TOO_LONG)
    # The LMS may list them in another order each time; who is on the list is what counts.
    people = sorted(f"{person.name} ({person.role})" for person in staff)
    gaining = [line(Label.GAINS_ACCESS, person) for person in people]
    return [line(Label.POOL, pool.title), line(Label.COURSE, found.title), *gaining]


_CARDS: Mapping[WriteTool, Callable[[UUID | None, Body, SchoolReads], Awaitable[Sequence[CardLine]]]] = {
    WriteTool.CREATE_QUESTION: _question,
    WriteTool.CREATE_CATEGORY: _category,
    WriteTool.CREATE_TEMPLATE: _template,
    WriteTool.ADD_QUESTIONS_TO_TEMPLATE: _more_questions,
    WriteTool.LINK_POOL_TO_COURSE: _link,
}
