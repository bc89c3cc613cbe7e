"""A manual where it lies, for evaluations: its edition, and that of the search alone. No database."""

from pathlib import Path

from assist_service.adapters.configuration import load_policy
from assist_service.adapters.search import build_index
from assist_service.adapters.search.questions import read_questions
from assist_service.bootstrap.manuals import readers_of
from assist_service.bootstrap.meanings import open_meanings
from assist_service.bootstrap.reading import ManualSource, read_whole
from assist_service.domain.errors import ConfigurationError
from assist_service.domain.evaluation import table
from assist_service.ports import Edition
from assist_service.services.evaluate import evaluate
from assist_service.services.meanings import Progress

POLICY = "default"
"""Whose roles' audiences are searched."""


def edition_of(source: ManualSource, *, embeddings: str | None, progress: Progress) -> Edition:
    """The manual where it lies, with the index that questions are answered from. Raises ConfigurationError."""
    meanings = open_meanings(embeddings, progress=progress)
    read = read_whole(source, meanings=meanings)
    words = build_index(read.publication)
    if meanings is None:
        return Edition(read.publication, words)
    vectors = read.vectors if read.vectors is not None else meanings.embed(read.publication)
    return Edition(read.publication, meanings.join(words, read.publication, vectors))


def evaluation_table(file: Path, source: ManualSource, *, embeddings: str | None, progress: Progress) -> str:
    """The rank of each question's page, and the recalls. Raises ConfigurationError.

    With a model both are told twice, by words alone and joined with its vectors, which are made here for a folder.
    """
    questions = read_questions(file)
    meanings = open_meanings(embeddings, progress=progress)
    read = read_whole(source)
    publication = read.publication
    paths = {page.path for page in publication.pages}
    missing = sorted({page for one in questions for page in one.pages} - paths)
    if missing:
        raise ConfigurationError(f"{file.name}: the manual has no page {missing[0]}")
    readers = readers_of(load_policy(POLICY))
    words = build_index(publication)
    by_words = evaluate(Edition(publication, words), questions, readers)
    if meanings is None:
        return table({"": by_words})
    built = read.vectors
    vectors = built if built is not None and meanings.fits(built) else meanings.embed(publication)
    joined = meanings.join(words, publication, vectors)
    return table({"words": by_words, "joined": evaluate(Edition(publication, joined), questions, readers)})
