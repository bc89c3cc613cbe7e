"""What the settings name, read and checked before anything is opened: a wrong one is one line."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from assist_service.adapters.configuration import load_catalogue, load_policy
from assist_service.adapters.manual.files import read_manual
from assist_service.adapters.manual.folders import ManualFolders, load_folders
from assist_service.adapters.manual.links import find_warnings
from assist_service.adapters.models.prices import load_prices
from assist_service.adapters.sealing import AesGcmSealer, keys_of
from assist_service.adapters.search import read_glossary
from assist_service.bootstrap.providers import refuse_model
from assist_service.domain.budget import Price
from assist_service.domain.errors import ConfigurationError
from assist_service.domain.manual import ManualInvalid, Publication
from assist_service.domain.policy import Policy, policy_faults
from assist_service.domain.screens import Catalogue
from assist_service.domain.search import Glossary
from assist_service.settings import ManualSettings, Settings
from assist_service.tools.catalog import TOOLS

FAULTS_SHOWN = 5
"""Faults of a manual that a refused start names; `manual check` names them all."""


@dataclass(frozen=True, kw_only=True)
class Configuration:
    """What the settings name, read and checked, before anything is opened."""

    settings: Settings
    policy: Policy
    catalogue: Catalogue
    publication: Publication
    glossary: Glossary
    prices: Mapping[str, Price]
    sealer: AesGcmSealer


def configure(settings: Settings) -> Configuration:
    """Reads and checks every file the settings name. Raises ConfigurationError, one line."""
    policy = load_policy(settings.policy)
    if faults := policy_faults(policy, {name: tool.disclosures for name, tool in TOOLS.items()}):
        raise ConfigurationError(f"policy {policy.name}: {'; '.join(faults)}")
    prices = load_prices(settings.prices)
    refuse_model(settings, prices)
    return Configuration(
        settings=settings,
        policy=policy,
        catalogue=load_catalogue(settings.screens),
        publication=read_publication(settings),
        glossary=glossary_of(settings),
        prices=prices,
        sealer=AesGcmSealer(keys_of(settings.secret_keys.get_secret_value())),
    )


def read_publication(settings: ManualSettings) -> Publication:
    """The manual as it lies in its folder. Raises ConfigurationError that names file and line of its faults."""
    with _faults_named():
        return read_manual(settings.manual, _folders(settings.manual_folders))


def glossary_of(settings: ManualSettings) -> Glossary:
    """The words people say against those the screens use, beside the manual. Raises ConfigurationError."""
    with _faults_named():
        return read_glossary(settings.manual)


@contextmanager
def _faults_named() -> Iterator[None]:
    try:
        yield
    except ManualInvalid as invalid:
        shown = "; ".join(str(fault) for fault in invalid.faults[:FAULTS_SHOWN])
        more = f"; and {len(invalid.faults) - FAULTS_SHOWN} more" if len(invalid.faults) > FAULTS_SHOWN else ""
        raise ConfigurationError(f"the manual cannot be published: {shown}{more}") from None


def manual_faults(folder: Path, folders: Path | None = None) -> tuple[str, ...]:
    """What keeps a folder from being a manual, each with its file and line; empty where nothing does."""
    faults: list[str] = []
    for read in (lambda: read_manual(folder, _folders(folders)), lambda: read_glossary(folder)):
        try:
            read()
        except ManualInvalid as invalid:
            faults += [str(fault) for fault in invalid.faults]
    return tuple(faults)


def manual_warnings(folder: Path, folders: Path | None = None) -> tuple[str, ...]:
    """What is worth a look in a manual and keeps nobody from publishing it, each with its file and line."""
    found = find_warnings(folder, _folders(folders))
    return tuple(f"{each.file}:{each.line}: warning: {each.message}" for each in found)


def _folders(path: Path | None) -> ManualFolders | None:
    return load_folders(path) if path is not None else None
