"""Pages and indexes of a test, and what a search finds in one."""

from assist_service.adapters.manual.files import read_manual
from assist_service.adapters.search import TantivyIndex, build_index
from assist_service.domain.manual import Audience, ManualPage, Publication, Section
from assist_service.domain.search import Glossary
from assist_service.settings import ROOT

EVERYONE = frozenset(Audience)


CORPUS = read_manual(ROOT / "corpus")


SHIPPED = build_index(CORPUS)


def page(
    path: str,
    title: str,
    *texts: str | tuple[str, str],
    language: str = "en",
    audience: Audience = Audience.TEACHER,
) -> ManualPage:
    """A page of sections; a text alone stands under the page's own title."""
    cut = [text if isinstance(text, tuple) else (title, text) for text in texts]
    sections = (
        Section(path, title, language, audience, f"{language}-{at}", heading, text)
        for at, (heading, text) in enumerate(cut)
    )
    return ManualPage(path, language, title, audience, tuple(sections))


def index(*pages: ManualPage, glossary: Glossary | None = None) -> TantivyIndex:
    return build_index(Publication(pages, glossary or Glossary()))


def found(
    index: TantivyIndex,
    query: str,
    *,
    language: str = "en",
    audiences: frozenset[Audience] = EVERYONE,
    limit: int = 5,
) -> list[str]:
    return [hit.page for hit in index.search(query, audiences=audiences, language=language, limit=limit)]


# In whose words

ABOUT_POOLS = page("teacher/pools", "Pools", "A pool holds questions. Add a question to it.")


ABOUT_GRADES = page("teacher/grading", "Grading", "Points are given for each answer. The gradebook adds them up.")


ABOUT_PUBLISHING = page(
    "teacher/publishing", "Publication", "L'évaluation publiée est visible pour les élèves.", language="fr"
)


SMALL = index(ABOUT_POOLS, ABOUT_GRADES, ABOUT_PUBLISHING)


# Translations

ENGLISH = page("teacher/help/pool", "Pool", ("Filter", "Filter the list."), ("Share", "Share it with a colleague."))


FRENCH = page(
    "teacher/help/pool", "Pool", ("Filtrer", "Filtrez la liste."), ("Partager", "Avec un collègue."), language="fr"
)
