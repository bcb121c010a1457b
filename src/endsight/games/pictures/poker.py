"""Poker with one card each: cards, chips, and what was said."""

from __future__ import annotations

from collections.abc import Sequence

import endsight.board as kit
from endsight.games.pictures.throws import choices


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
