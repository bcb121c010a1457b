"""The Royal Game of Ur: where squares of both paths lie on its board."""

from __future__ import annotations

from collections.abc import Sequence

from endsight.board import (
    Board,
    Box,
    Part,
    Piece,
    Place,
    Row,
    Slot,
    button,
    tetrahedron,
    ur_board,
    ur_piece,
    ur_square,
    word,
)
from endsight.board import beside as all_of

__all__ = ["box_of", "throw_row", "ur_picture"]

_DICE, _LAST, _SHARED = 4, 14, range(5, 13)
_HOME = 15
"""A square beyond the last one: home."""


def _at(square: int, player: int) -> tuple[int, int]:
    """Row and column of a square of a player's path: the first player's own squares are above."""
    if square in _SHARED:
        return 1, square - _SHARED.start
    own = 0 if player == 0 else 2
    return own, 4 - square if square < _SHARED.start else 20 - square


def box_of(square: int, player: int) -> Box:
    """The box of a square of a player's path; 0 is where pieces wait, 15 is home."""
    if square in (0, _HOME):
        return ur_square(0 if player == 0 else 2, 4 if square == 0 else 5)
    return ur_square(*_at(square, player))


def throw_row(throw: int | None, told: str) -> Row:
    """The four dice, with as many marked tips up as were thrown."""
    if throw is None:
        return Row((Slot(word(told, 17), 27),), ground="well")
    return Row((Slot(_dice(throw), 46), Slot(word(told, 19, before=10), 30)), ground="well")


def _dice(throw: int) -> Piece:
    """Four dice that show so many marked tips."""
    return all_of(f"Dice of Ur showing {throw}", [tetrahedron(int(place < throw)) for place in range(_DICE)], 8)


def ur_picture(
    squares: tuple[Sequence[int], Sequence[int]],
    waiting: tuple[int, int],
    home: tuple[int, int],
    places: Sequence[Place],
    throw: Row,
    outcomes: Sequence[tuple[str, int]],
) -> Board:
    """The board with the pieces of both, those beside it, the dice, and the throws where one is to come."""
    pieces = [(*_at(square, player), ur_piece(player)) for player, own in enumerate(squares) for square in own]
    parts: list[Part] = [ur_board("Board of the Royal Game of Ur", pieces, places), throw]
    if outcomes:
        dice = [Slot(_dice(number), 36, text) for text, number in outcomes]
        parts.append(Row(tuple(dice), "The dice show"))
    told = [f"{count} to enter, {own} home" for count, own in zip(waiting, home, strict=True)]
    beside = [Slot(button(text, ur_piece(player)), 36) for player, text in enumerate(told)]
    return Board("Royal Game of Ur", (*parts, Row(tuple(beside))))
