"""Retrograde analysis: games without chance in which play can come back to a position.

From the ends of the game backwards, best payoffs first: a node belongs to a payoff as
soon as its mover can force it. What nobody can force is endless play. Zermelo (1913);
von Neumann and Morgenstern (1944, section 15); as an algorithm Ströhlein (1970). The
nodes of each payoff form an attractor as in Gurvich, Karzanov and Khachiyan
(1988). Linear in edges. The loops over edges (`retrograde_kernels`) run compiled
where the graph is large.

Needs one interest at all positions, or that and its opposite: one player, cooperation, or two players
whose payoffs have a constant sum; loops must not pay (see `endsight.graph.judgement`). Where rewards
lie beside the loops, or where loops differ in the payoff of endless play, the graph is solved component
by component, with the ways out of each as its ends; where it differs on one loop, by `liminf_loops`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from itertools import compress
from typing import Any

from endsight.algorithms.kernel_arrays import kernels_for, shown
from endsight.algorithms.liminf_loops import LiminfLevels
from endsight.algorithms.policy_evaluation import policy_evaluation
from endsight.game.limits import Budget
from endsight.game.numbers import Number, simplest
from endsight.graph.graph import Graph, Picked
from endsight.graph.judgement import opposed_signs
from endsight.graph.kernel_numbers import Back, Links
from endsight.graph.table import Table, Value, unlike_first_best

_METHOD = "retrograde analysis"


def retrograde(graph: Graph, budget: Budget | None = None) -> Table:
    """Values, distances and choices; endless play pays `graph.endless_at` and has no distance.

    With `graph.swing` the values are of the first player alone, and so are the choices of the side for
    which the worst counts; those of the other side are arbitrary.
    The graph must be without chance, not alternating, and have values (`judgement.judge`).
    Raises `LimitReached` when the budget is spent.
    """
    budget = budget or Budget()
    sign = opposed_signs(graph)
    assert sign is not None, "graphs without a value are refused before"
    if graph.rewards is None and graph.unending is None:
        return _in_one(graph, sign, budget)
    return _by_component(graph, sign, budget)


def _in_one(graph: Graph, sign: list[int], budget: Budget) -> Table:
    """One run over the whole graph, level by level."""
    run = _Scores(graph, sign, budget)
    choices = run.choices(run.scores)
    if graph.has_one_amount:
        values: Sequence[Value] = Picked(list(map(graph.row_of, run.amounts)), shown(run.ranks))
    else:
        values = policy_evaluation(graph, choices)
    if graph.has_distances:
        plies = shown(run.plies)
        return Table(values, Picked([*range(max(plies) + 1), None], plies), choices, _METHOD)
    # Without distances only these choices separate moves that reach an end from moves that go round.
    shortsighted = run.choices(run.ranks)
    pairs = enumerate(zip(choices, shortsighted, strict=True))
    return Table(values, None, choices, _METHOD, {node: edge for node, (edge, other) in pairs if edge != other})


def _by_component(graph: Graph, sign: list[int], budget: Budget) -> Table:
    """Strongly connected components, each after all those it leads to."""
    amounts: list[Number] = [0] * len(graph)
    choices = [-1] * len(graph)
    through = partial(_through, graph, amounts=amounts)
    for part in graph.components:
        budget.glance(len(graph), "solving")
        node = part[0]
        payoff = graph.payoffs[node]
        if payoff is not None:
            amounts[node] = payoff[0]
        elif graph.is_loop(part):
            of_loop, choices_of_loop = _solve_loop(graph, sign, part, through, budget)
            for node in part:
                amounts[node], choices[node] = of_loop[node], choices_of_loop[node]
        else:
            direction = sign[graph.movers[node]]
            choices[node] = max(graph.edges(node), key=lambda edge: direction * through(edge))
            amounts[node] = through(choices[node])
    is_determined = graph.has_one_amount or graph.swing
    values = list(map(graph.row_of, amounts)) if is_determined else policy_evaluation(graph, choices)
    forced = unlike_first_best(graph, values, choices)
    return Table(values, None, choices, _METHOD, forced)


def _through(graph: Graph, edge: int, amounts: list[Number]) -> Number:
    """The first player's amount through `edge`."""
    return simplest(graph.gain_of(edge) + amounts[graph.successors[edge]])


def _solve_loop(
    graph: Graph, sign: list[int], part: list[int], through: Callable[[int], Number], budget: Budget
) -> tuple[dict[int, Number], dict[int, int]]:
    """The first player's amounts and the choices in one component; `through` knows the amounts through its ways out."""
    if len({graph.endless_at(node)[0] for node in part}) > 1:
        return LiminfLevels(graph, sign, part, through, budget).solve()
    # Every edge that leaves the component becomes an end that pays what follows.
    inner = replace(
        graph.within(part, lambda edge: (through(edge),)),
        rewards=None,
        interests=tuple((0, direction) for direction in sign),
        endless=graph.endless_at(part[0])[:1],
        players=1,
        is_win_loss=False,
    )
    table = _in_one(inner, sign, budget)
    amounts = {node: table.values[number][0] for number, node in enumerate(part)}
    choices = {node: inner.moves[table.choices[number]] for number, node in enumerate(part)}
    return amounts, choices  # type: ignore[return-value]


class _Scores:
    """The scores of all nodes (see `retrograde_kernels`), and what they say.

    amounts     the amount of each rank: `amounts[0]` is endless play, from 1 up what the first player
                likes better, from -1 down (from the end of the list) what is worse
    ranks    n  of every node
    plies    n  to the end; -1 for endless play
    """

    def __init__(self, graph: Graph, sign: list[int], budget: Budget) -> None:
        self.budget, self.size = budget, len(graph)
        self.unit = self.size + 1  # larger than the number of plies from any node
        different = sorted({payoff[0] for payoff in graph.paid} | {graph.endless[0]})
        draw = different.index(graph.endless[0])
        self.amounts: list[Number] = different[draw:] + different[:draw]
        self.kernels, self.room = kernels_for(len(graph.successors))
        room = self.room
        self.links = Links(self.size, room("p", graph.offsets), room("h", graph.successors))
        self.signs = room("b", list(map(sign.__getitem__, graph.movers)))
        ranks = [0, *(different.index(row[0]) - draw for row in graph.paid)]
        scores = [rank * self.unit for rank in ranks]
        self.scores = room("p", list(map(scores.__getitem__, graph.ends.numbers)))
        self._propagate(ranks, graph.ends.numbers)
        self.ranks, self.plies = room("p", self.size), room("h", self.size)
        self._run("split_scores", self.size, self.scores, self.unit, self.ranks, self.plies)

    def _propagate(self, ranks: Sequence[int], paid: Sequence[int]) -> None:
        """Find the scores from those of ends; `ranks` are those of payoffs, `paid` has the payoff of every node."""
        room, edges = self.room, len(self.links.h_successors)
        ends: dict[int, list[int]] = {rank: [] for rank in range(min(ranks), max(ranks) + 1)}
        for node in compress(range(self.size), paid):
            ends[ranks[paid[node]]].append(node)
        better = [node for rank in range(max(ranks), 0, -1) for node in ends[rank]]
        worse = [node for rank in range(min(ranks), 0) for node in ends[rank]]
        back = Back(room("p", self.size + 1), room("h", edges), room("h", self.size))
        seeds, queue = room("h", better + worse), room("h", self.size)
        self._run(
            "propagate_scores", self.links, self.signs, self.size, back,
            self.scores, seeds, len(better), len(seeds), queue,
        )  # fmt: skip

    def choices(self, worths: Any) -> Sequence[int]:
        """For every node the first of its best edges by `scores`, or by `ranks` alone."""
        chosen = self.room("p", self.size)
        self._run("choose_first_best", self.links, self.signs, worths, chosen)
        edges: Sequence[int] = shown(chosen)
        return edges

    def _run(self, kernel: str, *arguments: Any) -> None:
        self.budget.glance(self.size, "solving")
        self.kernels[kernel](*arguments)
        self.budget.glance(self.size, "solving")
