"""The whole service over HTTP beside a running reference LMS: what a test of a route stands in."""

import base64
import dataclasses
import socket
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import Any

import httpx2
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from pydantic import SecretStr
from starlette.types import ASGIApp

from assist_service.adapters.lms.client import ClientKey
from assist_service.bootstrap.assembling import Service
from assist_service.bootstrap.configuring import Configuration, configure
from assist_service.bootstrap.providers import make_provider
from assist_service.bootstrap.running import running_service
from assist_service.domain.manual import Publication
from assist_service.ports import ModelProvider
from assist_service.settings import Environment, Settings
from assist_service.web.app import create_app
from assist_service.web.streaming import COMMENT_SECONDS, Questions
from examples.reference_lms.app import create_app as create_lms
from examples.reference_lms.clients import LLM_AUDIENCE, ClientIssuer
from examples.reference_lms.school import ADMIN, SCHOOL, STUDENTS, TRAINER_ADMIN
from examples.reference_lms.sessions import SessionIssuer
from examples.reference_lms.store import Store
from tests.fakes.clocks import HandClock
from tests.fakes.serving import address_of, connect, serve

SECRET_KEY = base64.b64encode(bytes(range(32))).decode()

_PRIVATE_KEY = ec.generate_private_key(ec.SECP256R1())
CLIENT_KEY_PEM = _PRIVATE_KEY.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode()
CLIENT_KEY = ClientKey.parse(CLIENT_KEY_PEM)
"""The key by which the LMS knows the service; made anew for each run of the tests."""

LMS_ORIGIN = "https://lms.example"

TEACHERS = tuple(person.sub for person in SCHOOL.people if person.role == "teacher")
TEACHER, OTHER_TEACHER = TEACHERS
STUDENT = STUDENTS[0].sub
TRAINER = TRAINER_ADMIN.sub
ADMINISTRATOR = ADMIN.sub

PERSON_OF_ROLE: Mapping[str, str] = {
    "student": STUDENT,
    "teacher": TEACHER,
    "trainer_admin": TRAINER,
    "admin": ADMINISTRATOR,
}


@dataclass
class House:
    """The service and the LMS, each on a port of its own."""

    service: httpx2.AsyncClient
    lms: httpx2.AsyncClient
    clock: HandClock
    configuration: Configuration
    sessions: SessionIssuer
    clients: ClientIssuer
    running: Service
    """What answers behind HTTP, for a test that stops it where no connection could."""
    school: Store
    """What the LMS knows, for a test that needs another school."""

    @property
    def publication(self) -> Publication:
        return self.configuration.publication

    async def token(self, person: str = TEACHER, *, kind: str = "portal", elevated: bool = False) -> str:
        answer = await self.lms.post("/demo/session", json={"person": person, "kind": kind, "elevated": elevated})
        return str(answer.json()["token"])

    async def bearer(self, person: str = TEACHER, *, kind: str = "portal", elevated: bool = False) -> dict[str, str]:
        return {"Authorization": f"Bearer {await self.token(person, kind=kind, elevated=elevated)}"}

    async def complete(self, **changes: Any) -> httpx2.Response:
        """Asks for a completion as the LMS's back end; `changes` replace keys of the body."""
        headers = {"Authorization": f"Bearer {self.clients.mint(LLM_AUDIENCE)}"}
        return await self.service.post("/llm/complete", json=completion_body(**changes), headers=headers)

    async def ask(
        self,
        question: str = "How do I create a pool?",
        *,
        person: str = TEACHER,
        headers: Mapping[str, str] | None = None,
        **changes: Any,
    ) -> httpx2.Response:
        """Asks as a portal session; `changes` replace keys of the body."""
        return await self.service.post(
            "/assist/ask",
            json=question_body(question, **changes),
            headers={**await self.bearer(person), **(headers or {})},
        )


def completion_body(**changes: Any) -> dict[str, Any]:
    """A well-formed body of `POST /llm/complete`; a change to None leaves a key out."""
    body = {
        "purpose": "grading",
        "messages": [{"role": "system", "content": "Grade."}, {"role": "user", "content": "2 + 2 = 4"}],
        "schema": {
            "type": "object",
            "properties": {"points": {"type": "integer", "minimum": 0}, "comment": {"type": "string"}},
            "required": ["points", "comment"],
            "additionalProperties": False,
        },
        "max_tokens": 500,
        **changes,
    }
    return {key: value for key, value in body.items() if value is not None}


def question_body(question: object = "How do I create a pool?", **changes: Any) -> dict[str, Any]:
    """A well-formed body of `POST /assist/ask`."""
    return {
        "conversation_id": None,
        "question": question,
        "context": {
            "route": "/pools/:id",
            "topic": "pool",
            "language": "en",
            "entities": {},
            "commands": [],
        },
        "editor": None,
        "reference": None,
        **changes,
    }


def settings_for(database_url: str, lms_url: str, **changes: Any) -> Settings:
    """Settings of a test; nothing is read from the environment that the test does not name."""
    return Settings(
        **{
            "env": Environment.DEVELOPMENT,
            "database_url": SecretStr(database_url),
            "secret_keys": SecretStr(SECRET_KEY),
            "client_key": SecretStr(CLIENT_KEY_PEM),
            "model": "stub",
            "lms_url": lms_url,
            "lms_origin": LMS_ORIGIN,
            "session_issuer": lms_url,
            "session_jwks_url": f"{lms_url}/.well-known/jwks.json",
            "lms_client_jwks_url": f"{lms_url}/.well-known/client-jwks.json",
            "daily_cap_usd": "1000",
            **changes,
        }
    )


@asynccontextmanager
async def running_house(
    database_url: str,
    *,
    provider: ModelProvider | None = None,
    fallback: ModelProvider | None = None,
    ruled: Mapping[str, Any] | None = None,
    comment_seconds: float = COMMENT_SECONDS,
    before_lms: Callable[[ASGIApp], ASGIApp] = lambda lms: lms,
    origin_of: Callable[[str], str] = lambda _lms_url: LMS_ORIGIN,
    listener: socket.socket | None = None,
    **changes: Any,
) -> AsyncIterator[House]:
    """The house with its doors open. `ruled` changes values of the policy: `{"limits": {...}}`; `before_lms` stands
    in front of the LMS and sees every request to it; `origin_of` says where browsers find the LMS, and `listener` is
    where they find the service."""
    clock = HandClock()
    async with AsyncExitStack() as stack:
        lms = create_lms(
            url="http://lms.test",
            now=clock.now,
            client_jwks=CLIENT_KEY.public_jwks(),
            assist_url=address_of(listener) if listener else None,
        )
        lms_url = await stack.enter_async_context(serve(before_lms(lms)))
        fixed = {"session_issuer": "http://lms.test", "lms_origin": origin_of(lms_url)}
        settings = settings_for(database_url, lms_url, **{**fixed, **changes})
        configuration = configure(settings)
        if ruled is not None:
            merged = _merged(configuration.policy.model_dump(), ruled)
            configuration = dataclasses.replace(configuration, policy=type(configuration.policy).model_validate(merged))
        given = {settings.model: provider, settings.fallback_model: fallback}

        def provider_of(model: str) -> ModelProvider:
            return given.get(model) or make_provider(model)

        service = await stack.enter_async_context(running_service(configuration, clock=clock, provider_of=provider_of))
        app = create_app(service, lms_origin=settings.lms_origin, questions=Questions(comment_seconds))
        base = await stack.enter_async_context(serve(app, listener))
        yield House(
            service=await stack.enter_async_context(connect(base)),
            lms=await stack.enter_async_context(connect(lms_url)),
            clock=clock,
            configuration=configuration,
            sessions=lms.state.sessions,
            clients=lms.state.clients,
            running=service,
            school=lms.state.campus.store,
        )


def _merged(values: Mapping[Any, Any], changes: Mapping[Any, Any]) -> dict[Any, Any]:
    return {
        key: _merged(values[key], changes[key])
        if isinstance(values.get(key), Mapping) and isinstance(changes.get(key), Mapping)
        else changes.get(key, values.get(key))
        for key in {**values, **changes}
    }
