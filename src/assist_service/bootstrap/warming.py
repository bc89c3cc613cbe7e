"""What takes long to load and needs no setting is loaded while the rest of the program is imported."""

import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Thread

from assist_service.adapters.language import load_identifier
from assist_service.domain.screens import Language

LANGUAGES = tuple(language.value for language in Language)

SWITCH_SECONDS = 0.0001
"""The model is unpacked in hundreds of pieces; after each one its thread waits this long for its turn."""


@contextmanager
def starting() -> Iterator[None]:
    """For the imports: the model of languages is loaded beside them, and the collector rests meanwhile."""
    Thread(target=load_languages, name="loading-languages", daemon=True).start()
    usual = sys.getswitchinterval()
    sys.setswitchinterval(SWITCH_SECONDS)
    gc.disable()  # nothing that is imported is garbage
    try:
        yield
    finally:
        gc.enable()
        sys.setswitchinterval(usual)


def load_languages() -> None:
    """Returns once messages can be told by their language."""
    load_identifier(LANGUAGES)
