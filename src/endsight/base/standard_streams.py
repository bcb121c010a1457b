"""The standard streams, protected from the rules that a command runs.

Rules may print, read, close `sys.stdout`, or even close file descriptors. Inside `kept_apart` the command has its own
copies: `stdin`, `stdout` and `stderr` return them. Prints of rules go to the standard error, with escapes for
unprintable characters, and rules that read find an empty input.
"""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import BinaryIO, TextIO, cast

from endsight.base.printable import printable_lines

_kept: list[tuple[TextIO | None, TextIO, TextIO]] = []
"""The command's input, output and error streams while they are kept apart."""


def stdin() -> TextIO | None:
    """The user's input; None if it was closed before the program began."""
    return _kept[-1][0] if _kept else sys.stdin


def stdout() -> TextIO:
    """The stream for answers."""
    return _kept[-1][1] if _kept else sys.stdout


def stderr() -> TextIO:
    """The stream for messages."""
    return _kept[-1][2] if _kept else sys.stderr


def stream_of(number: int) -> int:
    """The descriptor for the user's `number`: the copy of 1 or 2 while those are kept apart."""
    try:
        return (stdout if number == 1 else stderr)().fileno() if _kept and number in (1, 2) else number
    except (OSError, ValueError):  # the stream is not a file
        return number


@contextmanager
def kept_apart(*, owns_process: bool, libraries: int = 2) -> Iterator[None]:
    """Reserve the streams for the command; rules inside get others.

    With `owns_process` the descriptors 1 and 2 are kept apart as well: what rules or libraries print
    there goes to the descriptor `libraries`. Without, only Python's own streams are exchanged.
    """
    usual = sys.stdin, sys.stdout, sys.stderr
    for stream in usual[1:]:
        with suppress(AttributeError, OSError, ValueError):
            stream.flush()
    if isinstance(usual[0], io.TextIOWrapper):
        usual[0].reconfigure(errors="replace")  # an unreadable character is no valid move, but no failure either
    _kept.append((usual[0], _copied(usual[1]), _copied(usual[2])) if owns_process else usual)
    if owns_process:
        with suppress(OSError):
            os.dup2(libraries, 1)
            os.dup2(libraries, 2)
    sys.stdin = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")  # nothing to read
    sys.stdout, sys.stderr = _for_rules(), _for_rules()
    try:
        yield
    finally:
        sys.stdin, sys.stdout, sys.stderr = usual
        if not owns_process:  # a process that ends need not restore them
            _kept.pop()


def _copied(stream: TextIO) -> TextIO:
    """The same stream on a separate descriptor, far from those that programs usually close."""
    try:
        number = _duplicate(stream.fileno())
    except (OSError, ValueError):
        return stream
    buffering = 1 if os.isatty(number) else -1
    return open(number, "w", buffering, encoding=stream.encoding, errors=stream.errors, newline="")


def _duplicate(number: int) -> int:
    if sys.platform == "win32":
        return os.dup(number)
    import fcntl

    return fcntl.fcntl(number, fcntl.F_DUPFD_CLOEXEC, 100)


def _for_rules() -> TextIO:
    """A stream that forwards to the standard error; closing it closes nothing else."""
    return io.TextIOWrapper(
        cast("BinaryIO", _ToErrors()), encoding="utf-8", errors="backslashreplace", write_through=True
    )


class _ToErrors(io.RawIOBase):
    """Forwards texts as messages; one that cannot be written is lost."""

    def writable(self) -> bool:
        """It can be written to."""
        return True

    def fileno(self) -> int:
        """The descriptor of the standard error."""
        return 2

    def write(self, data: object) -> int:
        """Forward the data; returns the number of bytes."""
        content = bytes(data)  # type: ignore[call-overload]
        with suppress(OSError, ValueError):
            stderr().write(printable_lines(content.decode("utf-8", "replace")))
            stderr().flush()
        return len(content)
