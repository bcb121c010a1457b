"""The Royal Game of Ur: where squares of both paths lie on its board, and its dice."""

from __future__ import annotations

import endsight.board as kit

_DICE, _LAST, _SHARED = 4, 14, range(5, 13)
_HOME = 15
"""A square beyond the last one: home."""


def square_at(square: int, player: int) -> tuple[int, int]:
    """Row and column of a square of a player's path: the first player's own squares are above."""
    if square in _SHARED:
        return 1, square - _SHARED.start
    own = 0 if player == 0 else 2
    return own, 4 - square if square < _SHARED.start else 20 - square


def box_of(square: int, player: int) -> kit.Box:
    """The box of a square of a player's path; 0 is where pieces wait, 15 is home."""
    if square in (0, _HOME):
        return kit.ur_square(0 if player == 0 else 2, 4 if square == 0 else 5)
    return kit.ur_square(*square_at(square, player))


def dice_of(throw: int) -> kit.Piece:
    """Four dice that show so many marked tips up."""
    return kit.beside(f"Dice of Ur showing {throw}", [kit.tetrahedron(int(place < throw)) for place in range(_DICE)], 8)
