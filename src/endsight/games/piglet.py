"""Piglet: Pig with a coin instead of a die."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, NamedTuple

from endsight.errors import ParameterError, PositionError
from endsight.game import CHANCE, Game

FLIP, HOLD = 0, 1
TAILS, HEADS = 0, 1


class Piglet(Game):
    """Piglet, a race with a coin.

    Two players race to `target` points. The player on turn flips a coin as often as
    wanted: heads put a point into the pot, tails lose the pot and end the turn. `hold`
    adds the pot to the player's score and ends the turn. The first to have `target`
    points on the score wins 1; the other loses 1.

    There is nothing to hold in an empty pot, so `flip` is the only move there; and where
    holding wins, `hold` is. From T. Neller and C. Presser, "Optimal play of the dice game
    Pig" (UMAP Journal 25, 2004).
    """

    name: ClassVar[str] = "piglet"
    players = 2
    target: int = 10

    class State(NamedTuple):
        """Scores of the first and the second player, the pot, whose turn (0, 1), coin in the air (0, 1)."""

        first: int
        second: int
        pot: int
        turn: int
        flying: int

    def setup(self) -> None:
        """Check the target."""
        if self.target < 1:
            raise ParameterError("piglet: target must be at least 1", found=str(self.target), allowed="1, 2, 3, ...")

    def limits(self) -> State:
        """The largest value of every field."""
        return self.State(self.target, self.target, self.target, 1, 1)

    def start(self) -> State:
        """Nobody has anything; the first player is to flip."""
        return self.State(0, 0, 0, 0, 0)

    def own(self, state: State) -> int:
        """Score of the player on turn."""
        return state.first if state.turn == 0 else state.second

    def to_move(self, state: State) -> int:
        """The coin while it flies, else the player on turn."""
        return CHANCE if state.flying == 1 else state.turn

    def moves(self, state: State) -> Iterator[int]:
        """`flip` where the pot does not win yet, `hold` where there is a pot; both sides while the coin flies."""
        if state.flying == 1:
            yield TAILS
            yield HEADS
        elif state.first < self.target and state.second < self.target:
            if self.own(state) + state.pot < self.target:
                yield FLIP
            if state.pot > 0:
                yield HOLD

    def play(self, state: State, move: int) -> State:
        """Flip, bank the pot, or count the side that came up."""
        if state.flying == 1:
            if move == TAILS:
                return self.State(state.first, state.second, 0, 1 - state.turn, 0)
            return self.State(state.first, state.second, state.pot + 1, state.turn, 0)
        if move == FLIP:
            return self.State(state.first, state.second, state.pot, state.turn, 1)
        if state.turn == 0:
            return self.State(state.first + state.pot, state.second, 0, 1, 0)
        return self.State(state.first, state.second + state.pot, 0, 0, 0)

    def payoff(self, state: State) -> tuple[int, int]:
        """1 for the player who has the target, -1 for the other."""
        return (1, -1) if state.first >= self.target else (-1, 1)

    def policy_hold2(self, state: State) -> int:
        """Hold at 2, or where that wins."""
        return HOLD if state.pot >= min(2, self.target - self.own(state)) else FLIP

    # ---------------------------------------------------------------- text forms

    def show(self, state: State) -> str:
        """`first=3 second=5 pot=1 turn=first`, and `flying=yes` while the coin flies."""
        text = f"first={state.first} second={state.second} pot={state.pot} turn={self.player_names[state.turn]}"
        return f"{text} flying=yes" if state.flying else text

    def parse(self, text: str) -> State:
        """The state in the form of `show`."""
        form = text
        for field, words in (("turn", self.player_names), ("flying", ("no", "yes"))):
            for number, word in enumerate(words):
                form = form.replace(f"{field}={word}", f"{field}={number}")
        state = self.State(*super().parse(form if "flying=" in form else f"{form} flying=0"))
        if not (0 <= state.turn <= 1 and 0 <= state.flying <= 1):
            raise PositionError(f"no such position: {text}", allowed="turn=first, turn=second; flying=no, flying=yes")
        over = max(state.first, state.second) >= self.target
        if over and (state.pot or state.flying or min(state.first, state.second) >= self.target):
            raise PositionError(
                f"no such position: {text}", found="the game is over", allowed="one player at the target, pot=0"
            )
        lacks = self.target - self.own(state)
        if not over and state.pot > lacks - state.flying:
            raise PositionError(
                f"no such position: {text}", found=f"pot is {state.pot}", allowed=f"at most {lacks - state.flying}"
            )
        return state

    def show_move(self, state: State, move: int) -> str:
        """`flip`, `hold`, or the side that came up."""
        return (("tails", "heads") if state.flying else ("flip", "hold"))[move]

    def draw(self, state: State) -> str:
        """Both scores, and the pot beside the player on turn."""
        width = len(str(self.target))
        rows = []
        for player, score in enumerate((state.first, state.second)):
            row = f"{self.player_names[player]:<7} {score:>{width}} of {self.target}"
            if max(state.first, state.second) >= self.target:
                row += "  won" if score >= self.target else ""
            elif player == state.turn:
                row += f"  pot {state.pot}, " + ("the coin in the air" if state.flying else "on turn")
            rows.append(row)
        return "\n".join(rows)
