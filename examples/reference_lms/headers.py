"""Every answer of this LMS is under its pages' policy: what is no page may be opened as one all the same."""

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from examples.reference_lms.face.rendering import security_headers


class SecureHeaders:
    """Adds the headers that an answer has none of its own of."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._headers = security_headers(None)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_secured(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, text in self._headers.items():
                    headers.setdefault(name, text)
            await send(message)

        await self._app(scope, receive, send_secured if scope["type"] == "http" else send)
