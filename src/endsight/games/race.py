"""Races of two who collect points turn by turn, and may lose those of the turn: the family of Pig.

For the rules of such games. What is thrown, and what a throw brings, the rules themselves
say in `throws` and `after_throw`; the scores, the pot, the turns and how all that is
written are the same for all of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar, NamedTuple

import endsight.board as kit
from endsight.base.faults import ParameterError, PositionError
from endsight.game import CHANCE, Game
from endsight.games.pictures.throws import choices, thrown

ROLL, HOLD = 0, 1
FACES = 6
# The total at which `hold20` holds.
ENOUGH = 20


class Race(Game):
    """Two players race to `target` points; `hold` puts the pot on the score of the player on turn.

    The last field of a state may have another name.
    """

    players = 2
    target: int = 100

    throws: ClassVar[tuple[int, ...]] = tuple(range(1, FACES + 1))
    """What can be thrown."""
    throw: ClassVar[str] = "roll"
    """The move that throws."""
    thrown: ClassVar[str] = "the die"
    """What is in the air then."""

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
            raise ParameterError(
                f"{self.name}: target must be at least 1", found=str(self.target), allowed="1, 2, 3, ..."
            )

    def limits(self) -> Any:
        """The largest value of every field."""
        return self.State(self.target, self.target, self.target, 1, 1)

    def start(self) -> Any:
        """Nobody has anything; the first player is to throw."""
        return self.State(0, 0, 0, 0, 0)

    def to_move(self, state: Any) -> int:
        """Chance while something is in the air, else the player on turn."""
        return CHANCE if state[-1] == 1 else state.turn

    def moves(self, state: Any) -> Iterator[int]:
        """The throw where the pot does not win yet, `hold` where there is a pot; in the air all that can be thrown."""
        if state[-1] == 1:
            yield from self.throws
        elif not self.is_won(state):
            if self.own(state) + state.pot < self.target:
                yield ROLL
            if state.pot > 0:
                yield HOLD

    def play(self, state: Any, move: int) -> Any:
        """Throw, bank the pot, or count what was thrown."""
        if state[-1] == 1:
            return self.after_throw(state, move)
        if move == HOLD:
            return self.after_hold(state)
        return self.State(state.first, state.second, state.pot, state.turn, 1)

    def after_throw(self, state: Any, throw: int) -> Any:
        """What a throw does."""
        raise NotImplementedError

    def hold_at(self, state: Any, total: int) -> int:
        """The move of who holds at that total, or where that wins."""
        return HOLD if state.pot >= min(total, self.target - self.own(state)) else ROLL

    def own(self, state: Any) -> int:
        """Score of the player on turn."""
        return state.first if state.turn == 0 else state.second  # type: ignore[no-any-return]

    def is_won(self, state: Any) -> bool:
        """Whether a player has the target."""
        return state.first >= self.target or state.second >= self.target  # type: ignore[no-any-return]

    def after_hold(self, state: Any) -> Any:
        """The pot goes to the score, the turn to the other."""
        first = state.first + state.pot * (1 - state.turn)
        second = state.second + state.pot * state.turn
        return self.State(first, second, 0, 1 - state.turn, 0)

    def after_loss(self, state: Any) -> Any:
        """The pot is lost, the turn goes to the other."""
        return self.State(state.first, state.second, 0, 1 - state.turn, 0)

    def after_gain(self, state: Any, points: int) -> Any:
        """Points go into the pot, up to what the player on turn still lacks."""
        pot = min(state.pot + points, self.target - self.own(state))
        return self.State(state.first, state.second, pot, state.turn, 0)

    def payoff(self, state: Any) -> tuple[int, int]:
        """1 for the player who has the target, -1 for the other."""
        return (1, -1) if state.first >= self.target else (-1, 1)

    # ---------------------------------------------------------------- text forms

    def show(self, state: Any) -> str:
        """`first=34 second=51 pot=12 turn=first`, and `rolling=yes` while the die rolls."""
        text = f"first={state.first} second={state.second} pot={state.pot} turn={self.player_names[state.turn]}"
        return f"{text} {self.State._fields[-1]}=yes" if state[-1] else text

    def parse(self, text: str) -> Any:
        """The state in the form of `show`."""
        air, form = self.State._fields[-1], text
        for field, words in (("turn", self.player_names), (air, ("no", "yes"))):
            for number, word in enumerate(words):
                form = form.replace(f"{field}={word}", f"{field}={number}")
        state = self.State(*super().parse(form if f"{air}=" in form else f"{form} {air}=0"))
        if not (0 <= state.turn <= 1 and 0 <= state[-1] <= 1):
            raise PositionError(f"no such position: {text}", allowed=f"turn=first, turn=second; {air}=no, {air}=yes")
        self._check(text, state)
        return state

    def _check(self, text: str, state: Any) -> None:
        over = self.is_won(state)
        if over and (state.pot or state[-1] or min(state.first, state.second) >= self.target):
            raise PositionError(
                f"no such position: {text}", found="the game is over", allowed="one player at the target, pot=0"
            )
        # Nobody throws who can win by holding.
        most = self.target - self.own(state) - state[-1]
        if not over and state.pot > most:
            raise PositionError(
                f"no such position: {text}", found=f"pot is {state.pot}", allowed=f"at most {most}: what is lacking"
            )

    def show_move(self, state: Any, move: int) -> str:
        """The move, or the face thrown."""
        return str(move) if state[-1] else (self.throw, "hold")[move]

    def draw(self, state: Any) -> str:
        """Both scores, and the pot beside the player on turn."""
        width = len(str(self.target))
        rows = []
        for player, score in enumerate((state.first, state.second)):
            row = f"{self.player_names[player]:<7} {score:>{width}} of {self.target}"
            if self.is_won(state):
                row += "  won" if score >= self.target else ""
            elif player == state.turn:
                row += f"  pot {state.pot}, " + (f"{self.thrown} in the air" if state[-1] else "on turn")
            rows.append(row)
        return "\n".join(rows)

    def in_air(self) -> kit.Piece:
        """What is thrown, before it lies."""
        return kit.die(None)

    def draw_after(self, state: Any, history: Sequence[str]) -> kit.Board:
        """The scores on a track, the pot, the last throw, and what can be done."""
        texts = [self.show_move(state, move) for move in self.moves(state)]
        name = self.player_names[state.turn].capitalize()
        winner = self.player_names[0 if state.first >= self.target else 1].capitalize()
        label = f"{winner} has won" if self.is_won(state) else f"{name} is to throw" if state[-1] else f"{name} decides"
        throw = thrown(history, self.in_air() if state[-1] else None)
        table = [*throw, kit.Slot(kit.figure(state.pot, "in the pot"), 62), kit.Slot(kit.word(label, 16), 26)]
        parts: list[kit.Part] = [self.track(state), kit.Row(tuple(table), ground="well")]
        return kit.Board(self.title(), (*parts, *([choices(texts)] if texts else [])))

    def track(self, state: Any) -> kit.Scene:
        """Both scores on their way to the target."""
        pots = (state.pot, 0) if state.turn == 0 else (0, state.pot)
        players = [(kit.disc(player), state[player], pots[player]) for player in (0, 1)]
        title = f"Scores: first {state.first}, second {state.second}, of {self.target}"
        return kit.track(title, self.target, players)


class TwoDiceRace(Race):
    """A race with two six-sided dice; a throw is the number `10 * low + high`."""

    thrown = "the dice"
    throws = tuple(low * 10 + high for low in range(1, FACES + 1) for high in range(low, FACES + 1))

    def weight(self, state: Any, move: int) -> int:
        """Ways to throw the two faces with two dice."""
        return 1 if move % 11 == 0 else 2

    def policy_hold20(self, state: Any) -> int:
        """Hold at 20, or where that wins."""
        return self.hold_at(state, ENOUGH)

    def show_move(self, state: Any, move: int) -> str:
        """`roll`, `hold`, or the faces thrown, the lower first: `3-5`."""
        return f"{move // 10}-{move % 10}" if state.rolling else super().show_move(state, move)

    def in_air(self) -> kit.Piece:
        """Two dice, before they lie."""
        return kit.beside("Dice in the air", [kit.die(None), kit.die(None)], 6)
