"""The built-in games: one rules file each, loaded when asked for."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from endsight.game import Game

if TYPE_CHECKING:
    from endsight.games.bigpig import BigPig
    from endsight.games.blackjack import Blackjack
    from endsight.games.chomp import Chomp
    from endsight.games.connectfour import ConnectFour
    from endsight.games.dodgem import Dodgem
    from endsight.games.dominoes import Dominoes
    from endsight.games.hazardstop import HazardStop
    from endsight.games.hexapawn import Hexapawn
    from endsight.games.hiddenpots import HiddenPots
    from endsight.games.highcard import HighCard
    from endsight.games.nim import Nim
    from endsight.games.pig import Pig
    from endsight.games.piglet import Piglet
    from endsight.games.pigturn import PigTurn
    from endsight.games.pots import Pots
    from endsight.games.repeatbust import RepeatBust
    from endsight.games.rpsbag import RpsBag
    from endsight.games.scorecard import Scorecard
    from endsight.games.tictactoe import TicTacToe
    from endsight.games.twodicepig import TwoDicePig
    from endsight.games.ur import Ur

__all__ = [
    "BigPig",
    "Blackjack",
    "Chomp",
    "ConnectFour",
    "Dodgem",
    "Dominoes",
    "HazardStop",
    "Hexapawn",
    "HiddenPots",
    "HighCard",
    "Nim",
    "Pig",
    "PigTurn",
    "Piglet",
    "Pots",
    "RepeatBust",
    "RpsBag",
    "Scorecard",
    "TicTacToe",
    "TwoDicePig",
    "Ur",
]

BUILT_IN: dict[str, str] = {name.lower(): name for name in __all__}
"""Name in commands (also the module's) -> class name."""


def is_built_in(game: Game) -> bool:
    """Whether the rules are exactly those of a built-in game (a subclass may change them)."""
    return type(game).__module__.startswith(f"{__name__}.")


def __getattr__(name: str) -> Any:
    if name in __all__:
        return getattr(import_module(f"endsight.games.{name.lower()}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
