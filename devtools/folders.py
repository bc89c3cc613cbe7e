"""Temporary folders that go with the block they were made for, or, after a `kill -9`, at the next start."""

import fcntl
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

OWNER_FILE = "owner"
"""File in each folder, locked by whoever uses it: a folder whose lock is free is left over."""


def _remove_left_overs(base: Path, prefix: str) -> None:
    """Remove the folders in `base` that nobody uses any more."""
    for folder in base.glob(f"{prefix}*"):
        try:
            with (folder / OWNER_FILE).open() as owner:
                fcntl.flock(owner, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(folder, ignore_errors=True)
        except OSError:  # in use, another person's, just being made, or already gone
            continue


@contextmanager
def temporary_folder(prefix: str, base: Path) -> Iterator[tuple[Path, int]]:
    """A new folder in `base`, for its owner only; yields it and the descriptor of its lock.

    A process that inherits the descriptor keeps the folder in use until it ends, whatever becomes of us.
    """
    _remove_left_overs(base, prefix)
    folder = Path(tempfile.mkdtemp(prefix=prefix, dir=base))
    try:
        # Locked under another name first: nobody may see the file free and take the folder for left over.
        with (folder / "new").open("w") as owner:
            fcntl.flock(owner, fcntl.LOCK_EX)
            (folder / "new").rename(folder / OWNER_FILE)
            yield folder, owner.fileno()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
