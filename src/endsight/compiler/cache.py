"""The folder in which work is kept for later runs, and hints of what is to be found there."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path

import endsight
from endsight.game import Position

__all__ = ["cache_directory", "hint", "is_hinted", "write"]


def cache_directory() -> Path:
    """Where object code is kept: ENDSIGHT_CACHE_DIR, or the platform's folder for caches."""
    own = os.environ.get("ENDSIGHT_CACHE_DIR")
    if own:
        return Path(own)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "endsight" / "Cache"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "endsight"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "endsight"


def write(path: Path, content: bytes) -> None:
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


# -------------------------------------------------------------------- hints


def is_hinted(position: Position) -> bool:
    """Whether an earlier run, of these or of other rules of that name, left something about the position.

    A look costs nothing, while the real one has to translate the rules: small games never
    pay for it. A hint proves nothing; what is kept lies under a key made of the rules.
    """
    return _hint_file(position).exists()


def hint(position: Position) -> None:
    """Say that there is something about the position."""
    with suppress(OSError):
        write(_hint_file(position), b"")


def _hint_file(position: Position) -> Path:
    from hashlib import sha256

    game = position.game
    about = (type(game).__module__, type(game).__qualname__, game.values(), position.state, endsight.__version__)
    return cache_directory() / f"{sha256(repr(about).encode()).hexdigest()[:40]}.hint"
