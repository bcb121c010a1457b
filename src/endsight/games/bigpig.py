"""Big Pig: Pig with two dice, where doubles bring twice as much."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, NamedTuple

from endsight.errors import ParameterError, PositionError
from endsight.game import CHANCE, Game

ROLL, HOLD = 0, 1
FACES = 6
# What two 1s bring, and the total at which `hold20` holds.
TWO_ONES = 25
ENOUGH = 20


class BigPig(Game):
    """Big Pig, a race with two dice.

    Two players race to `target` points. The player on turn throws two six-sided dice as
    often as wanted. A throw without a 1 puts its sum into the pot, and twice its sum
    where both dice are equal; two 1s put 25 there. One 1 alone loses the pot and ends
    the turn. `hold` adds the pot to the player's score and ends the turn. The first to
    have `target` points on the score wins 1; the other loses 1.

    There is nothing to hold in an empty pot, so `roll` is the only move there; and
    where holding wins, `hold` is. The pot counts up to what the player still lacks.
    """

    name: ClassVar[str] = "bigpig"
    players = 2
    target: int = 100

    class State(NamedTuple):
        """Scores of the first and the second player, the pot, whose turn (0, 1), dice in the air (0, 1)."""

        first: int
        second: int
        pot: int
        turn: int
        rolling: int

    def setup(self) -> None:
        """Check the target."""
        if self.target < 1:
            raise ParameterError("bigpig: target must be at least 1", found=str(self.target), allowed="1, 2, 3, ...")

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
        """The dice while they roll, else the player on turn."""
        return CHANCE if state.rolling == 1 else state.turn

    def moves(self, state: State) -> Iterator[int]:
        """`roll` where the pot does not win yet, `hold` where there is a pot; every throw while the dice roll."""
        if state.rolling == 1:
            for low in range(1, FACES + 1):
                for high in range(low, FACES + 1):
                    yield low * 10 + high
        elif state.first < self.target and state.second < self.target:
            if self.own(state) + state.pot < self.target:
                yield ROLL
            if state.pot > 0:
                yield HOLD

    def weight(self, state: State, move: int) -> int:
        """Ways to throw the two faces with two dice."""
        return 1 if move % 11 == 0 else 2

    def gain(self, low: int, high: int) -> int:
        """What two faces bring; 0 where they lose the pot."""
        if low == high:
            return TWO_ONES if low == 1 else 4 * low
        return 0 if low == 1 else low + high

    def play(self, state: State, move: int) -> State:
        """Throw, bank the pot, or count the two faces thrown."""
        if state.rolling == 1:
            gain = self.gain(move // 10, move % 10)
            if gain == 0:
                return self.State(state.first, state.second, 0, 1 - state.turn, 0)
            pot = min(state.pot + gain, self.target - self.own(state))
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
        """`first=34 second=51 pot=12 turn=first`, and `rolling=yes` while the dice roll."""
        text = f"first={state.first} second={state.second} pot={state.pot} turn={self.player_names[state.turn]}"
        return f"{text} rolling=yes" if state.rolling else text

    def parse(self, text: str) -> State:
        """The state in the form of `show`."""
        form = text
        for field, words in (("turn", self.player_names), ("rolling", ("no", "yes"))):
            for number, word in enumerate(words):
                form = form.replace(f"{field}={word}", f"{field}={number}")
        state = self.State(*super().parse(form if "rolling=" in form else f"{form} rolling=0"))
        if not (0 <= state.turn <= 1 and 0 <= state.rolling <= 1):
            raise PositionError(f"no such position: {text}", allowed="turn=first, turn=second; rolling=no, rolling=yes")
        over = max(state.first, state.second) >= self.target
        if over and (state.pot or state.rolling or min(state.first, state.second) >= self.target):
            raise PositionError(
                f"no such position: {text}", found="the game is over", allowed="one player at the target, pot=0"
            )
        lacks = self.target - self.own(state)
        if not over and state.pot > lacks - state.rolling:
            raise PositionError(
                f"no such position: {text}", found=f"pot is {state.pot}", allowed=f"at most {lacks - state.rolling}"
            )
        return state

    def show_move(self, state: State, move: int) -> str:
        """`roll`, `hold`, or the faces thrown, the lower first: `3-5`."""
        return f"{move // 10}-{move % 10}" if state.rolling else ("roll", "hold")[move]

    def draw(self, state: State) -> str:
        """Both scores, and the pot beside the player on turn."""
        width = len(str(self.target))
        rows = []
        for player, score in enumerate((state.first, state.second)):
            row = f"{self.player_names[player]:<7} {score:>{width}} of {self.target}"
            if max(state.first, state.second) >= self.target:
                row += "  won" if score >= self.target else ""
            elif player == state.turn:
                row += f"  pot {state.pot}, " + ("the dice in the air" if state.rolling else "on turn")
            rows.append(row)
        return "\n".join(rows)
