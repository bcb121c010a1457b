"""What an algorithm finds out about every node of a graph."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, Protocol, TypeAlias

from endsight.errors import NoValue
from endsight.game import CHANCE
from endsight.game.limits import Budget
from endsight.game.markup import html_table
from endsight.game.numbers import Amount, Number, brief_amount, count_text

if TYPE_CHECKING:
    from endsight.graph.graph import Graph

Value = tuple[Number, ...]
Kind: TypeAlias = Literal["auto", "exact", "interval"]
"""What is wanted: exact values, proven bounds, or exact ones where the rule of `policy_iteration` allows it."""


class EnclosedRows(Protocol):
    """Values between proven bounds: of the first player, whole numbers over `scale`; exact where they are `known`."""

    scale: int
    known: Mapping[int, Number]

    def bounds(self, node: int) -> tuple[int, int]:
        """The bounds of a node."""

    def exact(self, nodes: Sequence[int], budget: Budget) -> Mapping[int, Number]:
        """Exact values of some nodes; `LimitReached` where they cannot be found."""


@dataclass(frozen=True)
class Swings:
    """Why some nodes or players have two ends and no value: the text for it, and the player whose amount decides.

    `note` is what answers say beside such ends.
    """

    player: int
    message: str
    found: str
    advice: str
    note: str = "[least, most]: no single value, because totals go up and down for ever there"

    def error(self) -> NoValue:
        """The same reason as an error."""
        return NoValue(self.message, found=self.found, advice=self.advice)


@dataclass(frozen=True)
class Table:
    """One row per node of a graph, in the graph's own view (see `Graph.alternating`).

    values     what is still to come, per player: exact, or enclosed where exact is out of reach
    distances  plies to the end where the game is only won, drawn or lost: the winner
               hastens, the loser delays; None for draws. None for other games
    choices    the edge that best play takes: the first of the best (value, then
               distance); -1 at the end of the game and at chance nodes
    method     the algorithm's name in answers
    forced     edges that best play must take where the first of the same value may lead
               round for ever
    enclosed   the values, where they are enclosed between proven bounds; else None
    notion     the meaning of the values where they are not simply *the* values; None where only ties may matter
    stand_ins  at nodes from which a total has no limit, numbers of a game in which one may give up there: bounds that
               hold at all other nodes follow from them
    swings     why some nodes or players have no value, but two ends (`docs/theory/endless-play.md`); None where all
               have one. The first node has a value for the player whose amount decides, or, where nobody decides
               anything, for some player
    """

    values: Sequence[tuple[Amount, ...]]
    distances: Sequence[int | None] | None
    choices: Sequence[int]
    method: str
    forced: Mapping[int, int] = field(default_factory=dict)
    enclosed: EnclosedRows | None = field(default=None, repr=False)
    swings: Swings | None = None
    notion: str | None = None
    stand_ins: Mapping[int, tuple[Amount, ...]] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"<Table of {count_text(len(self.values), 'node')} by {self.method}>"

    def _repr_html_(self) -> str:
        """The first rows for a notebook."""
        players = range(len(self.values[0]) if len(self.values) else 0)
        distances = () if self.distances is None else ("distance",)
        columns = ("node", *(f"value {player}" for player in players), *distances, "choice")
        return html_table(repr(self)[1:-1], columns, map(self._row, range(len(self.values))), len(self.values))

    def _row(self, node: int) -> list[str]:
        values = map(brief_amount, self.values[node])
        distance = [] if self.distances is None else [self.distances[node]]
        edge = None if self.choices[node] < 0 else self.choices[node]
        return [str(node), *values, *("" if entry is None else str(entry) for entry in (*distance, edge))]


def first_best_edges(graph: Graph, values: list[Value]) -> list[int]:
    """For every decision node the first of its best edges, -1 elsewhere."""
    return [
        -1 if graph.is_end(node) or graph.movers[node] == CHANCE else first_best(graph, node, values)
        for node in range(len(graph))
    ]


def unlike_first_best(graph: Graph, values: list[Value], choices: Sequence[int]) -> dict[int, int]:
    """The choices that are not the first of the best edges, by node."""
    first = first_best_edges(graph, values)
    return {node: edge for node, edge in enumerate(choices) if edge != first[node]}


def first_best(graph: Graph, node: int, values: list[Value]) -> int:
    """The first of a decision's best edges."""
    player, sign = graph.interests[graph.movers[node]]
    return max(graph.edges(node), key=lambda edge: sign * graph.through(edge, values[graph.successors[edge]])[player])
