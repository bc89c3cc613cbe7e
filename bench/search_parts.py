"""How well the search finds pages with each part taken out: `python -m bench.search_parts FOLDER MAPPING QUESTIONS`.

MAPPING is the TOML file that says whose folder is whose, `-` for a manual whose pages say so themselves. The questions
of two manuals that are not here lie in `bench/questions/`; those for `corpus/` are `evaluation/manual.yaml`.
"""

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from assist_service.adapters.configuration import load_policy
from assist_service.adapters.manual.files import read_manual
from assist_service.adapters.manual.folders import load_folders
from assist_service.adapters.search import build_index, index, query, reading, texts
from assist_service.adapters.search.questions import read_questions
from assist_service.adapters.search.rarity import Rarity
from assist_service.bootstrap.manuals import readers_of
from assist_service.domain.evaluation import RANKS, Expected, recalls
from assist_service.domain.manual import Publication
from assist_service.domain.search import Glossary
from assist_service.domain.telling import telling
from assist_service.ports import Edition
from assist_service.services.evaluate import evaluate

Change = tuple[Any, str, Any]
"""Where a part lies, its name there, and what stands in for it."""

PARTS: Mapping[str, tuple[Change, ...]] = {
    "everything": (),
    "without words of much the same meaning": ((index, "everyday_glossary", Glossary),),
    "without English words for French ones": ((index, "translated_glossary", Glossary),),
    "without weighing every name as what was said": (
        (Rarity, "wanted", lambda _rarity, _share: 1.0),
        (Rarity, "counted", lambda _rarity, _term: 1.0),
    ),
    "without the lower weight of small talk": (
        (reading, "telling", lambda word, language: 1.0 if telling(word, language) else 0.0),
    ),
    "without the page as a whole beside its section": ((index, "PAGE_SHARE", 0.0),),
    "without the weight of the reader's own folder": ((index, "OWN_WEIGHT", 1.0),),
    "without the weights of title and heading": ((texts, "TITLE_WEIGHT", 1), (texts, "HEADING_WEIGHT", 1)),
    "without words that stand together": ((query, "NEIGHBOURS_PAIRS", 0),),
    "without a bound for words and their ways": ((query, "MEANT", 1_000), (query, "WAYS", 1_000)),
}


@contextmanager
def changed(changes: tuple[Change, ...]) -> Iterator[None]:
    """The parts stand in while this is open."""
    before = [(place, name, getattr(place, name)) for place, name, _ in changes]
    try:
        for place, name, instead in changes:
            setattr(place, name, instead)
        yield
    finally:
        for place, name, value in before:
            setattr(place, name, value)


def found(publication: Publication, questions: tuple[Expected, ...]) -> list[int]:
    """How many questions have their page at each of RANKS or above."""
    manual = Edition(publication, build_index(publication))
    *_, whole = recalls(evaluate(manual, questions, readers_of(load_policy("default"))))
    return [round(whole.at[rank] * whole.questions) for rank in RANKS]


def main(folder: str, mapping: str, file: str) -> None:
    """Prints a line for each part."""
    publication = read_manual(Path(folder), load_folders(Path(mapping)) if mapping != "-" else None)
    questions = read_questions(Path(file))
    print(f"{len(questions)} questions{'':35}" + "".join(f"{f'@{rank}':>6}" for rank in RANKS))
    for name, changes in PARTS.items():
        with changed(changes):
            print(f"{name:<47}" + "".join(f"{count:>6}" for count in found(publication, questions)))


if __name__ == "__main__":
    main(*sys.argv[1:])
