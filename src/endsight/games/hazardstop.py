"""Roll and add up, or stop before one of several bad faces comes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, NamedTuple

from endsight.faults import ParameterError, PositionError
from endsight.game import CHANCE, Game

DECIDING, ROLLING, OVER = 0, 1, 2
PHASES = ("deciding", "rolling", "over")
ROLL, STOP = 0, 1


class HazardStop(Game):
    """Roll a die with several bad faces, for the largest expected total.

    One player throws a die with faces 1 to `sides` as often as wanted. Every face is
    added to the total, but each of the faces `busts` ends the game with nothing. `stop`
    ends it with the total; the first action is always `roll`.

    Totals have no bound in these rules. Once the total times the number of bad faces is
    more than the sum of the good ones, a throw loses more than it gains on average, and
    so does every later one: beyond that only `stop` is offered.
    """

    name: ClassVar[str] = "hazardstop"
    players = 1
    sides: int = 6
    busts: tuple[int, ...] = (1, 2)

    class State(NamedTuple):
        """Total (0 after a bust) and one of `PHASES`."""

        total: int
        phase: int

    def setup(self) -> None:
        """Check the parameters; find the total from which on stopping is best."""
        if self.sides < 1:
            raise ParameterError("hazardstop: sides must be at least 1", found=str(self.sides), allowed="1, 2, 3, ...")
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
        """`roll` while it may pay, `stop` once there is a total; every face while the die rolls."""
        if state.phase == DECIDING:
            if state.total <= self.enough:
                yield ROLL
            if state.total > 0:
                yield STOP
        elif state.phase == ROLLING:
            yield from range(1, self.sides + 1)

    def play(self, state: State, move: int) -> State:
        """Throw, stop, or add the face thrown."""
        if state.phase == DECIDING:
            return self.State(state.total, ROLLING if move == ROLL else OVER)
        if self.bad >> move & 1:
            return self.State(0, OVER)
        return self.State(state.total + move, DECIDING)

    def payoff(self, state: State) -> int:
        """The total."""
        return state.total

    def policy_myopic(self, state: State) -> int:
        """Roll only where one more throw raises the expectation."""
        return ROLL if state.total * self.count < self.good or state.total == 0 else STOP

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
        """`roll`, `stop`, or the face thrown."""
        return str(move) if state.phase == ROLLING else ("roll", "stop")[move]

    def draw(self, state: State) -> str:
        """The total and what happens next."""
        if state.phase == OVER:
            return f"over with {state.total}"
        after = "to roll or stop" if state.phase == DECIDING else "the die in the air"
        return f"total {state.total}, {after} ({', '.join(map(str, self.busts))} of {self.sides} bust)"
