"""A notice is short, leaves open what the service fills in and nothing else, and says what each of them must say."""

import itertools
import re
from pathlib import Path

import pytest

from assist_service.adapters.configuration import load_policy
from assist_service.domain.availability import worded_notice
from assist_service.domain.errors import ConfigurationError
from assist_service.domain.policy import NOTICE_PLACEHOLDERS, Policy
from assist_service.domain.screens import Language
from assist_service.settings import ROOT

POLICIES = ("default", "school-manuals", "teacher-assistant")
NOTICES = ("notice", "notice_manual")
LONGEST = 490
"""Characters, so that a notice is read."""

UNMASKED = {
    Language.ENGLISH: "What you type is not masked",
    Language.FRENCH: "Ce que tu écris n'est pas masqué",
    Language.FILIPINO: "tinatakpan ang isinusulat mo",
}
LOGGED = {
    Language.ENGLISH: "An administrator with special rights can read them, and this is logged.",
    Language.FRENCH: "Un administrateur à droits spéciaux peut les lire, et c'est enregistré.",
    Language.FILIPINO: "Mababasa ito ng administrador na may espesyal na karapatan, at itinatala iyon.",
}
DELETED = {
    Language.ENGLISH: "You can delete your own.",
    Language.FRENCH: "Tu peux supprimer les tiennes.",
    Language.FILIPINO: "Puwede mong burahin ang sa iyo.",
}


def _wording(policy: Policy, notice: str, language: Language) -> str:
    return str(getattr(policy.texts, notice)[language])


@pytest.mark.parametrize(("name", "notice", "language"), list(itertools.product(POLICIES, NOTICES, Language)))
def test_a_shipped_notice_says_who_reads_what_is_unmasked_how_long_and_what_one_may_do(
    name: str, notice: str, language: Language
) -> None:
    policy = load_policy(name)
    wording = _wording(policy, notice, language)
    assert len(wording) <= LONGEST
    for said in ("{providers}", UNMASKED[language], LOGGED[language], DELETED[language]):
        assert said in wording
    told = worded_notice(wording, providers=("First", "Second"), retention=policy.retention)
    assert "(First, Second)" in told
    assert set(map(int, re.findall(r"\d+", told))) == {policy.retention.manual_days, policy.retention.live_days}
    assert not re.search(r"\d", wording), "a number would stand here and in the policy"


@pytest.mark.parametrize(("name", "language"), list(itertools.product(POLICIES, Language)))
def test_who_reads_only_the_manual_is_told_nothing_of_results(name: str, language: Language) -> None:
    texts = load_policy(name).texts
    of_results = re.compile("result|résultat|marka|marks|notes|datos|your data|tes données")
    assert of_results.search(texts.notice[language])
    assert not of_results.search(texts.notice_manual[language])


def test_what_a_notice_leaves_open_is_what_is_filled_in() -> None:
    open_wording = " ".join(f"{{{placeholder}}}" for placeholder in NOTICE_PLACEHOLDERS)
    told = worded_notice(open_wording, providers=("{live_days}",), retention=load_policy("school-manuals").retention)
    assert told == "{live_days} 365 90"


WRONG = ("{days}", "{}", "{0}", "{providers!r}", "{live_days:>9}", "{{live_days}}", "{li{live_days}ve_days}", "{", "}")


@pytest.mark.parametrize(("notice", "wrong"), list(itertools.product(NOTICES, WRONG)))
def test_a_notice_that_leaves_anything_else_open_is_refused_when_the_policy_is_loaded(
    tmp_path: Path, notice: str, wrong: str
) -> None:
    shipped = (ROOT / "src/assist_service/policies/default.toml").read_text("utf-8")
    before, head, after = shipped.partition(f"[texts.{notice}]\n")
    file = tmp_path / "my-policy.toml"
    file.write_text(before + head + after.replace("{providers}", f"{{providers}} {wrong}", 1), "utf-8")
    with pytest.raises(ConfigurationError) as refused:
        load_policy(str(file))
    assert f"{notice}.en has a brace that is in none of {{providers}}, {{manual_days}}, {{live_days}}" in str(
        refused.value
    )
