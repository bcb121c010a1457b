"""Pig: the race of two players with one die, who may push their luck."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, NamedTuple

from endsight.errors import ParameterError, PositionError
from endsight.game import CHANCE, Game

ROLL, HOLD = 0, 1
FACES = 6
# The face that loses the pot, and the total at which `hold20` holds.
BAD_FACE = 1
ENOUGH = 20


class Pig(Game):
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
    players = 2
    target: int = 100

    class State(NamedTuple):
        """Scores of the first and the second player, the pot, whose turn (0, 1), die in the air (0, 1)."""

        first: int
        second: int
        pot: int
        turn: int
        rolling: int

    def setup(self) -> None:
        """Check the target."""
        if self.target < 1:
            raise ParameterError("pig: target must be at least 1", found=str(self.target), allowed="1, 2, 3, ...")

    def limits(self) -> State:
        """The largest value of every field."""
        return self.State(self.target, self.target, self.target, 1, 1)

    def start(self) -> State:
        """Nobody has anything; the first player is to roll."""
        return self.State(0, 0, 0, 0, 0)

    def own(self, state: State) -> int:
        """Score of the player on turn."""
        return state.first if state.turn == 0 else state.second

    def to_move(self, state: State) -> int:
        """The die while it rolls, else the player on turn."""
        return CHANCE if state.rolling == 1 else state.turn

    def moves(self, state: State) -> Iterator[int]:
        """`roll` where the pot does not win yet, `hold` where there is a pot; every face while the die rolls."""
        if state.rolling == 1:
            yield from range(1, FACES + 1)
        elif state.first < self.target and state.second < self.target:
            if self.own(state) + state.pot < self.target:
                yield ROLL
            if state.pot > 0:
                yield HOLD

    def play(self, state: State, move: int) -> State:
        """Throw, bank the pot, or add the face thrown."""
        if state.rolling == 1:
            if move == BAD_FACE:
                return self.State(state.first, state.second, 0, 1 - state.turn, 0)
            pot = min(state.pot + move, self.target - self.own(state))
            return self.State(state.first, state.second, pot, state.turn, 0)
        if move == ROLL:
            return self.State(state.first, state.second, state.pot, state.turn, 1)
        if state.turn == 0:
            return self.State(state.first + state.pot, state.second, 0, 1, 0)
        return self.State(state.first, state.second + state.pot, 0, 0, 0)

    def payoff(self, state: State) -> tuple[int, int]:
        """1 for the player who has the target, -1 for the other."""
        return (1, -1) if state.first >= self.target else (-1, 1)

    def policy_hold20(self, state: State) -> int:
        """Hold at 20, or where that wins."""
        return HOLD if state.pot >= min(ENOUGH, self.target - self.own(state)) else ROLL

    # ---------------------------------------------------------------- text forms

    def show(self, state: State) -> str:
        """`first=34 second=51 pot=12 turn=first`, and `rolling=yes` while the die rolls."""
        text = f"first={state.first} second={state.second} pot={state.pot} turn={self.player_names[state.turn]}"
        return f"{text} rolling=yes" if state.rolling else text

    def parse(self, text: str) -> State:
        """The state in the form of `show`."""
        form = text
        for field, words in (("turn", self.player_names), ("rolling", ("no", "yes"))):
            for number, word in enumerate(words):
                form = form.replace(f"{field}={word}", f"{field}={number}")
        state = self.State(*super().parse(form if "rolling=" in form else f"{form} rolling=0"))
        self._check(text, state)
        return state

    def _check(self, text: str, state: State) -> None:
        if not (0 <= state.turn <= 1 and 0 <= state.rolling <= 1):
            raise PositionError(f"no such position: {text}", allowed="turn=first, turn=second; rolling=no, rolling=yes")
        over = max(state.first, state.second) >= self.target
        if over and (state.pot or state.rolling or min(state.first, state.second) >= self.target):
            raise PositionError(
                f"no such position: {text}", found="the game is over", allowed="one player at the target, pot=0"
            )
        if self.own(state) + state.pot > self.target:
            raise PositionError(
                f"no such position: {text}",
                found=f"pot is {state.pot}",
                allowed=f"at most {self.target - self.own(state)}, what the player on turn lacks",
            )
        if state.rolling and self.own(state) + state.pot == self.target:
            raise PositionError(f"no such position: {text}", found="a roll with a winning pot", allowed="rolling=no")

    def show_move(self, state: State, move: int) -> str:
        """`roll`, `hold`, or the face thrown."""
        return str(move) if state.rolling else ("roll", "hold")[move]

    def draw(self, state: State) -> str:
        """Both scores, and the pot beside the player on turn."""
        width = len(str(self.target))
        rows = []
        for player, score in enumerate((state.first, state.second)):
            row = f"{self.player_names[player]:<7} {score:>{width}} of {self.target}"
            if max(state.first, state.second) >= self.target:
                row += "  won" if score >= self.target else ""
            elif player == state.turn:
                row += f"  pot {state.pot}, " + ("the die in the air" if state.rolling else "on turn")
            rows.append(row)
        return "\n".join(rows)
