"""The panel lets in what the service's sanitiser lets out, no more and no less."""

import re

from assist_service.adapters.markdown import markup
from assist_service.settings import ROOT

SINK = (ROOT / "panel" / "view" / "html.js").read_text("utf-8")


def test_both_lists_of_elements_are_one() -> None:
    listed = re.search(r'new Set\(\s*"([A-Z0-9 ]+)"\.split', SINK)
    assert listed is not None
    assert set(listed[1].lower().split()) == markup._TAGS


def test_both_lists_of_attributes_are_one() -> None:
    listed = {
        tag.lower(): set(re.findall(r'"([a-z-]+)"', names))
        for tag, names in re.findall(r'\["([A-Z]+)", new Set\(\[([^\]]+)\]\)\]', SINK)
    }
    # `rel` is put on every link by the sanitiser itself.
    assert listed == {tag: names | ({"rel"} if tag == "a" else set()) for tag, names in markup._ATTRIBUTES.items()}


def test_html_enters_nowhere_else() -> None:
    door = re.compile(
        r"innerHTML|outerHTML|insertAdjacentHTML|setHTML|document\.write|DOMParser|createContextualFragment"
    )
    files = [path for path in (ROOT / "panel").rglob("*.js") if door.search(path.read_text("utf-8"))]
    assert [path.name for path in files] == ["html.js"]
