"""The standard streams, out of reach of the rules that a command runs.

Rules may print, read, close `sys.stdout`, or even close file descriptors. Inside
`kept_apart` the command has copies of its own: `stdin`, `stdout` and `stderr` give them.
What rules print goes to the standard error, with escapes for what is not printable, and
rules that read find an empty input.
"""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import BinaryIO, TextIO, cast

from endsight.printable import printable_lines

__all__ = ["kept_apart", "stderr", "stdin", "stdout", "stream_of"]


@dataclass(frozen=True)
class _Streams:
    """The three streams; None for one that was closed before the program began."""

    stdin: TextIO | None
    stdout: TextIO | None
    stderr: TextIO | None


_kept: list[_Streams] = []


def stdin() -> TextIO | None:
    """Where the user's input comes from; None where there is none."""
    return _kept[-1].stdin if _kept else sys.stdin


def stdout() -> TextIO | None:
    """Where answers go; None where it is closed."""
    return _kept[-1].stdout if _kept else sys.stdout


def stderr() -> TextIO | None:
    """Where messages go; None where it is closed."""
    return _kept[-1].stderr if _kept else sys.stderr


def stream_of(number: int) -> int:
    """The descriptor that the user calls `number`: the copy of 1 or 2 where those are kept apart."""
    stream = {1: stdout, 2: stderr}.get(number, lambda: None)() if _kept else None
    try:
        return number if stream is None else stream.fileno()
    except (OSError, ValueError):  # a stream that is no file
        return number


@contextmanager
def kept_apart(*, owns_process: bool) -> Iterator[None]:
    """Keep the streams for the command alone; rules inside get others.

    With `owns_process` the descriptors 1 and 2 are kept apart as well, so that nothing that rules
    or libraries do to them reaches the answer. Without, only Python's own streams are exchanged.
    """
    usual = sys.stdin, sys.stdout, sys.stderr
    for stream in usual[1:]:
        with suppress(AttributeError, OSError, ValueError):
            stream.flush()
    if isinstance(usual[0], io.TextIOWrapper):
        usual[0].reconfigure(errors="replace")  # what cannot be read is no move, and no reason to fail
    _kept.append(_Streams(usual[0], _copied(usual[1]), _copied(usual[2])) if owns_process else _Streams(*usual))
    if owns_process:
        with suppress(OSError):
            os.dup2(2, 1)
    sys.stdin, sys.stdout, sys.stderr = _nothing_to_read(), _for_rules(), _for_rules()
    try:
        yield
    finally:
        sys.stdin, sys.stdout, sys.stderr = usual
        if not owns_process:  # a process that ends needs no way back
            _kept.pop()


def _copied(stream: TextIO | None) -> TextIO | None:
    """The same stream on a descriptor of its own, far from those that programs are used to close."""
    if stream is None:
        return None
    try:
        number = _duplicate(stream.fileno())
    except (OSError, ValueError):
        return stream
    is_terminal = os.isatty(number)
    return open(
        number, "w", encoding=stream.encoding, errors=stream.errors, newline="", buffering=1 if is_terminal else -1
    )


def _duplicate(number: int) -> int:
    if sys.platform == "win32":
        return os.dup(number)
    import fcntl

    return fcntl.fcntl(number, fcntl.F_DUPFD_CLOEXEC, 100)


def _nothing_to_read() -> TextIO:
    return io.TextIOWrapper(io.BytesIO(), encoding="utf-8")


def _for_rules() -> TextIO:
    """A stream that hands on to the standard error; whoever closes it closes nothing else."""
    return io.TextIOWrapper(
        cast("BinaryIO", _ToErrors()), encoding="utf-8", errors="backslashreplace", write_through=True
    )


class _ToErrors(io.RawIOBase):
    """What is written here is a message; one that cannot be written is lost."""

    def writable(self) -> bool:
        """It can be written to."""
        return True

    def fileno(self) -> int:
        """The descriptor of the standard error."""
        return 2

    def write(self, data: object) -> int:
        """Hand it on; gives the number of bytes."""
        content = bytes(data)  # type: ignore[call-overload]
        errors = stderr()
        if errors is not None:
            with suppress(OSError, ValueError):
                errors.write(printable_lines(content.decode("utf-8", "replace")))
                errors.flush()
        return len(content)
