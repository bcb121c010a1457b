"""Pig: the race of two players with one die, who may push their luck."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, NamedTuple

from endsight.game import CHANCE
from endsight.games.race import ENOUGH, FACES, HOLD, ROLL, Race

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

    name: ClassVar[str] = "pig"
    target: int = 100

    class State(NamedTuple):
        """Scores of the first and the second player, the pot, whose turn (0, 1), die in the air (0, 1)."""

        first: int
        second: int
        pot: int
        turn: int
        rolling: int

    def to_move(self, state: State) -> int:
        """The die while it rolls, else the player on turn."""
        return CHANCE if state.rolling == 1 else state.turn

    def moves(self, state: State) -> Iterator[int]:
        """`roll` where the pot does not win yet, `hold` where there is a pot; every face while the die rolls."""
        if state.rolling == 1:
            yield from range(1, FACES + 1)
        elif not self.is_won(state):
            if self.own(state) + state.pot < self.target:
                yield ROLL
            if state.pot > 0:
                yield HOLD

    def play(self, state: State, move: int) -> State:
        """Throw, bank the pot, or add the face thrown."""
        if state.rolling == 1:
            if move == BAD_FACE:
                return self.after_loss(state)
            return self.after_gain(state, move)
        if move == HOLD:
            return self.after_hold(state)
        return self.State(state.first, state.second, state.pot, state.turn, 1)

    def policy_hold20(self, state: State) -> int:
        """Hold at 20, or where that wins."""
        return HOLD if state.pot >= min(ENOUGH, self.target - self.own(state)) else ROLL
