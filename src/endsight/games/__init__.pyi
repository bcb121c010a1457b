"""The built-in games, for type checkers."""

from endsight.game import Game
from endsight.games.battleship import Battleship
from endsight.games.bigpig import BigPig
from endsight.games.blackjack import Blackjack
from endsight.games.blotto import Blotto
from endsight.games.chomp import Chomp
from endsight.games.connectfour import ConnectFour
from endsight.games.dodgem import Dodgem
from endsight.games.dominoes import Dominoes
from endsight.games.goofspiel import Goofspiel
from endsight.games.hazardstop import HazardStop
from endsight.games.hexapawn import Hexapawn
from endsight.games.hiddenpots import HiddenPots
from endsight.games.highcard import HighCard
from endsight.games.highcardduel import HighCardDuel
from endsight.games.kuhn import Kuhn
from endsight.games.leduc import Leduc
from endsight.games.liarsdice import LiarsDice
from endsight.games.morra import Morra
from endsight.games.nim import Nim
from endsight.games.phantomtictactoe import PhantomTicTacToe
from endsight.games.pig import Pig
from endsight.games.piglet import Piglet
from endsight.games.pigturn import PigTurn
from endsight.games.pots import Pots
from endsight.games.repeatbust import RepeatBust
from endsight.games.rps import Rps
from endsight.games.rpsbag import RpsBag
from endsight.games.scorecard import Scorecard
from endsight.games.tictactoe import TicTacToe
from endsight.games.twodicepig import TwoDicePig
from endsight.games.ur import Ur

__all__ = [
    "Battleship",
    "BigPig",
    "Blackjack",
    "Blotto",
    "Chomp",
    "ConnectFour",
    "Dodgem",
    "Dominoes",
    "Goofspiel",
    "HazardStop",
    "Hexapawn",
    "HiddenPots",
    "HighCard",
    "HighCardDuel",
    "Kuhn",
    "Leduc",
    "LiarsDice",
    "Morra",
    "Nim",
    "PhantomTicTacToe",
    "Pig",
    "PigTurn",
    "Piglet",
    "Pots",
    "RepeatBust",
    "Rps",
    "RpsBag",
    "Scorecard",
    "TicTacToe",
    "TwoDicePig",
    "Ur",
]

BUILT_IN: dict[str, str]

def is_built_in(game: Game) -> bool: ...
