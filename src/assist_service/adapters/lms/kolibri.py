"""Kolibri 0.19.5 with the plugin of `integrations/kolibri/`: identity as any LMS here, reads of Kolibri's own API."""

from contextlib import AbstractAsyncContextManager, nullcontext
from dataclasses import replace

from assist_service.adapters.lms.client import ClientKey
from assist_service.adapters.lms.kolibri_reads import OFFERS, KolibriReads
from assist_service.adapters.lms.reading import Reading
from assist_service.adapters.lms.refusing import NoWrites
from assist_service.adapters.lms.rest import RestLms, RestOptions
from assist_service.domain.writes import WriteTool
from assist_service.ports import Clock, SchoolReads, SchoolWriter


class KolibriLms(RestLms):
    """Implements ports.Lms. The plugin does not bind tokens to a key, whatever the options say."""

    def __init__(
        self, url: str, *, client_id: str, key: ClientKey, clock: Clock, options: RestOptions | None = None
    ) -> None:
        options = replace(options or RestOptions(), dpop=False)
        super().__init__(url, client_id=client_id, key=key, clock=clock, options=options)

    @property
    def offers(self) -> frozenset[str]:
        return OFFERS

    def reads(self, reading: Reading) -> SchoolReads:
        return KolibriReads(reading)

    def writing(self, session: str, tool: WriteTool) -> AbstractAsyncContextManager[SchoolWriter]:
        return nullcontext(NoWrites())
