"""Reads the user's input: a named file or the standard input, as UTF-8 text."""

from __future__ import annotations

import os
from difflib import get_close_matches
from typing import BinaryIO

from endsight.base.shortened import shortened
from endsight.base.standard_streams import stdin
from endsight.errors import FileError

STANDARD_INPUT = ("-", "@-")
"""Names of the standard input where moves are expected."""

_PIECE = 2**20
MOST_BYTES = 256 * 2**20
"""Larger than any sensible input: it stops reading from endless devices."""


def is_named(text: str) -> bool:
    """Whether a text of moves names a source to read instead: `-` or `@FILE`."""
    return text == "-" or text.startswith("@")


def as_moves(text: str) -> str:
    """The text so that it means moves: with a blank before it if it would name a source."""
    return f" {text}" if is_named(text) else text


def read_text(name: str) -> str:
    """The text of the file `name`, or of the standard input where `name` is `-`.

    A byte order mark is dropped and every line ends in a single newline. Raises `FileError`.
    """
    text = _standard_input() if name == "-" else _decoded(read_bytes(name), name)
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def read_bytes(name: str) -> bytes:
    """The content of the file `name`; `FileError` where there is none, or where it cannot be read."""
    try:
        with open(name, "rb") as file:
            content = _read(file)
    except FileNotFoundError:
        raise FileError(f"there is no file {_shown(name)}", advice=_nearest_file(name)) from None
    except IsADirectoryError:
        raise FileError(f"{_shown(name)} is a folder, not a file") from None
    except (OSError, ValueError) as error:  # ValueError: a name that no file can have
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise FileError(f"the file {_shown(name)} cannot be read", found=reason) from None
    if len(content) > MOST_BYTES:
        raise FileError(f"the file {_shown(name)} is too big", allowed=f"up to {MOST_BYTES:,} bytes")
    return content


def _read(file: BinaryIO) -> bytes:
    """The content, or a little more than allowed; a single large read would allocate the memory at once."""
    content = bytearray()
    while len(content) <= MOST_BYTES and (piece := file.read(_PIECE)):
        content += piece
    return bytes(content)


def _standard_input() -> str:
    text = stdin()
    if text is None:
        raise FileError("there is no standard input to read from")
    stream = getattr(text, "buffer", None)
    try:
        return text.read() if stream is None else _decoded(stream.read(), "-")
    except OSError as error:
        raise FileError("the standard input cannot be read", found=error.strerror) from None


def _decoded(content: bytes, name: str) -> str:
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise FileError(
            f"{'the standard input' if name == '-' else _shown(name)} is not UTF-8 text",
            found=f"byte {content[error.start]:#04x} at offset {error.start}",
            advice="save it as UTF-8",
        ) from None


def _nearest_file(name: str) -> str | None:
    """A file of that folder with nearly that name."""
    folder, base = os.path.split(name)
    try:
        close = get_close_matches(base[:200], os.listdir(folder or "."), n=1)
    except OSError:
        return f"there is no folder {_shown(folder)} either"
    return os.path.join(folder, close[0]) if close else None


def _shown(name: str) -> str:
    return repr(shortened(name, 200))
