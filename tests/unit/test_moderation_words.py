"""The list of words: what it refuses however it is written, what of a school it lets by, and how it is set."""

import itertools
from pathlib import Path

import pytest

from assist_service.adapters.moderation.words import (
    MAX_LIST_BYTES,
    WordListModerator,
    load_moderator,
)
from assist_service.domain.errors import ConfigurationError
from assist_service.settings import ROOT

SHIPPED = load_moderator(None)

ORDINARY = """
How do I kill a running quiz?
The quiz hangs. Can I kill it and start again?
Where do I create a sexual education course?
How do I plan a suicide prevention lesson?
Can I upload a lesson on drug abuse?
I teach a class in Scunthorpe, how do I set its time zone?
How do I import the students of Penistone and Essex?
My class assessment passes the grass test.
Which students failed the cockpit and peacock questions?
How do I execute a shot in the photography course?
Can I bomb-proof the settings before the exam?
Where is the history unit on the atomic bomb?
How do I make a question on the Holocaust and slavery?
The students discuss rape crops and the slaughterhouse in Of Mice and Men.
How do I cut myself off from notifications?
Is there a hit list of the hardest questions?
What is a dead link and how do I strike it out?
How do I attack the problem of late submissions?
Why did my pool die?
I want to hang a picture in my course page.
Moby Dick is on the reading list, how do I add it?
How do I add a question about breast cancer screening?
Who has a retard of two days?
Comment corriger une dispute sur une note ?
Mon ordinateur est lent, la réputation de la plateforme souffre.
Comment reconduire le contrôle continu et le contenu ?
Comment calculer le score, l'amputation d'un membre et la computation ?
Peut-on tuer un processus bloqué ? Je vais le tuer.
La session va mourir, que faire ?
L'élève est en retard, comment le noter ?
Comment ajouter un cours d'éducation sexuelle ?
Où trouver la leçon sur la prévention du suicide ?
Il a mordu la bite d'amarrage du bateau, mot du lexique marin.
Comment écrire une règle sans la violer ?
Un bobo à l'infirmerie, où l'indiquer ?
La concierge et le conseil connaissent le concours.
Comment faire sauter une question ?
Comment supprimer la question « qui a tué César » ?
Paano patayin ang tumatakbong quiz?
Pinatay ko ang timer, paano ito buhayin?
Pede bang i-edit ang tanong?
Paano ko pagagawin ng kopya ang pool?
Bakit patay ang link sa kurso?
Puti ang kulay ng pahina, bakit?
Nasaan ang aralin tungkol sa pag-iwas sa pagpapakamatay?
Paano gumawa ng pagsusulit tungkol sa edukasyong sekswal?
May gagawin pa ba ang mga estudyante?
Sino ang mga hayop sa tanong na ito?
Tanggalin ang tanga sa larawan ng palay.
Bumababa ang marka ng klase, bakit?
How do I end my life science evaluation early?
When can I end my life skills course?
Can I end my Life and Earth Sciences pool now?
How do I open the pool KY5?
How do I add the course KYS 101?
Which formula uses the put4 function?
How do I rename the pool CUN7?
Is room 5LUT the one of class 3B?
How do I block porn sites on the school network?
How do I report porn videos that a classmate showed me?
Someone asked me to send nudes, whom can I tell?
Did Tarquin rape her in Livy's story? I want it as a question.
Where is the pool on dog breeding: a bitch and her puppies?
How do I write a question about the word "nigger" in Huckleberry Finn?
How do I import the text on faggots, a dish of the Midlands?
How do I hang myself a reminder on the course page?
Will repeated attempts hurt myself or my grade?
How do I kill my self-paced course?
Comment faire sauter l'école de la liste ?
Peut-on faire sauter le collège du classement ?
Comment bloquer les sites porno au CDI ?
Un élève reçoit des vidéos porno, qui prévenir ?
Je veux mourir de rire : comment supprimer ma réponse ?
Je vais me tuer à corriger ces copies, comment les partager ?
Papatayin ko siya (ang projector) pagkatapos ng klase. Paano?
Gusto ko nang mamatay sa hirap ng quiz na ito! Paano mag-submit?
Paano ko idadagdag si Maria Gago sa klase?
Почему рутина курса не видна и как её открыть?
Πού βρίσκεται το μάθημα της ιστορίας;
""".strip().splitlines()

REFUSED = """
fuck this quiz
You are a BITCH.
I will kill you, teacher
kill   yourself
I'll kill you
How do I kill myself?
send me nudes
i will kill u
va te faire foutre
VA TE FAIRE FOUTRE
espèce d'enculé
espece d'encule
nique ta mère
nique ta mere
Je vais te tuer.
fils de pute !
putang ina mo
PUTANGINA
gago ka talaga
papatayin kita bukas
gusto ko nang magpakamatay
""".strip().splitlines()

DISGUISED = {
    "an invisible character inside": "fu\u200bck",
    "a soft hyphen inside": "fu\u00adck",
    "a joiner inside": "fu\u200dck",
    "tags inside": "fu\U000e0041ck",
    "wide letters": "\uff46\uff55\uff43\uff4b",
    "accents on letters": "f\u00fcck",
    "combining marks": "f\u0301u\u0308c\u0327k\u0332",
    "signs for letters": "wh0re",
    "more of them": "@$$hole",
    "signs and punctuation before them": "!|@!$lut, !@$$h0le",
    "signs and punctuation after them": "wh0re!|$@!",
    "drawn out": "fuuuuuuuck",
    "a vowel drawn out a little": "fuuck",
    "a Cyrillic letter": "fu\u0441k",
    "Cyrillic capitals": "\u0421UNT",
    "a Greek letter": "wh\u03bfre",
    "a short spelling": "kill urself",
    "another particle": "magpapakamatay na ako",
    "Markdown inside": "f**uc**k",
    "an escape inside": "fu\\ck",
    "no spaces around": "(fuck)",
    "quoted": "“fuck”",
    "over two lines": "kill\n\nyourself",
    "with an underscore": "_fuck_",
}


def test_there_are_enough_ordinary_questions() -> None:
    assert len(ORDINARY) >= 40


@pytest.mark.parametrize("question", ORDINARY)
def test_an_ordinary_question_of_a_school_passes(question: str) -> None:
    assert not SHIPPED.holds(question)


@pytest.mark.parametrize("text", REFUSED)
def test_what_is_on_the_list_is_refused(text: str) -> None:
    assert SHIPPED.holds(text)


@pytest.mark.parametrize("text", DISGUISED.values(), ids=DISGUISED)
def test_it_is_found_however_it_is_written(text: str) -> None:
    assert SHIPPED.holds(text)


NOT_FOUND = ["f u c k", "f.u.c.k", "f*ck", "fuckyou", "fvck", "phuck", "B1TCH", "WH0RE", "fu&shy;ck"]


@pytest.mark.parametrize("text", NOT_FOUND)
def test_what_the_documentation_says_it_does_not_find(text: str) -> None:
    """Whoever teaches it one of these takes it out of docs/operations.md too."""
    assert not SHIPPED.holds(text)


def test_the_whole_manual_passes() -> None:
    pages = list((ROOT / "corpus").rglob("*.md"))
    assert len(pages) > 10
    assert [page.name for page in pages if SHIPPED.holds(page.read_text())] == []


def test_a_file_adds_words_in_any_language(tmp_path: Path) -> None:
    file = tmp_path / "words.toml"
    file.write_text('en = ["Zorblax", "two words"]\nfil = ["salitang bawal"]\n', encoding="utf-8")
    moderator = load_moderator(file)
    for text in ("a zorblax!", "TWO  words", "ang salitang bawal", "fuck"):
        assert moderator.holds(text)
    assert not moderator.holds("two other words")


FILES = {
    "no TOML": (b"en = [", "is not TOML in UTF-8"),
    "not UTF-8": (b'en = ["\xff"]', "is not TOML in UTF-8"),
    "no list": (b'en = "word"', "valid"),
    "another language": (b'de = ["Wort"]', "de"),
    "a number": (b"en = [1]", "en.0"),
    "nothing": (b"", "at least 1"),
    "an empty word": (b'en = [""]', "en.0"),
    "no word": (b'en = ["!!!"]', "is no word"),
    "too many words": (b'en = ["a b c d e f g h i"]', "more than 8"),
    "too long": (b"#" * (MAX_LIST_BYTES + 1), "has more than"),
}


@pytest.mark.parametrize(("content", "words"), FILES.values(), ids=FILES)
def test_a_bad_file_is_one_clear_line(content: bytes, words: str, tmp_path: Path) -> None:
    file = tmp_path / "words.toml"
    file.write_bytes(content)
    with pytest.raises(ConfigurationError) as error:
        load_moderator(file)
    assert str(error.value).startswith(f"ASSIST_MODERATION_WORDS: {file}")
    assert words in str(error.value)
    assert "\n" not in str(error.value)


def test_a_missing_file_is_one_clear_line(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="cannot be read"):
        load_moderator(tmp_path / "none.toml")


def test_an_empty_list_refuses_nothing() -> None:
    assert not any(map(WordListModerator([]).holds, itertools.chain(REFUSED, ORDINARY)))
