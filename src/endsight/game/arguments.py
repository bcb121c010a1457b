"""What people hand to the functions of the package: one clear message where it is something else."""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from typing import Any

from endsight.errors import UsageError
from endsight.game import Game
from endsight.game.position import Position

__all__ = ["as_game", "as_kind", "as_path", "as_position"]

_LONGEST = 60
_WORDS = {str: "text", int: "a whole number", Mapping: "a dictionary"}


def as_game(found: Any, asker: str) -> Game:
    """`found`, where it is a game; `UsageError` for its name, its class, and anything else."""
    if isinstance(found, Game):
        return found
    raise UsageError(f"{asker} takes a game", found=_described(found), advice=_way_to_a_game(found))


def _way_to_a_game(found: Any) -> str:
    advice = "endsight.games.Pig(), or endsight.load_game(TEXT).game"
    if isinstance(found, type) and issubclass(found, Game):
        advice = f"{found.__name__}(), with parameters if it takes any"
    elif isinstance(found, str):
        advice = f"endsight.load_game({found!r}).game"
    elif isinstance(getattr(found, "game", None), Game):
        advice = "its .game"
    return advice


def as_position(found: Any, game: Game, asker: str) -> Position:
    """`found`, where it is a position of `game`; `UsageError` for text, states, and positions of other games."""
    if not isinstance(found, Position):
        advice = f"game.position({found!r})" if isinstance(found, str) else "game.position(MOVES)"
        raise UsageError(f"{asker} takes a position of {game.title()}", found=_described(found), advice=advice)
    if found.game is not game and found.game != game:
        advice = "game.position(MOVES) of the same game"
        raise UsageError(f"{asker} takes a position of {game!r}", found=f"a position of {found.game!r}", advice=advice)
    return found


def as_kind(found: Any, kind: Any, asker: str, advice: str) -> None:
    """Raise `UsageError` unless `found` is of that kind; True and False are no numbers."""
    if isinstance(found, kind) and not (kind is int and isinstance(found, bool)):
        return
    wanted = _WORDS.get(kind, f"an endsight.{kind.__name__}")
    raise UsageError(f"{asker} takes {wanted}", found=_described(found), advice=advice)


def as_path(found: Any, asker: str) -> Path:
    """`found` as a path; `UsageError` for what is neither text nor a path."""
    if not isinstance(found, str | PathLike):
        raise UsageError(f"{asker} takes a path", found=_described(found), advice="'NAME', or pathlib.Path('NAME')")
    return Path(found)


def _described(found: Any) -> str:
    if isinstance(found, type):
        return f"the class {found.__name__}"
    text = repr(found)
    return f"{text if len(text) <= _LONGEST else text[:_LONGEST] + '...'} ({type(found).__name__})"
