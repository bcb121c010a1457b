"""Files of games that were played: a few lines of text that people can read, and `review` too."""

from __future__ import annotations

from collections.abc import Iterable
from textwrap import wrap
from typing import NamedTuple

__all__ = ["Recorded", "read_record", "record_text"]

_FIRST = "# endsight game"
_GAME = "# game: "
_WIDTH = 100


class Recorded(NamedTuple):
    """A game that was played: the text that names it, None where the file says nothing, and its moves."""

    game: str | None
    moves: list[str]


def record_text(game: str, moves: Iterable[str], notes: Iterable[str]) -> str:
    """A file of a game: the name with its parameters, notes in one line each, and the moves, chance included."""
    lines = [_FIRST, _GAME + game, *(f"# {' '.join(note.split())}" for note in notes)]
    lines += wrap(" ".join(moves), _WIDTH, break_long_words=False, break_on_hyphens=False)
    return "\n".join(lines) + "\n"


def read_record(text: str) -> Recorded:
    """The moves of such a file, or of text that holds nothing but moves. Lines that begin with `# ` are notes."""
    lines = text.splitlines()
    game = next((line.removeprefix(_GAME).strip() for line in lines if line.startswith(_GAME)), None)
    return Recorded(game, " ".join(line for line in lines if not line.startswith("# ")).split())
