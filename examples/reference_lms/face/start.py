"""The first page after signing in."""

from examples.reference_lms.face.visits import Page, Visit


def show_start(visit: Visit) -> Page:
    return Page("start.html", "home")
