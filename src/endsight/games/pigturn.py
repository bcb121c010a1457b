"""One turn of the dice game Pig: add up faces, or hold before the bad one comes."""

from __future__ import annotations

from endsight.base.faults import ParameterError
from endsight.games.turn import DECIDING, OVER, ROLL, STOP, Turn


class PigTurn(Turn):
    """One turn of Pig, for the largest expected gain.

    One player throws a die with faces 1 to `sides` as often as wanted. Every face is
    added to the turn total, but the face `bust` ends the turn with nothing. `hold` ends
    it with the total; the first action is always `roll`.

    Totals have no bound in these rules. From the sum of the other faces on one more
    throw cannot raise the expectation, nor can several, as totals only grow: beyond
    that sum only `hold` is offered.
    """

    stop = "hold"
    bust: int = 1

    def setup(self) -> None:
        """Check the parameters; find the total from which on holding is best."""
        super().setup()
        if not 1 <= self.bust <= self.sides:
            raise ParameterError(
                "pigturn: bust must be one of the faces", found=str(self.bust), allowed=f"1 to {self.sides}"
            )
        self.enough = self.sides * (self.sides + 1) // 2 - self.bust

    def is_bad(self, face: int) -> bool:
        """Whether a face busts."""
        return face == self.bust

    def policy_myopic(self, state: Turn.State) -> int:
        """Roll only where one more throw raises the expectation."""
        return ROLL if state.total < self.enough or state.total == 0 else STOP

    def draw(self, state: Turn.State) -> str:
        """The turn total and what happens next."""
        if state.phase == OVER:
            return f"turn over with {state.total}"
        after = "to roll or hold" if state.phase == DECIDING else "the die in the air"
        return f"turn total {state.total}, {after} (a {self.bust} busts)"
