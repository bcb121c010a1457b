"""Game -> Graph: every position reachable from a given one, breadth first.

The plain engine: the rules run as they are written, in Python, on exact numbers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from endsight.base.collector import collector_paused
from endsight.base.deferred import deferred
from endsight.errors import EndsightError
from endsight.errors.complaints import not_a_state
from endsight.errors.rules_guard import brief, broken_rules, place_in_rules
from endsight.game import CHANCE, TOGETHER, Game
from endsight.game.contract import Contract
from endsight.game.limits import Budget
from endsight.game.numbers import Number
from endsight.game.position import Position
from endsight.game.question import Question
from endsight.games import is_built_in
from endsight.graph.graph import Graph
from endsight.graph.objective import View

with deferred(__name__):
    from endsight.graph.discounting import discounts_of
    from endsight.graph.judgement import judge_totals

_LOOKED_AT = 500
"""Number of positions among which chance is looked for."""
_FIRST_STATES, _MORE_STATES = 1_000, 8
"""Number of states searched at first for loops that pay, and the factor to the next number."""


def explore(
    game: Game,
    position: Position,
    question: Question | None = None,
    *,
    symmetry: bool = True,
    tracks_mover: bool | None = None,
    budget: Budget | None = None,
    at_most: int | None = None,
) -> tuple[View, Graph]:
    """The graph of all nodes reachable from `position`, and the view that names its nodes.

    `tracks_mover`: see `View`. After `at_most` nodes the others have only a key. Raises `RulesError`, `NoValue` where
    loops make infinitely many nodes, and `LimitReached`.
    """
    question, budget = question or Question(), budget or Budget()
    view = View(game, question, symmetry=symmetry, tracks_mover=tracks_mover)
    return view, explore_view(view, position, budget, at_most)


def explore_view(
    view: View, position: Position, budget: Budget, at_most: int | None = None, *, is_finite: bool = False
) -> Graph:
    """The same in a given view; `is_finite` says that its nodes are known to be finitely many."""
    if view.tracks_totals and not is_finite:
        require_finite(view, position, budget, at_most)
    return Explorer(view, budget).graph([view.key(position)], at_most)


def explore_on(view: View, part: Graph, position: Position, budget: Budget, at_most: int | None) -> Graph:
    """More of the graph from `position` on than `part`, which `explore` returned: `at_most` nodes expanded, or all.

    Raises what `explore` raises.
    """
    if view.tracks_totals:
        require_finite(view, position, budget, at_most)
    explorer = Explorer(view, budget)
    explorer.take(part)
    return explorer.graph([], at_most)


def expand(view: View, nodes: Sequence[Any], budget: Budget | None = None) -> Graph:
    """The part of a graph that one move reaches from these nodes of `view`, all different.

    They come first, and only they are expanded. Callers that do this often use one `budget`, which checks the
    memory now and then. Raises `RulesError` for rules that break their contract there.
    """
    return Explorer(view, budget or Budget()).graph(nodes, len(nodes))


def look_ahead(view: View, position: Position, budget: Budget, most: int) -> Iterator[tuple[Graph, bool]]:
    """More and more of the graph from `position` on, and whether it is all; at most about `most` nodes are expanded.

    One line of play to its end comes first, so that what happens at the end is soon seen.
    """
    explorer, line = Explorer(view, budget), _line_of_play(view, position)
    few = len(line)
    while few < most:
        graph = explorer.graph(line, few)
        is_complete = len(graph.offsets) > len(graph)
        yield (graph if is_complete else graph.padded()), is_complete
        if is_complete:
            return
        few *= _MORE_STATES


def _line_of_play(view: View, position: Position) -> list[Any]:
    """The nodes along one line of play: to an end, to chance, or until a node is met again."""
    nodes = {view.key(position): None}
    while position.mover != CHANCE and (legal := view.legal(position.state, position.mover, position.so_far)):
        position = replace(position.play(legal[0]), history=())
        if (key := view.key(position)) in nodes:
            break
        nodes[key] = None
    return list(nodes)


def require_finite(view: View, position: Position, budget: Budget, at_most: int | None = None) -> None:
    """Raise `NoValue` where there would be infinitely many nodes of `view`, which hold the gains so far.

    Examines up to `at_most` states (default: all), first only a few.
    """
    twin = view.without_totals()
    few = _FIRST_STATES
    while True:
        few = few if at_most is None else min(few, at_most)
        graph = Explorer(twin, budget).graph([twin.key(position)], few)
        reason = judge_totals(graph, twin, view.question.utility)
        if reason is not None:
            raise reason.error()
        if len(graph) < few or few == at_most:
            return
        few *= _MORE_STATES


def meets_chance(position: Position) -> bool:
    """Whether chance moves at one of the first positions of play from there; only `to_move` is asked."""
    return position.game.gives("to_move") and CHANCE in first_movers(position)


def first_movers(position: Position) -> frozenset[int]:
    """Who moves at the first positions of play from there: players, `CHANCE`, `TOGETHER`."""
    game = position.game
    _, graph = explore(game, position, Question(utility=game.means_of or "payoff"), at_most=_LOOKED_AT)
    return frozenset(graph.movers)


@dataclass(eq=False)
class Explorer:
    """The arrays of a graph while they grow."""

    view: View
    budget: Budget
    keys: list[Any] = field(default_factory=list)
    index: dict[Any, int] = field(default_factory=dict)
    offsets: list[int] = field(default_factory=lambda: [0])
    successors: list[int] = field(default_factory=list)
    moves: list[Any] = field(default_factory=list)
    movers: list[int] = field(default_factory=list)
    weights: list[int] = field(default_factory=list)
    rewards: list[tuple[Number, ...] | None] = field(default_factory=list)
    payoffs: list[tuple[Number, ...] | None] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.game, self.contract = self.view.game, Contract(self.view.game)
        self.is_built_in = is_built_in(self.game)

    def take(self, part: Graph) -> None:
        """Continue where an explorer of the same view has stopped."""
        edges = len(part.successors)
        self.keys, self.index, self.offsets = list(part.keys), dict(part.index), list(part.offsets)
        self.successors, self.moves, self.movers = list(part.successors), list(part.moves), list(part.movers)
        self.weights = [1] * edges if part.weights is None else list(part.weights)
        self.rewards = [None] * edges if part.rewards is None else list(part.rewards)
        self.payoffs = list(part.payoffs)

    @collector_paused()
    def graph(self, first: Sequence[Any], at_most: int | None) -> Graph:
        """Explore from the first nodes until nothing new turns up, or `at_most` nodes are expanded."""
        for key in first:
            self._node(key)
        try:
            while (node := len(self.offsets) - 1) < len(self.keys) and (at_most is None or node < at_most):
                self._expand(self.keys[node])
                self.offsets.append(len(self.successors))
                self.budget.spend_edges(len(self.successors), len(self.keys))
                self.budget.frontier = len(self.keys) - node - 1
        except Exception as error:
            self._blame(error, len(self.offsets) - 1)
            raise
        self.budget.frontier = 0
        return self.found()

    def _node(self, key: Any) -> int:
        """The number of the node with that key, a new one if needed."""
        state = key.state if self.view.tracks else key
        if not self.is_built_in:
            self.contract.check_comparable(state)
        if (number := self.index.get(key)) is None:
            self.contract.check_state(state)
            number = self.index[key] = len(self.keys)
            self.keys.append(key)
            self.budget.spend(number + 1)
        return number

    def _expand(self, key: Any) -> None:
        view, game = self.view, self.game
        state, mover, totals = view.split(key)
        self.contract.check_mover(state, mover)
        legal = view.legal(state, mover, totals, self.budget)
        self.movers.append(view.acting(mover))
        self.payoffs.append(None if legal else view.final(state, mover, totals))
        if not legal:
            return
        if mover == TOGETHER:
            self.contract.check_combinations(state, legal)
        mixture = view.mixture(state, mover, totals)
        for move in legal if mixture is None else mixture:
            self.budget.glance(len(self.keys), "exploring")
            gain = view.gain(state, move, mover) if view.has_rewards else None
            child = game.play(state, move)
            if not isinstance(child, tuple):
                raise not_a_state(game, child, state)
            self.successors.append(self._node(view.key_after(child, mover, totals, gain)))
            self.moves.append(move)
            self.rewards.append(None if gain is None else view.edge_gain(gain))
            drawn = self.contract.weight(state, move) if mover == CHANCE else 1
            self.weights.append(mixture[move] if mixture else drawn)

    def _blame(self, error: Exception, node: int) -> None:
        """Raise an error of the rules with its place in their text and the state where it struck; leave all others."""
        if isinstance(error, EndsightError | MemoryError) or self.is_built_in:
            return  # such an error explains itself, or is a fault of this package
        if place_in_rules(type(self.game), error)[0] is None:
            return  # an error of a policy
        blamed = broken_rules(type(self.game), error, "play")
        blamed.found = f"{blamed.found}\nat the state {brief(self.view.split(self.keys[node])[0])}"
        raise blamed from error

    def found(self) -> Graph:
        """The graph so far."""
        return Graph(
            keys=self.keys,
            index=self.index,
            offsets=self.offsets,
            successors=self.successors,
            moves=self.moves,
            movers=self.movers,
            weights=self.weights if any(weight != 1 for weight in self.weights) else None,
            rewards=self.rewards if any(gain is not None for gain in self.rewards) else None,
            payoffs=self.payoffs,
            interests=self.view.interests,
            players=self.view.players,
            endless=self.view.endless,
            alternating=self.view.relative,
            is_win_loss=self.view.is_win_loss and TOGETHER not in self.movers,
            unending=self.view.unending(self.keys) if self.view.tracks_totals else None,
            discounts=discounts_of(self.view, self.keys, self.offsets) if self.view.discounted else None,
        )


def nodes_with(edges: int, begun: Graph) -> int:
    """How many nodes have about that many edges, judging by those expanded so far."""
    return edges * (len(begun.offsets) - 1) // max(1, len(begun.successors))
