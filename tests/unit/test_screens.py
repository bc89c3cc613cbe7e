"""The catalogue of screens is a closed list, refused whole in one line that names the place of a fault."""

from pathlib import Path

import pytest

from assist_service.adapters.configuration import load_catalogue
from assist_service.domain.errors import ConfigurationError
from assist_service.domain.people import Role
from assist_service.domain.screens import Catalogue
from assist_service.settings import ROOT

SHIPPED = ROOT / "contracts" / "screens.yaml"

POOL = (
    'pool: {pattern: "/pools/:id", ids: {id: pool}, params: {tab: [stats]}, '
    'titles: {en: "Pool", fr: "Banque"}, topic: pool, roles: [teacher]}'
)


def catalogue_file(folder: Path, text: str | bytes) -> Path:
    file = folder / "screens.yaml"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return file


def screens(*lines: str, other: str = "") -> str:
    return "screens:\n" + "".join(f"  {line}\n" for line in lines) + other


def replaced(old: str, new: str) -> str:
    assert old in POOL
    return screens(POOL.replace(old, new))


MALFORMED: dict[str, tuple[str | bytes, str]] = {
    "ids that differ from the pattern": (replaced("ids: {id: pool}", "ids: {pool: pool}"), "screens.pool: "),
    "an id too many": (replaced("ids: {id: pool}", "ids: {id: pool, other: pool}"), "screens.pool: "),
    "an id too few": (replaced("ids: {id: pool}", "ids: {}"), "screens.pool: "),
    "a kind nobody knows": (replaced("ids: {id: pool}", "ids: {id: student}"), "screens.pool.ids.id: "),
    "an address for a pattern": (replaced("/pools/:id", "/pools/17"), "screens.pool.pattern: "),
    "a pattern in upper case": (replaced("/pools/:id", "/Pools/:id"), "screens.pool.pattern: "),
    "a tab in the pattern": (replaced("/pools/:id", "/pools/:id?tab=stats"), "screens.pool: "),
    "a tab of no form": (replaced("[stats]", '["a tab"]'), "screens.pool.params.tab.0: "),
    "no titles": (replaced('titles: {en: "Pool", fr: "Banque"}, ', ""), "screens.pool.titles: "),
    "no English title": (replaced('en: "Pool", ', ""), "screens.pool: "),
    "no French title": (replaced(', fr: "Banque"', ""), "screens.pool: "),
    "an empty title": (replaced('"Banque"', '""'), "screens.pool.titles.fr: "),
    "a title in a language nobody knows": (replaced("fr:", "de:"), "screens.pool.titles.de"),
    "a role nobody knows": (replaced("[teacher]", "[teacher, parent]"), "screens.pool.roles."),
    "no role": (replaced("[teacher]", "[]"), "screens.pool.roles: "),
    "a topic of no form": (replaced("topic: pool", "topic: My pool"), "screens.pool.topic: "),
    "a key beside": (replaced("topic: pool", "topic: pool, url: x"), "screens.pool.url: "),
    "a parameter beside": (replaced("{tab: [stats]}", "{page: true}"), "screens.pool.params.page: "),
    "a name of no form": (screens(POOL.replace("pool: {pattern", "My pool: {pattern")), "screens.My pool"),
    "a pattern twice": (
        screens(POOL, POOL.replace("pool: {pattern", "same: {pattern")),
        "two screens have one pattern",
    ),
    "a screen twice": (screens(POOL, POOL), "a key stands twice"),
    "another route of no form": (screens(POOL, other='other_routes: ["/people/17"]\n'), "other_routes.0: "),
    "a list beside": (screens(POOL, other="menus: []\n"), "menus: "),
    "no screen": ("screens: {}\n", "screens: "),
    "screens as a list": ("screens: []\n", "screens: "),
    "an empty file": ("", "file: "),
    "a text": ("screens", "file: "),
    "a search that is a word": (replaced("{tab: [stats]}", '{search: "true"}'), "screens.pool.params.search: "),
    "a title that is a number": (replaced('"Banque"', "7"), "screens.pool.titles.fr: "),
    "no YAML": ("screens: [", "not YAML"),
    "a key that is a date": ("2026-11-02: {}\n", "a key that is no text"),
    "a list in itself": ("screens: &self [*self]\n", "refers to itself"),
    "no UTF-8": (b"screens: \xff\n", "not YAML"),
    "a date that is none": ("screens: 2026-13-45\n", "not YAML"),
    "an object of Python": ("screens: !!python/object/apply:os.getcwd []\n", "not YAML"),
    "nested out of reason": ("screens: " + "[" * 5_000, "not YAML"),
    "a key of two lines": (screens('"a\\nb": {}'), "screens.a b"),
}


@pytest.mark.parametrize(("text", "told"), MALFORMED.values(), ids=MALFORMED)
def test_a_malformed_catalogue_is_refused_in_one_line_that_names_the_place(
    tmp_path: Path, text: str | bytes, told: str
) -> None:
    file = catalogue_file(tmp_path, text)
    with pytest.raises(ConfigurationError) as refused:
        load_catalogue(file)
    line = str(refused.value)
    assert line.startswith(str(file))
    assert told in line
    assert "\n" not in line


@pytest.mark.parametrize("missing", ["no-such-file.yaml", "."])
def test_a_file_that_cannot_be_read_is_refused_by_its_setting(tmp_path: Path, missing: str) -> None:
    with pytest.raises(ConfigurationError, match=r"^ASSIST_SCREENS: .* cannot be read$"):
        load_catalogue(tmp_path / missing)


def test_a_well_formed_catalogue_loads(tmp_path: Path) -> None:
    catalogue = load_catalogue(catalogue_file(tmp_path, screens(POOL, other='other_routes: ["/", "/account"]\n')))
    assert catalogue.routes == {"/pools/:id", "/pools/:id?tab=stats", "/", "/account"}
    assert catalogue.topics == {"pool"}


@pytest.fixture(scope="module")
def shipped() -> Catalogue:
    return load_catalogue(SHIPPED)


STAFF = "course courses classroom evaluation evaluations pool pools question template templates".split()

SCREENS: dict[Role, list[str]] = {
    Role.STUDENT: ["my-courses", "my-results"],
    Role.TEACHER: STAFF,
    Role.TRAINER_ADMIN: ["admin"],
    Role.ADMIN: [*STAFF, "admin"],
}


@pytest.mark.parametrize("role", Role)
def test_the_screens_of_a_role_are_pinned(shipped: Catalogue, role: Role) -> None:
    assert sorted(shipped.of_roles(role)) == sorted(SCREENS[role])


def test_the_routes_are_pinned(shipped: Catalogue) -> None:
    tabs = {
        "/courses/:id": ("pools", "classrooms", "staff"),
        "/pools/:id": ("questions", "stats", "settings"),
        "/evaluations/:id": ("questions", "settings", "results"),
        "/classrooms/:id": ("roster", "gradebook", "leaderboard"),
        "/admin": ("people", "settings", "llm"),
    }
    plain = """
        /courses /courses/:id /pools /pools/:id /questions/:id /evaluations /evaluations/:id /classrooms/:id
        /templates /templates/:id /admin /my-courses /my-results
        / /account /privacy /courses/:id/pools /courses/:id/classrooms /courses/:id/staff /pools/:id/questions/new
        /evaluations/:id/live /evaluations/:id/grading /my-courses/:id /my-evaluations/:id
    """.split()
    assert shipped.routes == {*plain, *(f"{route}?tab={tab}" for route, names in tabs.items() for tab in names)}


def test_every_screen_has_a_title_in_both_languages_of_the_screens(shipped: Catalogue) -> None:
    for screen in shipped.screens.values():
        assert screen.title("fr") != ""
        assert screen.title("fil") == screen.title("en")
