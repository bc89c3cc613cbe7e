"""The glossary as a file beside the manual: per language, a word people say and the words the screens use for it."""

from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import yaml

from assist_service.adapters.configuration import OnceKeyedLoader
from assist_service.adapters.plain_files import NotPlainError, read_inside
from assist_service.domain.manual import ManualFault, ManualInvalid
from assist_service.domain.screens import Language
from assist_service.domain.search import NAME_WORDS, Glossary, words
from assist_service.domain.text import visible

GLOSSARY_FILE = "glossary.yaml"

MAX_GLOSSARY_BYTES = 256 * 1024

GLOSSARY_NAMES = 20_000
"""Names of a whole glossary, at most: an alias of YAML repeats thousands in a few bytes."""

GROUP_NAMES = 50
"""Names of one group, at most: a search learns each of them under every other."""

_SHAPE = "a glossary is languages, each with words and lists of words: {en: {exam: [evaluation, test]}}"


def read_glossary(root: Path) -> Glossary:
    """The glossary of a manual's folder; empty where there is none. Raises ManualInvalid with every fault found."""
    try:
        return _glossary(read_inside(root, GLOSSARY_FILE, MAX_GLOSSARY_BYTES))
    except FileNotFoundError:
        return Glossary()
    except NotPlainError as refused:
        raise _invalid(1, str(refused)) from None
    except OSError as error:
        raise _invalid(1, f"the file cannot be read ({type(error).__name__})") from error


@cache
def everyday_glossary() -> Glossary:
    """The words that mean much the same on any learning platform; shipped with the service."""
    return _shipped("everyday.yaml")


@cache
def translated_glossary() -> Glossary:
    """English words for those of other languages; shipped with the service."""
    return _shipped("translated.yaml")


def _shipped(name: str) -> Glossary:
    return _glossary((files("assist_service.adapters.search") / name).read_bytes(), _FAST_LOADER)


_FAST_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""For our own files, in which it and the other one agree: a start reads them, and it takes an eighth of the time."""


def _glossary(data: bytes, loader_of: Any = OnceKeyedLoader) -> Glossary:
    if len(data) > MAX_GLOSSARY_BYTES:
        raise _invalid(1, f"the file has more than {MAX_GLOSSARY_BYTES} bytes")
    try:
        loader = loader_of(data.decode("utf-8-sig"))
        node = loader.get_single_node()
    except UnicodeDecodeError as error:
        raise _invalid(data[: error.start].count(b"\n") + 1, "the file is not UTF-8 here") from error
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        raise _invalid(mark.line + 1 if mark else 1, f"the file is not YAML: {error.problem}") from error
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise _invalid(1, "the file is not YAML") from error
    return Glossary() if node is None else _Reading().glossary(node)


def _invalid(line: int, message: str) -> ManualInvalid:
    return ManualInvalid([ManualFault(GLOSSARY_FILE, line, message)])


class _Reading:
    """Reads the nodes of the file, which know their lines, and gathers what is wrong with them."""

    def __init__(self) -> None:
        self._faults: list[ManualFault] = []
        self._names = 0

    def glossary(self, root: yaml.Node) -> Glossary:
        groups: dict[str, tuple[tuple[str, ...], ...]] = {}
        for key, entries in self._entries(root):
            if key.value not in list(Language):
                self._fault(key, f"{_shown(key)} is no language of this service")
            elif key.value in groups:
                self._fault(key, f"{_shown(key)} stands twice")
            else:
                groups[key.value] = self._groups(entries)
        if self._faults:
            raise ManualInvalid(self._faults)
        return Glossary(groups)

    def _groups(self, node: yaml.Node) -> tuple[tuple[str, ...], ...]:
        groups: dict[str, tuple[str, ...]] = {}
        for key, names in self._entries(node):
            if key.value in groups:
                self._fault(key, f"{_shown(key)} stands twice")
            elif not isinstance(names, yaml.SequenceNode) or not names.value:
                self._fault(key, f"{_shown(key)} needs a list of words: [evaluation, test]")
            elif len(names.value) >= GROUP_NAMES:
                self._fault(key, f"{_shown(key)} has {len(names.value)} words: a group has at most {GROUP_NAMES} names")
            elif self._are_too_many(1 + len(names.value)):
                self._fault(key, f"a glossary has at most {GLOSSARY_NAMES} names")
                break
            else:
                groups[key.value] = (self._name(key), *map(self._name, names.value))
        return tuple(groups.values())

    def _entries(self, node: yaml.Node) -> list[tuple[yaml.ScalarNode, yaml.Node]]:
        if not isinstance(node, yaml.MappingNode):
            self._fault(node, _SHAPE)
            return []
        for key, _ in node.value:
            if not isinstance(key, yaml.ScalarNode):
                self._fault(key, _SHAPE)
        return [(key, value) for key, value in node.value if isinstance(key, yaml.ScalarNode)]

    def _are_too_many(self, names: int) -> bool:
        self._names += names
        return self._names > GLOSSARY_NAMES

    def _name(self, node: yaml.Node) -> str:
        """A name as written, also where YAML would read a number or a truth value from it; what nobody sees is left."""
        # An escape can write a NUL or half a character, which no store takes.
        name = visible(node.value) if isinstance(node, yaml.ScalarNode) else ""
        if not 1 <= len(words(name)) <= NAME_WORDS:
            self._fault(node, f"a name has one to {NAME_WORDS} words")
        return name

    def _fault(self, node: yaml.Node, message: str) -> None:
        self._faults.append(ManualFault(GLOSSARY_FILE, node.start_mark.line + 1, message))


def _shown(key: yaml.ScalarNode) -> str:
    return ascii(key.value[:40])
