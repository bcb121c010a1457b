"""Morra: show fingers, and guess how many the other shows."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import ClassVar, NamedTuple

import endsight.board as kit
from endsight.base.faults import ParameterError
from endsight.game import Game
from endsight.games.pictures.cards import joint

MOST_FINGERS = 10


class Morra(Game):
    """Two players show fingers at once, and each guesses how many the other shows.

    Each shows 1 to `fingers`. If one guesses right and the other does not, the other pays
    as much as both show together. If both are right, or both wrong, nobody pays.

    A move is written `SHOWN/GUESSED` for each player, the first player's part before the
    second's: `1/2-3/1`. A position in one line is what both have shown and guessed, with
    0 before they have moved: `shown=1-3 guessed=2-1`.
    """

    players: ClassVar[int] = 2

    fingers: int = 3

    class State(NamedTuple):
        """Fingers shown, and guesses, of the first player and of the second; 0 before the moves."""

        shown: tuple[int, int]
        guessed: tuple[int, int]

    def setup(self) -> None:
        if not 1 <= self.fingers <= MOST_FINGERS:
            allowed = f"1 to {MOST_FINGERS}"
            raise ParameterError("morra: fingers is out of range", found=str(self.fingers), allowed=allowed)

    def limits(self) -> State:
        return self.State((self.fingers, self.fingers), (self.fingers, self.fingers))

    def start(self) -> State:
        return self.State((0, 0), (0, 0))

    def to_move(self, state: State) -> tuple[int, int]:
        return (0, 1)

    def moves(self, state: State) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
        if state.shown == (0, 0):
            own = list(product(range(1, self.fingers + 1), repeat=2))
            yield from product(own, own)

    def play(self, state: State, move: tuple[tuple[int, int], tuple[int, int]]) -> State:
        (shown, guessed), (other, other_guessed) = move
        return self.State((shown, other), (guessed, other_guessed))

    def payoff(self, state: State) -> tuple[int, int]:
        (first, second), (guess, other_guess) = state
        gain = ((guess == second) - (other_guess == first)) * (first + second)
        return (gain, -gain)

    def show_move(self, state: State, move: tuple[tuple[int, int], tuple[int, int]]) -> str:
        return "-".join(f"{shown}/{guessed}" for shown, guessed in move)

    def draw(self, state: State) -> str:
        if state.shown == (0, 0):
            return "both are to move"
        rows = zip(("first", "second"), state.shown, state.guessed, strict=True)
        return "\n".join(f"{name} shows {shown} and guesses {guessed}" for name, shown, guessed in rows)

    def draw_board(self, state: State) -> kit.Board:
        """What both show and guess; before that all that they may do, as a table."""
        if state.shown == (0, 0):
            own = [f"{shown}/{guess}" for shown in range(1, self.fingers + 1) for guess in range(1, self.fingers + 1)]
            choices = [(text, kit.tile(text, f"shows {text[0]}, guesses {text[-1]}")) for text in own]
            tables = joint("Shown/guessed: first's down, second's across", choices, choices)
            return kit.Board("Morra", tuple(tables) or (kit.Panel(self.draw(state)),))
        rows = []
        for player, (count, guess) in enumerate(zip(*state, strict=True)):
            label = kit.Slot(kit.figure(count, "shown"), 62), kit.Slot(kit.figure(guess, "guessed"), 62)
            rows.append(kit.Row((kit.Slot(kit.disc(player), 44), *label), ground="well"))
        return kit.Board("Morra", tuple(rows))
