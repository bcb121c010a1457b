"""Kuhn poker: one card each, one bet."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import endsight.board as kit
from endsight.base.faults import ParameterError
from endsight.game import CHANCE, Game
from endsight.games.pictures.cards import poker_board

PASS, BET = 0, 1
NAMES, SIGNS = ("pass", "bet"), ("p", "b")
OPEN = ("", "p", "b", "pb")
"""What may have been said while the hand goes on."""


class Kuhn(Game):
    """Kuhn poker, with one card each and a single bet.

    From H. W. Kuhn, "A simplified two-person poker" (1950), with the cards 1 to `cards`.
    Both players put 1 into the pot and are dealt a card, which the other does not see. Then
    they take turns to `pass` or `bet`, which puts 1 more into the pot. Two passes, or two
    bets, and the higher card takes the pot; a pass after a bet leaves it to the player
    who bet.

    What is paid is what a player wins or loses, without their own chips.

    A position in one line is both cards, 0 before they are dealt, and what was said, by
    first letters: `first=2 second=3 said=pb`.
    """

    cards: int = 3

    class State(NamedTuple):
        """The cards, 0 before they are dealt, and the moves since."""

        first: int
        second: int
        said: str

    def setup(self) -> None:
        if self.cards < 2:
            raise ParameterError(f"{self.name}: two players need two cards", found=str(self.cards), allowed="2, 3, ...")

    def limits(self) -> State:
        return self.State(self.cards, self.cards, ("pb", "pb", "pb"))  # type: ignore[arg-type]

    def start(self) -> State:
        return self.State(0, 0, "")

    def to_move(self, state: State) -> int:
        return CHANCE if state.second == 0 else len(state.said) % 2

    def moves(self, state: State) -> Iterator[int]:
        if state.second == 0:
            for card in range(1, self.cards + 1):
                if card != state.first:
                    yield card
        elif state.said in OPEN:
            yield PASS
            yield BET

    def play(self, state: State, move: int) -> State:
        if state.first == 0:
            return self.State(move, 0, "")
        if state.second == 0:
            return self.State(state.first, move, "")
        return self.State(state.first, state.second, state.said + SIGNS[move])

    def payoff(self, state: State) -> tuple[int, int]:
        if state.said == "bp":
            return (1, -1)
        if state.said == "pbp":
            return (-1, 1)
        stake = 1 if state.said == "pp" else 2
        return (stake, -stake) if state.first > state.second else (-stake, stake)

    def sees(self, state: State, player: int) -> tuple[int, str]:
        return (state.second if player else state.first, state.said)

    def show_seen(self, seen: tuple[int, str], player: int) -> str:
        card, said = seen
        return f"card={card} said={said}" if said else f"card={card}"

    def show_move(self, state: State, move: int) -> str:
        return NAMES[move] if state.second else str(move)

    def draw(self, state: State) -> str:
        words = [NAMES[SIGNS.index(sign)] for sign in state.said]
        rows = []
        for player, card in enumerate((state.first, state.second)):
            chips = 1 + words[player::2].count("bet")
            row = f"{self.player_names[player]:<6}  card {card or '-':>{len(str(self.cards))}}  {chips} in the pot"
            rows.append("  ".join([row, *words[player::2]]))
        return "\n".join(rows)

    def draw_board(self, state: State) -> kit.Board:
        """Both cards, the chips, and what was said."""
        texts = [self.show_move(state, move) for move in self.moves(state)]
        dealt, moves = ([], texts) if state.second else (texts, [])
        return self.pictured((state.first, state.second), state.said, dealt, moves)

    def draw_seen(self, seen: tuple[int, str], player: int) -> kit.Board:
        card, said = seen
        return self.pictured((0, card) if player else (card, 0), said, [], [])

    def pictured(self, cards: tuple[int, int], said: str, dealt: list[str], moves: list[str]) -> kit.Board:
        """Cards, 0 face down, with the chips and what was said."""
        words = [NAMES[SIGNS.index(sign)] for sign in said]
        moves_by_player = (words[0::2], words[1::2])
        chips = [1 + each.count("bet") for each in moves_by_player]
        return poker_board("Kuhn poker", self.player_names, cards, chips, moves_by_player, None, dealt, moves)
