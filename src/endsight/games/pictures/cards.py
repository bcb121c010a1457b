"""Cards: in hands and against each other, with chips and with what was said."""

from __future__ import annotations

from collections.abc import Sequence

import endsight.board as kit
from endsight.games.pictures.throws import choices

MOST_JOINT = 12
"""Choices of each player up to which a table of all joint moves is drawn."""


def against(title: str, above: Sequence[object], below: Sequence[object]) -> kit.Scene:
    """Two rows of cards, turn by turn: a rank, `?` for a card face down, None for none."""
    cells = [[_laid(rank) for rank in line] for line in (above, below)]
    return kit.grid(title, cells, across=[str(turn + 1) for turn in range(len(above))])


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


def poker_board(
    title: str,
    names: Sequence[str],
    cards: Sequence[int],
    chips: Sequence[int],
    said: Sequence[Sequence[str]],
    shared: int | None,
    dealt: Sequence[str],
    texts: Sequence[str],
) -> kit.Board:
    """A row for each player with card, chips and words, the card on the board (0: face down, None: none), and moves.

    `dealt` are the cards that may be dealt, `texts` the moves of the player on turn.
    """
    parts: list[kit.Part] = []
    if shared is not None:
        parts.append(kit.Row((kit.Slot(kit.captioned(_face(shared), "board"), 104),), middle=True))
    for name, rank, put, words in zip(names, cards, chips, said, strict=True):
        tiles = [kit.Slot(kit.tile(each), 40) for each in words]
        pot = kit.captioned(kit.chip(put), "in the pot")
        line = (kit.Slot(kit.word(name.capitalize(), 17), 27), kit.Slot(_face(rank), 84), kit.Slot(pot, 76))
        parts.append(kit.Row((*line, *tiles), ground="well"))
    if dealt:
        parts.append(kit.Row(tuple(kit.Slot(kit.card(rank), 76, rank) for rank in dealt), "The card dealt is"))
    if texts:
        parts.append(choices(texts))
    return kit.Board(title, tuple(parts))


def _face(rank: int) -> kit.Piece:
    return kit.card(rank) if rank else kit.card_back("Face down, or not dealt yet")
