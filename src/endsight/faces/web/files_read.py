"""The files from which a worker's rules were read, and whether they have changed since.

A worker notes every file opened for reading, and the files of all modules that
somebody wrote: rules, helpers, and what `setup` reads. The server checks them before
each answer, so that an answer never comes from an earlier version of the rules.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from contextlib import suppress
from importlib.util import source_from_cache
from typing import Any, TypeAlias

import endsight
from endsight.identity.origin import library_of

Signature: TypeAlias = "list[int] | None"
"""Time of the last change in nanoseconds, size and inode number of a file; None if it does not exist."""

_SYSTEM = ("/proc/", "/sys/", "/dev/")


class FilesRead:
    """Files that this process has read since the object was made; it keeps listening until the process ends."""

    def __init__(self) -> None:
        self._known: dict[str, Signature] = {}
        sys.addaudithook(self._hear)

    def _hear(self, event: str, arguments: tuple[Any, ...]) -> None:
        if event != "open" or not isinstance(arguments[0], str | bytes):
            return
        path, mode, flags = arguments
        writes = bool((flags or 0) & (os.O_WRONLY | os.O_RDWR)) or any(sign in (mode or "") for sign in "wax+")
        if not writes:
            self._note(os.path.abspath(os.fsdecode(path)))

    def _note(self, path: str) -> None:
        if path.endswith(".pyc"):
            # Python read what it had compiled before; what people edit is the source.
            with suppress(ValueError):
                self._note(source_from_cache(path))
        elif path not in self._known and not _is_ours(path):
            self._known[path] = _signature(path)

    def signatures(self) -> dict[str, Signature]:
        """Return all files with their signatures at the time of reading."""
        for name, module in list(sys.modules.items()):
            file = getattr(module, "__file__", None)
            if isinstance(file, str) and library_of(name) is None:
                self._note(os.path.abspath(file))
        return dict(self._known)


def have_changed(known: Mapping[str, Signature]) -> bool:
    """Return whether any of the files has changed."""
    return any(_signature(path) != before for path, before in known.items())


def _is_ours(path: str) -> bool:
    """Return whether a file belongs to Python, an installed package, endsight or the system."""
    return path.startswith((*_SYSTEM, *_FOLDERS)) or f"{os.sep}site-packages{os.sep}" in path


_FOLDERS = tuple(
    os.path.join(os.path.realpath(folder), "")
    for folder in (os.path.dirname(os.__file__), os.path.dirname(endsight.__file__))
)


def _signature(path: str) -> Signature:
    try:
        stat = os.stat(path)
    except (OSError, ValueError):
        return None
    return [stat.st_mtime_ns, stat.st_size, stat.st_ino]
