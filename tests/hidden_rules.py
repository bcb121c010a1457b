"""Naive rules of games in which all players see the same: dice are dice, cards are cards, and `sees` hides the rest."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any, ClassVar, NamedTuple

from endsight import CHANCE, Game

FACES = ("", "rock", "paper", "scissors")


class NaiveBag(Game):
    """Rock, paper, scissors against dice that leave a bag unseen; only the face is seen."""

    players: ClassVar[int] = 1
    dice: tuple[tuple[int, ...], ...] = ((1, 2, 3), (4, 5, 6), (2, 2, 2))

    class State(NamedTuple):
        """Dice that are gone (a bit set), the gesture shown, the die in the air, and the face it showed."""

        gone: int
        gesture: int
        drawn: int
        face: int

    def limits(self) -> State:
        return self.State((1 << len(self.dice)) - 1, 3, len(self.dice), 3)

    def start(self) -> State:
        return self.State(0, 0, 0, 0)

    def to_move(self, state: State) -> int:
        return CHANCE if state.gesture and not state.face else 0

    def moves(self, state: State) -> Iterator[int]:
        if state.gesture == 0 or state.face:
            if state.gone < (1 << len(self.dice)) - 1:
                yield from (1, 2, 3)
        elif state.drawn == 0:
            yield from (die + 1 for die in range(len(self.dice)) if not state.gone >> die & 1)
        else:
            yield from (face for face in (1, 2, 3) if self.dice[state.drawn - 1][face - 1])

    def weight(self, state: State, move: int) -> int:
        return self.dice[state.drawn - 1][move - 1] if state.drawn else 1

    def play(self, state: State, move: int) -> State:
        if state.gesture == 0 or state.face:
            return self.State(state.gone, move, 0, 0)
        if state.drawn == 0:
            return state._replace(drawn=move)
        return self.State(state.gone | 1 << state.drawn - 1, state.gesture, 0, move)

    def reward(self, state: State, move: int) -> int:
        return self.points(state.gesture, move) if state.drawn else 0

    def points(self, gesture: int, face: int) -> int:
        """What a gesture brings against a face."""
        return 1 if gesture == face else 3 if (gesture - face) % 3 == 1 else 0

    def payoff(self, state: State) -> int:
        return 0

    def sees(self, state: State, player: int) -> tuple[int, int]:
        return (state.gesture, state.face)

    def show_move(self, state: State, move: int) -> str:
        return f"die{move}" if self.to_move(state) == CHANCE and not state.drawn else FACES[move]


class BlindBag(NaiveBag):
    """The same where points are counted in the state, unseen, and paid at the end."""

    class State(NamedTuple):
        """As before, with the points so far."""

        gone: int
        gesture: int
        drawn: int
        face: int
        points: int

    def limits(self) -> Any:
        return self.State((1 << len(self.dice)) - 1, 3, len(self.dice), 3, 3 * len(self.dice))

    def start(self) -> Any:
        return self.State(0, 0, 0, 0, 0)

    def play(self, state: Any, move: int) -> Any:
        if state.gesture == 0 or state.face:
            return self.State(state.gone, move, 0, 0, state.points)
        if state.drawn == 0:
            return state._replace(drawn=move)
        gained = self.points(state.gesture, move)
        return self.State(state.gone | 1 << state.drawn - 1, state.gesture, 0, move, state.points + gained)

    def reward(self, state: Any, move: int) -> int:
        return 0

    def payoff(self, state: Any) -> int:
        return int(state.points)


class NaiveHighCard(Game):
    """Cards against an order that is shuffled first; 0 in `rival` is a card that is not known."""

    players: ClassVar[int] = 1
    hand: tuple[int, ...] = (1, 3, 5, 7)
    rival: tuple[int, ...] = (8, 0, 4, 0)

    class State(NamedTuple):
        """The unknown cards in their order as one number, our hand as a bit set, turns and cards won."""

        order: int
        hand: int
        laid: int
        won: int

    def setup(self) -> None:
        self.turns = len(self.hand)
        self.base = 2 * self.turns + 1
        self.unknown = sorted(set(range(1, self.base)) - set(self.hand) - set(self.rival))

    def limits(self) -> State:
        return self.State(self.base ** len(self.unknown), (1 << self.turns) - 1, self.turns, self.turns)

    def start(self) -> State:
        return self.State(0, (1 << self.turns) - 1, 0, 0)

    def dealt(self, order: int) -> list[int]:
        """The cards that have their place, the first first."""
        cards = []
        while order:
            cards.append(order % self.base)
            order //= self.base
        return cards

    def to_move(self, state: State) -> int:
        return CHANCE if len(self.dealt(state.order)) < len(self.unknown) else 0

    def moves(self, state: State) -> Iterator[int]:
        dealt = self.dealt(state.order)
        if len(dealt) < len(self.unknown):
            yield from (card for card in self.unknown if card not in dealt)
        elif state.laid < self.turns:
            yield from (card for place, card in enumerate(self.hand) if state.hand >> place & 1)

    def play(self, state: State, move: int) -> State:
        dealt = self.dealt(state.order)
        if len(dealt) < len(self.unknown):
            return state._replace(order=state.order + move * self.base ** len(dealt))
        theirs = self.rival[state.laid] or dealt[self.rival[: state.laid].count(0)]
        left = state.hand & ~(1 << self.hand.index(move))
        return state._replace(hand=left, laid=state.laid + 1, won=state.won + (move > theirs))

    def payoff(self, state: State) -> int:
        return state.won

    def par(self) -> Fraction:
        """Half of the turns."""
        return Fraction(self.turns, 2)

    def sees(self, state: State, player: int) -> tuple[int, int]:
        return (state.hand, state.laid)


class NaivePots(Game):
    """Pots that are all filled first; both players see the two ends alone."""

    players: ClassVar[int] = 2
    count: int = 4
    most: int = 3

    class State(NamedTuple):
        """The pots as digits of one number, how many are filled, the ends of the line, and whose turn it is."""

        pots: int
        filled: int
        left: int
        right: int
        turn: int

    def limits(self) -> State:
        return self.State((self.most + 1) ** self.count, self.count, self.count, self.count, 1)

    def start(self) -> State:
        return self.State(0, 0, 0, self.count, 0)

    def pot(self, state: State, place: int) -> int:
        """The gold in a pot."""
        return state.pots // (self.most + 1) ** place % (self.most + 1)

    def to_move(self, state: State) -> int:
        return CHANCE if state.filled < self.count else state.turn

    def moves(self, state: State) -> Iterator[str]:
        if state.filled < self.count:
            yield from map(str, range(1, self.most + 1))
        elif state.left < state.right:
            yield "L"
            if state.left < state.right - 1:
                yield "R"

    def play(self, state: State, move: str) -> State:
        if state.filled < self.count:
            pots = state.pots + int(move) * (self.most + 1) ** state.filled
            return state._replace(pots=pots, filled=state.filled + 1)
        left, right = state.left + (move == "L"), state.right - (move == "R")
        return state._replace(left=left, right=right, turn=1 - state.turn)

    def reward(self, state: State, move: str) -> tuple[int, int]:
        if state.filled < self.count:
            return (0, 0)
        gold = self.pot(state, state.left if move == "L" else state.right - 1)
        return (gold, 0) if state.turn == 0 else (0, gold)

    def payoff(self, state: State) -> tuple[int, int]:
        return (0, 0)

    def sees(self, state: State, player: int) -> tuple[int, ...]:
        if state.filled < self.count or state.left == state.right:
            return (state.left, state.right)
        return (state.left, state.right, self.pot(state, state.left), self.pot(state, state.right - 1))
