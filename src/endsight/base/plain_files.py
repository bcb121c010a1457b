"""Reads files that must be plain: reading a pipe in place of a part would wait for ever."""

from __future__ import annotations

import os
import stat
from io import BufferedReader
from pathlib import Path

from endsight.errors import FileError

_KINDS = {
    stat.S_IFDIR: "a folder",
    stat.S_IFIFO: "a pipe",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a disk",
    stat.S_IFSOCK: "a socket",
}


def open_plain(path: Path) -> BufferedReader:
    """A plain file opened for reading; `FileError` for other kinds, `OSError` if it is missing."""
    # Without waiting for a writer, in case it is a pipe.
    number = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0))
    mode = os.fstat(number).st_mode
    if not stat.S_ISREG(mode):
        os.close(number)
        raise FileError(f"{path} is not a plain file", found=kind_of_file(mode))
    return open(number, "rb")


def read_plain(path: Path) -> bytes:
    """The content of a plain file; errors as above."""
    with open_plain(path) as file:
        return file.read()


def kind_of_file(mode: int) -> str:
    """The kind of a file that is not plain, by its mode."""
    return _KINDS.get(stat.S_IFMT(mode), "something else")
