"""What the eight pools are about: ten terms each, with what a teacher would say of them."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Subject:
    """A pool's title, language, and its terms with their meanings."""

    title: str
    language: str
    description: str
    terms: Mapping[str, str]


def _terms(text: str) -> dict[str, str]:
    """`term: meaning`, one a line."""
    pairs = (line.split(": ", 1) for line in text.strip().splitlines())
    return {term.strip(): meaning for term, meaning in pairs}


POINTERS = Subject(
    "Pointeurs et tableaux",
    "fr",
    "Adresses, indirection et parcours de tableaux en C.",
    _terms("""
        le pointeur nul: une adresse qui ne désigne aucun objet
        l'opérateur &: il donne l'adresse d'une variable
        l'opérateur *: il donne la valeur à une adresse
        l'arithmétique des pointeurs: elle avance d'un élément, pas d'un octet
        le tableau: des éléments du même type, côte à côte en mémoire
        malloc: elle réserve de la mémoire sur le tas
        free: elle rend la mémoire réservée
        la chaîne de caractères: un tableau de char terminé par un zéro
        le dépassement de tampon: une écriture au-delà de la fin d'un tableau
        le double pointeur: un pointeur vers un pointeur
    """),
)
LOOPS = Subject(
    "Boucles et conditions",
    "fr",
    "Les structures de contrôle, du premier if au switch.",
    _terms("""
        la boucle for: elle répète avec un compteur
        la boucle while: elle répète tant qu'une condition est vraie
        do while: elle exécute le corps au moins une fois
        break: il quitte la boucle
        continue: il passe au tour suivant
        switch: il choisit un cas selon une valeur entière
        l'opérateur ternaire: il choisit entre deux expressions
        la condition d'arrêt: ce qui met fin à une répétition
        la boucle infinie: une boucle dont la condition reste vraie
        l'invariant: ce qui est vrai à chaque tour
    """),
)
STRUCTS = Subject(
    "Structures et fichiers",
    "fr",
    "Types composés, lecture et écriture de fichiers.",
    _terms("""
        struct: elle regroupe des champs sous un nom
        typedef: il donne un autre nom à un type
        fopen: elle ouvre un fichier
        fclose: elle ferme un fichier
        l'union: des champs qui partagent la même mémoire
        l'énumération: des constantes entières nommées
        l'opérateur flèche: il atteint un champ par un pointeur
        fread: elle lit des octets d'un fichier
        le mode binaire: les octets sont écrits tels quels
        l'alignement: la place des champs en mémoire
    """),
)
CELLS = Subject(
    "Cells and tissues",
    "en",
    "From the cell membrane to the four kinds of tissue.",
    _terms("""
        the chloroplast: it turns light into sugar
        the mitochondrion: it releases energy from sugar
        the nucleus: it holds the genetic material
        the cell membrane: it decides what enters and leaves
        the ribosome: it builds proteins
        the vacuole: it stores water and waste
        epithelial tissue: it covers surfaces
        muscle tissue: it contracts
        nervous tissue: it carries signals
        connective tissue: it holds organs together
    """),
)
PLANTS = Subject(
    "Plants and photosynthesis",
    "en",
    "How plants feed, drink and grow.",
    _terms("""
        photosynthesis: it makes sugar out of carbon dioxide and water
        the stoma: a pore for gases in a leaf
        xylem: it carries water upwards
        phloem: it carries sugar
        transpiration: water leaving through the leaves
        the root hair: it takes up water from the soil
        chlorophyll: the green pigment that catches light
        pollination: pollen reaching a stigma
        germination: a seed beginning to grow
        phototropism: growing towards the light
    """),
)
GENETICS = Subject(
    "Genetics, to be reviewed",
    "en",
    "Not yet part of a course.",
    _terms("""
        the gene: a stretch of DNA that codes for a product
        the allele: one version of a gene
        the chromosome: a packed molecule of DNA
        the dominant allele: one copy of it is enough to show
        the recessive allele: it shows only in two copies
        the genotype: the alleles an organism has
        the phenotype: what of them can be seen
        mitosis: one cell becoming two equal ones
        meiosis: one cell becoming four with half the chromosomes
        mutation: a lasting change of the DNA
    """),
)
SAMPLING = Subject(
    "Sampling and surveys",
    "en",
    "Whom to ask, how many, and how not to fool oneself.",
    _terms("""
        the population: everyone the question is about
        the sample: those who are asked
        random sampling: everyone has the same chance to be asked
        selection bias: some are likelier to be asked than others
        the margin of error: how far a sample may be off
        the confidence level: how often the margin holds
        stratified sampling: a sample within each group
        non-response: those who do not answer
        a leading question: one that suggests its answer
        the pilot survey: a small run before the real one
    """),
)
REGRESSION = Subject(
    "Regression in practice",
    "en",
    "Lines through clouds of points.",
    _terms("""
        the slope: how much the line rises with each step
        the intercept: where the line meets the axis
        the residual: what the line leaves unexplained at a point
        least squares: the line with the smallest squared residuals
        correlation: how closely two quantities move together
        an outlier: a point far from the others
        extrapolation: using the line beyond the data
        R squared: the share of variation that is explained
        the confounder: a third quantity behind two others
        overfitting: following noise instead of the pattern
    """),
)
