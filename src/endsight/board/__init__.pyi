"""Boards and pieces, for type checkers."""

from endsight.board.boards import (
    CELL as CELL,
)
from endsight.board.boards import (
    Cells as Cells,
)
from endsight.board.boards import (
    as_piece as as_piece,
)
from endsight.board.boards import (
    cell as cell,
)
from endsight.board.boards import (
    grid as grid,
)
from endsight.board.boards import (
    hexagons as hexagons,
)
from endsight.board.boards import (
    rack as rack,
)
from endsight.board.boards import (
    shelf as shelf,
)
from endsight.board.boards import (
    table as table,
)
from endsight.board.boards import (
    through as through,
)
from endsight.board.boards import (
    track as track,
)
from endsight.board.boards import (
    ur_board as ur_board,
)
from endsight.board.boards import (
    ur_square as ur_square,
)
from endsight.board.drawn import board_at as board_at
from endsight.board.drawn import board_of as board_of
from endsight.board.drawn import board_seen as board_seen
from endsight.board.drawn import draws_board as draws_board
from endsight.board.parts import Box as Box
from endsight.board.parts import Circle as Circle
from endsight.board.parts import Mark as Mark
from endsight.board.parts import Marks as Marks
from endsight.board.parts import Path as Path
from endsight.board.parts import Piece as Piece
from endsight.board.parts import Place as Place
from endsight.board.parts import Placed as Placed
from endsight.board.parts import Rect as Rect
from endsight.board.parts import Shape as Shape
from endsight.board.parts import Sign as Sign
from endsight.board.parts import Text as Text
from endsight.board.parts import Use as Use
from endsight.board.pieces import (
    SEATS as SEATS,
)
from endsight.board.pieces import (
    bag as bag,
)
from endsight.board.pieces import (
    beside as beside,
)
from endsight.board.pieces import (
    button as button,
)
from endsight.board.pieces import (
    captioned as captioned,
)
from endsight.board.pieces import (
    car as car,
)
from endsight.board.pieces import (
    card as card,
)
from endsight.board.pieces import (
    card_back as card_back,
)
from endsight.board.pieces import (
    chip as chip,
)
from endsight.board.pieces import (
    chocolate as chocolate,
)
from endsight.board.pieces import (
    coin as coin,
)
from endsight.board.pieces import (
    dice as dice,
)
from endsight.board.pieces import (
    die as die,
)
from endsight.board.pieces import (
    disc as disc,
)
from endsight.board.pieces import (
    domino as domino,
)
from endsight.board.pieces import (
    figure as figure,
)
from endsight.board.pieces import (
    hand as hand,
)
from endsight.board.pieces import (
    man as man,
)
from endsight.board.pieces import (
    pawn as pawn,
)
from endsight.board.pieces import (
    pips as pips,
)
from endsight.board.pieces import (
    pot as pot,
)
from endsight.board.pieces import (
    ship as ship,
)
from endsight.board.pieces import (
    spinner as spinner,
)
from endsight.board.pieces import (
    stone as stone,
)
from endsight.board.pieces import (
    tetrahedron as tetrahedron,
)
from endsight.board.pieces import (
    tile as tile,
)
from endsight.board.pieces import (
    ur_piece as ur_piece,
)
from endsight.board.pieces import (
    word as word,
)
from endsight.board.row import Row as Row
from endsight.board.row import Slot as Slot
from endsight.board.scene import Line as Line
from endsight.board.scene import Scene as Scene
from endsight.board.whole import Board as Board
from endsight.board.whole import Panel as Panel
from endsight.board.whole import Part as Part
from endsight.board.whole import script as script
from endsight.board.whole import stylesheet as stylesheet
from endsight.board.whole import symbols as symbols
