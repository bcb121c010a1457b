"""High card: two orders of cards against each other."""

from __future__ import annotations

from collections.abc import Sequence

import endsight.board as kit
from endsight.games.pictures.laying import against, hand_of


def orders_board(
    known: Sequence[int],
    laid: Sequence[str],
    history: Sequence[str],
    hand: Sequence[int],
    unknown: Sequence[int],
) -> kit.Board:
    """The rival's cards above ours, our hand, and the rival's unknown cards, turned over once our hand is laid.

    `known` are the rival's cards by turn, 0 for unknown ones; `laid` our cards by turn as far as the state tells them,
    `*` where it does not and `.` where none lies yet. `history` are the moves from the start, where they are known.
    """
    count = len(known)
    rival: list[object] = [card or "?" for card in known]
    ours: list[object] = [{"*": "?", ".": None}.get(card, card) for card in laid]
    if history:
        ours = [*history[:count], *[None] * (count - len(history))]
        hidden = [turn for turn in range(count) if not known[turn]]
        for turn, card in zip(hidden, history[count:], strict=False):
            rival[turn] = card
    parts: list[kit.Part] = [against("The rival's cards above ours", rival, ours)]
    parts += [hand_of("In hand", hand, is_open=True)] if hand else []
    parts += [hand_of("The rival's unknown cards", unknown, is_open=not hand)] if unknown else []
    return kit.Board("High card", tuple(parts))
