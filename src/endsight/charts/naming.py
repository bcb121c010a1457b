"""Titles of charts: the game with its parameters, and the position."""

from __future__ import annotations

from endsight.base.shortened import ending
from endsight.game import Game
from endsight.game.position import Position
from endsight.game.titles import shown_parameters

_LONGEST = 48


def game_name(game: Game) -> str:
    """The game with its non-default parameters, as commands name it."""
    texts = shown_parameters(game)
    return f"{game.title()}:{','.join(texts)}" if texts else game.title()


def where(position: Position) -> str:
    """The game, and the moves so far or the state."""
    name = game_name(position.game)
    if position.set_up is not None:
        name += f" at {position.set_up}"
    text = ending(position.text, _LONGEST)
    return f"{name} after {text}" if text else name
