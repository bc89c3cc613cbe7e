"""The manual where it lies: in its folder, or in the file that was built from one. Read, checked, built."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from assist_service.adapters.manual.artifact import Artifact, read_artifact, write_artifact
from assist_service.adapters.manual.files import on_one_line, read_manual
from assist_service.adapters.manual.folders import ManualFolders, load_folders
from assist_service.adapters.manual.links import find_warnings
from assist_service.domain.errors import ConfigurationError
from assist_service.domain.manual import ManualFault, ManualInvalid, Publication
from assist_service.services.meanings import Meanings
from assist_service.settings import SourceSettings

FAULTS_SHOWN = 5
"""Faults of a manual that a refused start names; `manual check` names them all."""


@dataclass(frozen=True)
class ManualSource:
    """A manual's folder, with a file that says whose folder is whose if its pages do not; or a file that was built."""

    place: Path
    folders: Path | None = None

    @property
    def is_built(self) -> bool:
        return _is_file(self.place)


@dataclass(frozen=True)
class Checked:
    """What a check found, each with file and line. `publication` is None where there are faults."""

    publication: Publication | None
    faults: tuple[str, ...]
    warnings: tuple[str, ...]


def source_of(settings: SourceSettings, place: Path | None = None, folders: Path | None = None) -> ManualSource:
    """The manual that a command was told, else the one of the settings."""
    # A file that was built needs no mapping: the settings' own is for the folder it was built from.
    is_told_built = place is not None and _is_file(place)
    return ManualSource(place or settings.manual, folders or (None if is_told_built else settings.manual_folders))


def read_whole(source: ManualSource, *, meanings: Meanings | None = None) -> Artifact:
    """A manual with the vectors it was built with. Raises ConfigurationError, also where these are of another model.

    A folder has none, and gets its own when it is published.
    """
    with _faults_named():
        read = _read(source)
    if meanings is not None and read.vectors is not None and not meanings.fits(read.vectors):
        embedder = meanings.embedder
        raise ConfigurationError(
            f"the manual {on_one_line(str(source.place))} was built with vectors of {read.vectors.told} and "
            f"ASSIST_EMBEDDINGS needs those of {embedder.model} ({embedder.dimensions} dimensions): "
            "build it again with this ASSIST_EMBEDDINGS, or leave the setting out"
        )
    return read


def check_manual(source: ManualSource) -> Checked:
    """What keeps a manual from being published, and what is worth a look. Raises ConfigurationError."""
    publication: Publication | None = None
    faults: tuple[ManualFault, ...] = ()
    try:
        publication = _read(source).publication
    except ManualInvalid as invalid:
        faults = invalid.faults
    warnings = () if source.is_built else find_warnings(source.place, _folders(source))
    return Checked(
        publication,
        tuple(str(fault) for fault in faults),
        tuple(f"{each.file}:{each.line}: warning: {each.message}" for each in warnings),
    )


def build_manual(source: ManualSource, out: Path | None, meanings: Meanings | None = None) -> tuple[str, Path]:
    """Writes a manual into one file; its id and its path. Raises ConfigurationError, and then nothing is written.

    `out` is the file, or a folder for a file named after the id; this folder if it is None. With `meanings` its
    vectors go into the file, made anew unless it was built with them before.
    """
    read = read_whole(source)
    publication, vectors = read.publication, read.vectors
    if meanings is not None and (vectors is None or not meanings.fits(vectors)):
        vectors = meanings.embed(publication)
    path = out or Path()
    try:
        if path.is_dir():
            path = path / f"manual-{publication.id}.json.gz"
        elif path.exists() and not path.is_file():
            # A device is a file to write to, and would be replaced by one.
            raise ConfigurationError(f"{on_one_line(str(path))} is no file that can be written anew")
        with _faults_named():
            write_artifact(publication, path, vectors)
    except OSError as error:
        words = f"{on_one_line(str(path))} cannot be written ({type(error).__name__})"
        raise ConfigurationError(words) from None
    return publication.id, path


@contextmanager
def _faults_named() -> Iterator[None]:
    try:
        yield
    except ManualInvalid as invalid:
        shown = "; ".join(str(fault) for fault in invalid.faults[:FAULTS_SHOWN])
        more = f"; and {len(invalid.faults) - FAULTS_SHOWN} more" if len(invalid.faults) > FAULTS_SHOWN else ""
        raise ConfigurationError(f"the manual cannot be published: {shown}{more}") from None


def _read(source: ManualSource) -> Artifact:
    try:
        if not source.is_built:
            return Artifact(read_manual(source.place, _folders(source)))
        if source.folders is None:
            return read_artifact(source.place)
    except OSError as error:
        words = f"the manual {on_one_line(str(source.place))} cannot be read ({type(error).__name__})"
        raise ConfigurationError(words) from None
    raise ConfigurationError(
        "ASSIST_MANUAL_FOLDERS (or --folders) goes with a folder only: "
        f"{on_one_line(str(source.place))} was built, and says itself who may read what"
    )


def _folders(source: ManualSource) -> ManualFolders | None:
    return load_folders(source.folders) if source.folders is not None else None


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:  # a folder above it is closed to us: whoever reads it says so
        return False
