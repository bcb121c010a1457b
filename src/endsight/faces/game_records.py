"""A game that was played, as a few lines of text: which game, how it began, the moves, and the result."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from endsight.errors import InputError
from endsight.game.value_text import shortened

__all__ = ["GameRecord", "read_record"]

_FIELD = re.compile(r"(endsight record|game|position|moves|result)\s*:\s*(.*)", re.IGNORECASE)
_WIDTH = 100


@dataclass(frozen=True)
class GameRecord:
    """What was played.

    game      the game with its settings, as on the command line; None where the text does not say
    moves     in order, outcomes of chance included
    position  the state at which the moves begin, in the game's own text form; None for the game's start
    result    what came of it, in words; "" where nothing is said
    """

    game: str | None
    moves: tuple[str, ...]
    position: str | None = None
    result: str = ""

    def text(self) -> str:
        """The lines, which `read_record` reads back."""
        lines = ["endsight record: 1", f"game: {self.game}"]
        lines += [] if self.position is None else [f"position: {self.position}"]
        lines += [f"moves: {line}" for line in _wrapped(self.moves)]
        lines += [f"result: {self.result}"] if self.result else []
        return "\n".join(lines) + "\n"


def _wrapped(moves: Sequence[str]) -> list[str]:
    """The moves in lines of moderate length; one empty line for none."""
    lines, line = [], ""
    for move in moves:
        if line and len(line) + len(move) >= _WIDTH:
            lines.append(line)
            line = ""
        line = f"{line} {move}" if line else move
    return [*lines, line]


def read_record(text: str) -> GameRecord:
    """The record in a text; text that names no fields is a list of moves.

    Raises `InputError` for a text with fields in which a line has none.
    """
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if not any(line.lower().startswith(("endsight record", "game:", "moves:")) for line in lines):
        return GameRecord(None, tuple(text.split()))
    found: dict[str, list[str]] = {}
    for line in lines:
        field = _FIELD.fullmatch(line)
        if field is None:
            raise InputError(
                "this is no record of a game",
                found=shortened(line),
                allowed="game: NAME, position: TEXT, moves: MOVE ..., result: TEXT",
            )
        found.setdefault(field[1].lower(), []).append(field[2])
    moves = tuple(" ".join(found.get("moves", [])).split())
    return GameRecord(_single(found, "game"), moves, _single(found, "position"), _single(found, "result") or "")


def _single(found: dict[str, list[str]], name: str) -> str | None:
    return found[name][-1] if name in found else None
