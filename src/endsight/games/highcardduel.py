"""High card against a rival who chooses their own order."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any, ClassVar, NamedTuple

import endsight.board as kit
from endsight.game import Game
from endsight.games.highcard import HighCard
from endsight.games.pictures.cards import MOST_JOINT, against, hand_of, joint


class HighCardDuel(Game):
    """Two players put cards into an order, and neither sees the other's.

    There are cards 1 to 2N, N on each side. `hand` holds the first player's cards;
    `rival` has the second player's card on each turn, `x` where it is not known. There
    the second player chooses one of the other cards, at once with the first player's card
    for that turn, and neither sees what the other has laid until all are laid. On every
    turn the higher card scores 1.

    In `highcard` the rival's unknown cards lie in random order. A rival who chooses the
    order cannot do better: the first player may lay the same cards on unknown turns in
    random order, and no order of the rival's scores more against that than another. So
    both games are worth the same.

    A move is a card; where both players lay one, both cards, the first player's first:
    `3-6`.

    A position in one line is what each player has laid so far: `ours=1-3 theirs=8-6`.
    """

    players: ClassVar[int] = 2

    hand: tuple[int, ...]
    rival: tuple[int | None, ...]

    class State(NamedTuple):
        """The cards that the first and the second player have laid, in order."""

        ours: tuple[int, ...]
        theirs: tuple[int, ...]

    def setup(self) -> None:
        cards = HighCard(hand=self.hand, rival=self.rival)  # refuses lists that do not fit
        self.rival, self.count, self.known = cards.rival, cards.count, cards.known
        self.cards, self.unknown = cards.cards, cards.unknown

    def limits(self) -> State:
        each = (2 * self.count,) * self.count
        return self.State(each, each)

    def start(self) -> State:
        return self.State((), ())

    def to_move(self, state: State) -> int | tuple[int, ...]:
        return 0 if self.is_over(state) or self.known[len(state.ours)] else (0, 1)

    def is_over(self, state: State) -> bool:
        """Whether all cards are laid."""
        return len(state.ours) == self.count

    def moves(self, state: State) -> Iterator[int | tuple[int, int]]:
        if not self.is_over(state):
            ours = [card for card in self.cards if card not in state.ours]
            if self.known[len(state.ours)]:
                yield from ours
            else:
                yield from product(ours, [card for card in self.unknown if card not in state.theirs])

    def play(self, state: State, move: Any) -> State:
        ours, theirs = move if isinstance(move, tuple) else (move, self.known[len(state.ours)])
        return self.State((*state.ours, ours), (*state.theirs, theirs))

    def payoff(self, state: State) -> tuple[int, int]:
        score = sum(ours > theirs for ours, theirs in zip(state.ours, state.theirs, strict=True))
        return (score, self.count - score)

    def sees(self, state: State, player: int) -> Any:
        """The own cards; all of them at the end."""
        return tuple(state) if self.is_over(state) else state[player]

    def show_seen(self, seen: Any, player: int) -> str:
        ours, theirs = seen if seen and isinstance(seen[0], tuple) else ((), seen) if player else (seen, ())
        return f"ours={_listed(ours)} theirs={_listed(theirs)}"

    def draw(self, state: State) -> str:
        wide = len(str(2 * self.count)) + 2
        rows = {
            "turn": [str(turn) for turn in range(1, self.count + 1)],
            "second": [str(card) for card in state.theirs]
            + [str(card or "x") for card in self.known[len(state.theirs) :]],
            "first": [str(card) for card in state.ours],
            "in hand": [str(card) for card in self.cards if card not in state.ours],
        }
        return "\n".join(f"{name:<7}" + "".join(f"{card:>{wide}}" for card in cards) for name, cards in rows.items())

    def draw_board(self, state: State) -> kit.Board:
        """Cards against cards, and the hands; both cards as a table where both lay one."""
        turn, count = len(state.ours), self.count
        if count > MOST_JOINT:
            return kit.Board("High card", (kit.Panel(self.draw(state)),))
        rival = [*state.theirs, *(known or "?" for known in self.known[turn:])]
        laid = against("Second's cards above first's", rival, [*state.ours, *[None] * (count - turn)])
        mine = [each for each in self.cards if each not in state.ours]
        if self.is_over(state):
            return kit.Board("High card", (laid,))
        if self.known[turn]:
            return kit.Board("High card", (laid, hand_of("First holds", mine, is_open=True)))
        yours = [each for each in self.unknown if each not in state.theirs]
        choices = [[(str(each), kit.card(each)) for each in held] for held in (mine, yours)]
        return kit.Board("High card", (laid, *joint("First's card down, second's across", *choices)))

    def draw_seen(self, seen: tuple[int, ...], player: int) -> kit.Board:
        """The own cards, those of the rules that all know, and the own hand; the rest lies face down."""
        turn, rest = len(seen), [None] * (self.count - len(seen))
        known = [card or "?" for card in self.known]
        rows = ([*seen, *known[turn:]], ["?"] * turn + rest) if player else (known, [*seen, *rest])
        held = [card for card in (self.unknown if player else self.cards) if card not in seen]
        return kit.Board(
            "High card", (against("Second's cards above first's", *rows), hand_of("In hand", held, is_open=True))
        )


def _listed(cards: tuple[int, ...]) -> str:
    return "-".join(map(str, cards)) or "none"
