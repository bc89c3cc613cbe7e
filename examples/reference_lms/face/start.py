"""The pages everybody has: the first one, one's account, and what is done with what one writes."""

from examples.reference_lms.face.visits import Page, Visit


def show_start(visit: Visit) -> Page:
    return Page("start.html", visit.word("home"))


def show_account(visit: Visit) -> Page:
    return Page("account.html", visit.word("account"))


def show_privacy(visit: Visit) -> Page:
    return Page("privacy.html", visit.word("privacy"))
