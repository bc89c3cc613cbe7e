"""How much a word of a question says about its subject: nothing, little, or all that a word can say."""

from collections.abc import Mapping

from assist_service.domain.search import fold

LITTLE = 0.5
"""What a word of small talk weighs beside one that names a thing."""

_STOP_WORDS: Mapping[str, frozenset[str]] = {
    "en": frozenset(
        "a about also am an and another any anyone anything are as at be because been being but by can could d did do "
        "does doing don else everyone everything for from get gets getting go goes going got had has have he her here "
        "him his how i if in into is isn it its just let like ll m make makes may me might must my need needs of on "
        "one ones or other others our ours please put re s shall she should so some someone something t than that the "
        "their them then there these they thing things this those to too us use using ve very want wants was way we "
        "were what when where which while who whose why will with would you your".split()
    ),
    "fr": frozenset(
        "a afin ai ait alors as au aussi autre autres aux avec avoir avons c ca car ce cela ces cet cette ceux chez "
        "chose choses comme comment d dans de des dois doit donc du elle elles en est et etait etre eu faire fais fait "
        "faut ici il ils j je l la le les leur leurs lui m ma mais me mes mettre moi mon n ne nos notre nous on ont "
        "ou par parce pas peut peuvent peux plus pour pourquoi puis qu quand que quel quelle quelles quelqu quelque "
        "quelques quels qui quoi s sa sans se ses si son sont suis sur t ta te tes toi ton tous tout toute toutes tu "
        "un une utiliser veut veux vos votre vous y".split()
    ),
}
"""Words that carry no subject, without accents: a question is full of them and so is every page."""

SMALL_TALK: Mapping[str, frozenset[str]] = {
    "en": frozenset(
        "able actually again ago ahead almost alone along already alright although always amount annoying anymore "
        "anyway apart around away back bad basically became become before behind best better big bit boss both "
        "bring bringing brings brought came care case certain come comes coming confused couple day days dear "
        "decide different difficult done down during each early easily easy either end enough especially etc even "
        "ever every exactly example except expect fact far fast few figure fine first five folks forget forgot "
        "found four free fully gave girl give given gives giving good great guess guys half hand happen happened "
        "happens hard hello hey hi hope huge hundred idea ideally important inside instead intend keep keeps kept "
        "kind know known large last lately later latter least left less lets level little long longer look looked "
        "looking looks lot lots main making man many matter maybe mean means meant mention middle mind moment "
        "more morning most mostly much myself near nearly necessary never new next nice no nobody nor normal "
        "normally not nothing now obviously off often ok okay old once only otherwise out over own part parts "
        "past people perhaps person place possible possibly prefer pretty probably problem properly putting quick "
        "quickly quite rather ready real really reason recently right run same saw say saying says second seem "
        "seems seen several short side similar simple simply since single situation six small somebody somehow "
        "somewhere soon sorry started stay still straight stuff suddenly suggest suppose sure take taken takes "
        "taking talk tell telling tells ten thank thanks think third thought thousand three through times today "
        "together told tomorrow tonight took top total totally tried trouble true try trying turn twice two under "
        "understand unfortunately unless until up usual usually various via wait wanted wanting week weekend "
        "weeks well went whatever whenever wherever whether whole willing without woman wonder wondering word "
        "words work working works world worse worst wrong yeah year years yes yesterday yet yourself zero".split()
    ),
    "fr": frozenset(
        "abord absolument actuellement ailleurs ainsi aller allez apres arrive arrivent arriver assez attendre "
        "aucun aucune aujourd auparavant autant avant beaucoup besoin bien bientot bizarre bon bonjour bonne "
        "boulot bout bref cas cause celle celui certain certaine certaines certains chacun chaque cinq clair "
        "clairement combien comprendre comprends concernant contre correctement coup crois debut deja demain "
        "depuis dernier derniere derniers derriere dessous dessus deux devant devrais devrait difficile dire "
        "directement dit donne donnent donner donnes dur encore enfin ensuite entre envie essaie essaye essayer "
        "exactement exemple expliquer facile facilement facon falloir fin finalement fois fonctionne fonctionner "
        "force forcement genre gens grand grande gros grosse hier histoire hui idee important impossible instant "
        "jamais jeune jeunes jour journee jours juste laisse laisser lequel lesquels lieu loin longtemps lors "
        "lorsque maintenant mal malgre maniere manque marche marcher matin meilleur meme memes merci mieux milieu "
        "moins mois moitie moment monde moyen necessaire nombreux nouveau nouveaux nouvelle nouvelles nul oblige "
        "occupe ouais oublie oublier oui outre parfois parle parler partir partout passe passer pendant pense "
        "penser perdre perdu permet permettre personne personnes petit petite petits peu place plein plusieurs "
        "plutot possible pourrais pourrait pourtant pouvoir premier premiere prendre pres presque principe "
        "probleme prochain prochaine propre quatre quitte rapide rapidement rend reste rester reussir revenir "
        "rien sais savoir selon semaine semaines semble sens sera serait serieux seul seule seulement simple "
        "simplement sinon soir soit solution sorte souci souvent suite super surtout tant tard tel telle "
        "tellement temps tete tiens tient tot toujours tour tourner trois trop trouve trouver truc trucs urgent "
        "utile va vais valoir vas venir vers vient vite voila vois voudrais voulais vouloir vrai vraiment".split()
    ),
}
"""Words of any talk: they may stand in a title, but a question is seldom about them."""


def telling(word: str, language: str) -> float:
    """0 for a word that carries no subject, `LITTLE` for one of small talk, 1 for any other; accents do not matter."""
    bare = fold(word)
    if bare in _of(_STOP_WORDS, language):
        return 0.0
    return LITTLE if bare in _of(SMALL_TALK, language) else 1.0


def _of(words: Mapping[str, frozenset[str]], language: str) -> frozenset[str]:
    return words.get(language, words["en"])
