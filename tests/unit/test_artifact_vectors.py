"""A built file holds vectors with their model's name, whole or refused; without them it is what it was."""

import base64
import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from assist_service.adapters.manual.artifact import read_artifact, write_artifact
from assist_service.bootstrap.meanings import meanings_of
from assist_service.bootstrap.reading import ManualSource, build_manual, read_whole
from assist_service.domain.errors import ConfigurationError
from assist_service.domain.manual import ManualInvalid
from assist_service.domain.vectors import Vectors, pack
from tests.fakes.hashed_embedder import HashedEmbedder
from tests.unit.small_manual import publication, section
from tests.unit.test_manual_files import TEACHER, manual

MADE = publication(section(), section(anchor="share", text="Press Share."), section("teacher/b", page_title="B"))

IDS = [each.id for page in MADE.pages for each in page.sections]

VECTORS = Vectors("hashed-1", {IDS[0]: pack([1.0, 0.0]), IDS[1]: pack([0.0, 1.0]), IDS[2]: pack([0.6, 0.8])})


def written(folder: Path, vectors: Vectors | None = VECTORS) -> Path:
    file = folder / "manual.json.gz"
    write_artifact(MADE, file, vectors)
    return file


def inside(file: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(gzip.decompress(file.read_bytes()))
    return found


def test_they_come_back_each_to_its_section_and_change_neither_id_nor_content(tmp_path: Path) -> None:
    found = read_artifact(written(tmp_path))
    assert found.vectors == VECTORS
    assert sorted(found.publication.pages, key=lambda page: page.path) == sorted(MADE.pages, key=lambda page: page.path)
    assert found.publication.id == MADE.id == inside(written(tmp_path))["id"]


def test_the_same_vectors_are_the_same_bytes(tmp_path: Path) -> None:
    turned = Vectors(VECTORS.model, dict(reversed(list(VECTORS.by_section.items()))))
    assert written(tmp_path).read_bytes() == written(tmp_path, turned).read_bytes()


def test_a_file_without_vectors_is_what_it_was_before_there_were_any(tmp_path: Path) -> None:
    found = inside(written(tmp_path, None))
    assert (found["format"], sorted(found)) == (1, ["format", "glossary", "id", "pages"])
    assert inside(written(tmp_path))["format"] == 2


def packed(*numbers: float) -> str:
    return base64.b64encode(pack(numbers)).decode()


CHANGES: dict[str, tuple[Callable[[dict[str, Any]], object], str]] = {
    "the format of a file without any": (lambda it: it.update(format=1), "vectors belong to format 2"),
    "the format alone": (lambda it: it.pop("vectors"), "vectors belong to format 2"),
    "nothing for them": (lambda it: it.update(vectors=None), "vectors belong to format 2"),
    "no model": (lambda it: it["vectors"].pop("model"), "vectors.model: Field required"),
    "a model of two lines": (lambda it: it["vectors"].update(model="a\nb"), "vectors.model: "),
    "a model too long": (lambda it: it["vectors"].update(model="a" * 101), "model's name"),
    "a key more": (lambda it: it["vectors"].update(more=1), "vectors.more: Extra inputs"),
    "no text": (lambda it: it["vectors"].update(packed=[1.0, 0.0]), "vectors.packed: "),
    "no base64": (lambda it: it["vectors"].update(packed="?" * 32), "not base64"),
    "spaces between": (lambda it: it["vectors"].update(packed=f" {it['vectors']['packed']}"), "not base64"),
    "none": (lambda it: it["vectors"].update(packed=""), "dimensions"),
    "one too few": (lambda it: it["vectors"].update(packed=packed(1, 0, 0, 1)), "same size"),
    "one too many": (lambda it: it["vectors"].update(packed=packed(1, 0, 0, 1, 1, 0, 0, 1)), "same size"),
    "too long": (lambda it: it["vectors"].update(packed=packed(1, 0, 0, 1, 1, 1)), "length one"),
    "no number": (lambda it: it["vectors"].update(packed=packed(1, 0, 0, 1, float("nan"), 0)), "length one"),
    "endless": (lambda it: it["vectors"].update(packed=packed(1, 0, 0, 1, float("inf"), 0)), "length one"),
    "of too many numbers": (
        lambda it: it["vectors"].update(packed=packed(*([1.0] + [0.0] * 4_096) * 3)),
        "1 to 4096 dimensions",
    ),
}


@pytest.mark.parametrize(("change", "words"), CHANGES.values(), ids=CHANGES)
def test_vectors_that_were_changed_are_refused(
    tmp_path: Path, change: Callable[[dict[str, Any]], object], words: str
) -> None:
    file = written(tmp_path)
    it = inside(file)
    change(it)
    file.write_bytes(gzip.compress(json.dumps(it).encode()))
    with pytest.raises(ManualInvalid) as refused:
        read_artifact(file)
    [fault] = refused.value.faults
    assert words in fault.message
    assert fault.message.isprintable()


def test_vectors_of_fewer_sections_are_not_written(tmp_path: Path) -> None:
    with pytest.raises(ManualInvalid, match="same size"):
        written(tmp_path, Vectors("hashed-1", {IDS[0]: VECTORS.by_section[IDS[0]]}))
    assert list(tmp_path.iterdir()) == []


def test_a_build_makes_them_once_and_a_start_with_another_model_or_none_is_refused(tmp_path: Path) -> None:
    folder = manual(tmp_path / "manual", {"teacher/a.md": TEACHER + "# A\n\none\n\n## B\n\ntwo\n"})
    embedder = HashedEmbedder()
    meanings = meanings_of(embedder, progress=lambda *_: None)
    _, plain = build_manual(ManualSource(folder), tmp_path / "plain")
    first, built = build_manual(ManualSource(folder), tmp_path / "built", meanings)
    assert len(embedder.asked) == 2
    again, copied = build_manual(ManualSource(built), tmp_path / "copied", meanings)
    assert (len(embedder.asked), again, copied.read_bytes()) == (2, first, built.read_bytes())

    assert read_whole(ManualSource(built), meanings=meanings).vectors
    assert read_whole(ManualSource(built)).vectors
    for without in (folder, plain):  # the database may have some
        assert read_whole(ManualSource(without), meanings=meanings).vectors is None
    with pytest.raises(
        ConfigurationError,
        match=r"vectors of hashed-1 \(512 dimensions\) and ASSIST_EMBEDDINGS needs those of hashed-2 \(.* build it",
    ):
        read_whole(ManualSource(built), meanings=meanings_of(HashedEmbedder("hashed-2")))


def test_vectors_of_another_size_are_refused_whatever_their_models_name_and_never_built_on(tmp_path: Path) -> None:
    meanings = meanings_of(HashedEmbedder(), progress=lambda *_: None)
    with pytest.raises(ConfigurationError, match=r"built with vectors of hashed-1 \(2 dimensions\)") as refused:
        read_whole(ManualSource(written(tmp_path)), meanings=meanings)
    assert "\n" not in str(refused.value)
    _, again = build_manual(ManualSource(written(tmp_path)), tmp_path / "again", meanings)
    assert read_whole(ManualSource(again), meanings=meanings).vectors == meanings.embed(MADE)
