"""Poker with one card each: cards, chips, and what was said."""

from __future__ import annotations

from collections.abc import Sequence

from endsight.board import Board, Part, Piece, Row, Slot, captioned, card, card_back, chip, tile, word
from endsight.games.pictures.throws import choices

__all__ = ["poker_board"]


def poker_board(
    title: str,
    names: Sequence[str],
    cards: Sequence[int],
    chips: Sequence[int],
    said: Sequence[Sequence[str]],
    shared: int | None,
    dealt: Sequence[str],
    texts: Sequence[str],
) -> Board:
    """A row for each player with card, chips and words, the card on the board (0: face down, None: none), and moves.

    `dealt` are the cards that may be dealt, `texts` the moves of the player on turn.
    """
    parts: list[Part] = []
    if shared is not None:
        parts.append(Row((Slot(captioned(_face(shared), "board"), 104),), middle=True))
    for name, rank, put, words in zip(names, cards, chips, said, strict=True):
        told = [Slot(tile(each), 40) for each in words]
        pot = captioned(chip(put), "in the pot")
        line = (Slot(word(name.capitalize(), 17), 27), Slot(_face(rank), 84), Slot(pot, 76))
        parts.append(Row((*line, *told), ground="well"))
    if dealt:
        parts.append(Row(tuple(Slot(card(rank), 76, rank) for rank in dealt), "The card dealt is"))
    if texts:
        parts.append(choices(texts))
    return Board(title, tuple(parts))


def _face(rank: int) -> Piece:
    return card(rank) if rank else card_back("No card yet")
