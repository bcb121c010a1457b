"""Play as a Markov chain, with the values, visits and available moves that a report needs.

Best players make one of the best moves, each with the same chance, where winners hasten and losers delay. Where it may
matter to somebody which of them is made, they make the one that the solution chooses; where players mix their moves,
they mix them as the solution does. Beginners make any move, each with the same chance.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any

from endsight.algorithms.outcome_distribution import outcome_distribution, visits
from endsight.algorithms.policy_evaluation import policy_evaluation
from endsight.answers.chosen_play import known_at
from endsight.answers.options import Option
from endsight.answers.solution import Solution
from endsight.engine.choice import is_complete
from endsight.errors import LimitReached
from endsight.game import CHANCE, Game
from endsight.game.limits import Budget
from endsight.game.numbers import Number
from endsight.game.position import Position, position_in_truth
from endsight.game.question import Utility
from endsight.graph.explorer import explore_view
from endsight.graph.graph import Graph
from endsight.graph.objective import PlayedView, View

MOST = 20_000
"""Positions that a report walks through at most."""


def result_of(game: Game) -> Utility:
    """The result that a report counts: who has won, or for a single player the payoff."""
    return "win" if game.player_count > 1 else "payoff"


@dataclass(frozen=True, eq=False)
class Played:
    """One way to play a game from a position on, in which chance alone decides.

    `offered` holds the moves at each decision, by node of the view; it is empty where players mix their moves.
    `has_all` says whether every best move is made, and not only the first.
    """

    view: View
    graph: Graph
    budget: Budget
    offered: Mapping[Any, list[Option]] = field(default_factory=dict)
    has_all: bool = True

    @cached_property
    def values(self) -> list[tuple[Number, ...]]:
        """The value of every node to each player."""
        choices = [-1 if self.graph.is_end(node) else self.graph.offsets[node] for node in range(len(self.graph))]
        return policy_evaluation(self.graph, choices)

    @cached_property
    def visits(self) -> Mapping[int, Fraction] | None:
        """How often each node is visited on average; None where play need not end."""
        return visits(self.graph, self.budget)

    def results(self, seat: int) -> Mapping[Number, Fraction]:
        """The chances of what the player in that seat gets."""
        return outcome_distribution(self.graph, seat, 0, self.budget)

    def plies(self) -> Iterator[int]:
        """The nodes where a player makes a move."""
        return (node for node in range(len(self.graph)) if self.view.is_ply(self.graph, node))

    def is_drawn(self, node: int) -> bool:
        """Whether dice or cards decide there."""
        return not self.graph.is_end(node) and self.view.split(self.graph.keys[node])[1] == CHANCE

    def options(self, node: int) -> list[Option]:
        """The available moves at a decision; empty where players mix their moves."""
        return self.offered.get(self.graph.keys[node], [])

    def increments(self, node: int) -> Iterator[tuple[Fraction, tuple[Number, ...]]]:
        """How much each step from a node changes every player's expectation, with its chance."""
        for edge, chance in self.graph.chances(node):
            after = self.graph.through(edge, self.values[self.graph.successors[edge]])
            yield chance, tuple(there - here for there, here in zip(after, self.values[node], strict=True))

    @cached_property
    def has_luck(self) -> bool:
        """Whether dice or cards decide anywhere."""
        return any(map(self.is_drawn, range(len(self.graph))))


def best_play(solution: Solution, budget: Budget) -> Played | None:
    """Best play by all; None where it leads to too many positions. `LimitReached` where ends do not show what is best.

    Only the first of several best moves is made where all lead to more than `MOST` positions, and where the values
    rest on that choice: between other players, or more than two, a move as good for its player can change what the
    others get, and with it which moves are best.
    """
    if solution.source.by_history or solution.source.moves_at_once:
        return Played(*solution.chain(utility=result_of(solution.game)), budget)
    whole = _best(solution, budget, makes_all=True) if not solution.is_one_of_several else None
    return _best(solution, budget, makes_all=False) if whole is None else whole


def _best(solution: Solution, budget: Budget, *, makes_all: bool) -> Played | None:
    """Best play with all best moves at every decision, or the first; None where that leads to too many positions."""
    start, offered = position_in_truth(solution.game, solution.position), dict[Any, list[Option]]()

    def mix(place: Position) -> Mapping[Any, int]:
        known = known_at(solution, place)
        options = solution.options(known)
        offered[view.key(place)] = options
        if any(option.rank is None for option in options):
            raise LimitReached("stopped: proven bounds do not show which moves are best", states=len(offered))
        return {option.move: 1 for option in options if option.rank == 1} if makes_all else {solution.chosen(known): 1}

    view = PlayedView(start.game, result_of(solution.game), mix)
    graph = explore_view(view, start, budget, MOST)
    return Played(view, graph, budget, offered, has_all=makes_all) if is_complete(graph) else None


def random_play(game: Game, budget: Budget) -> Played | None:
    """Players who make any legal move, each with the same chance; None where that leads to too many positions."""
    view = PlayedView(game, result_of(game), lambda place: dict.fromkeys(place.moves(), 1))
    graph = explore_view(view, game.position(), budget, MOST)
    return Played(view, graph, budget) if is_complete(graph) else None
