"""A game of chance with one amount at stake: the arrays that its algorithms share.

One side wants more of the amount, the other less, dice decide elsewhere. In the
literature a *turn-based stochastic game* (Condon 1992), or with one side alone a
*Markov decision process* (Puterman 1994).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from endsight.game import CHANCE
from endsight.game.numbers import Number
from endsight.graph.graph import Graph, strongly_connected
from endsight.graph.judgement import opposed_signs

__all__ = ["Arena", "arena_of"]


@dataclass(frozen=True)
class Arena:
    """Nodes 0..n-1 and edges 0..m-1, grouped by the node they leave.

    offsets     n+1 edges of node i are offsets[i] .. offsets[i+1]-1; none at the end
    successors  m   node an edge leads to
    weights     m   whole weights of chance outcomes; None where all are 1
    signs       n   +1 where the mover wants more, -1 where less, 0 at chance and at ends
    gains       m   what an edge adds to the amount; None without rewards
    payoffs     n   the amount at the end; 0 elsewhere
    endless         the amount where play never ends
    unending    n   the same for play that stays on loops through that node, where it is not always `endless`
    swing           which of several such amounts on one loop counts (see `Graph.swing`)
    """

    offsets: Sequence[int]
    successors: Sequence[int]
    weights: Sequence[int] | None
    signs: Sequence[int]
    gains: Sequence[Number] | None
    payoffs: Sequence[Number]
    endless: Number = 0
    unending: Sequence[Number] | None = None
    swing: int = 0

    def __len__(self) -> int:
        return len(self.signs)

    def edges(self, node: int) -> range:
        """The numbers of the edges that leave `node`."""
        return range(self.offsets[node], self.offsets[node + 1])

    def is_end(self, node: int) -> bool:
        """Whether the game is over at `node`."""
        return self.offsets[node] == self.offsets[node + 1]

    def endless_at(self, node: int) -> Number:
        """The amount where play stays for ever on loops through `node`."""
        return self.endless if self.unending is None else self.unending[node]

    def gain(self, edge: int) -> Number:
        """What that edge adds."""
        return 0 if self.gains is None else self.gains[edge]

    def weight(self, edge: int) -> int:
        """Weight of that edge as an outcome of chance."""
        return 1 if self.weights is None else self.weights[edge]

    @cached_property
    def components(self) -> list[list[int]]:
        """Strongly connected components, each after all those it leads to."""
        return strongly_connected(list(self.offsets), list(self.successors))

    def is_loop(self, part: list[int]) -> bool:
        """Whether play can come back to the nodes of this component."""
        return len(part) > 1 or any(self.successors[edge] == part[0] for edge in self.edges(part[0]))


def arena_of(graph: Graph) -> Arena:
    """The first player's amount in a graph that keeps players apart by number and whose players' wishes are opposed."""
    sign = opposed_signs(graph)
    assert sign is not None, "graphs without a value are refused before"
    movers = graph.movers
    return Arena(
        offsets=graph.offsets,
        successors=graph.successors,
        weights=graph.weights,
        signs=[0 if movers[node] == CHANCE or graph.is_end(node) else sign[movers[node]] for node in range(len(graph))],
        gains=None if graph.rewards is None else [0 if gain is None else gain[0] for gain in graph.rewards],
        payoffs=[0 if payoff is None else payoff[0] for payoff in graph.payoffs],
        endless=graph.endless[0],
        unending=None if graph.unending is None else [worth[0] for worth in graph.unending],
        swing=graph.swing,
    )
