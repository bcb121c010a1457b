"""Leduc poker: one card each, one for both, two rounds of bets."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import endsight.board as kit
from endsight.base.faults import ParameterError
from endsight.game import CHANCE, Game
from endsight.games.pictures.cards import poker_board

FOLD, CALL, RAISE = 0, 1, 2
NAMES, SIGNS = ("fold", "call", "raise"), ("f", "c", "r")
MOST_RAISES = 2
BEFORE, AFTER = 2, 4
"""What a raise puts on top, before the board card and after it."""


class Leduc(Game):
    """Leduc poker, with one card each, one on the board, and two rounds of bets.

    From F. Southey and others, "Bayes' Bluff: Opponent Modelling in Poker" (2005). There are `suits`
    cards of each of the ranks 1 to `ranks`, and equal ranks are alike. Both players put 1
    into the pot and are dealt a card, which the other does not see. In a round the first
    player begins, and they take turns to `call` (put in what the other has put in, if
    that is more), `raise` (call, and put 2 on top) or, when facing a raise, `fold`. A
    round has up to two raises and ends with a call, but not with one that opens it. Then
    a card is laid on the board, and a second round begins, in which raises are 4.

    A fold leaves the pot to the other player. After the second round a card that pairs
    the board wins, else the higher one; equal cards share the pot. What is paid is what a
    player wins or loses, without their own chips.

    A position in one line is the three cards, 0 before they are dealt, and what was said
    in each round, by first letters: `first=2 second=1 board=3 before=crc after=r`.
    """

    ranks: int = 3
    suits: int = 2

    class State(NamedTuple):
        """The cards, 0 before they are dealt, and the moves before and after the board card."""

        first: int
        second: int
        board: int
        before: str
        after: str

    def setup(self) -> None:
        if self.ranks < 1 or self.suits < 1 or self.ranks * self.suits < 3:
            found = f"ranks={self.ranks}, suits={self.suits}"
            raise ParameterError(f"{self.name}: a hand needs three cards", found=found, allowed="three cards or more")

    def limits(self) -> State:
        round_of_bets = ("fcr",) * (2 + MOST_RAISES)
        return self.State(self.ranks, self.ranks, self.ranks, round_of_bets, round_of_bets)  # type: ignore[arg-type]

    def start(self) -> State:
        return self.State(0, 0, 0, "", "")

    def to_move(self, state: State) -> int:
        if state.second == 0 or self.is_board_next(state):
            return CHANCE
        return len(state.after if state.board else state.before) % 2

    def is_board_next(self, state: State) -> bool:
        """Whether the first round has ended with a call, and the board is empty."""
        return state.board == 0 and len(state.before) > 1 and state.before[-1] == "c"

    def is_over(self, state: State) -> bool:
        """Whether a player has folded, or the second round has ended with a call."""
        return "f" in state.before or "f" in state.after or (len(state.after) > 1 and state.after[-1] == "c")

    def moves(self, state: State) -> Iterator[int]:
        if self.to_move(state) == CHANCE:
            for card in range(1, self.ranks + 1):
                if self.left(state, card) > 0:
                    yield card
        elif not self.is_over(state):
            said = state.after if state.board else state.before
            if said != "" and said[-1] == "r":
                yield FOLD
            yield CALL
            if said.count("r") < MOST_RAISES:
                yield RAISE

    def left(self, state: State, card: int) -> int:
        """How many cards of that rank have not been dealt."""
        return self.suits - (state.first == card) - (state.second == card)

    def weight(self, state: State, move: int) -> int:
        return self.left(state, move)

    def play(self, state: State, move: int) -> State:
        if state.first == 0:
            return state._replace(first=move)
        if state.second == 0:
            return state._replace(second=move)
        if self.is_board_next(state):
            return state._replace(board=move)
        if state.board == 0:
            return state._replace(before=state.before + SIGNS[move])
        return state._replace(after=state.after + SIGNS[move])

    def payoff(self, state: State) -> tuple[int, int]:
        stake = self.chips(state)
        if "f" in state.before:  # the last raise was not called
            return self.paid(stake - BEFORE, len(state.before) % 2)
        if "f" in state.after:
            return self.paid(stake - AFTER, len(state.after) % 2)
        if state.first == state.second:
            return (0, 0)
        is_first_best = state.second != state.board and (state.first == state.board or state.first > state.second)
        return self.paid(stake, 0 if is_first_best else 1)

    def chips(self, state: State) -> int:
        """What the player who has put in more has put in."""
        return 1 + BEFORE * state.before.count("r") + AFTER * state.after.count("r")

    def paid(self, stake: int, winner: int) -> tuple[int, int]:
        """The payoffs where that player wins so many chips of the other's."""
        return (-stake, stake) if winner else (stake, -stake)

    def sees(self, state: State, player: int) -> tuple[int, int, str, str]:
        return (state.second if player else state.first, state.board, state.before, state.after)

    def show_seen(self, seen: tuple[int, int, str, str], player: int) -> str:
        card, *rest = seen
        shown = [f"{name}={each}" for name, each in zip(self.State._fields[2:], rest, strict=True) if each]
        return " ".join([f"card={card}", *shown])

    def show_move(self, state: State, move: int) -> str:
        return str(move) if self.to_move(state) == CHANCE else NAMES[move]

    def draw(self, state: State) -> str:
        board = "" if state.before == "" else f"{'board':<6}  {state.board or '-'}\n"
        rounds = [[NAMES[SIGNS.index(sign)] for sign in said] for said in (state.before, state.after)]
        cards = f"first   {state.first or '-'}\nsecond  {state.second or '-'}"
        said = [
            f"{name:<6}  {' '.join(words)}" for name, words in zip(("before", "after"), rounds, strict=True) if words
        ]
        return board + "\n".join([cards, *said])

    def draw_board(self, state: State) -> kit.Board:
        """The cards, the chips, and what was said."""
        texts = [self.show_move(state, move) for move in self.moves(state)]
        dealt, moves = (texts, []) if self.to_move(state) == CHANCE else ([], texts)
        return self.pictured(state, state.board if state.second else None, dealt, moves)

    def draw_seen(self, seen: tuple[int, int, str, str], player: int) -> kit.Board:
        card, board, before, after = seen
        cards = (0, card) if player else (card, 0)
        state = self.State(*cards, board, before, after)
        return self.pictured(state, board if card else None, [], [])

    def pictured(self, state: State, shared: int | None, dealt: list[str], moves: list[str]) -> kit.Board:
        """The cards of both, 0 face down, the shared one, the chips, and what was said."""
        spoken = [(place % 2, sign) for said in (state.before, state.after) for place, sign in enumerate(said)]
        said = [[NAMES[SIGNS.index(sign)] for seat, sign in spoken if seat == player] for player in (0, 1)]
        cards = (state.first, state.second)
        return poker_board("Leduc poker", self.player_names, cards, self.put_in(state), said, shared, dealt, moves)

    def put_in(self, state: State) -> list[int]:
        """What each player has put into the pot."""
        chips = [1, 1]
        for said, size in ((state.before, BEFORE), (state.after, AFTER)):
            for place, sign in enumerate(said):
                if sign != "f":
                    chips[place % 2] = max(chips) + size * (sign == "r")
        return chips
