"""Progress of a solve that survives its process: files are committed one by one.

The protocol, which every solver that writes into a folder follows:

1. Hold the folder's lock: `with held_folder(folder):`. A second solve gets `FolderBusy`.
2. `checkpoint = Checkpoint.begin(folder, identity)`. This reads `PARTIAL.json`, refuses
   work of another game, question or rules, and deletes temporary files.
3. Before a piece of work ask `checkpoint.facts(name)`: not None if it was committed by
   an earlier run, whose files are then whole on the disk. `name` is any text, such as
   `forward/layer=007` or `tier=003/part-0000.parquet`.
4. Do the work as a pure function of committed files. Write every output with an
   `AtomicFile` (or `write_part`), note size and checksum as a `File`, and
   `checkpoint.commit(name, files, facts)`. From then on the work survives anything.
   `facts` is plain JSON data, such as counts.
5. Ask `checkpoint.is_whole(name)`, which verifies the checksums of files, before they become part of a solution.
6. `checkpoint.forget(name)` deletes work that is no longer needed: first in `PARTIAL.json`,
   then the files.
7. `checkpoint.finish(manifest)` writes `MANIFEST.json`, which makes the folder a
   solution, and then removes `PARTIAL.json` and those committed files that the manifest does not name.

A commit replaces `PARTIAL.json` as a whole, so there should be at most a few per second. Nothing in it depends on time
or machine: a run that was killed and resumed leaves the same bytes as an uninterrupted one.
"""

from __future__ import annotations

import os
import shutil
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from hashlib import file_digest
from pathlib import Path
from typing import Any

from endsight.base.atomic import blaming_disk, make_folder, sweep
from endsight.base.plain_files import open_plain
from endsight.errors import FileError, FolderBusy, LimitReached
from endsight.game.limits import size_text
from endsight.game.numbers import count_text
from endsight.storage.identity import Identity
from endsight.storage.manifest import AUDIT, MANIFEST, PARTIAL, Manifest, library_versions, outdated, read_manifest
from endsight.storage.sealed import Document, damaged, read_sealed, require_entries, write_sealed

SCHEMA = "endsight.partial/3"
OLD = ("endsight.partial/1", "endsight.partial/2")
WORK = "work"
"""Folder for files that only the solve needs, not the solution."""
_KEPT_FREE = 64 << 20
"""Bytes of the disk that stay free for other programs."""


@dataclass(frozen=True)
class File:
    """A committed file: its path inside the folder (with `/`), size in bytes and SHA-256."""

    path: str
    size: int
    sha256: str


@contextmanager
def held_folder(folder: Path) -> Iterator[None]:
    """Hold the lock of the folder, made if need be.

    If the question is refused before anything is kept, the folder is restored. Raises `FileError` where the folder
    holds foreign files, and `FolderBusy`.
    """
    check_folder(folder)
    was_there, had_begun = folder.is_dir(), (folder / PARTIAL).exists()
    make_folder(folder)
    try:
        with folder_lock(folder):
            try:
                yield
            except Exception as error:
                is_kept = isinstance(error, LimitReached | FileError | MemoryError | OSError)
                if not (is_kept or had_begun or _has_committed(folder)):
                    _empty(folder)
                raise
    finally:
        if not was_there:
            with suppress(OSError):  # usually because it is not empty
                folder.rmdir()


def _has_committed(folder: Path) -> bool:
    partial = read_partial(folder)
    return read_manifest(folder) is not None or bool(partial and partial["done"])


def _empty(folder: Path) -> None:
    """Remove the initial files of a solve."""
    for name in (PARTIAL, AUDIT, LOCK):
        with suppress(OSError):
            (folder / name).unlink()


def check_folder(folder: Path) -> None:
    """Raise `FileError` where the folder holds foreign files; it need not exist."""
    if not folder.exists():
        return
    if not folder.is_dir():
        raise FileError(f"{folder} is a file", allowed="a folder, new or of an earlier solve")
    with blaming_disk(folder, "read"):
        names = {path.name for path in folder.iterdir()}
    if names and not names & {MANIFEST, PARTIAL, AUDIT, LOCK}:
        raise FileError(
            f"{folder} holds other files",
            found=", ".join(sorted(names)[:5]),
            allowed="a folder that is new, empty, or of an earlier solve",
        )


def sha256_of(path: Path) -> str:
    """The SHA-256 of a file in hexadecimal; `FileError` where it cannot be read."""
    with blaming_disk(path, "read"), open_plain(path) as file:
        return file_digest(file, "sha256").hexdigest()


class Checkpoint:
    """The committed work of an unfinished solve; see the protocol above."""

    def __init__(self, folder: Path, identity: Identity, done: dict[str, Document]) -> None:
        self.folder = folder
        self.identity = identity
        self._done = done
        self._is_behind = False
        self._written = time.monotonic()

    @staticmethod
    def begin(folder: Path, identity: Identity) -> Checkpoint:
        """Begin or continue a solve; the folder's lock must be held.

        Work of other library versions, whose bytes might differ, is discarded.
        Raises `FileError` where the folder belongs to something else.
        """
        sweep(folder)
        stored = read_partial(folder)
        if stored is None:
            checkpoint = Checkpoint(folder, identity, {})
            checkpoint._write()
            return checkpoint
        Identity.from_document(stored["identity"]).require(identity, folder)
        is_ours = stored["versions"] == library_versions()
        return Checkpoint(folder, identity, stored["done"] if is_ours else {})

    @property
    def names(self) -> tuple[str, ...]:
        """Names of all committed pieces of work, in the order of their commits."""
        return tuple(self._done)

    @property
    def size(self) -> int:
        """Bytes of all committed files."""
        return sum(file["size"] for entry in self._done.values() for file in entry["files"])

    def facts(self, name: str) -> Any:
        """The facts of a committed piece of work; None where it has not been committed."""
        return self._done[name]["facts"] if name in self._done else None

    def require_space(self, most: int | None, states: int) -> None:
        """Raise `LimitReached` where files take more than `most` bytes, or the disk has little room to continue."""
        if most is not None and self.size > most:
            raise LimitReached(
                f"stopped: the files take more than the {size_text(most)} of --disk",
                found=count_text(self.size, "byte"),
                states=states,
                advice="finished work is kept: the same command with a larger --disk continues from there",
            )
        free = shutil.disk_usage(self.folder).free
        if free < _KEPT_FREE:
            raise LimitReached(
                f"stopped: only {size_text(free, 2)} are free on the disk",
                states=states,
                advice="finished work is kept: free some space, then the same command continues",
            )

    def files(self, name: str) -> list[File]:
        """The files of a committed piece of work."""
        return [File(**entry) for entry in self._done[name]["files"]]

    def commit(self, name: str, files: Sequence[File], facts: Mapping[str, Any]) -> None:
        """Record that a piece of work is done; its files must have been committed (`AtomicFile.commit`)."""
        self.note(name, files, facts)
        self._write()

    def note(self, name: str, files: Sequence[File], facts: Mapping[str, Any]) -> None:
        """The same, but the record reaches the disk only with the next `commit`, `flush` or `forget`."""
        self._done[name] = {"files": [asdict(file) for file in files], "facts": dict(facts)}
        self._is_behind = True

    def flush(self, after: float = 0.0) -> None:
        """Write all records to disk, if the last time was more than `after` seconds ago."""
        if self._is_behind and time.monotonic() - self._written >= after:
            self._write()

    def forget(self, *names: str) -> None:
        """Delete pieces of work and their files; unknown names are ignored."""
        files = [file for name in names if name in self._done for file in self.files(name)]
        known = [name for name in names if self._done.pop(name, None) is not None]
        if known:
            self._write()
        for file in files:
            self._remove(file)

    def _remove(self, file: File) -> None:
        """Delete a file, and its folder if that is now empty."""
        path = self.folder / file.path
        with blaming_disk(path, "removed"), suppress(FileNotFoundError):
            path.unlink()
        if path.parent != self.folder:
            with suppress(OSError):
                path.parent.rmdir()

    def is_whole(self, name: str) -> bool:
        """Whether a piece of work was committed and its files are unchanged."""
        return name in self._done and all(map(self._is_unchanged, self.files(name)))

    def _is_unchanged(self, file: File) -> bool:
        try:
            return sha256_of(self.folder / file.path) == file.sha256
        except FileError:
            return False

    def finish(self, manifest: Manifest) -> None:
        """Make the folder a solution, and remove the files of the solve."""
        write_sealed(self.folder / MANIFEST, manifest.document())
        self.tidy(manifest)

    def abandon(self) -> None:
        """Remove all files, because this method yields no solution."""
        self._clear(set())

    def tidy(self, manifest: Manifest) -> None:
        """Remove the files of a finished solve, also after a run that was killed at this point."""
        self._clear({part.path for part in manifest.parts})

    def _clear(self, named: set[str]) -> None:
        for file in [file for name in self._done for file in self.files(name) if file.path not in named]:
            self._remove(file)
        # A killed run may have left files there that no record names.
        if (self.folder / WORK).is_dir():
            with blaming_disk(self.folder / WORK, "removed"):
                shutil.rmtree(self.folder / WORK)
        # Last, because its presence shows that a killed run has left something to remove.
        path = self.folder / PARTIAL
        with blaming_disk(path, "removed"), suppress(FileNotFoundError):
            path.unlink()

    def _write(self) -> None:
        document = {
            "schema": SCHEMA,
            "identity": self.identity.document(),
            "versions": library_versions(),
            "done": self._done,
        }
        write_sealed(self.folder / PARTIAL, document)
        self._is_behind = False
        self._written = time.monotonic()


def read_partial(folder: Path) -> Document | None:
    """The document of an unfinished solve, None where there is none; `FileError` where it is damaged."""
    document = read_sealed(folder / PARTIAL)
    if document is not None and document.get("schema") in OLD:
        raise outdated(folder, document, SCHEMA)
    if document is not None and (
        document.get("schema") != SCHEMA or set(document) != {"schema", "identity", "versions", "done"}
    ):
        raise damaged(folder / PARTIAL, "it is of another kind")
    if document is not None:
        try:
            _require_kinds(document)
        except ValueError as error:
            raise damaged(folder / PARTIAL, str(error)) from error
    return document


@dataclass(frozen=True)
class _Work:
    """A committed piece of work, as plain data."""

    files: list[Any]
    facts: dict[str, Any]


def _require_kinds(document: Document) -> None:
    """Raise `ValueError` where an entry of an unfinished solve has another type than was written."""
    Identity.from_document(document["identity"])
    versions, done = document["versions"], document["done"]
    if (
        not isinstance(versions, dict)
        or not isinstance(done, dict)
        or not all(isinstance(v, str) for v in versions.values())
    ):
        raise ValueError("versions or done are of another kind than they were written")
    for work in done.values():
        require_entries(work, _Work, "a piece of work")
        for file in work["files"]:
            require_entries(file, File, "a file")


# -------------------------------------------------------------------- one writer at a time

# The lock is the operating system's (flock) on an empty file, so a killed holder leaves nothing behind. Readers need
# none: they read only what a manifest names.


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
