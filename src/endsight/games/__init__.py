"""The built-in games: one rules file each, loaded when asked for."""

from __future__ import annotations

import sys
from importlib import import_module
from types import FunctionType
from typing import Any

from endsight.game import Game

_NAMES = """
Battleship BigPig Blackjack Blotto Chomp ConnectFour Dodgem Dominoes Goofspiel HazardStop Hexapawn
HiddenPots HighCard HighCardDuel Kuhn Leduc LiarsDice Morra Nim PhantomTicTacToe Pig PigTurn Piglet Pots
RepeatBust Rps RpsBag Scorecard TicTacToe TwoDicePig Ur
"""
__all__ = _NAMES.split()

BUILT_IN: dict[str, str] = {name.lower(): name for name in __all__}
"""Name in commands (also the module's) -> class name."""


def is_built_in(game: Game) -> bool:
    """Whether the rules are exactly those of a built-in game: no subclass, and nothing put over them since."""
    kind = type(game)
    home = sys.modules.get(f"{__name__}.{kind.__name__.lower()}")
    is_named = getattr(home, kind.__name__, None) is kind and not any(hasattr(Game, name) for name in vars(game))
    functions = (each for base in kind.__mro__ for each in vars(base).values() if isinstance(each, FunctionType))
    return is_named and all(str(each.__module__).startswith("endsight.") for each in functions)


def __getattr__(name: str) -> Any:
    if name in __all__:
        return getattr(import_module(f"endsight.games.{name.lower()}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
