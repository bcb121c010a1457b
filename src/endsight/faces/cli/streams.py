"""Text for the standard streams: only printable characters, and only those that the encoding can carry.

All output for people passes through here or through `screen`; each argument is one line.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from textwrap import wrap
from typing import TextIO

import click

from endsight.base.printable import printable
from endsight.base.standard_streams import stderr, stdin, stdout
from endsight.errors import FileError

_NARROWEST = 20
_WIDEST = 10_000

_PLAIN = str.maketrans(
    {
        "▲": "+",
        "●": "=",
        "▼": "-",
        "≈": "~",
        "…": "...",
        "·": "|",
        "█": "#",
        "–": "-",
        "—": "-",
        "−": "-",
        "×": "x",
        "≥": ">=",
        "≤": "<=",
        "→": "->",
    }
)


def ascii_text(text: str) -> str:
    """Return the text in ASCII; characters without a counterpart become `?`."""
    return text.translate(_PLAIN).encode("ascii", "replace").decode("ascii")


def is_unicode(stream: TextIO) -> bool:
    """Return whether the stream can carry every character."""
    return (getattr(stream, "encoding", None) or "utf-8").lower().replace("_", "-").startswith("utf")


def is_terminal(stream: TextIO | None) -> bool:
    """Return whether people read this stream or type into it."""
    with suppress(OSError, ValueError):
        return stream is not None and stream.isatty()
    return False


def terminal_width(stream: TextIO | None) -> int:
    """Return the columns of `COLUMNS` if that is a number, else of the terminal, else 80; never too few to write in."""
    text = os.environ.get("COLUMNS", "")
    columns = int(text) if text.isascii() and text.isdigit() and len(text) < 10 else 0
    if columns == 0 and stream is not None:
        with suppress(OSError, ValueError, AttributeError):
            columns = os.get_terminal_size(stream.fileno()).columns
    return max(_NARROWEST, min(columns or 80, _WIDEST))


def say(*lines: str, ascii_only: bool = False) -> None:
    """Print lines of an answer; raise `FileError` if they cannot be written."""
    with answering():
        _write("\n".join(map(printable, lines)), stdout(), ascii_only)


def say_cells(cells: Iterable[str], *, ascii_only: bool = False) -> None:
    """Print a line of an answer in cells, separated by tabs."""
    with answering():
        _write("\t".join(map(printable, cells)), stdout(), ascii_only)


def say_file(pieces: Iterable[str]) -> None:
    """Print a file that we made, piece by piece and unchanged: for other programs, not for people."""
    with answering():
        for piece in pieces:
            stdout().write(piece)
    flush_answer()


@contextmanager
def answering() -> Iterator[None]:
    """Turn an error in writing an answer into a `FileError`; let a broken pipe pass."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        silence()
        raise FileError("the answer cannot be written to the standard output", found=error.strerror) from None


def flush_answer() -> None:
    """Flush what is written so far; raise `FileError` if that fails."""
    with answering():
        stdout().flush()


def silence() -> None:
    """Point standard output at nothing: it is useless by now, and Python would complain again at exit."""
    with suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stdout().fileno())
        os.close(nowhere)


def say_error(*lines: str) -> None:
    """Print lines of a message on standard error; in a terminal, wrap long ones with an indent."""
    stream, shown = stderr(), list(map(printable, lines))
    if is_terminal(stream):
        width = terminal_width(stream) - 1
        shown = [_wrapped(line, width) for line in shown]
    with suppress(OSError, ValueError):  # a message that nobody can read changes nothing
        _write("\n".join(shown), stream, False)


def prompt(text: str) -> None:
    """Print a prompt on standard error, on the line where somebody will type."""
    tell(printable(text))


def tell(text: str) -> None:
    """Print part of a line on standard error unchanged; use it only for text that is known to be printable."""
    with suppress(OSError, ValueError):
        stderr().write(text)
        stderr().flush()


def _wrapped(line: str, width: int) -> str:
    if len(line) <= width:
        return line
    indent = " " * (11 if line.startswith("  ") else 7)
    return "\n".join(wrap(line, width, subsequent_indent=indent, drop_whitespace=True, break_on_hyphens=False))


def say_if_waiting(what: str) -> None:
    """Print a hint if the command would otherwise wait silently for input from the terminal."""
    if is_terminal(stdin()):
        say_error(f"reading {what} from the terminal; press Ctrl-D to finish")


def _write(text: str, stream: TextIO, ascii_only: bool) -> None:
    click.echo(ascii_text(text) if ascii_only or not is_unicode(stream) else text, file=stream)
