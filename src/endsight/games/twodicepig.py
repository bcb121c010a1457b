"""Two-dice Pig: two 1s lose everything that a player has."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, NamedTuple

from endsight.game import CHANCE
from endsight.games.race import Race

ROLL, HOLD = 0, 1
FACES = 6
# The face that loses, and the total at which `hold20` holds.
BAD_FACE = 1
ENOUGH = 20


class TwoDicePig(Race):
    """Two-dice Pig, a race in which scores can be lost.

    Two players race to `target` points. The player on turn throws two six-sided dice as
    often as wanted. A throw without a 1 puts its sum into the pot. One 1 loses the pot
    and ends the turn; two 1s lose the player's whole score as well. `hold` adds the pot
    to the score and ends the turn. The first to have `target` points on the score wins
    1; the other loses 1.

    There is nothing to hold in an empty pot, so `roll` is the only move there; and
    where holding wins, `hold` is. The pot counts up to what the player still lacks.
    """

    name: ClassVar[str] = "twodicepig"
    thrown = "the dice"
    target: int = 100

    class State(NamedTuple):
        """Scores of the first and the second player, the pot, whose turn (0, 1), dice in the air (0, 1)."""

        first: int
        second: int
        pot: int
        turn: int
        rolling: int

    def to_move(self, state: State) -> int:
        """The dice while they roll, else the player on turn."""
        return CHANCE if state.rolling == 1 else state.turn

    def moves(self, state: State) -> Iterator[int]:
        """`roll` where the pot does not win yet, `hold` where there is a pot; every throw while the dice roll."""
        if state.rolling == 1:
            for low in range(1, FACES + 1):
                for high in range(low, FACES + 1):
                    yield low * 10 + high
        elif not self.is_won(state):
            if self.own(state) + state.pot < self.target:
                yield ROLL
            if state.pot > 0:
                yield HOLD

    def weight(self, state: State, move: int) -> int:
        """Ways to throw the two faces with two dice."""
        return 1 if move % 11 == 0 else 2

    def play(self, state: State, move: int) -> State:
        """Throw, bank the pot, or count the two faces thrown."""
        if state.rolling == 1:
            low, high = move // 10, move % 10
            if low == BAD_FACE:
                kept = 0 if high == BAD_FACE else self.own(state)
                if state.turn == 0:
                    return self.State(kept, state.second, 0, 1, 0)
                return self.State(state.first, kept, 0, 0, 0)
            return self.after_gain(state, low + high)
        if move == HOLD:
            return self.after_hold(state)
        return self.State(state.first, state.second, state.pot, state.turn, 1)

    def policy_hold20(self, state: State) -> int:
        """Hold at 20, or where that wins."""
        return HOLD if state.pot >= min(ENOUGH, self.target - self.own(state)) else ROLL

    def show_move(self, state: State, move: int) -> str:
        """`roll`, `hold`, or the faces thrown, the lower first: `3-5`."""
        return f"{move // 10}-{move % 10}" if state.rolling else super().show_move(state, move)
