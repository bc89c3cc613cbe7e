"""What a page is made from: who looks, at which things, with what in the address."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from examples.reference_lms.api.bodies import Body, Cursor, Query
from examples.reference_lms.api.look import Look
from examples.reference_lms.campus import Campus
from examples.reference_lms.face.cookie_sessions import SignedIn
from examples.reference_lms.face.words import words_in
from examples.reference_lms.school import Person
from examples.reference_lms.sessions import SessionKind
from examples.reference_lms.store import Row, Store

ALL = 200
"""Rows of a list on a page: no list of this school is longer."""


class NotThere(LookupError):
    """No such thing, or not for this person: the page is the same."""


class Refused(Exception):
    """A change that cannot be made; `reason` is the key of what the person is told."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True)
class Visit:
    """One request of somebody signed in; `store` shows what they reach, and nothing here may await."""

    campus: Campus
    person: Person
    session: SignedIn
    ids: Mapping[str, str] = field(default_factory=dict)
    """By kind, of the address; the person reaches them."""
    params: Mapping[str, str] = field(default_factory=dict)

    @property
    def store(self) -> Store:
        return self.campus.store

    @property
    def me(self) -> str:
        return self.person.sub

    @property
    def tab(self) -> str | None:
        return self.params.get("tab")

    @property
    def search(self) -> str:
        return self.params.get("search", "")

    @property
    def may_change(self) -> bool:
        """Only as oneself: the student view and impersonation look and touch nothing."""
        return self.session.kind is SessionKind.PORTAL

    def look(self, kind: str = "", *, query: Query | None = None, body: Body | None = None) -> Look:
        """The same person as an endpoint of `/api` sees them."""
        query = query or Cursor(limit=ALL)
        return Look(store=self.store, me=self.me, id=self.ids.get(kind, ""), query=query, body=body, list_name="")

    def word(self, key: str) -> str:
        return words_in(self.session.language)[key]

    def rows(self, sql: str, **values: object) -> list[Row]:
        return self.store.rows(sql, **values)

    def row(self, sql: str, **values: object) -> Row:
        """The one there is; raises NotThere."""
        found = self.store.row(sql, **values)
        if found is None:
            raise NotThere
        return found


@dataclass(frozen=True)
class Page:
    """What a screen shows: a template, its values, and the ids on it beside those of the address."""

    template: str
    title: str
    values: Mapping[str, Any] = field(default_factory=dict)
    entities: Mapping[str, str] = field(default_factory=dict)


Handler = Callable[[Visit], Page]
