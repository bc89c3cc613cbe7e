"""The names of 120 students: believable, from everywhere, and as awkward for software as real names are."""

from collections.abc import Iterator

CLASSROOM_SIZE = 20
"""Students of each of the six classrooms."""

AWKWARD: tuple[tuple[str, ...], ...] = (
    # Two people of one name, names within names, an ordinary word, a name that is one word.
    ("Mei Chen", "Mei Chen", "Ana Li", "Ana Lima", "Rose", "Sukarno", "Jean-Baptiste N'Diaye", "Mark Page"),
    ("Siobhán O'Rourke", "Nguyễn Thị Ánh", "Will", "Zoë D’Amico-Ruiz", "Łukasz Żółć", "Max", "Maxime Noël"),
    ("Juan dela Cruz", "Juan dela Cruz Jr.", "Hope", "Ana Lim", "María José Núñez", "Tala", "Lea Tan", "Lea Tanaka"),
    ("李娜", "Li Na", "Дмитрий Чайка", "Φωτεινή Παπαδάκη", "Grace", "T. J. O'Neil", "Ñusta Quispe"),
    ("Sam Student", "Jo", "Jo Ann", "Mei Chen", "Ångström Håkansson", "Grade", "Fatıma Şahin"),
    ("محمد الفارسي", "Suharto", "Renée St-Onge", "Ana Li", "Åsa", "Dee Dee", "Nur"),
)
"""One line a classroom. Some names come again in another class: a name alone tells no one apart."""

FIRST = (
    "Amara Bilal Chiara Diego Elif Farid Giulia Hiroshi Ines Jamal Katarina Leandro Malia Nadia Omar Priya Quentin "
    "Rania Stefan Thandiwe Ulrika Viktor Wanjiru Ximeno Yusuf Zanele Aoife Benoît Chidi Dolores"
).split()

LAST = (
    "Abernathy Bautista Castellanos Dlamini Eriksen Fontaine Ghorbani Haddad Ivanov Jankowski Kimura Lindqvist "
    "Mbeki Nakamura Okonkwo Pereira Quiroga Rahman Santoro Tremblay Usman Villanueva Weiss Yamada Zhang Alvarado "
    "Bergström Çelik Desai"
).split()


def plain_names() -> Iterator[str]:
    """Names in an order of their own, none twice: 30 and 29 share no factor."""
    for number in range(len(FIRST) * len(LAST)):
        yield f"{FIRST[number % len(FIRST)]} {LAST[number % len(LAST)]}"
