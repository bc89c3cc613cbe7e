"""Whether an answer's words could be taken for something that was done on the platform, whoever wrote them.

A model that says it has done what it cannot do is not believed, and not corrected in its own words either: the service
says beside it what is true. So this finds too much rather than too little; what a manual says in general, it leaves be.
"""

import re

from assist_service.domain.folding import folded

_ENGLISH = (
    "created added deleted changed updated published unpublished opened linked removed moved saved set renamed sent "
    "submitted graded released prepared made edited fixed copied closed started stopped assigned enrolled enabled "
    "disabled confirmed scheduled ran run rewrote rewritten replaced applied granted revoked cancelled canceled shared "
    "uploaded imported reset archived corrected done"
)
_FRENCH = (
    "cree ajoute supprime modifie publie ouvert lie retire deplace enregistre renomme envoye note prepare fait corrige "
    "copie ferme demarre assigne inscrit active desactive confirme planifie lance remplace reecrit applique annule "
    "partage efface change mis"
)
_FILIPINO = (
    "ginawa nagawa gumawa nilikha nalikha lumikha idinagdag naidagdag dinagdagan nagdagdag binura nabura nagbura "
    "binago nabago nagbago in-update inupdate na-update nai-publish na-publish inilathala binuksan nabuksan "
    "isinara kinansela inilipat sinave na-save nai-save ipinadala inihanda naihanda inalis tinanggal natanggal "
    "pinalitan iniugnay naiugnay kinopya sinimulan inilagay itinakda"
)
"""Words of what is over, without accents. A French one may take the endings of gender and number."""


def _any(words: str) -> str:
    return f"(?:{'|'.join(words.split())})"


_EN, _FR, _FIL = _any(_ENGLISH), f"{_any(_FRENCH)}e?s?", _any(_FILIPINO)

_PATTERNS = (
    rf"\b(?:i|we)(?:'ve)?(?:\W+(?:have|just|already|now|also|then|successfully))*\W+{_EN}\b",
    rf"\b(?:has|have|had|was|were)(?:\W+(?:been|now|just|already|also|successfully))*\W+{_EN}\b",
    rf"\b(?:is|are|it's)\W+(?:now|already|successfully)\W+{_EN}\b",
    rf"\b(?:j'ai|avons|on a)(?:\W+\w+){{0,2}}?\W+{_FR}\b",
    rf"\b(?:ete|viens|vient)(?:\W+\w+){{0,2}}?\W+(?:{_FR}|{_any('creer ajouter supprimer modifier publier ouvrir')})\b",
    rf"\b(?:est|sont)\W+(?:maintenant|desormais|deja|bien)\W+{_FR}\b",
    rf"\b{_FIL}\b",
    r"(?:^|[.!?\n]\W*)(?:done|all set|finished|voila|termine)\b|\b(?:all done|c'est fait|ayos na|tapos na)\b",
)

_CLAIMS = re.compile("|".join(_PATTERNS))


def claims_an_act(text: str) -> bool:
    """Whether somebody could read there that something was done."""
    return bool(_CLAIMS.search(folded(text).replace("\u2019", "'")))
