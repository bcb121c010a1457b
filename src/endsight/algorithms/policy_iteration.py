"""Games with chance in which play can come back to a position: exact values, or proven intervals.

Exact where no component with loops has more than `MOST_IN_COMPONENT` positions, else
enclosed, unless the caller asks for one of the two. Small graphs are solved exactly throughout;
large ones are enclosed first, and then solved exactly along best play from the root.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeAlias

import numpy as np

from endsight.algorithms.action_elimination import exact_at
from endsight.algorithms.arena import Structure
from endsight.algorithms.deflation import enclose_endless
from endsight.algorithms.edge_arrays import first_largest
from endsight.algorithms.end_components import Collapsed, collapse
from endsight.algorithms.exact_policy_iteration import exact_values
from endsight.algorithms.interval_iteration import Enclosure, enclose_values
from endsight.algorithms.policy_evaluation import policy_evaluation
from endsight.errors import LimitReached
from endsight.game.limits import Budget
from endsight.game.numbers import Amount, Number, count_text
from endsight.graph.graph import Graph, Made
from endsight.graph.table import Kind, Table, first_best_edges

Rows: TypeAlias = Sequence[tuple[Amount, ...]]
"""Values per player, node by node."""

MOST_IN_COMPONENT = 2_000
"""Positions of a component with loops up to which exact values are the default."""
MOST_THROUGHOUT = 20_000
"""Positions on loops up to which all of a graph is solved exactly, not only along best play."""
MANY_EDGES, KERNEL_BYTES, EDGE_BYTES = 100_000, 100_000_000, 50
"""Edges from which memory is checked beforehand; memory of the kernels with their compiler, and per edge."""


def policy_iteration(graph: Graph, kind: Kind, budget: Budget, tell: Callable[[Rows], None] | None = None) -> Table:
    """Values and choices of every node of a graph with chance and loops.

    The graph must have values (`judgement.judge`). With `graph.swing` they are those of the first player alone,
    and choices those of the side for which the worst counts. Where exact values take longer than proven
    ends, `tell` is called with the ends first. Raises `LimitReached` where the requested values
    cannot be found.
    """
    edges = len(graph.successors)
    if edges > MANY_EDGES:
        budget.reserve(KERNEL_BYTES + edges * EDGE_BYTES, len(graph), "enclosing values")
    collapsed = collapse(graph)
    arena = collapsed.arena
    structure = Structure.of(arena)
    is_large = is_long(structure)
    is_exact = kind == "exact" or (kind == "auto" and not is_large)
    is_small = has_few_loops(structure)
    # Where both players together can keep play going, exact values are found for all positions or for none.
    is_asked = kind == "exact" and bool(collapsed.endless)
    must_be_exact = not collapsed.can_be_enclosed and (is_small or kind == "auto" or not graph.has_chance)
    if is_asked or must_be_exact or (is_small and (is_exact or not graph.has_one_amount)):
        return _exact(graph, collapsed)
    if not graph.has_one_amount:
        raise _only_exact(_payoffs_found(graph), graph, "a smaller game, or a later position")
    if collapsed.endless:
        return _enclosed(graph, collapsed, _enclosed_loops(graph, collapsed, structure, budget), budget, is_exact=False)
    enclosure = enclose_values(arena, structure, budget=budget)
    assert enclosure is not None, "end components have been collapsed"
    if tell is not None:
        tell(_ValueRows(graph, collapsed, enclosure, {}))
    return _enclosed(graph, collapsed, enclosure, budget, is_exact=is_exact)


def is_long(structure: Structure) -> bool:
    """Whether some loops are so large that exact values are not the default."""
    return int(structure.loops.max(initial=0)) > MOST_IN_COMPONENT


def has_few_loops(structure: Structure) -> bool:
    """Whether the loops are so small, also taken together, that the whole graph is solved exactly."""
    return not is_long(structure) and int(structure.loops.sum()) <= MOST_THROUGHOUT


def _enclosed_loops(graph: Graph, collapsed: Collapsed, structure: Structure, budget: Budget) -> Enclosure:
    """Bounds where both players together can keep play going; they come without exact values."""
    if not collapsed.can_be_enclosed:
        why = "play can be kept going for ever, and moves pay on the way"
        raise _only_exact(why, graph, "exact values, which may take long, a smaller game, or a later position")
    paid = next(iter(collapsed.endless.values())).amount
    return enclose_endless(collapsed.arena, paid, structure, budget)


def _payoffs_found(graph: Graph) -> str:
    if graph.players == 2:
        return "the players' payoffs have no constant sum"
    return f"there are {count_text(graph.players, 'player')}"


def _only_exact(why: str, graph: Graph, advice: str) -> LimitReached:
    return LimitReached(
        f"stopped: in this game {why}, and its loops are too large for this question",
        states=len(graph),
        advice=advice,
    )


# -------------------------------------------------------------------- exact throughout


def _exact(graph: Graph, collapsed: Collapsed) -> Table:
    smaller, kept = exact_values(collapsed.arena, collapsed.endless)
    values = [smaller[place] for place in collapsed.place]
    forced = collapsed.lead_out(_best_exits(collapsed, smaller))
    forced |= {node: collapsed.whole_edge(kept[place]) for node, place in enumerate(collapsed.place) if place in kept}
    rows: list[tuple[Number, ...]] = list(map(graph.row_of, values))
    choices = first_best_edges(graph, rows)
    for node, edge in forced.items():
        choices[node] = edge
    if not graph.has_one_amount and not graph.swing:
        rows = policy_evaluation(graph, choices)
    return Table(rows, None, choices, "policy iteration", forced)


def _best_exits(collapsed: Collapsed, values: list[Number]) -> dict[int, int]:
    """For every end component that has a choice, the first edge that is worth its value."""
    arena = collapsed.arena.lists() if collapsed.components else collapsed.arena
    return {
        node: next(
            e for e in arena.edges(node) if arena.unit * (values[node] - values[arena.successors[e]]) == arena.gain(e)
        )
        for node in range(len(collapsed.components))
    }


# -------------------------------------------------------------------- enclosed


def _enclosed(graph: Graph, collapsed: Collapsed, enclosure: Enclosure, budget: Budget, *, is_exact: bool) -> Table:
    known = exact_near(collapsed.place[0], enclosure, budget) if is_exact else {}
    values = _ValueRows(graph, collapsed, enclosure, known)
    method = "interval iteration, exact along best play" if is_exact else "interval iteration"
    best = _best_choices(enclosure)
    forced = collapsed.lead_out({k: best[k] for k in range(len(collapsed.components)) if best[k] >= 0})
    if enclosure.kept is not None:
        kept = {place: enclosure.kept[place] for place in collapsed.endless}
        forced |= {n: collapsed.whole_edge(kept[k]) for n, k in enumerate(collapsed.place) if kept.get(k, -1) >= 0}
    choices = (
        best
        if not collapsed.components
        else [
            forced.get(node, -1 if best[place] < 0 else collapsed.edges[best[place]])
            for node, place in enumerate(collapsed.place)
        ]
    )
    return Table(values, None, choices, method, forced, values)


def exact_near(root: int, enclosure: Enclosure, budget: Budget) -> dict[int, Number]:
    """Exact values of a node, and of all nodes one move (and the chance after it) later."""
    arena = enclosure.arena
    wanted = {root: None}
    for node in (root, *map(int, arena.children(root))):
        wanted[node] = None
        if node == root or arena.signs[node] == 0:
            wanted |= dict.fromkeys(map(int, arena.children(node)))
    return dict(exact_at(arena, enclosure.verdicts, np.array(list(wanted), np.int64), budget))


def exact_values_of(enclosure: Enclosure, nodes: Iterable[int], budget: Budget) -> Mapping[int, Number]:
    """Exact values of some nodes; `LimitReached` where they cannot be found."""
    if enclosure.kept is not None:
        why = "stopped: players can keep play going for ever here, so exact values of single positions are not found"
        raise LimitReached(why, states=len(enclosure.arena), advice="--exact from the start, which may take long")
    return exact_at(enclosure.arena, enclosure.verdicts, np.unique(np.array(list(nodes), np.int64)), budget)


def _best_choices(enclosure: Enclosure) -> list[int]:
    """For every decision the first edge proven best, else the first not proven worse; -1 elsewhere."""
    choices = first_largest(enclosure.arena.offsets, enclosure.verdicts)
    choices[enclosure.arena.signs == 0] = -1
    if enclosure.kept is not None:
        choices = np.where(enclosure.kept >= 0, enclosure.kept, choices)
    result: list[int] = choices.tolist()
    return result


class _ValueRows(Made[tuple[Amount, ...]]):
    """Values by node, made on demand: exact where known, else proven intervals."""

    def __init__(self, graph: Graph, collapsed: Collapsed, enclosure: Enclosure, known: Mapping[int, Number]) -> None:
        self.graph = graph
        self.place = collapsed.place
        self.enclosure = enclosure
        self.scale = enclosure.denominator
        self.known = known

    def bounds(self, node: int) -> tuple[int, int]:
        """Bounds of the first player's value, times `scale`."""
        low, high = self.enclosure.bounds[self.place[node]].tolist()
        return low, high

    def exact(self, nodes: Sequence[int], budget: Budget) -> Mapping[int, Number]:
        """The first player's exact values; `LimitReached` where they cannot be found."""
        values = exact_values_of(self.enclosure, [self.place[node] for node in nodes], budget)
        return {node: values[self.place[node]] for node in nodes}

    def __len__(self) -> int:
        return len(self.graph)

    def made(self, places: slice) -> list[tuple[Amount, ...]]:
        """The values of these nodes."""
        return list(map(self._made, self.place[places]))

    def _made(self, place: int) -> tuple[Amount, ...]:
        if place in self.known:
            return self.graph.row_of(self.known[place])
        return self.graph.row_of(self.enclosure.amount(place))
