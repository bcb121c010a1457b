"""Text onto the standard streams, whatever their encoding can carry."""

from __future__ import annotations

import sys
from shutil import get_terminal_size
from textwrap import wrap
from typing import TextIO

import click

__all__ = ["ascii_text", "is_unicode", "say", "say_error", "say_if_waiting"]

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
    """The same in ASCII; signs without a counterpart become `?`."""
    return text.translate(_PLAIN).encode("ascii", "replace").decode("ascii")


def is_unicode(stream: TextIO) -> bool:
    """Whether the stream can carry any sign."""
    return (getattr(stream, "encoding", None) or "utf-8").lower().replace("_", "-").startswith("utf")


def say(text: str, *, ascii_only: bool = False) -> None:
    """One line (or several) of an answer."""
    _write(text, sys.stdout, ascii_only)


def say_error(text: str) -> None:
    """A message on the standard error; in a terminal, long lines are wrapped under their text."""
    if sys.stderr.isatty():
        width = max(20, get_terminal_size().columns - 1)
        text = "\n".join(_wrapped(line, width) for line in text.split("\n"))
    _write(text, sys.stderr, False)


def _wrapped(line: str, width: int) -> str:
    if len(line) <= width:
        return line
    indent = " " * (11 if line.startswith("  ") else 7)
    return "\n".join(wrap(line, width, subsequent_indent=indent, drop_whitespace=True, break_on_hyphens=False))


def say_if_waiting(what: str) -> None:
    """A hint where the command would wait silently for somebody to type."""
    if sys.stdin is not None and sys.stdin.isatty():
        say_error(f"reading {what} from the terminal; an end-of-file (Ctrl-D) ends it")


def _write(text: str, stream: TextIO, ascii_only: bool) -> None:
    if ascii_only or not is_unicode(stream):
        text = ascii_text(text)
    # Lone surrogates come from arguments that are not UTF-8.
    click.echo(text.encode("utf-8", "backslashreplace").decode("utf-8"), file=stream)
