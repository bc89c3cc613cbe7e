"""A question over an event stream: its steps are told while it runs, and closing the connection stops it."""

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from typing import Annotated, Any

from fastapi import Depends, Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from assist_service.domain.errors import AssistError, Code
from assist_service.domain.progress import Asking, Step, Tell
from assist_service.web.errors import assist_error_response, problem_response
from assist_service.web.observing import log_unexpected

MEDIA_TYPE = "text/event-stream"

COMMENT_SECONDS = 15.0
"""After so long without an event a comment is sent: proxies take a connection for dead that says nothing."""

COMMENT = b": still at it\n\n"

HEADERS = {"X-Accel-Buffering": "no"}
"""nginx would keep the events back until there are enough of them. That nothing is cached is said on every answer."""

CLOSING_SECONDS = 15.0
"""How long the end of the app waits for questions it stopped: longer than one may take to give back what it held."""

Answering = Callable[[Tell], Coroutine[Any, Any, bytes]]
"""Answers one question and tells its steps; the reply's JSON. Raises AssistError."""


@dataclass
class Questions:
    """The questions answered over a stream, each in a task of its own. A response that is cancelled cannot clean up
    after itself, for whatever it awaits is cancelled too; a task of its own is cancelled once, and then left alone."""

    comment_seconds: float = COMMENT_SECONDS
    _running: set[asyncio.Task[bytes]] = field(default_factory=set, init=False)

    def stream(self, answering: Answering) -> Response:
        return EventStream(self, answering)

    def start(self, answer: Coroutine[Any, Any, bytes]) -> asyncio.Task[bytes]:
        question = asyncio.create_task(answer)
        self._running.add(question)
        question.add_done_callback(self._ended)
        return question

    def _ended(self, question: asyncio.Task[bytes]) -> None:
        self._running.discard(question)
        if not question.cancelled():
            question.exception()  # looked at here, for whoever waited for it may be gone: asyncio would print it

    async def close(self) -> None:
        """Stops every question, and waits a while for what they give back."""
        if running := tuple(self._running):
            for question in running:
                question.cancel()
            await asyncio.wait(running, timeout=CLOSING_SECONDS)


class EventStream(Response):
    """The response. It asks the question itself, so that no question runs whose stream nobody ends."""

    media_type = MEDIA_TYPE

    def __init__(self, questions: Questions, answering: Answering) -> None:
        self.status_code = 200
        self.background = None
        self.init_headers(HEADERS)
        self._questions = questions
        self._answering = answering
        self._steps: list[Step] = []
        self._has_begun = False
        """Whether a provider was asked, or a chosen lookup began: what fails before is answered as on the JSON form."""
        self._news = asyncio.Event()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        question = self._questions.start(self._answering(self._tell))
        leaving = asyncio.create_task(_left(receive))
        for task in (question, leaving):
            task.add_done_callback(lambda _: self._news.set())
        try:
            await self._answer(question, leaving, send)
        finally:  # without an await: this may be cancelled, again and again
            leaving.cancel()
            question.cancel()

    def _tell(self, step: Step | Asking) -> None:
        if isinstance(step, Asking):
            self._has_begun = True
        else:
            self._steps.append(step)
        self._news.set()

    async def _answer(self, question: asyncio.Task[bytes], leaving: asyncio.Task[None], send: Send) -> None:
        while not (self._has_begun or question.done() or leaving.done()):
            await self._heard()
        if not self._has_begun and question.done():
            question.result()  # raises what refused it, before anything is sent
        if not leaving.done():
            await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        while not leaving.done():
            is_over = question.done()  # asked first: what was told before the end is sent before it
            while self._steps:
                await send(_chunk(_event("progress", self._steps.pop(0).model_dump_json().encode())))
            if is_over:
                await send(_chunk(_ending(question), is_last=True))
                return
            if not await self._heard():
                await send(_chunk(COMMENT))

    async def _heard(self) -> bool:
        """Waits for news; False where there was none for so long that a comment is due."""
        try:
            async with asyncio.timeout(self._questions.comment_seconds):
                await self._news.wait()
        except TimeoutError:
            return False
        self._news.clear()
        return True


async def _left(receive: Receive) -> None:
    """Returns once nobody is there to read."""
    while (await receive())["type"] != "http.disconnect":
        pass


def _ending(question: asyncio.Task[bytes]) -> bytes:
    """The last event of a question that is over."""
    if question.cancelled():  # by the end of the app
        return _event("error", bytes(problem_response(Code.INTERNAL_ERROR).body))
    try:
        return _event("reply", question.result())
    except AssistError as error:
        problem = assist_error_response(error)
    except Exception as error:  # noqa: BLE001 whatever it is, the caller gets one plain problem
        log_unexpected(error)
        problem = problem_response(Code.INTERNAL_ERROR)
    return _event("error", bytes(problem.body))


def _event(name: str, data: bytes) -> bytes:
    """JSON as pydantic writes it is one line, as an event's data has to be."""
    return b"event: " + name.encode("ascii") + b"\ndata: " + data + b"\n\n"


def _chunk(body: bytes, *, is_last: bool = False) -> dict[str, Any]:
    return {"type": "http.response.body", "body": body, "more_body": not is_last}


async def _questions_of(request: Request) -> Questions:
    questions: Questions = request.app.state.questions
    return questions


QuestionsDep = Annotated[Questions, Depends(_questions_of)]
