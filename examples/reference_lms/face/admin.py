"""Administration: who has an account, and how this LMS is set up."""

from examples.reference_lms.face.visits import Page, Visit


def show_admin(visit: Visit) -> Page:
    people = visit.rows("SELECT name, role, active FROM person ORDER BY rowid")
    options = visit.campus.options
    settings = {
        "address": visit.campus.url,
        "audience": visit.campus.sessions.audience,
        "dpop": "on" if options.dpop else "off",
        "revocation": "on" if options.revocation else "off",
    }
    return Page("admin.html", visit.word("admin"), {"people": people, "settings": settings})
