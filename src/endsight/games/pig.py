"""Pig: the race of two players with one die, who may push their luck."""

from __future__ import annotations

from typing import Any

from endsight.games.race import ENOUGH, Race

# The face that loses the pot.
BAD_FACE = 1


class Pig(Race):
    """Pig, the jeopardy dice game.

    Two players race to `target` points with one six-sided die. The player on turn
    rolls as often as wanted: faces 2 to 6 go into the pot, a 1 loses the pot and ends
    the turn. `hold` adds the pot to the player's score and ends the turn. The first to
    have `target` points on the score wins 1; the other loses 1.

    There is nothing to hold in an empty pot, so `roll` is the only move there; and
    where holding wins, `hold` is: rolling could only lose the win. The pot counts up
    to what the player still lacks.
    """

    def after_throw(self, state: Any, throw: int) -> Any:
        """Add the face thrown, or lose the pot."""
        return self.after_loss(state) if throw == BAD_FACE else self.after_gain(state, throw)

    def policy_hold20(self, state: Any) -> int:
        """Hold at 20, or where that wins."""
        return self.hold_at(state, ENOUGH)
