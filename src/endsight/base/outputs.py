"""Output of answers to a file: `open_output`.

A plain file appears whole or not at all; for a link, its target is written. Pipes, character devices and descriptors
such as `/dev/stdout` are written to and never replaced; other files that are not plain are refused.
"""

from __future__ import annotations

import os
import re
import stat
from pathlib import Path

from endsight.base.atomic import AtomicFile, OutputFile, blaming_disk
from endsight.base.plain_files import kind_of_file
from endsight.base.standard_streams import stream_of
from endsight.errors import FileError

_DESCRIPTOR = re.compile(r"/(?:dev|proc/(?:self|\d+))/fd/(\d{1,9})")
_STANDARD = {"/dev/stdin": 0, "/dev/stdout": 1, "/dev/stderr": 2}
_MOST_LINKS = 40


def open_output(path: Path) -> OutputFile:
    """The file at `path`, for writing as a whole; raises `FileError` if it cannot be written."""
    target = path
    for _ in range(_MOST_LINKS):
        number = _descriptor(target)
        if number is not None:
            with blaming_disk(path):
                return OutputFile(path, os.dup(stream_of(number)))
        try:
            mode = target.lstat().st_mode
        except FileNotFoundError:
            return AtomicFile(target)
        except (OSError, ValueError) as error:
            raise FileError(
                f"{path} cannot be written", found=getattr(error, "strerror", None) or str(error)
            ) from error
        if not stat.S_ISLNK(mode):
            return _existing(path, target, mode)
        target = target.parent / os.readlink(target)
    raise FileError(f"{path} cannot be written", found="links that lead in a circle")


def write_output(path: Path, data: bytes) -> None:
    """Write all of it at once; raises `FileError`."""
    with open_output(path) as file:
        file.write(data)
        file.commit()


def _existing(path: Path, target: Path, mode: int) -> OutputFile:
    if stat.S_ISREG(mode):
        return AtomicFile(target)
    if stat.S_ISFIFO(mode) or stat.S_ISCHR(mode):
        with blaming_disk(target):
            return OutputFile(target, os.open(target, os.O_WRONLY))
    raise FileError(
        f"{path} cannot be written",
        found=kind_of_file(mode),
        allowed="a plain file, new or not, a pipe or a character device",
    )


def _descriptor(path: Path) -> int | None:
    """The number of the open descriptor that a path refers to; None for any other path."""
    text = os.path.normpath(path)
    found = _DESCRIPTOR.fullmatch(text)
    return int(found[1]) if found else _STANDARD.get(text)
