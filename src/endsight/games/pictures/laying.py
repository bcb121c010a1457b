"""Cards against cards, hands, and chips."""

from __future__ import annotations

from collections.abc import Sequence

import endsight.board as kit

MOST_JOINT = 12
"""Choices of each player up to which a table of all joint moves is drawn."""


def against(title: str, above: Sequence[object], below: Sequence[object]) -> kit.Scene:
    """Two rows of cards, turn by turn: a rank, `?` for a card face down, None for none."""
    cells = [[_laid(rank) for rank in line] for line in (above, below)]
    return kit.grid(title, cells, across=[str(turn + 1) for turn in range(len(above))], has_cells=True)


def _laid(rank: object) -> kit.Piece | None:
    return None if rank is None else kit.card_back() if rank == "?" else kit.card(rank)


def hand_of(heading: str, cards: Sequence[object], *, is_open: bool = False) -> kit.Row:
    """Cards in a row; `is_open` for those that can be played, each as the move of its rank."""
    slots = [kit.Slot(kit.card(rank), 84 if is_open else 64, str(rank) if is_open else None) for rank in cards]
    return kit.Row(tuple(slots) or (kit.Slot(kit.tile("none"), 44),), heading)


def joint(title: str, mine: Sequence[tuple[str, kit.Piece]], yours: Sequence[tuple[str, kit.Piece]]) -> list[kit.Scene]:
    """A table of joint moves, the first player's choices down and the second's across; none where it is too large."""
    if max(len(mine), len(yours)) > MOST_JOINT or not mine or not yours:
        return []
    pieces = [piece for _, piece in mine], [piece for _, piece in yours]
    return [kit.table(title, *pieces, lambda row, column: f"{mine[row][0]}-{yours[column][0]}")]
