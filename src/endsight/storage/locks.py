"""One writer at a time: a lock on a folder that ends with the process that holds it.

The lock is the operating system's (flock) on an empty file, so a killed holder leaves
nothing behind. Readers need none: they read only what a manifest names.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from endsight.base.atomic import blaming_disk
from endsight.errors import FolderBusy

LOCK = "LOCK"
"""Name of the empty file that is locked; it stays in the folder, unless that is taken back as a whole."""


@contextmanager
def folder_lock(folder: Path) -> Iterator[None]:
    """Hold the lock of `folder`; raises `FolderBusy` where another process holds it."""
    path = folder / LOCK
    with blaming_disk(path):
        number = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        if not (_taken(number) and _is_there(number, path)):
            raise FolderBusy(
                f"{folder} is being written by another process",
                advice=f"wait for it (endsight status {folder} shows its progress), or name another folder",
            )
        yield
    finally:
        os.close(number)


def _is_there(number: int, path: Path) -> bool:
    """Whether an open file still has that name: a refused solve removes it together with its folder."""
    try:
        return os.path.samestat(os.fstat(number), os.stat(path))
    except OSError:
        return False


def is_locked(folder: Path) -> bool:
    """Whether some process is writing into the folder."""
    try:
        number = os.open(folder / LOCK, os.O_RDWR)
    except OSError:
        return False
    try:
        return not _taken(number)
    finally:
        os.close(number)


if sys.platform == "win32":
    import msvcrt

    def _taken(number: int) -> bool:
        try:
            msvcrt.locking(number, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def _taken(number: int) -> bool:
        """Take the lock of an open file, if it is free."""
        try:
            fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True
