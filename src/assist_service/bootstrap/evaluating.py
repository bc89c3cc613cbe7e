"""The evaluation of the search over a manual as it lies in its folder: no database, no model."""

from pathlib import Path

from assist_service.adapters.configuration import load_policy
from assist_service.adapters.manual.files import read_manual
from assist_service.adapters.manual.folders import load_folders
from assist_service.adapters.search import build_index, read_glossary
from assist_service.adapters.search.questions import read_questions
from assist_service.bootstrap.manuals import readers_of
from assist_service.domain.errors import ConfigurationError
from assist_service.domain.evaluation import table
from assist_service.domain.manual import ManualInvalid
from assist_service.services.evaluate import evaluate

POLICY = "default"
"""Whose roles' audiences are searched."""


def evaluation_table(file: Path, root: Path, folders: Path | None) -> str:
    """The rank of each question's page, and the recalls. Raises ConfigurationError."""
    questions = read_questions(file)
    try:
        publication = read_manual(root, load_folders(folders) if folders is not None else None)
        index = build_index(publication, read_glossary(root))
    except ManualInvalid as invalid:
        raise ConfigurationError(f"the manual cannot be searched: {invalid.faults[0]}") from None
    paths = {page.path for page in publication.pages}
    missing = sorted({one.page for one in questions} - paths)
    if missing:
        raise ConfigurationError(f"{file.name}: the manual has no page {missing[0]}")
    return table(evaluate(index, questions, readers_of(load_policy(POLICY))))
