"""Liar's dice: hidden dice, and bids on all of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations_with_replacement
from math import factorial, prod
from typing import NamedTuple

import endsight.board as kit
from endsight.base.faults import ParameterError
from endsight.game import CHANCE, Game
from endsight.games.board import WORD
from endsight.games.pictures.throws import throw_piece

LIAR = 0
"""The move; all others are bids, numbered from 1 in the order in which they go up."""


class LiarsDice(Game):
    """Liar's dice, bids on how many dice of all show a face, where each player sees their own ones.

    Both players throw `dice` dice with faces 1 to `sides`. The first player bids a count
    and a face: at least so many of all dice show it. The highest face is wild: it counts
    as every other. After that a player bids more (a larger count, or the same count of a
    higher face) or calls the other a `liar`: if the bid was true, the bidder wins 1 from
    the caller, else the caller wins 1. (The rules of OpenSpiel's `liars_dice`.)

    A bid is written with an x: `2x5` says two fives or more. What a player throws is all
    dice at once, in order: `3-5-5`.

    A position in one line is what the players have thrown, as numbers in the order of the
    list, 0 before they throw, and a bit for each bid, bit 0 for `liar`: `first=3 second=6
    said=34`.
    """

    dice: int = 1
    sides: int = 6

    class State(NamedTuple):
        """What was thrown, as numbers of `hands`, 0 before; and the bit set of all moves since."""

        first: int
        second: int
        said: int

    def setup(self) -> None:
        if self.dice < 1 or self.sides < 1 or self.dice * self.sides * 2 >= WORD:
            found = f"dice={self.dice}, sides={self.sides}"
            allowed = f"1 or more of each, and up to {WORD - 1} bids: 2 x dice x sides"
            raise ParameterError(f"{self.name}: the dice are out of range", found=found, allowed=allowed)
        self.bids = 2 * self.dice * self.sides
        self.hands = ((), *combinations_with_replacement(range(1, self.sides + 1), self.dice))
        self.ways = tuple(_ways(hand) for hand in self.hands)
        # How many dice of a hand count for each face.
        faces = range(self.sides + 1)
        self.counts = tuple(
            tuple(sum(die in (face, self.sides) for die in hand) for face in faces) for hand in self.hands
        )

    def limits(self) -> State:
        return self.State(len(self.hands) - 1, len(self.hands) - 1, (2 << self.bids) - 1)

    def start(self) -> State:
        return self.State(0, 0, 0)

    def to_move(self, state: State) -> int:
        return CHANCE if state.second == 0 else state.said.bit_count() % 2

    def moves(self, state: State) -> Iterator[int]:
        if state.second == 0:
            yield from range(1, len(self.hands))
        elif state.said & 1 == 0:
            yield from range(max(1, state.said.bit_length()), self.bids + 1)
            if state.said > 0:
                yield LIAR

    def weight(self, state: State, move: int) -> int:
        return self.ways[move]

    def play(self, state: State, move: int) -> State:
        if state.first == 0:
            return self.State(move, 0, 0)
        if state.second == 0:
            return self.State(state.first, move, 0)
        return self.State(state.first, state.second, state.said | 1 << move)

    def payoff(self, state: State) -> tuple[int, int]:
        bid = state.said.bit_length() - 2  # from 0
        face = bid % self.sides + 1
        count = self.counts[state.first][face] + self.counts[state.second][face]
        is_true = count > bid // self.sides
        caller = 1 - state.said.bit_count() % 2
        return (1, -1) if is_true == (caller == 1) else (-1, 1)

    def sees(self, state: State, player: int) -> tuple[int, int]:
        return (state.second if player else state.first, state.said)

    def show_seen(self, seen: tuple[int, int], player: int) -> str:
        hand, said = seen
        words = f" said={'/'.join(self.words(said))}" if said else ""
        return f"dice={self.hand_text(hand)}{words}"

    def show_move(self, state: State, move: int) -> str:
        return self.hand_text(move) if state.second == 0 else self.word(move)

    def name_move(self, state: State, move: int) -> str:
        """`bid 2 of 5`, `call the liar`; nothing for a hand."""
        if state.second == 0:
            return ""
        return f"bid {(move - 1) // self.sides + 1} of {(move - 1) % self.sides + 1}" if move else "call the liar"

    def hand_text(self, hand: int) -> str:
        """`3-5-5`: the dice in order; `0` before they are thrown."""
        return "-".join(map(str, self.hands[hand])) or "0"

    def word(self, move: int) -> str:
        """`2x5`, or `liar`."""
        return f"{(move - 1) // self.sides + 1}x{(move - 1) % self.sides + 1}" if move else "liar"

    def words(self, said: int) -> list[str]:
        """All moves of that bit set, in order."""
        bids = [self.word(bid) for bid in range(1, self.bids + 1) if said >> bid & 1]
        return bids + ["liar"] * (said & 1)

    def draw(self, state: State) -> str:
        words = self.words(state.said)
        hands = (self.hand_text(state.first), self.hand_text(state.second))
        wide = max(map(len, hands))
        rows = (
            "  ".join(
                [f"{self.player_names[player]:<6}", f"{hands[player].replace('0', '-'):<{wide}}", *words[player::2]]
            )
            for player in (0, 1)
        )
        return "\n".join(row.rstrip() for row in rows)

    def draw_board(self, state: State) -> kit.Board:
        """The dice of both, the bids, and those that can follow."""
        parts = self.hands_and_bids((state.first, state.second), self.words(state.said))
        texts = [self.show_move(state, move) for move in self.moves(state)]
        slots = [kit.Slot(_bid(text) if state.second else throw_piece(text), 44, text) for text in texts]
        heading = "Bids" if state.second else "The dice show"
        return kit.Board("Liar's dice", (*parts, *([kit.Row(tuple(slots), heading)] if slots else [])))

    def draw_seen(self, seen: tuple[int, int], player: int) -> kit.Board:
        hand, said = seen
        return kit.Board(
            "Liar's dice", tuple(self.hands_and_bids((0, hand) if player else (hand, 0), self.words(said)))
        )

    def hands_and_bids(self, hands: tuple[int, int], words: list[str]) -> list[kit.Part]:
        """A row for each player, with the dice (those of hand 0 are covered) and the bids."""
        parts: list[kit.Part] = []
        for player, hand in enumerate(hands):
            lying = [kit.Slot(kit.die(face), 52) for face in self.hands[hand]] or [
                kit.Slot(kit.die(None), 52)
            ] * self.dice
            bids = [kit.Slot(_bid(text), 40, text, made=text == words[-1]) for text in words[player::2]]
            name = kit.Slot(kit.word(self.player_names[player].capitalize(), 17), 27)
            parts.append(kit.Row((name, *lying, *bids), ground="well"))
        return parts


def _ways(hand: tuple[int, ...]) -> int:
    """In how many orders these dice can fall."""
    return factorial(len(hand)) // prod(map(factorial, Counter(hand).values()))


def _bid(text: str) -> kit.Piece:
    """`2x5` as a number and a die, `liar` as a word."""
    count, _, face = text.partition("x")
    said = kit.button(f"{count} ×") if face else kit.button("Liar!")
    return kit.beside(text, [said, kit.die(int(face))], 8) if face else said
