"""What an answer that no model reads costs beside the LMS calls it needs: the results of a class of 200, all of them.

The bare client sends the LMS the same requests in the same order, with proofs of its own, and makes nothing of the
answers but JSON: the person's standing, the exchange, the lists of classes and exams, the gradebook, the revocation.
"""

import asyncio
import random
import statistics
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from uuid import NAMESPACE_OID, uuid5

import httpx2
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from bench.lms import running_lms, served_keys
from bench.provider import LOOKED_UP
from bench.world import ROOT, World, processor_seconds, world
from examples.reference_lms.app import utc_now
from examples.reference_lms.caller import Caller
from examples.reference_lms.keys import KeyRing
from examples.reference_lms.school import FRENCH_TEACHER
from examples.reference_lms.store import open_store

PAIRS = 7
QUESTIONS = 25
STUDENTS = 200
KEYS = KeyRing()

BODY: Mapping[str, object] = {
    "conversation_id": None,
    "question": "What are the results of the large exam?",
    "context": {"route": "/pools/:id", "topic": None, "language": "en", "entities": {}, "commands": []},
    "editor": None,
    "reference": None,
}


@dataclass(frozen=True)
class Took:
    """A round: processor seconds of all its questions, and wall seconds of each."""

    cpu_s: float
    wall_s: list[float]

    @property
    def cpu_ms(self) -> float:
        return self.cpu_s * 1_000 / len(self.wall_s)

    @property
    def wall_ms(self) -> float:
        return statistics.median(self.wall_s) * 1_000


def _id(key: str) -> str:
    return str(uuid5(NAMESPACE_OID, f"bench/{key}"))


CLASSROOM, EXAM = _id("classroom"), _id("exam")


def _enlarge(database: Path) -> None:
    """The school with one class more, of 200 students and one released exam."""
    store, chance = open_store(str(database)), random.Random(STUDENTS)
    [course] = store.rows("SELECT course FROM seat WHERE person = :me AND role = 'teacher'", me=FRENCH_TEACHER.sub)
    with store.transaction():
        store.run("INSERT INTO classroom VALUES (:id, 'Large class', :course)", id=CLASSROOM, **course)
        store.run(
            "INSERT INTO evaluation VALUES (:id, :title, 'released', :classroom, NULL, NULL, 60, 0, 1, 20.0)",
            id=EXAM,
            title=LOOKED_UP["exam_search"],
            classroom=CLASSROOM,
        )
        for number in range(STUDENTS):
            student, name = _id(f"student/{number}"), f"Student Number{number:03} Of The Class"
            store.run("INSERT INTO person (id, name, role) VALUES (:id, :name, 'student')", id=student, name=name)
            store.run("INSERT INTO enrolment VALUES (:classroom, :student)", classroom=CLASSROOM, student=student)
            mark = chance.randint(0, 40) / 2
            store.run(
                "INSERT INTO grade VALUES (:exam, :student, :mark, 1, 0, NULL)", exam=EXAM, student=student, mark=mark
            )


def _policy(folder: Path) -> Path:
    """The shipped one, with limits that one person does not meet."""
    text = (ROOT / "src/assist_service/policies/school-manuals.toml").read_text("utf-8")
    text = text.replace("questions_per_minute = 10\n", "questions_per_minute = 1000\n")
    path = folder / "school-manuals.toml"
    path.write_text(text.replace("questions_per_day = 100\n", "questions_per_day = 100000\n"), "utf-8")
    return path


@contextmanager
def _running() -> Iterator[tuple[World, str]]:
    """The service under the school's policy and the LMS's address."""
    with tempfile.TemporaryDirectory() as folder, served_keys(KEYS.jwks()) as keys_url:
        database = Path(folder) / "school.sqlite"
        _enlarge(database)
        with running_lms(keys_url, REFERENCE_LMS_DATABASE=str(database)) as lms_url:
            pem = KEYS.current.private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode()
            settings = {
                "ASSIST_POLICY": str(_policy(Path(folder))),
                "ASSIST_MODERATION": "words",
                "ASSIST_CLIENT_KEY": pem,
                "ASSIST_LMS_URL": lms_url,
                "ASSIST_LMS_ORIGIN": lms_url,
                "ASSIST_SESSION_ISSUER": lms_url,
                "ASSIST_SESSION_JWKS_URL": f"{lms_url}/.well-known/jwks.json",
            }
            with world(**settings) as here:
                yield here, lms_url


async def _answers(here: World, client: httpx2.AsyncClient, session: str) -> Took:
    headers = {"Authorization": f"Bearer {session}"}
    process, taken = here.service.process.pid, []
    cpu = processor_seconds(process)
    for _ in range(QUESTIONS):
        began = time.perf_counter()
        answer = await client.post("/assist/ask", json=BODY, headers=headers)
        taken.append(time.perf_counter() - began)
        reply = answer.raise_for_status().json()
        assert (reply["kind"], len(reply["references"])) == ("live", STUDENTS + 1), "the exam and all its students"
    return Took(processor_seconds(process) - cpu, taken)


async def _lms_calls(caller: Caller, session: str) -> Took:
    taken, cpu = [], time.process_time()
    for _ in range(QUESTIONS):
        began = time.perf_counter()
        answers = [await caller.standing(FRENCH_TEACHER.sub), exchanged := await caller.exchange(session)]
        token = exchanged.raise_for_status().json()["access_token"]
        for path in ("/api/classrooms", "/api/evaluations", f"/api/classrooms/{CLASSROOM}/gradebook"):
            answers.append(await caller.get(path, token))
        answers.append(await caller.revoke(token))
        for answer in answers:
            if answer.raise_for_status().content:
                answer.json()
        taken.append(time.perf_counter() - began)
    return Took(time.process_time() - cpu, taken)


async def _measure(here: World, lms_url: str) -> dict[str, float]:
    async with (
        httpx2.AsyncClient(base_url=here.service_url, timeout=120, trust_env=False) as client,
        httpx2.AsyncClient(base_url=lms_url, timeout=120, trust_env=False) as http,
    ):
        caller = Caller(http, utc_now, client_key=KEYS.current)
        pairs = []
        for _ in range(PAIRS + 1):
            session = await caller.session(FRENCH_TEACHER.sub)
            pairs.append((await _answers(here, client, session), await _lms_calls(caller, session)))
    pairs = pairs[1:]  # the first warms everything up
    answers, calls = ([pair[side] for pair in pairs] for side in (0, 1))
    return {
        "sealed_200_ms_over_lms": round(statistics.median(a.wall_ms - b.wall_ms for a, b in pairs), 1),
        "sealed_200_ratio_to_lms": round(statistics.median(a.wall_ms / b.wall_ms for a, b in pairs), 2),
        "sealed_200_wall_ms": round(statistics.median(each.wall_ms for each in answers), 1),
        "sealed_200_wall_ms_lms": round(statistics.median(each.wall_ms for each in calls), 1),
        "sealed_200_cpu_ms": round(statistics.median(each.cpu_ms for each in answers), 1),
        "sealed_200_cpu_ms_lms": round(statistics.median(each.cpu_ms for each in calls), 1),
    }


def measure() -> dict[str, float]:
    """All figures of an answer that was looked up."""
    with _running() as (here, lms_url):
        return asyncio.run(_measure(here, lms_url))


if __name__ == "__main__":
    for name, figure in measure().items():
        print(f"{name:32} {figure:>10}")
