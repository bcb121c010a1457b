"""Policies that look ahead through chance: where outcomes meet again, and where chance comes back to a state."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any, NamedTuple

import pytest

import endsight as es
from endsight import CHANCE, Game


class Drawing(Game):
    """One decision, then chance alone, which may come back to where it was."""

    edges: tuple[tuple[int, ...], ...]
    gains: tuple[tuple[int, ...], ...]
    players = 1

    class State(NamedTuple):
        node: int

    def start(self) -> State:
        return self.State(0)

    def to_move(self, state: State) -> int:
        return CHANCE if state.node else 0

    def moves(self, state: State) -> range:
        return range(len(self.edges[state.node]))

    def weight(self, state: State, move: int) -> int:
        return 1 + move

    def play(self, state: State, move: int) -> State:
        return self.State(self.edges[state.node][move])

    def reward(self, state: State, move: int) -> int:
        return self.gains[state.node][move]

    def payoff(self, state: State) -> int:
        return 0


def drawing(random: Random) -> Drawing:
    """Every chance node may lead to any other, and to the end."""
    size = random.randint(3, 6)
    edges = [tuple(random.randrange(1, size + 1) for _ in range(random.randint(2, 3))) for _ in range(size)]
    edges = [edges[0], *((*row, size) for row in edges[1:]), ()]
    gains = tuple(tuple(random.randint(0, 9) for _ in row) for row in edges)
    return Drawing(tuple(edges), gains)


def brought(game: Drawing, node: int, before: tuple[int, ...]) -> Fraction:
    """What chance brings on average, where coming back to a node on the way counts nothing."""
    if node in before:
        return Fraction(0)
    amounts = [
        (1 + move) * (gain + brought(game, after, (*before, node)))
        for move, (after, gain) in enumerate(zip(game.edges[node], game.gains[node], strict=True))
    ]
    return Fraction(sum(amounts), sum(range(1, len(amounts) + 1)) or 1)


@pytest.mark.parametrize("seed", range(60))
def test_greedy_looks_through_chance_that_comes_back(seed: int) -> None:
    """Against plain recursion, which remembers nothing between the ways to a node."""
    game = drawing(Random(seed))
    worths = [gain + brought(game, after, ()) for after, gain in zip(game.edges[0], game.gains[0], strict=True)]
    assert es.solve(game, fixed={"player": "greedy"}).chosen(game.position()) == worths.index(max(worths))


def test_greedy_remembers_what_chance_brings() -> None:
    """Cards of the dealer meet again at the same totals: without that, play makes 50 times as many moves."""
    asked = []

    class Counted(type(es.load("blackjack"))):  # type: ignore[misc]
        def play(self, state: Any, move: int) -> Any:
            asked.append(move)
            return super().play(state, move)

    es.simulate(Counted(), "10 6 2", fixed={"player": "greedy"}, games=1, between=(-4, 4))
    assert len(asked) < 50_000
