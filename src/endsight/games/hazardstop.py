"""Roll and add up, or stop before one of several bad faces comes."""

from __future__ import annotations

from endsight.base.faults import ParameterError
from endsight.games.turn import DECIDING, OVER, ROLL, STOP, Turn


class HazardStop(Turn):
    """Roll a die with several bad faces, for the largest expected total.

    One player throws a die with faces 1 to `sides` as often as wanted. Every face is
    added to the total, but each of the faces `busts` ends the game with nothing. `stop`
    ends it with the total; the first action is always `roll`.

    Totals have no bound in these rules. Once the total times the number of bad faces is
    more than the sum of the good ones, a throw loses more than it gains on average, and
    so does every later one: beyond that only `stop` is offered.
    """

    busts: tuple[int, ...] = (1, 2)

    def setup(self) -> None:
        """Check the parameters; find the total from which on stopping is best."""
        super().setup()
        faces = range(1, self.sides + 1)
        if not self.busts or len(set(self.busts)) < len(self.busts) or not set(self.busts) <= set(faces):
            raise ParameterError(
                "hazardstop: busts must be some of the faces, each once",
                found="-".join(map(str, self.busts)) or "none",
                allowed=f"faces from 1 to {self.sides}, such as busts=1-2",
            )
        # A whole number with a bit for every bad face, for the compiled engine.
        self.bad = sum(1 << face for face in self.busts)
        self.good = sum(faces) - sum(self.busts)
        self.count = len(self.busts)
        self.enough = self.good // self.count

    def is_bad(self, face: int) -> bool:
        """Whether a face busts."""
        return self.bad >> face & 1 == 1

    def policy_myopic(self, state: Turn.State) -> int:
        """Roll only where one more throw raises the expectation."""
        return ROLL if state.total * self.count < self.good or state.total == 0 else STOP

    def draw(self, state: Turn.State) -> str:
        """The total and what happens next."""
        if state.phase == OVER:
            return f"over with {state.total}"
        after = "to roll or stop" if state.phase == DECIDING else "the die in the air"
        return f"total {state.total}, {after} ({', '.join(map(str, self.busts))} of {self.sides} bust)"
