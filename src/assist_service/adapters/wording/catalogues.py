"""The catalogues of the texts, `catalogues/*.po` beside this file, are compiled in memory: what is edited is said."""

from gettext import GNUTranslations
from importlib.resources import files
from io import BytesIO

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from assist_service.adapters.wording.messages import Message
from assist_service.domain.screens import Language


class Translator:
    """Says each message in one language."""

    def __init__(self, language: Language) -> None:
        compiled = BytesIO()
        write_mo(compiled, read_catalogue(language))
        compiled.seek(0)
        self._texts = GNUTranslations(compiled)

    def say(self, message: Message, count: int = 0, /, **places: str) -> str:
        """The text with its places filled in, in the form for that `count`. Raises KeyError for a place left open."""
        if message.zero is not None and not count:
            return self.say(message.zero, **places)
        return self._text(message, count).format(**places)

    def _text(self, message: Message, count: int) -> str:
        one, many, context = message.one, message.many, message.context
        if context is None:
            return self._texts.gettext(one) if many is None else self._texts.ngettext(one, many, count)
        if many is None:
            return self._texts.pgettext(context, one)
        return self._texts.npgettext(context, one, many, count)


def worded(language: Language) -> tuple[str, ...]:
    """Every text of a language."""
    texts = [each.string for each in read_catalogue(language) if each.id]
    return tuple(form for text in texts for form in ((text,) if isinstance(text, str) else text or ()))


def read_catalogue(language: Language) -> Catalog:
    """The shipped catalogue of a language, read from the installed package."""
    shipped = files("assist_service.adapters.wording") / "catalogues" / f"{language.value}.po"
    return read_po(BytesIO(shipped.read_bytes()), locale=language.value, abort_invalid=True)
