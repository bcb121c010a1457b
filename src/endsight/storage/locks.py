"""One writer at a time: a lock on a folder that ends with the process that holds it.

The lock is the operating system's (flock) on an empty file, so a killed holder leaves
nothing behind. Readers need none: they read only what a manifest names.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from types import TracebackType

from endsight.errors import FolderBusy
from endsight.storage.atomic import blaming_disk

__all__ = ["LOCK", "FolderLock"]

LOCK = "LOCK"
"""Name of the empty file that is locked; it stays in the folder."""


class FolderLock:
    """Hold the lock of `folder` inside a `with`; raises `FolderBusy` where another process has it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._number: int | None = None

    def __enter__(self) -> FolderLock:
        path = self.folder / LOCK
        with blaming_disk(path):
            number = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        if not _taken(number):
            os.close(number)
            raise FolderBusy(
                f"{self.folder} is being written by another process",
                advice=f"wait for it (endsight status {self.folder} says how far it is), or name another folder",
            )
        self._number = number
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        number, self._number = self._number, None
        if number is not None:
            os.close(number)


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
