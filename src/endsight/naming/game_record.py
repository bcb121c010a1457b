"""Files of played games: a few lines of text that people and `review` can read."""

from __future__ import annotations

from collections.abc import Iterable
from textwrap import wrap
from typing import NamedTuple

_FIRST = "# endsight game"
_GAME = "# game: "
_POSITION = "# position: "
_WIDTH = 100


class Recorded(NamedTuple):
    """A played game: the text that names it, None if the file does not, and its moves.

    `position` is the state at which the moves begin, in the game's own text form; None for the game's start.
    """

    game: str | None
    moves: list[str]
    position: str | None = None


def record_text(game: str, moves: Iterable[str], notes: Iterable[str], position: str | None = None) -> str:
    """The text of a game file: the name with its parameters, notes in one line each, and the moves, chance included.

    `position` is where the moves begin, if not at the start.
    """
    begun = [] if position is None else [_POSITION + position]
    lines = [_FIRST, _GAME + game, *begun, *(f"# {' '.join(note.split())}" for note in notes)]
    lines += wrap(" ".join(moves), _WIDTH, break_long_words=False, break_on_hyphens=False)
    return "\n".join(lines) + "\n"


def read_record(text: str) -> Recorded:
    """The moves of such a file, or of a text that holds only moves. Lines that begin with `# ` are notes."""
    lines = text.splitlines()
    game, position = (_noted(lines, head) for head in (_GAME, _POSITION))
    return Recorded(game, " ".join(line for line in lines if not line.startswith("# ")).split(), position)


def _noted(lines: Iterable[str], head: str) -> str | None:
    """The text after the first such head."""
    return next((line.removeprefix(head).strip() for line in lines if line.startswith(head)), None)
