"""What Kolibri's plugin registry looks for."""

from kolibri.plugins import KolibriPluginBase


class AssistExchange(KolibriPluginBase):
    """Routes at the root: the service knows them by fixed paths."""

    root_view_urls = "root_urls"
