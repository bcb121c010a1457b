"""Cards against cards, hands, and chips."""

from __future__ import annotations

from collections.abc import Sequence

from endsight.board import Piece, Row, Scene, Slot, card, card_back, grid, table, tile

__all__ = ["MOST_JOINT", "against", "hand_of", "joint"]

MOST_JOINT = 12
"""Choices of each player up to which a table of all joint moves is drawn."""


def against(title: str, above: Sequence[object], below: Sequence[object]) -> Scene:
    """Two rows of cards, turn by turn: a rank, `?` for a card face down, None for none."""
    cells = [[_laid(rank) for rank in line] for line in (above, below)]
    return grid(title, cells, across=[str(turn + 1) for turn in range(len(above))], has_cells=True)


def _laid(rank: object) -> Piece | None:
    return None if rank is None else card_back() if rank == "?" else card(rank)


def hand_of(heading: str, cards: Sequence[object], *, is_open: bool = False) -> Row:
    """Cards in a row; `is_open` for those that can be played, each as the move of its rank."""
    slots = [Slot(card(rank), 84 if is_open else 64, str(rank) if is_open else None) for rank in cards]
    return Row(tuple(slots) or (Slot(tile("none"), 44),), heading)


def joint(title: str, mine: Sequence[tuple[str, Piece]], yours: Sequence[tuple[str, Piece]]) -> list[Scene]:
    """A table of joint moves, the first player's choices down and the second's across; none where it is too large."""
    if max(len(mine), len(yours)) > MOST_JOINT or not mine or not yours:
        return []
    pieces = [piece for _, piece in mine], [piece for _, piece in yours]
    return [table(title, *pieces, lambda row, column: f"{mine[row][0]}-{yours[column][0]}")]
