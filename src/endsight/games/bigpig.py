"""Big Pig: Pig with two dice, where doubles bring twice as much."""

from __future__ import annotations

from typing import Any

from endsight.games.race import TwoDiceRace

# What two 1s bring.
TWO_ONES = 25


class BigPig(TwoDiceRace):
    """Big Pig, a race with two dice.

    Two players race to `target` points. The player on turn throws two six-sided dice as
    often as wanted. A throw without a 1 puts its sum into the pot, and twice its sum
    where both dice are equal; two 1s put 25 there. One 1 alone loses the pot and ends
    the turn. `hold` adds the pot to the player's score and ends the turn. The first to
    have `target` points on the score wins 1; the other loses 1.

    There is nothing to hold in an empty pot, so `roll` is the only move there; and
    where holding wins, `hold` is. The pot counts up to what the player still lacks.
    """

    def gain(self, low: int, high: int) -> int:
        """What two faces bring; 0 where they lose the pot."""
        if low == high:
            return TWO_ONES if low == 1 else 4 * low
        return 0 if low == 1 else low + high

    def after_throw(self, state: Any, throw: int) -> Any:
        """Count the two faces thrown."""
        gain = self.gain(throw // 10, throw % 10)
        return self.after_loss(state) if gain == 0 else self.after_gain(state, gain)
