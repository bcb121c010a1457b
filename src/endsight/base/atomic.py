"""Files that appear whole or not at all, whatever kills the process or the machine.

A file is written under a temporary name in its own folder, flushed to disk (fsync), renamed, and the folder is flushed
too: the protocol of SQLite's "Atomic Commit In SQLite" and of LevelDB's manifests. A name that exists is therefore a
whole file; a killed process leaves only temporary names, which `sweep` removes.

The interface: `AtomicFile` (a file to write to; `commit` gives it its name),
`write_atomically` (all at once), `sweep`, `make_folder`, and `blaming_disk`, which turns
errors of the operating system into messages.
"""

from __future__ import annotations

import errno
import os
import re
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from types import TracebackType
from typing import Self
from zlib import crc32

from endsight.errors import FileError

_TEMPORARY = re.compile(r"\..+\.tmp-\d+-[0-9a-f]{32}")
_SPACE = "free some space and run the same command again; it continues where it stopped"
_REASONS = {
    errno.ENOSPC: ("the disk is full", _SPACE),
    errno.EDQUOT: ("the quota of this user is used up", _SPACE),
    errno.EROFS: ("the disk is read-only", "another folder"),
    errno.EACCES: ("there is no permission to write there", "another folder, or change its permissions"),
    errno.EPERM: ("there is no permission to write there", "another folder, or change its permissions"),
    errno.EIO: ("the disk reports an error", "use another disk; what was committed before is kept"),
    errno.ENOTDIR: ("a part of the path is a file, not a folder", "another path"),
    errno.EFBIG: ("the file system does not allow files this large", "use another disk"),
}


@contextmanager
def blaming_disk(path: Path, doing: str = "written") -> Iterator[None]:
    """Turn an error of the operating system into a `FileError` that names the file and a way out."""
    try:
        yield
    except OSError as error:
        if isinstance(error, BrokenPipeError):
            raise
        found, advice = _REASONS.get(error.errno or 0, (error.strerror or str(error), None))
        raise FileError(f"{path} cannot be {doing}", found=found, advice=advice) from error


class OutputFile:
    """An open descriptor that is written from start to end; `size` is the number of bytes so far.

    A context manager; disk errors become `FileError`.
    """

    def __init__(self, path: Path, number: int) -> None:
        self.path = path
        self.size = 0
        self._number: int | None = number

    def write(self, data: bytes | memoryview) -> int:
        """Append; returns the number of bytes."""
        assert self._number is not None, "the file is closed"
        rest = memoryview(data).cast("B")
        count = len(rest)
        with blaming_disk(self.path):
            while rest:
                rest = rest[os.write(self._number, rest) :]
        self.size += count
        return count

    def commit(self) -> None:
        """Mark the content as complete."""

    def _close(self) -> None:
        number, self._number = self._number, None
        if number is not None:
            os.close(number)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._close()


class AtomicFile(OutputFile):
    """A file under construction; `commit` gives it its name, leaving the context without it deletes the file.

    `sha256` covers everything written so far, `crc32` everything since the last `restart_crc`.
    """

    def __init__(self, path: Path) -> None:
        self.crc32 = 0
        self._hash = sha256()
        self._temporary = path.with_name(f".{path.name}.tmp-{os.getpid()}-{uuid.uuid4().hex}")
        with blaming_disk(path):
            super().__init__(path, os.open(self._temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _BINARY, 0o644))

    @property
    def sha256(self) -> str:
        """The checksum of everything written, in hexadecimal."""
        return self._hash.hexdigest()

    def restart_crc(self) -> None:
        """Begin a new block: `crc32` counts from here."""
        self.crc32 = 0

    def write(self, data: bytes | memoryview) -> int:
        """Append; returns the number of bytes."""
        count = super().write(data)
        self.crc32 = crc32(data, self.crc32)
        self._hash.update(data)
        return count

    def commit(self) -> None:
        """Flush everything to disk and give the file its name."""
        assert self._number is not None, "the file is closed"
        with blaming_disk(self.path):
            os.fsync(self._number)
            self._close()
            os.replace(self._temporary, self.path)
            _sync_folder(self.path.parent)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with suppress(OSError):
            super().__exit__(kind, error, trace)
        with suppress(OSError):
            os.unlink(self._temporary)


_BINARY = getattr(os, "O_BINARY", 0)


def write_atomically(path: Path, data: bytes) -> None:
    """Replace the file with `data`, or leave it unchanged; raises `FileError`."""
    with AtomicFile(path) as file:
        file.write(data)
        file.commit()


def make_folder(path: Path) -> None:
    """Make a folder (and its parents) that survives a loss of power; raises `FileError`."""
    if path.is_dir():
        return
    with blaming_disk(path, "made"):
        if path.parent != path:
            make_folder(path.parent)
        path.mkdir(exist_ok=True)
        _sync_folder(path.parent)


def sweep(folder: Path) -> int:
    """Remove the leftovers of killed writers in a folder and its subfolders; returns the number of files.

    Only with the folder's lock held, as an active writer has temporary files as well.
    """
    stale = [path for path in sorted(folder.rglob(".*.tmp-*")) if _TEMPORARY.fullmatch(path.name)]
    for path in stale:
        with blaming_disk(path, "removed"), suppress(FileNotFoundError):
            path.unlink()
    return len(stale)


def _sync_folder(folder: Path) -> None:
    """Flush the names in a folder to disk, where the system can (Windows cannot)."""
    if not hasattr(os, "O_DIRECTORY"):
        return
    number = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(number)
    except OSError as error:
        # Some file systems do not support it for folders.
        if error.errno not in (errno.EINVAL, errno.ENOTSUP):
            raise
    finally:
        os.close(number)
