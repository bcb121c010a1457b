"""One turn of the dice game Pig: add up faces, or hold before the bad one comes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, NamedTuple

from endsight.faults import ParameterError, PositionError
from endsight.game import CHANCE, Game

DECIDING, ROLLING, OVER = 0, 1, 2
PHASES = ("deciding", "rolling", "over")
ROLL, HOLD = 0, 1


class PigTurn(Game):
    """One turn of Pig, for the largest expected gain.

    One player throws a die with faces 1 to `sides` as often as wanted. Every face is
    added to the turn total, but the face `bust` ends the turn with nothing. `hold` ends
    it with the total; the first action is always `roll`.

    Totals have no bound in these rules. From the sum of the other faces on one more
    throw cannot raise the expectation, nor can several, as totals only grow: beyond
    that sum only `hold` is offered.
    """

    name: ClassVar[str] = "pigturn"
    players = 1
    sides: int = 6
    bust: int = 1

    class State(NamedTuple):
        """Turn total (0 after a bust) and one of `PHASES`."""

        total: int
        phase: int

    def setup(self) -> None:
        """Check the parameters; find the total from which on holding is best."""
        if self.sides < 1:
            raise ParameterError("pigturn: sides must be at least 1", found=str(self.sides), allowed="1, 2, 3, ...")
        if not 1 <= self.bust <= self.sides:
            raise ParameterError(
                "pigturn: bust must be one of the faces", found=str(self.bust), allowed=f"1 to {self.sides}"
            )
        self.enough = self.sides * (self.sides + 1) // 2 - self.bust

    def limits(self) -> State:
        """The largest value of every field."""
        return self.State(self.enough + self.sides, OVER)

    def start(self) -> State:
        """A total of 0, before the first throw."""
        return self.State(0, DECIDING)

    def to_move(self, state: State) -> int:
        """The die while it rolls, else the player."""
        return CHANCE if state.phase == ROLLING else 0

    def moves(self, state: State) -> Iterator[int]:
        """`roll` while it may pay, `hold` once there is a total; every face while the die rolls."""
        if state.phase == DECIDING:
            if state.total <= self.enough:
                yield ROLL
            if state.total > 0:
                yield HOLD
        elif state.phase == ROLLING:
            yield from range(1, self.sides + 1)

    def play(self, state: State, move: int) -> State:
        """Throw, hold, or add the face thrown."""
        if state.phase == DECIDING:
            return self.State(state.total, ROLLING if move == ROLL else OVER)
        if move == self.bust:
            return self.State(0, OVER)
        return self.State(state.total + move, DECIDING)

    def payoff(self, state: State) -> int:
        """The turn total."""
        return state.total

    def policy_myopic(self, state: State) -> int:
        """Roll only where one more throw raises the expectation."""
        return ROLL if state.total < self.enough or state.total == 0 else HOLD

    # ---------------------------------------------------------------- text forms

    def show(self, state: State) -> str:
        """`total=12`, with the phase where the player is not deciding."""
        text = f"total={state.total}"
        return text if state.phase == DECIDING else f"{text} phase={PHASES[state.phase]}"

    def parse(self, text: str) -> State:
        """The state in the form of `show`."""
        form = text
        for number, word in enumerate(PHASES):
            form = form.replace(f"phase={word}", f"phase={number}")
        state = self.State(*super().parse(form if "phase=" in form else f"{form} phase={DECIDING}"))
        if not DECIDING <= state.phase <= OVER:
            raise PositionError(f"no such position: {text}", found=f"phase {state.phase}", allowed=", ".join(PHASES))
        if state.phase == ROLLING and state.total > self.enough:
            raise PositionError(f"no such position: {text}", allowed=f"total up to {self.enough} while the die rolls")
        return state

    def show_move(self, state: State, move: int) -> str:
        """`roll`, `hold`, or the face thrown."""
        return str(move) if state.phase == ROLLING else ("roll", "hold")[move]

    def draw(self, state: State) -> str:
        """The turn total and what happens next."""
        if state.phase == OVER:
            return f"turn over with {state.total}"
        after = "to roll or hold" if state.phase == DECIDING else "the die in the air"
        return f"turn total {state.total}, {after} (a {self.bust} busts)"
