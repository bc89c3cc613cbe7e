"""Files read up to a bound, and those of a manual's folder only where no link stands on the way to them.

A link in a manual could lead to any file of the host, and what it holds would be published.
"""

import errno
import os
import stat
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
# Without O_NONBLOCK a pipe would be waited for until somebody writes to it.
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


class NotPlainError(Exception):
    """A link, or something that is no file at all: a pipe, a socket, a device."""


def read_at_most(path: Path, most: int) -> bytes:
    """A file that the operator named, links and devices too: of one longer than `most` a byte more. Raises OSError."""
    with path.open("rb") as file:
        return file.read(most + 1)


def read_inside(root: Path, name: str, most: int) -> bytes:
    """A file under a folder: of one longer than `most` a byte more. Raises NotPlainError, OSError.

    Each part of the way is opened in the one before: a link that is put there meanwhile is not followed either.
    """
    *folders, last = PurePosixPath(name).parts
    place = os.open(root, _FOLDER)
    try:
        for folder in folders:
            inner = _opened(folder, _FOLDER | os.O_NOFOLLOW, place)
            os.close(place)
            place = inner
        return _read(_opened(last, _FILE, place), most)
    finally:
        os.close(place)


def _read(descriptor: int, most: int) -> bytes:
    try:
        mode = os.fstat(descriptor).st_mode
        if not stat.S_ISREG(mode):
            raise IsADirectoryError if stat.S_ISDIR(mode) else NotPlainError("what is no file is no page")
        with os.fdopen(descriptor, "rb", closefd=False) as file:
            return file.read(most + 1)
    finally:
        os.close(descriptor)


def _opened(part: str, flags: int, place: int) -> int:
    try:
        return os.open(part, flags, dir_fd=place)
    except OSError as error:
        # Of a link, O_NOFOLLOW says the first of a file and the second of a folder.
        if error.errno in (errno.ELOOP, errno.ENOTDIR):
            raise NotPlainError("a link is no page") from error
        raise


def names_under(root: Path) -> Iterator[tuple[str, bool]]:
    """The name of everything under a folder, in order, and whether it is a link to another; those are not entered."""
    found: list[tuple[str, bool]] = []
    for folder, folders, names in os.walk(root):
        here = Path(folder)
        inside = here.relative_to(root)
        found += [((inside / name).as_posix(), (here / name).is_symlink()) for name in folders]
        found += [((inside / name).as_posix(), False) for name in names]
    yield from sorted(found, key=lambda each: PurePosixPath(each[0]).parts)
