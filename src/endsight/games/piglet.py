"""Piglet: Pig with a coin instead of a die."""

from __future__ import annotations

from typing import Any, NamedTuple

import endsight.board as kit
from endsight.games.race import Race

TAILS, HEADS = 0, 1


class Piglet(Race):
    """Piglet, a race with a coin.

    Two players race to `target` points. The player on turn flips a coin as often as
    wanted: heads put a point into the pot, tails lose the pot and end the turn. `hold`
    adds the pot to the player's score and ends the turn. The first to have `target`
    points on the score wins 1; the other loses 1.

    There is nothing to hold in an empty pot, so `flip` is the only move there; and where
    holding wins, `hold` is. From T. Neller and C. Presser, "Optimal play of the dice game
    Pig" (UMAP Journal 25, 2004).
    """

    throws = (TAILS, HEADS)
    throw = "flip"
    thrown = "the coin"
    target: int = 10

    class State(NamedTuple):
        """Scores of the first and the second player, the pot, whose turn (0, 1), coin in the air (0, 1)."""

        first: int
        second: int
        pot: int
        turn: int
        flying: int

    def after_throw(self, state: Any, throw: int) -> Any:
        """Count the side that came up."""
        return self.after_loss(state) if throw == TAILS else self.after_gain(state, 1)

    def policy_hold2(self, state: State) -> int:
        """Hold at 2, or where that wins."""
        return self.hold_at(state, 2)

    def show_move(self, state: State, move: int) -> str:
        """`flip`, `hold`, or the side that came up."""
        return ("tails", "heads")[move] if state.flying else super().show_move(state, move)

    def in_air(self) -> kit.Piece:
        """The coin, before it lies."""
        return kit.coin("?", "Coin in the air")
