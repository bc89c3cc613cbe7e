"""The whole service beside a real Kolibri, as `ASSIST_LMS=kolibri` makes it."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import httpx2

from assist_service.adapters.clock import SystemClock
from assist_service.bootstrap.configuring import configure
from assist_service.bootstrap.running import running_service
from assist_service.ports import ModelProvider
from assist_service.web.app import create_app
from tests.fakes.house import settings_for
from tests.fakes.serving import connect, serve
from tests.slow.kolibri_school import School

NAMES = ("Ada", "Quill", "Bo Tanaka", "Tanaka", "Cleo", "Marsh", "Vance")
"""Of the learners of a class, as Kolibri has them."""

PRIVATE = ("IDNUMBER", "birth", "gender", "id_number", "username", "picture", '"2011"', '"2012"', '"2013"')
"""What stands in Kolibri about them beside, and what it is called."""


@asynccontextmanager
async def running(
    database_url: str, school: School, model: ModelProvider, **settings: Any
) -> AsyncIterator[httpx2.AsyncClient]:
    """A client of it; `settings` are further ones."""
    configuration = configure(settings_for(database_url, **school.service_settings(), **settings))
    origin = configuration.settings.lms_origin
    async with AsyncExitStack() as stack:
        made = running_service(configuration, clock=SystemClock(), provider_of=lambda _: model)
        app = create_app(await stack.enter_async_context(made), lms_origin=origin)
        yield await stack.enter_async_context(connect(await stack.enter_async_context(serve(app))))
