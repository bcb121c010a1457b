"""Kalah(houses, seeds): sow to the right, end in their own store to move again, capture from the house opposite.

Source: the variant of G. Irving, J. Donkers, J. Uiterwijk, "Solving Kalah", ICGA Journal 23 (2000): a seed sown into
an empty own house captures where the house opposite is not empty, and when one side is empty the other player
gets what is left. Kalah(3,6) has 1,639,039 positions and is lost for the first player, Kalah(4,3) has 5,193,524
and is won.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from endsight.game import Game


class Kalah(Game):
    """Two players; the payoff is the lead in seeds."""

    houses: int = 3
    seeds: int = 6

    class State(NamedTuple):
        """Seeds in every pit as the digits of a number (first's houses and store, second's), and the player to move."""

        pits: int
        turn: int

    def setup(self) -> None:
        self.count = 2 * self.houses + 2
        self.base = 2 * self.houses * self.seeds + 1
        self.units = tuple(self.base**pit for pit in range(self.count))

    def limits(self) -> State:
        return self.State(self.base**self.count - 1, 1)

    def start(self) -> State:
        stores = (self.houses, self.count - 1)
        return self.State(sum(self.seeds * unit for pit, unit in enumerate(self.units) if pit not in stores), 0)

    def to_move(self, state: State) -> int:
        return state.turn

    def seeds_in(self, pits: int, pit: int) -> int:
        """The seeds in a pit."""
        return pits // self.units[pit] % self.base

    def side(self, pits: int, player: int) -> int:
        """The seeds in all houses of a player."""
        total = 0
        for house in range(self.houses):
            total += self.seeds_in(pits, player * (self.houses + 1) + house)
        return total

    def moves(self, state: State) -> Iterator[int]:
        if self.side(state.pits, 0) and self.side(state.pits, 1):
            for house in range(self.houses):
                if self.seeds_in(state.pits, state.turn * (self.houses + 1) + house):
                    yield house

    def play(self, state: State, move: int) -> State:
        first = state.turn * (self.houses + 1)
        store = first + self.houses
        rival_store = self.houses if state.turn else self.count - 1
        pit = first + move
        hand = self.seeds_in(state.pits, pit)
        pits = state.pits - hand * self.units[pit]
        while hand:
            pit = (pit + 1) % self.count
            if pit != rival_store:
                pits += self.units[pit]
                hand -= 1
        if first <= pit < store and self.seeds_in(pits, pit) == 1:
            opposite = 2 * self.houses - pit
            caught = self.seeds_in(pits, opposite)
            if caught:
                pits += (caught + 1) * self.units[store] - self.units[pit] - caught * self.units[opposite]
        own, other = self.side(pits, 0), self.side(pits, 1)
        if not (own and other):
            stores = self.seeds_in(pits, self.houses) + own, self.seeds_in(pits, self.count - 1) + other
            pits = stores[0] * self.units[self.houses] + stores[1] * self.units[self.count - 1]
        return self.State(pits, state.turn if pit == store else 1 - state.turn)

    def payoff(self, state: State) -> tuple[int, int]:
        lead = self.seeds_in(state.pits, self.houses) - self.seeds_in(state.pits, self.count - 1)
        return lead, -lead
