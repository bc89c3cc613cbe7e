"""Whether an answer's words could be taken for something that was done on the platform, whoever wrote them.

A model that says it has done what it cannot do is not believed, and not corrected in its own words either: the service
says beside it what is true. So this finds too much rather than too little; what a manual says in general, it leaves be.
"""

import html
import re
import unicodedata

from assist_service.domain.folding import folded
from assist_service.domain.lookalikes import read_as_latin

_ENGLISH = (
    "created added deleted changed updated published unpublished opened linked unlinked removed moved saved set "
    "renamed sent submitted graded released prepared made edited fixed copied closed started stopped assigned "
    "enrolled enabled disabled confirmed scheduled ran run rewrote rewritten replaced applied granted revoked "
    "cancelled canceled shared uploaded imported reset archived corrected modified duplicated attached inserted "
    "cleared erased wiped restored completed finished executed performed generated built put done"
)
_FRENCH = (
    "créé ajouté supprimé modifié publié ouvert lié retiré déplacé enregistré renommé envoyé noté préparé fait corrigé "
    "copié fermé démarré assigné inscrit activé désactivé confirmé planifié lancé remplacé réécrit appliqué annulé "
    "partagé effacé changé mis dupliqué inséré importé archivé rétabli réinitialisé généré exécuté effectué rédigé "
    "terminé"
)
_FILIPINO = (
    "ginawa nagawa gumawa nilikha nalikha lumikha idinagdag naidagdag dinagdag dinagdagan nagdagdag nadagdag binura "
    "nabura nagbura binago nabago nagbago inilathala nailathala binuksan nabuksan isinara kinansela inilipat nailipat "
    "ipinadala naipadala inihanda naihanda inalis tinanggal natanggal naalis pinalitan napalitan iniugnay naiugnay "
    "kinopya nakopya sinimulan inilagay nailagay itinakda tinapos natapos ginawan kinumpirma inayos naayos nagpalit "
    "ibinahagi"
)
"""Words of what is over. A French one may take the endings of gender and number."""

_BORROWED = (
    "create delete publish update save add edit remove rename link unlink move open close copy share send submit "
    "upload import enable disable archive replace change fix set run prepare cancel confirm assign enroll grade "
    "release reset generate restore duplicate"
)
"""English verbs that Filipino takes its own beginnings to, or puts its -in- into."""


def _any(words: str) -> str:
    return f"(?:{'|'.join(words.split())})"


_INFIXED = " ".join(f"{verb[0]}in{verb[1:]}" for verb in _BORROWED.split() if verb[0] not in "aeiou")

_EN = _any(_ENGLISH)
_FR = f"{_any(folded(_FRENCH))}e?s?"
_FR_ACCENTED = f"{_any(' '.join(word for word in _FRENCH.split() if not word.isascii()))}e?s?"
_FIL = (
    rf"(?:{_any(_FILIPINO)}|(?:na|nai|nag|naka|di|pina|ipina)-?{_any(_BORROWED)}|(?:in|ini|ni|i-?ni)-{_any(_BORROWED)}"
    rf"|{_any(_INFIXED)}|d[iy]nelete|crineate|kinreate)"
)

_START = r"(?:^|[.!?:;\n]\W{0,8})"
"""Where a sentence begins, or what stands behind a colon."""

_MIND = "(?:now|just|already|also|then|all|both|successfully|finally|since|gone|went|ahead|and|safely|fully|indeed)"
_DEJA = "(?:maintenant|desormais|deja|bien|donc|aussi|tous|toutes|tout|a present|enfin)"

_GENERAL_EN = (
    r"(?![^.!?\n]*\b(?:when|whenever|if|once|until|unless|automatically|every|each time|only|after|before|while|as soon"
    r"|button|menu|by (?:the|a|an|your|whoever|default))\b)"
)
_GENERAL_FR = (
    r"(?![^.!?\n]*\b(?:quand|lorsque|lorsqu|si|des qu\w*|automatiquement|chaque|apres|avant|jusqu|une fois|seulement"
    r"|pendant|tant qu\w*|bouton|menu|par (?:le|la|les|un|une|l|ton|defaut))\b)"
)
"""A sentence with one of these says what happens in general."""

_OF_EN = r"(?:the|your|this|that|these|those|it|they|everything|all|both|my|our|his|her|their|each)"
_OF_FR = (
    r"(?:l|le|la|les|ta|ton|tes|votre|vos|sa|son|ses|ce|cet|cette|ces|c|ca|tout|toutes|elle|elles|il|ils|leur|leurs)"
)
_NO_VERB = r"(?!(?:is|are|be|was|gets?|can|will|to|not|no|if|when|once|how|est|sont|sera|peut|pas|a|doit|you|i)\b)"
_OBJECT = (
    r"(?:the|a|an|your|it|them|this|that|these|those|all|both|everything|for|in|to|as|successfully|\d+|one|two|three|"
    r"four|five|new)"
)

_PATTERNS = (
    # I have gone ahead and created
    rf"\b(?:i|we)(?:'ve|'d)?(?:\W+(?:have|had|{_MIND}))*\W+{_EN}\b",
    r"\b(?:i|we)\W+(?:(?:have|just|also)\W+)*(?:did|took care|taken care|managed to|(?:was|were) able to)\b(?! not\b)",
    r"\b(?:i'm|i am|we're|we are)\W+(?:all\W+)?(?:done|finished)\b|\bconsider it\b",
    # has been created
    rf"\b(?:has|have|had|was|were|been|got)(?:\W+(?:been|{_MIND}))*\W+{_EN}\b",
    rf"\b(?:is|are|it's)\W+(?:now|already|successfully)\W+{_EN}\b",
    rf"{_START}{_OF_EN}(?:'s|'re|\b(?:\W+\w+){{0,5}}?\W+(?:is|are))(?:\W+{_MIND})*\W+{_EN}\b{_GENERAL_EN}",
    r"\b(?:is|are|it's)\W+(?:now\W+)?(?:gone|live|in place)\b|\bnow (?:exists?|there|live|in place)\b|\byou now have\b",
    # Created the category. Category created.
    rf"{_START}(?:(?:all|both|just|now|successfully|and)\W+)*(?!(?:set|put|run|reset)\b){_EN}\b(?=\W+{_OBJECT}\b)",
    rf"{_START}(?:{_NO_VERB}\w+\W{{1,3}}){{0,4}}?(?!(?:set|put|run|reset|made)\b){_EN}(?:\W+(?:successfully|for you))?"
    r"(?=\s*(?:[.!?;,\n)]|$))",
    rf"\bsuccessfully\W+{_EN}\b|\b{_EN}\W+successfully\b",
    # je te l'ai créé
    r"(?:\b(?:j'|l'|m'|t'|y |en |les |vous |nous |lui |leur )ai|\bavons|\bon (?:l'|t'|les |vous )?a)"
    rf"(?:\W+\w+){{0,3}}?\W+{_FR}\b",
    rf"\b(?:ete|viens|vient|venons|viennent)(?:\W+\w+){{0,3}}?\W+"
    rf"(?:{_FR}|{_any('creer ajouter supprimer modifier publier ouvrir enregistrer renommer lier envoyer faire')})\b",
    # La catégorie est créée. C'est fait.
    rf"\b(?:est|sont)\W+{_DEJA}\W+{_FR}\b|\bc'est(?:\W+{_DEJA})?\W+{_FR}\b",
    rf"{_START}{_OF_FR}\b(?:\W+\w+){{0,5}}?\W+(?:est|sont)(?:\W+{_DEJA})*\W+{_FR}\b{_GENERAL_FR}",
    r"\b(?:existe|(?:est|sont) en ligne|tu as)\W+(?:maintenant|desormais)\b|\bn'existent? plus\b",
    rf"\b{_FIL}\b",
    r"\b(?:tapos|ayos|okay|ok)(?: ko)? na\b|\bwala na (?:ang|ito|iyon)\b|\bmayroon ka nang\b",
    rf"{_START}(?:done|all set|finished|voila|termine)\b|\b(?:all done|c'est fait)\b",
)

_CLAIMS = re.compile("|".join(_PATTERNS))

_CLAIMS_ACCENTED = re.compile(
    rf"{_START}(?:(?:bien|et|tout)\W+)*{_FR_ACCENTED}\b"
    rf"|{_START}(?!\w+[ei]r\b|\w+re\b)(?:{_NO_VERB}\w+\W{{1,3}}){{1,4}}?{_FR_ACCENTED}(?=\s*(?:[.!?;,\n)]|$))"
)
"""Créé la catégorie, catégorie créée: without its accent the word would be an order to the reader."""

_WAITING = re.compile(
    "|".join(
        (
            r"\b(?:prepared|awaits?|awaiting|pending)\b|\bcards?\b|\bwait(?:s|ing)?\W+(?:for|on)\W+you",
            r"\b(?:ready|there)\W+for\W+(?:you|your)\b|\bready to\W+(?:be )?(?:confirm|apply|approve)",
            r"\bconfirm\W+(?:it|this|that|them|below|here|now|the (?:card|change|draft))\b|\bconfirm below\b",
            r"\b(?:your|for) (?:confirmation|approval|decision|go-ahead)\b",
            r"\b(?:ai|est|sont) prepare|\bprepare(?:e|s|es)?(?:$|[.,:!]| et\b| pour (?:toi|vous)\b)|\bcartes?\b",
            r"\bpret(?:e|s|es)? (?:a etre )?(?:a|pour|sous|sur|ci-dessous|confirm)|\ben attente\b|\b(?:t'|vous )attend",
            r"\battend(?:ent)? (?:que|ta|ton|votre|une)\b|\bconfirme[rz]?[- ]l[ae]s?\b|\b(?:ta|votre) confirmation\b",
            r"\bnaghihintay|\b(?:na|i)?i?hinanda\b|\bnaihanda\b|\bnakahanda\b|\bkumpirma|\bi-confirm\b|\bhinihintay",
        )
    )
)
"""Words for what waits until the person says so."""

_MARKS = str.maketrans({"\u2019": "'", "\u02bc": "'", "\uff07": "'", "`": None, "*": None, "_": " ", "~": None})

_LINK = re.compile(r"!?\[([^\[\]\n]{0,500})\]\([^()\n]{0,2000}\)")
_MARKER = re.compile(r" ?\[\d+\]")
_LINE_MARK = re.compile(r"^[ \t]*(?:(?:[-+>#|]|\d{1,3}[.)])[ \t]*)+", re.MULTILINE)


def plain(text: str) -> str:
    """The words of a Markdown text as they are read: no emphasis, code marks, links, list marks or citation numbers."""
    text = _MARKER.sub("", _LINK.sub(r"\1", text))
    text = re.sub(r"\\([^\w\s])", r"\1", html.unescape(text)).translate(_MARKS)
    text = re.sub(r"\s*\n\s*", "\n", _LINE_MARK.sub("", text))
    return re.sub(r"([^\w\s])\1+", r"\1", re.sub(r"[^\S\n]+", " ", text)).strip()


def claims_a_card(text: str) -> bool:
    """Whether somebody could read there that something is prepared and waits for them."""
    return bool(_WAITING.search(folded(read_as_latin(plain(text)))))


def claims_an_act(text: str) -> bool:
    """Whether somebody could read there that something was done."""
    words = read_as_latin(plain(text))
    accented = unicodedata.normalize("NFC", words).casefold()
    return bool(_CLAIMS.search(folded(words)) or _CLAIMS_ACCENTED.search(accented))
