"""What the question editor says, in each language by the same keys; `#` stands for a row's number, `{}` for a count."""

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

_LANGUAGES = ("en", "fr", "fil")

_WORDS: Mapping[str, tuple[str, str, str]] = {
    # Fields
    "statement": ("Statement", "Énoncé", "Tanong"),
    "explanation": ("Explanation", "Explication", "Paliwanag"),
    "explanation_hint": (
        "Shown to students after they have answered.",
        "Montrée aux élèves une fois qu’ils ont répondu.",
        "Ipinapakita sa mga mag-aaral pagkatapos nilang sumagot.",
    ),
    "choices": ("Choices", "Choix", "Mga pagpipilian"),
    "choice": ("Choice #", "Choix #", "Pagpipilian #"),
    "right": ("Choice # is right", "Le choix # est juste", "Tama ang pagpipilian #"),
    "multiple": (
        "Several choices may be right",
        "Plusieurs choix peuvent être justes",
        "Maaaring higit sa isa ang tama",
    ),
    "text": ("Text with gaps", "Texte à trous", "Teksto na may mga patlang"),
    "text_hint": (
        "Write [[1]] where the first gap is, [[2]] where the second is.",
        "Écrire [[1]] à la place du premier trou, [[2]] à la place du deuxième.",
        "Isulat ang [[1]] sa unang patlang, [[2]] sa ikalawa.",
    ),
    "gaps": ("Gaps", "Trous", "Mga patlang"),
    "gap": (
        "Right answers of gap @, one a line",
        "Bonnes réponses du trou @, une par ligne",
        "Mga tamang sagot sa patlang @, isa bawat linya",
    ),
    "columns": ("Columns", "Colonnes", "Mga hanay"),
    "column": ("Column #", "Colonne #", "Hanay #"),
    "cards": ("Cards", "Cartes", "Mga kard"),
    "card": ("Card #", "Carte #", "Kard #"),
    "belongs": ("Column of card #", "Colonne de la carte #", "Hanay ng kard #"),
    "answer": ("Right number", "Nombre juste", "Tamang bilang"),
    "tolerance": ("Tolerance", "Tolérance", "Palugit"),
    "unit": ("Unit", "Unité", "Yunit"),
    "guidance": ("Guidance for marking", "Indications pour la correction", "Gabay sa pagmamarka"),
    "max_words": ("Most words", "Nombre maximal de mots", "Pinakamaraming salita"),
    # Buttons
    "add_choice": ("Add a choice", "Ajouter un choix", "Magdagdag ng pagpipilian"),
    "remove_choice": ("Remove choice #", "Retirer le choix #", "Alisin ang pagpipilian #"),
    "add_gap": ("Add a gap", "Ajouter un trou", "Magdagdag ng patlang"),
    "remove_gap": ("Remove gap @", "Retirer le trou @", "Alisin ang patlang @"),
    "add_column": ("Add a column", "Ajouter une colonne", "Magdagdag ng hanay"),
    "remove_column": ("Remove column #", "Retirer la colonne #", "Alisin ang hanay #"),
    "add_card": ("Add a card", "Ajouter une carte", "Magdagdag ng kard"),
    "remove_card": ("Remove card #", "Retirer la carte #", "Alisin ang kard #"),
    "undo": ("Undo", "Annuler la modification", "Ibalik"),
    "preview": ("Preview", "Aperçu", "Silipin"),
    "try_it": ("Try it", "Essayer", "Subukan"),
    "check": ("Check the answer", "Vérifier la réponse", "Suriin ang sagot"),
    # How it stands
    "saved": ("Saved", "Enregistré", "Na-save na"),
    "unsaved": ("Not saved yet", "Pas encore enregistré", "Hindi pa na-save"),
    "changed": ("Changed elsewhere", "Modifié ailleurs", "Binago sa ibang lugar"),
    "invalid": (
        "Not saved yet: a field needs another look",
        "Pas encore enregistré : un champ est à revoir",
        "Hindi pa na-save: may field na kailangang ayusin",
    ),
    "failed": (
        "Not saved yet: no answer from the school. It is tried again.",
        "Pas encore enregistré : l’école ne répond pas. Nouvel essai en cours.",
        "Hindi pa na-save: walang sagot ang paaralan. Sinusubukan muli.",
    ),
    "refused": (
        "Not saved: this may not be changed now. Sign in again.",
        "Pas enregistré : aucune modification possible pour l’instant. Se reconnecter.",
        "Hindi na-save: hindi ito mababago ngayon. Mag-sign in muli.",
    ),
    "other_session": (
        "Not saved: you have signed in as somebody else, or anew, in another tab."
        " Copy what you need, then load this page again.",
        "Pas enregistré : une autre connexion a eu lieu dans un autre onglet."
        " Copier le nécessaire, puis recharger la page.",
        "Hindi na-save: may ibang nag-sign in sa ibang tab. Kopyahin ang kailangan, saka i-load muli ang pahina.",
    ),
    "take_theirs": ("Load what is stored now", "Charger ce qui est enregistré", "Kunin ang naka-save ngayon"),
    "keep_mine": ("Keep what is here", "Garder ce qui est ici", "Panatilihin ang narito"),
    "read_only": (
        "Nothing can be changed in this view.",
        "Rien ne peut être modifié dans cette vue.",
        "Walang mababago sa view na ito.",
    ),
    "not_done": (
        "Not done: the question has to be saved first.",
        "Pas fait : la question doit d’abord être enregistrée.",
        "Hindi nagawa: kailangan munang ma-save ang tanong.",
    ),
    "not_opened": (
        "The window could not be opened.",
        "La fenêtre n’a pas pu s’ouvrir.",
        "Hindi nabuksan ang bintana.",
    ),
    # What is wrong with a field, by the rule it breaks
    "fault.minLength": (
        "This must not be empty.",
        "Ce champ ne peut pas être vide.",
        "Hindi ito maaaring walang laman.",
    ),
    "fault.maxLength": ("This is too long.", "C’est trop long.", "Masyado itong mahaba."),
    "fault.type": ("A number is needed here.", "Il faut un nombre ici.", "Kailangan ng bilang dito."),
    "fault.minimum": ("This number is too small.", "Ce nombre est trop petit.", "Masyadong maliit ang bilang na ito."),
    "fault.minItems": ("There are too few of these.", "Il n’y en a pas assez.", "Kulang ang bilang ng mga ito."),
    "fault.maxItems": ("There are too many of these.", "Il y en a trop.", "Sobra ang bilang ng mga ito."),
    "fault.size": (
        "The question as a whole is too long.",
        "La question dans son ensemble est trop longue.",
        "Masyadong mahaba ang buong tanong.",
    ),
    "fault.characters": (
        "There is a character here that cannot be stored.",
        "Il y a ici un caractère qui ne peut pas être enregistré.",
        "May karakter dito na hindi mai-save.",
    ),
    "fault.other": ("This cannot be stored.", "Ceci ne peut pas être enregistré.", "Hindi ito mai-save."),
    # As a student sees it
    "blank": ("Gap @", "Trou @", "Patlang @"),
    "your_answer": ("Your answer", "Ta réponse", "Ang sagot mo"),
    "choose": ("Choose a column", "Choisir une colonne", "Pumili ng hanay"),
    "at_most": ("At most {} words", "{} mots au plus", "Hindi hihigit sa {} salita"),
    "is_right": ("That is right.", "C’est juste.", "Tama iyan."),
    "is_wrong": ("That is not right.", "Ce n’est pas juste.", "Hindi iyan tama."),
    "is_marked": ("A teacher marks this.", "C’est un enseignant qui corrige.", "Guro ang nagmamarka nito."),
}


@cache
def editor_words(language: str) -> Mapping[str, str]:
    """English for a language that there are no words in."""
    place = _LANGUAGES.index(language) if language in _LANGUAGES else 0
    return MappingProxyType({key: words[place] for key, words in _WORDS.items()})
