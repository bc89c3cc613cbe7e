"""What people change on the pages of the reference LMS: it happens in the school, as theirs, and only within reach."""

import re
from collections.abc import AsyncIterator

import pytest

from examples.reference_lms.school import FILIPINO_TEACHER, FRENCH_TEACHER, STUDENTS, TRAINER_ADMIN
from tests.web.lms_face import (
    DRAFT,
    FOREIGN_POOL,
    POOL,
    POOL_ASKED_NOWHERE,
    QUESTION,
    RUNNING,
    Browser,
    commands_of,
    open_lms,
)

COURSE = "15836ecc-3473-4a44-96ca-e5bf72eccaa6"
OWN_POOL = "c4f6ed13-6585-50de-b8e5-90288a6acb83"
CLASSROOM = "7061f74d-4306-450b-939a-358c5243912d"
FOREIGN_COURSE = "d5b0799e-4686-4941-b6dd-835e132950e5"
FOREIGN_CLASSROOM = "7ffadcca-4172-441d-9600-07a5cd56aab0"
FOREIGN_EVALUATION = "163112a9-4579-5a71-b717-3bb509d6cae8"
DRAFT_QUESTION = "1ccd8ae1-e0c4-5751-a45e-8fc974f61992"
FOREIGN_QUESTION = "4ee8e431-d881-46ee-bbdc-234a849d098c"


@pytest.fixture
async def lms() -> AsyncIterator[Browser]:
    async with open_lms() as opened:
        await opened.sign_in()
        yield opened


async def test_a_change_is_on_the_audit_as_the_persons_own(lms: Browser) -> None:
    path = f"/questions/{QUESTION}/unpublish"
    assert (await lms.post(path)).headers["location"] == f"/questions/{QUESTION}"
    [entry] = await lms.log()
    del entry["at"]
    whose = {"actor": "person", "acting_for": FRENCH_TEACHER.sub, "tool": None}
    assert entry == {**whose, "method": "POST", "path": path, "status": 303}


async def test_a_question_is_published_and_taken_back(lms: Browser) -> None:
    page = f"/questions/{QUESTION}"
    assert "unpublish" in commands_of(await lms.get(page))
    await lms.post(f"{page}/unpublish")
    assert "publish" in commands_of(await lms.get(page))
    await lms.post(f"{page}/publish")
    assert "unpublish" in commands_of(await lms.get(page))
    again = await lms.post(f"{page}/publish")
    assert again.status_code == 409
    assert "It is so already." in again.text


async def test_an_evaluation_goes_one_way(lms: Browser) -> None:
    page = f"/evaluations/{DRAFT}"
    for wrong in ("close", "release"):
        assert (await lms.post(f"{page}/{wrong}")).status_code == 409
    for step, state in (("start", "running"), ("close", "closed"), ("release", "released")):
        assert (await lms.post(f"{page}/{step}")).status_code == 303
        assert f'class="badge {state}"' in (await lms.get(page)).text
        assert (await lms.post(f"{page}/{step}")).status_code == 409
    assert (await lms.get(page)).text.count('method="post"') == 2  # language and sign-out


async def test_a_new_question_of_each_type_is_a_draft(lms: Browser) -> None:
    for type_ in ("mcq", "cloze", "categorize", "numeric", "open"):
        answer = await lms.post(f"/pools/{POOL}/questions", title="A <b>title</b>", type=type_, statement="Why?")
        page = await lms.get(answer.headers["location"])
        assert "<h1>A &lt;b&gt;title&lt;/b&gt;</h1>" in page.text
        assert 'class="badge draft"' in page.text
        assert (await lms.get(f"{answer.headers['location']}/try")).status_code == 200


async def test_half_a_question_is_none(lms: Browser) -> None:
    for wrong in ({"title": ""}, {"type": "essay"}, {"statement": " "}, {"category": POOL}):
        fields = {"title": "T", "type": "mcq", "statement": "S", **wrong}
        assert (await lms.post(f"/pools/{POOL}/questions", **fields)).status_code == 422
    assert (await lms.get(f"/pools/{POOL}")).text.count('href="/questions/') == 50


async def test_a_new_pool_is_theirs_alone_and_in_the_language_it_is_made_in(lms: Browser) -> None:
    made = (await lms.post("/pools", title="  Arbres <b> ", language="fr")).headers["location"]
    settings = (await lms.get(f"{made}?tab=settings")).text
    assert "<h1>Arbres &lt;b&gt;</h1>" in settings
    assert "<dd>fr</dd>" in settings
    assert "Arbres" in (await lms.get("/pools")).text
    for wrong in ({"title": " "}, {"language": "tlh"}, {"title": "x" * 201}):
        assert (await lms.post("/pools", **{"title": "T", "language": "fr", **wrong})).status_code == 422
    await lms.sign_in(FILIPINO_TEACHER.sub)
    assert (await lms.get(made)).status_code == 404


async def test_a_category_and_a_template_and_a_link(lms: Browser) -> None:
    await lms.post(f"/pools/{POOL}/categories", title="Extra <i>")
    settings = (await lms.get(f"/pools/{POOL}?tab=settings")).text
    made = re.search(r"category=([0-9a-f-]{36})\">Extra &lt;i&gt;<", settings)
    assert made
    answer = await lms.post(f"/pools/{POOL}/questions", title="T", type="mcq", statement="S", category=made[1])
    assert answer.status_code == 303
    assert (await lms.get(f"/pools/{POOL}?category={made[1]}")).text.count('href="/questions/') == 1
    template = await lms.post("/templates", title="Short one", course=COURSE)
    assert "Short one" in (await lms.get(template.headers["location"])).text
    await lms.post(f"/courses/{COURSE}/pools", pool=OWN_POOL)
    assert "Structures et fichiers" in (await lms.get(f"/courses/{COURSE}?tab=pools")).text
    assert (await lms.post(f"/courses/{COURSE}/pools", pool=OWN_POOL)).status_code == 409


async def test_a_pool_goes_with_all_it_holds_unless_an_evaluation_asks_of_it(lms: Browser) -> None:
    question = re.findall(r"/questions/[0-9a-f-]{36}", (await lms.get(f"/pools/{POOL_ASKED_NOWHERE}")).text)[0]
    assert (await lms.post(f"/pools/{POOL_ASKED_NOWHERE}/delete")).headers["location"] == "/pools"
    for gone in (f"/pools/{POOL_ASKED_NOWHERE}", question):
        assert (await lms.get(gone)).status_code == 404
    refused = await lms.post(f"/pools/{POOL}/delete")
    assert refused.status_code == 409
    assert 'data-problem="An evaluation asks a question of this pool, so it stays."' in refused.text
    assert (await lms.get(f"/pools/{POOL}")).text.count('href="/questions/') == 50


async def test_a_new_course_is_its_makers_to_teach(lms: Browser) -> None:
    made = (await lms.post("/courses", title="Graphes", language="fr")).headers["location"]
    page = await lms.get(made)
    assert "<h1>Graphes</h1>" in page.text
    assert f'<option value="{POOL}">' in page.text
    assert (await lms.post(f"{made}/pools", pool=POOL)).status_code == 303
    assert f'href="/pools/{POOL}"' in (await lms.get(made)).text
    assert (await lms.post(f"{made}/unlink", pool=POOL)).status_code == 303
    assert f'href="/pools/{POOL}"' not in (await lms.get(made)).text
    assert (await lms.post(f"{made}/unlink", pool=POOL)).status_code == 409
    assert (await lms.post(f"{made}/unlink", pool=FOREIGN_POOL)).status_code == 404
    assert FRENCH_TEACHER.name in (await lms.get(f"{made}?tab=staff")).text
    for wrong in ({"title": " "}, {"language": "de"}, {"title": "x" * 201}):
        assert (await lms.post("/courses", **{"title": "T", "language": "fr", **wrong})).status_code == 422
    await lms.sign_in(FILIPINO_TEACHER.sub)
    assert (await lms.get(made)).status_code == 404


async def test_a_new_classroom_is_the_courses_and_has_evaluations(lms: Browser) -> None:
    made = (await lms.post(f"/courses/{COURSE}/classrooms", title="Groupe 1C")).headers["location"]
    assert "<h1>Groupe 1C</h1>" in (await lms.get(made)).text
    assert (await lms.post("/evaluations", title="T", classroom=made.removeprefix("/classrooms/"))).status_code == 303
    assert (await lms.post(f"/courses/{COURSE}/classrooms", title="")).status_code == 422
    assert (await lms.post(f"/courses/{FOREIGN_COURSE}/classrooms", title="T")).status_code == 404


async def test_a_template_takes_published_questions(lms: Browser) -> None:
    made = (await lms.post("/templates", title="Short one", course=COURSE)).headers["location"]
    assert QUESTION in re.findall(r'name="question" value="([^"]+)"', (await lms.get(made)).text)
    assert (await lms.post(f"{made}/questions", question=QUESTION)).headers["location"] == made
    page = (await lms.get(made)).text
    assert f'<a href="/questions/{QUESTION}">' in page
    assert f'value="{QUESTION}"' not in page
    for wrong, status in (("", 422), (FOREIGN_QUESTION, 404), (DRAFT_QUESTION, 409)):
        assert (await lms.post(f"{made}/questions", question=wrong)).status_code == status, wrong
    await lms.sign_in(FILIPINO_TEACHER.sub)
    assert (await lms.post(f"{made}/questions", question=QUESTION)).status_code == 404


async def test_a_new_evaluation_is_a_draft_of_ones_own_classroom_until_it_starts(lms: Browser) -> None:
    made = (await lms.post("/evaluations", title="Quiz", classroom=CLASSROOM)).headers["location"]
    page = (await lms.get(made)).text
    assert 'class="badge draft"' in page
    offered = re.findall(r'name="question" value="([^"]+)"', page)
    assert QUESTION in offered
    added = await lms.post(f"{made}/questions", question=QUESTION)
    assert added.headers["location"] == made
    page = (await lms.get(made)).text
    assert f'<a href="/questions/{QUESTION}">' in page
    assert f'value="{QUESTION}"' not in page
    for wrong in ("", QUESTION, FOREIGN_QUESTION, DRAFT_QUESTION):
        assert (await lms.post(f"{made}/questions", question=wrong)).status_code == 422, wrong
    await lms.post(f"{made}/start")
    assert (await lms.post(f"{made}/questions", question=offered[-1])).status_code == 409
    assert (await lms.post("/evaluations", title="", classroom=CLASSROOM)).status_code == 422
    assert (await lms.post("/evaluations", title="T", classroom=FOREIGN_CLASSROOM)).status_code == 404


OUT_OF_REACH = (
    f"/pools/{FOREIGN_POOL}/delete",
    f"/pools/{FOREIGN_POOL}/questions",
    f"/pools/{FOREIGN_POOL}/categories",
    f"/questions/{FOREIGN_QUESTION}/publish",
    f"/questions/{FOREIGN_QUESTION}/unpublish",
    f"/evaluations/{FOREIGN_EVALUATION}/close",
    f"/evaluations/{FOREIGN_EVALUATION}/questions",
    "/pools/00000000-0000-0000-0000-000000000009/delete",
    "/courses/d5b0799e-4686-4941-b6dd-835e132950e5/pools",
)


async def test_what_is_anothers_is_not_there(lms: Browser) -> None:
    not_there = (await lms.get("/pools/nothing")).content
    for path in OUT_OF_REACH:
        answer = await lms.post(path, title="T", type="mcq", statement="S", pool=OWN_POOL)
        assert (answer.status_code, answer.content) == (404, not_there), path


async def test_nothing_of_anothers_gets_in_by_a_field(lms: Browser) -> None:
    assert (await lms.post(f"/courses/{COURSE}/pools", pool=FOREIGN_POOL)).status_code == 404
    foreign_course = "d5b0799e-4686-4941-b6dd-835e132950e5"
    assert (await lms.post("/templates", title="T", course=foreign_course)).status_code == 404


MINE = (f"/pools/{POOL_ASKED_NOWHERE}/delete", f"/questions/{QUESTION}/unpublish", f"/evaluations/{RUNNING}/close")


@pytest.mark.parametrize("kind", ["student_view", "impersonation"])
async def test_who_only_looks_changes_nothing(lms: Browser, kind: str) -> None:
    await lms.sign_in(kind=kind)
    for path in MINE:
        assert (await lms.post(path)).status_code == 403
    assert {entry["status"] for entry in await lms.log()} == {403}
    await lms.sign_in()
    assert "unpublish" in commands_of(await lms.get(f"/questions/{QUESTION}"))


async def test_other_roles_change_nothing(lms: Browser) -> None:
    for person in (STUDENTS[0], TRAINER_ADMIN):
        await lms.sign_in(person.sub)
        for path in (*MINE, "/templates", "/pools", "/courses", "/evaluations"):
            assert (await lms.post(path, title="T", language="en")).status_code == 404


async def test_nobody_changes_nothing(lms: Browser) -> None:
    await lms.post("/sign-out")
    for path in MINE:
        assert (await lms.post(path)).headers["location"] == "/sign-in"
    await lms.sign_in()
    assert "unpublish" in commands_of(await lms.get(f"/questions/{QUESTION}"))
