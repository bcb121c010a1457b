"""The pictures of boards and pieces in the documentation, made from the code. Run this file to draw them anew."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import endsight as es
from doc_examples import blocks
from endsight import board as kit
from endsight.board import Board, Piece, Row, Scene, Slot, board_at

DOCS = Path(__file__).parents[1] / "docs"
FOLDER = DOCS / "pieces"
_RULES = "clobber.py"


def _row(*pieces: Piece, height: float = 64) -> Board:
    return Board("Pieces", (Row(tuple(Slot(piece, height) for piece in pieces), middle=True),))


def _scene(scene: Scene) -> Board:
    return Board(scene.title, (scene,))


def _hexagon(box: kit.Box, row: int, column: int) -> kit.Place:
    return kit.Place(f"{row}-{column}", box)


def _clobber(*, is_drawn: bool) -> Board:
    """The board of the tutorial at the start, without or with its `draw_board`."""
    page = (DOCS / "tutorial" / "board-game.md").read_text(encoding="utf-8")
    parts = [block for block in blocks(page) if {("file", _RULES), ("add to", _RULES)} & set(block.notes)]
    text = "\n".join(block.text for block in parts if is_drawn or "def draw" not in block.text)
    module: dict[str, Any] = {"__name__": "clobber"}
    exec(compile(text, _RULES, "exec", dont_inherit=True), module)
    return board_at(module["Clobber"]().position())


PICTURES: dict[str, Callable[[], Board]] = {
    "disc": lambda: _row(kit.disc(0), kit.disc(1), kit.disc(2)),
    "man": lambda: _row(kit.man(0), kit.man(1)),
    "pawn": lambda: _row(kit.pawn(0), kit.pawn(1)),
    "car": lambda: _row(kit.car(0), kit.car(1)),
    "ur_piece": lambda: _row(kit.ur_piece(0), kit.ur_piece(1)),
    "stone": lambda: _row(kit.stone()),
    "die": lambda: _row(*map(kit.die, range(1, 7)), kit.die(None)),
    "dice": lambda: _row(kit.dice((3, 5))),
    "tetrahedron": lambda: _row(kit.tetrahedron(1), kit.tetrahedron(0)),
    "domino": lambda: _row(kit.domino(3, 5), kit.domino(6, 2, upright=True), height=80),
    "card": lambda: _row(kit.card(7), kit.card("K"), kit.card_back(), height=84),
    "pot": lambda: _row(kit.pot(9), kit.pot(25), kit.pot()),
    "coin": lambda: _row(kit.coin(), kit.coin(5)),
    "chip": lambda: _row(kit.chip(3), kit.chip(120)),
    "chocolate": lambda: _row(kit.chocolate(), kit.chocolate(is_poisoned=True)),
    "hand": lambda: _row(*map(kit.hand, range(3))),
    "bag": lambda: _row(kit.bag()),
    "ship": lambda: _row(kit.ship()),
    "spinner": lambda: _row(kit.spinner(["1", "2", "3", "4", "5"], 2), height=110),
    "tile": lambda: _row(kit.tile("A"), kit.tile("word"), height=52),
    "figure": lambda: _row(kit.figure(50, "total, last sum 5"), height=72),
    "word": lambda: _row(kit.word("The next tile must have a 3."), height=27),
    "button": lambda: _row(kit.button("Roll"), kit.button("7 to enter", kit.ur_piece(0)), height=34),
    "captioned": lambda: _row(kit.captioned(kit.card(4), "prize"), height=100),
    "beside": lambda: _row(kit.beside("Bid", [kit.button("2 ×"), kit.die(3)])),
    "grid": lambda: _scene(
        kit.grid("Grid", [[None, kit.man(1), None], [kit.man(0), None, None]], across="abc", down=["2", "1"])
    ),
    "hexagons": lambda: _scene(
        kit.hexagons("Hexagons", [[None, kit.disc(0), None], [None, kit.disc(1), None], [None] * 3], _hexagon)
    ),
    "rack": lambda: _scene(
        kit.rack("Rack", [[None, None, kit.disc(1), None], [None, kit.disc(0), kit.disc(0), None]], (), "1234")
    ),
    "shelf": lambda: _scene(kit.shelf("Shelf", [kit.pot(4), kit.pot(), kit.pot(7)], (), 155)),
    "track": lambda: _scene(kit.track("Track", 20, [(kit.disc(0), 13, 4), (kit.disc(1), 6, 0)])),
    "table": lambda: _scene(
        kit.table(
            "Table", [kit.hand(0), kit.hand(1)], [*map(kit.hand, range(3))], lambda row, column: f"{row}-{column}"
        )
    ),
    "ur_board": lambda: _scene(kit.ur_board("Board of Ur", [(0, 2, kit.ur_piece(0)), (1, 2, kit.ur_piece(1))], ())),
    "panel": lambda: Board("Panel", (kit.Panel("3 . X\n2 O .\n  a b"),)),
    "clobber-default": lambda: _clobber(is_drawn=False),
    "clobber": lambda: _clobber(is_drawn=True),
    "connectfour": lambda: board_at(es.load("connectfour:width=5,height=4").position("2 3 3")),
    "dominoes": lambda: board_at(es.load("dominoes:n=4").position("0-1 1-3")),
}
"""A picture for every piece and ground of the kit by its name, and some of games."""


def picture(name: str) -> str:
    """One picture as text."""
    return PICTURES[name]().svg(width=480) + "\n"


def main() -> None:
    """Draw all of them anew."""
    FOLDER.mkdir(exist_ok=True)
    for name in PICTURES:
        (FOLDER / f"{name}.svg").write_text(picture(name), encoding="utf-8")


if __name__ == "__main__":
    main()
