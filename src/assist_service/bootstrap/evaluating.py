"""The evaluation of the search over a manual where it lies: no database, no model."""

from pathlib import Path

from assist_service.adapters.configuration import load_policy
from assist_service.adapters.search import build_index
from assist_service.adapters.search.questions import read_questions
from assist_service.bootstrap.manuals import readers_of
from assist_service.bootstrap.reading import ManualSource, read_publication
from assist_service.domain.errors import ConfigurationError
from assist_service.domain.evaluation import table
from assist_service.ports import Edition
from assist_service.services.evaluate import evaluate

POLICY = "default"
"""Whose roles' audiences are searched."""


def evaluation_table(file: Path, source: ManualSource) -> str:
    """The rank of each question's page, and the recalls. Raises ConfigurationError."""
    questions = read_questions(file)
    publication = read_publication(source)
    paths = {page.path for page in publication.pages}
    missing = sorted({page for one in questions for page in one.pages} - paths)
    if missing:
        raise ConfigurationError(f"{file.name}: the manual has no page {missing[0]}")
    manual = Edition(publication, build_index(publication))
    return table(evaluate(manual, questions, readers_of(load_policy(POLICY))))
