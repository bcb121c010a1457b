"""Two-dice Pig: two 1s lose everything that a player has."""

from __future__ import annotations

from typing import Any

from endsight.games.race import TwoDiceRace

# The face that loses.
BAD_FACE = 1


class TwoDicePig(TwoDiceRace):
    """Two-dice Pig, a race in which scores can be lost.

    Two players race to `target` points. The player on turn throws two six-sided dice as
    often as wanted. A throw without a 1 puts its sum into the pot. One 1 loses the pot
    and ends the turn; two 1s lose the player's whole score as well. `hold` adds the pot
    to the score and ends the turn. The first to have `target` points on the score wins
    1; the other loses 1.

    There is nothing to hold in an empty pot, so `roll` is the only move there; and
    where holding wins, `hold` is. The pot counts up to what the player still lacks.
    """

    def after_throw(self, state: Any, throw: int) -> Any:
        """Count the two faces thrown."""
        low, high = throw // 10, throw % 10
        if low > BAD_FACE:
            return self.after_gain(state, low + high)
        kept = 0 if high == BAD_FACE else self.own(state)
        if state.turn == 0:
            return self.State(kept, state.second, 0, 1, 0)
        return self.State(state.first, kept, 0, 0, 0)
