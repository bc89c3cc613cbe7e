"""The five writes; each answers with what it made or changed, read back as the person reads it."""

import dataclasses
import json
from uuid import uuid4

from examples.reference_lms.api.bodies import MoreQuestions, NewCategory, NewQuestion, NewTemplate, PoolLink
from examples.reference_lms.api.look import Answer, Look
from examples.reference_lms.api.question_types import is_valid_config
from examples.reference_lms.api.reads import read_course, read_question, read_template
from examples.reference_lms.api.refusals import Refusal

TITLE_FROM_STATEMENT = 80
"""Characters of a statement that stand in for a missing title."""


def create_question(look: Look) -> Answer:
    new = look.body
    assert isinstance(new, NewQuestion)
    pool = look.need("pool", new.pool)
    # Another pool's category is as unknown here as one that does not exist.
    wrong_category = new.category is not None and not look.store.row(
        "SELECT 1 FROM category WHERE id = :id AND pool = :pool", id=str(new.category), pool=pool
    )
    wrong = {"config": not is_valid_config(new.type, new.config), "category": wrong_category}
    if any(wrong.values()):
        raise Refusal("invalid", fields=[name for name, is_wrong in wrong.items() if is_wrong])
    id_, statement = str(uuid4()), new.config["statement"]
    look.store.run(
        "INSERT INTO question VALUES"
        " (:id, :pool, :category, :type, 'draft', :difficulty, :title, :statement, :config, :explanation)",
        id=id_,
        pool=pool,
        category=None if new.category is None else str(new.category),
        type=new.type,
        difficulty=new.difficulty,
        title=new.title or " ".join(statement.split())[:TITLE_FROM_STATEMENT] or "…",
        statement=statement,
        config=json.dumps(new.config),
        explanation=new.explanation,
    )
    return read_question(dataclasses.replace(look, id=id_))


def create_category(look: Look) -> Answer:
    new = look.body
    assert isinstance(new, NewCategory)
    id_ = str(uuid4())
    look.store.run("INSERT INTO category VALUES (:id, :pool, :title)", id=id_, pool=look.id, title=new.title)
    return {"id": id_, "title": new.title}


def create_template(look: Look) -> Answer:
    new = look.body
    assert isinstance(new, NewTemplate)
    course = None if new.course is None else look.need("course", new.course)
    made = dataclasses.replace(look, id=str(uuid4()))
    look.store.run(
        "INSERT INTO template VALUES (:id, :title, :language, :course, :owner)",
        id=made.id,
        title=new.title,
        language=new.language,
        course=course,
        owner=None if course else look.me,
    )
    _add_questions(made, [str(each) for each in new.questions])
    return read_template(made)


def add_questions_to_template(look: Look) -> Answer:
    more = look.body
    assert isinstance(more, MoreQuestions)
    _add_questions(look, [str(each) for each in more.questions])
    return read_template(look)


def link_pool_to_course(look: Look) -> Answer:
    link = look.body
    assert isinstance(link, PoolLink)
    pool = look.need("pool", link.pool)
    linked = "SELECT 1 FROM course_pool WHERE course = :course AND pool = :pool"
    if look.store.row(linked, course=look.id, pool=pool):
        raise Refusal("already_linked")
    look.store.run("INSERT INTO course_pool VALUES (:course, :pool)", course=look.id, pool=pool)
    return read_course(look)


def _add_questions(look: Look, questions: list[str]) -> None:
    for each in questions:
        row = look.store.row("SELECT status FROM my_question WHERE id = :id", id=look.need("question", each))
        if row is None or row["status"] != "published":
            raise Refusal("question_not_published")
        look.store.run("INSERT OR IGNORE INTO template_question VALUES (:template, :id)", template=look.id, id=each)
