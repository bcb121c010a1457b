"""The folder that keeps work for later runs, in files that say what they contain.

A file begins with one line: the number of the format, the key under which the file was written, and the SHA-256 of the
rest. A file that was cut off, changed, or put under another name is never used; that costs nothing but time.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

_FORMAT = b"endsight-cache/2"


def cache_directory() -> Path:
    """The folder of object code: ENDSIGHT_CACHE_DIR, or the platform's folder for caches.

    For a user without a home, a path where nothing can be kept.
    """
    own = os.environ.get("ENDSIGHT_CACHE_DIR")
    if own:
        return Path(own)
    try:
        home = Path.home()
    except RuntimeError:
        home = Path(os.devnull)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local") / "endsight" / "Cache"
    if sys.platform == "darwin":
        return home / "Library" / "Caches" / "endsight"
    return Path(os.environ.get("XDG_CACHE_HOME") or home / ".cache") / "endsight"


def keep(kind: str, key: str, content: bytes) -> None:
    """Keep `content` of that kind under a key; without a cache everything still works, only slower."""
    with suppress(OSError):
        _write(_file(kind, key), _first_line(kind, key, content) + content)


def kept(kind: str, key: str) -> bytes | None:
    """The content kept under a key; None if there is none, or if it is not as it was written."""
    file = _file(kind, key)
    try:
        line, found, content = (file.read_bytes() if file.is_file() else b"").partition(b"\n")
    except OSError:
        return None
    return content if line + found == _first_line(kind, key, content) else None


def is_kept(kind: str, key: str) -> bool:
    """Whether something is kept under a key, even if it is damaged."""
    return os.path.isfile(_file(kind, key))  # Path.is_file fails where a folder cannot be read


def _file(kind: str, key: str) -> Path:
    return cache_directory() / f"{key}.{kind}"


def _first_line(kind: str, key: str, content: bytes) -> bytes:
    return b" ".join([_FORMAT, kind.encode(), key.encode(), sha256(content).hexdigest().encode()]) + b"\n"


def _write(path: Path, content: bytes) -> None:
    """Write a file in one step, so that parallel processes see all of it or nothing."""
    from tempfile import mkstemp

    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = mkstemp(dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        os.replace(temporary, path)
    except OSError:
        with suppress(OSError):
            os.unlink(temporary)
        raise
