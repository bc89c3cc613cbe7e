"""What the settings name, read and checked before anything is opened: a wrong one is one line."""

from collections.abc import Mapping
from dataclasses import dataclass

from assist_service.adapters.configuration import load_catalogue, load_policy
from assist_service.adapters.lms.client import ClientKey
from assist_service.adapters.models.prices import load_prices
from assist_service.adapters.moderation.words import WordListModerator
from assist_service.adapters.sealing import AesGcmSealer, keys_of
from assist_service.adapters.wording import BabelWording
from assist_service.bootstrap.lms import client_key_of
from assist_service.bootstrap.meanings import open_meanings
from assist_service.bootstrap.moderating import read_moderation
from assist_service.bootstrap.providers import refuse_models
from assist_service.bootstrap.reading import read_whole, source_of
from assist_service.domain.budget import Price
from assist_service.domain.errors import ConfigurationError
from assist_service.domain.manual import Publication
from assist_service.domain.policy import Policy, policy_faults
from assist_service.domain.screens import Catalogue
from assist_service.domain.vectors import Vectors
from assist_service.services.meanings import Meanings
from assist_service.settings import Settings
from assist_service.tools.catalog import TOOLS
from assist_service.tools.tool import FOR_EVERYONE


@dataclass(frozen=True, kw_only=True)
class Configuration:
    """What the settings name, read and checked, before anything is opened."""

    settings: Settings
    policy: Policy
    catalogue: Catalogue
    publication: Publication
    vectors: Vectors | None
    """Those that the manual was built with."""
    meanings: Meanings | None
    """None where the search goes by words alone."""
    prices: Mapping[str, Price]
    words: WordListModerator | None
    """None where the policy wants nothing judged."""
    wording: BabelWording
    sealer: AesGcmSealer
    client_key: ClientKey | None
    """None where the policy asks the LMS for nothing."""


def configure(settings: Settings) -> Configuration:
    """Reads and checks every file the settings name. Raises ConfigurationError, one line."""
    policy = load_policy(settings.policy)
    disclosures = {name: tool.disclosures for name, tool in TOOLS.items()}
    for_everyone = {name for name, tool in TOOLS.items() if tool.family in FOR_EVERYONE}
    if faults := policy_faults(policy, disclosures, for_everyone=for_everyone):
        raise ConfigurationError(f"policy {policy.name}: {'; '.join(faults)}")
    prices = load_prices(settings.prices)
    refuse_models(settings, prices)
    words = read_moderation(settings, policy, prices)
    meanings = open_meanings(settings.embeddings)
    manual = read_whole(source_of(settings), meanings=meanings)
    return Configuration(
        settings=settings,
        policy=policy,
        catalogue=load_catalogue(settings.screens),
        publication=manual.publication,
        vectors=manual.vectors,
        meanings=meanings,
        prices=prices,
        words=words,
        wording=BabelWording(settings.zone),
        sealer=AesGcmSealer(keys_of(settings.secret_keys.get_secret_value())),
        client_key=client_key_of(settings, policy),
    )
