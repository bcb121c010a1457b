"""The Royal Game of Ur: where squares of both paths lie on its board."""

from __future__ import annotations

from collections.abc import Sequence

import endsight.board as kit

_DICE, _LAST, _SHARED = 4, 14, range(5, 13)
_HOME = 15
"""A square beyond the last one: home."""


def _at(square: int, player: int) -> tuple[int, int]:
    """Row and column of a square of a player's path: the first player's own squares are above."""
    if square in _SHARED:
        return 1, square - _SHARED.start
    own = 0 if player == 0 else 2
    return own, 4 - square if square < _SHARED.start else 20 - square


def box_of(square: int, player: int) -> kit.Box:
    """The box of a square of a player's path; 0 is where pieces wait, 15 is home."""
    if square in (0, _HOME):
        return kit.ur_square(0 if player == 0 else 2, 4 if square == 0 else 5)
    return kit.ur_square(*_at(square, player))


def throw_row(throw: int | None, told: str) -> kit.Row:
    """The four dice, with as many marked tips up as were thrown."""
    if throw is None:
        return kit.Row((kit.Slot(kit.word(told, 17), 27),), ground="well")
    return kit.Row((kit.Slot(_dice(throw), 46), kit.Slot(kit.word(told, 19, before=10), 30)), ground="well")


def _dice(throw: int) -> kit.Piece:
    """Four dice that show so many marked tips."""
    return kit.beside(f"Dice of Ur showing {throw}", [kit.tetrahedron(int(place < throw)) for place in range(_DICE)], 8)


def ur_picture(
    squares: tuple[Sequence[int], Sequence[int]],
    waiting: tuple[int, int],
    home: tuple[int, int],
    places: Sequence[kit.Place],
    throw: kit.Row,
    outcomes: Sequence[tuple[str, int]],
) -> kit.Board:
    """The board with the pieces of both, those beside it, the dice, and the throws where one is to come."""
    pieces = [(*_at(square, player), kit.ur_piece(player)) for player, own in enumerate(squares) for square in own]
    parts: list[kit.Part] = [kit.ur_board("Board of the Royal Game of Ur", pieces, places), throw]
    if outcomes:
        dice = [kit.Slot(_dice(number), 36, text) for text, number in outcomes]
        parts.append(kit.Row(tuple(dice), "The dice show"))
    told = [f"{count} to enter, {own} home" for count, own in zip(waiting, home, strict=True)]
    beside = [kit.Slot(kit.button(text, kit.ur_piece(player)), 36) for player, text in enumerate(told)]
    return kit.Board("Royal Game of Ur", (*parts, kit.Row(tuple(beside))))
