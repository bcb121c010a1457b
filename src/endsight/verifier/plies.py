"""Long walks, ply by ply: two plies are in memory at a time, and hashes of all that lies behind."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from endsight.verifier.certificate import Play
from endsight.verifier.walk import Amounts, View, Walk

__all__ = ["PlyWalk", "in_short"]


class PlyWalk(Walk):
    """A walk in short: a root, and one end for every amount, in place of all nodes.

    It says what the whole walk says where that has no chance, no gains, and no node twice that are not in the same ply:
    `is_whole` tells whether that is so. Nodes behind are known by their hashes: where no hash comes again, no node
    does, so that choices are asked for as in a whole walk, and nothing leads round. `best` is empty where nothing was
    chosen. On the way its length is that of the whole walk so far.
    """

    def __len__(self) -> int:
        return self.passed + len(self.nodes)

    def _go_on(self, pick: Callable[..., int]) -> None:
        self.passed = self.moves = 0
        root, ply = self.nodes[0], self.nodes
        ends: set[Amounts] = set()
        behind: set[int] = set()
        while ply and not (self.dice or self.gains) and behind.isdisjoint(map(hash, ply)):
            behind.update(map(hash, ply))
            self.passed += len(ply)
            self.nodes, self.numbers, self.edges, self.amounts = [], {}, [], {}
            for node in ply:
                self.view.look_at_clock()
                self._explore(node, pick)
            self.moves += sum(map(len, self.edges))
            ends.update(self.amounts.values())
            self.best.clear()
            ply = self.nodes
        self.is_whole = not (ply or self.dice or self.gains)
        self.states, self.passed = self.passed, 0
        self.nodes, self.amounts = [root] * (1 + len(ends)), dict(enumerate(ends, start=1))
        self.edges = [[(end, None) for end in self.amounts], *([] for _ in ends)]
        self.best = {0: set(self.picked[:1])} if self.picked else {}

    def line(self) -> str:
        """How large the whole walk is, in words."""
        return f"{self.states:,} states, {self.moves:,} moves, {len(self.picked):,} choices"


def in_short(view: View, side: int, play: Play) -> Walk | None:
    """The walk along the choices of a play; None where it has to be whole, or there are more choices than decisions."""
    choices = iter(play.choices)

    def pick(*_: Any) -> int:
        return next(choices, -1)

    walk = PlyWalk(view, side, pick)
    return walk if walk.is_whole and next(choices, None) is None else None
