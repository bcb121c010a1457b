"""Nodes and the edges between them: what the graph of a game and an arena of amounts have in common."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from functools import cached_property

from endsight.graph.components import loop_free_order, strongly_connected


class Ways:
    """Nodes 0..n-1 and edges 0..m-1, grouped by the node they leave.

    offsets     n+1 edges of node i are offsets[i] .. offsets[i+1]-1; none at an end
    successors  m   node an edge leads to
    """

    offsets: Sequence[int]
    successors: Sequence[int]

    def edges(self, node: int) -> range:
        """The numbers of the edges that leave `node`."""
        return range(self.offsets[node], self.offsets[node + 1])

    def children(self, node: int) -> Sequence[int]:
        """The nodes that the edges of `node` lead to."""
        return self.successors[self.offsets[node] : self.offsets[node + 1]]

    def edges_into(self, nodes: Container[int], node: int) -> list[int]:
        """The edges of `node` that lead to some of `nodes`."""
        return [edge for edge in self.edges(node) if self.successors[edge] in nodes]

    def is_end(self, node: int) -> bool:
        """Whether play ends at `node`."""
        return self.offsets[node] == self.offsets[node + 1]

    @cached_property
    def components(self) -> list[list[int]]:
        """Strongly connected components, each after all those it leads to."""
        order = self.order
        # Without loops each node is a component, and a search leaves them in the right order.
        return strongly_connected(self.offsets, self.successors) if order is None else [[node] for node in order]

    @cached_property
    def order(self) -> Sequence[int] | None:
        """All nodes, each after all those it leads to; None where play can come back to a node."""
        return loop_free_order(self.offsets, self.successors)

    @property
    def is_cyclic(self) -> bool:
        """Whether play can come back to a node; the search stops at the first loop it finds."""
        return self.order is None

    def is_loop(self, part: Sequence[int]) -> bool:
        """Whether play can come back to the nodes of this component."""
        return len(part) > 1 or part[0] in self.children(part[0])

    def leaves(self, part: Iterable[int]) -> bool:
        """Whether some move leads out of the component."""
        return not {*part}.issuperset(child for node in part for child in self.children(node))
