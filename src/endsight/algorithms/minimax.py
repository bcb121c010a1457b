"""Plain minimax: every line of play to its end, nothing remembered.

Shannon, "Programming a computer for playing chess", Philosophical Magazine 41 (1950),
without a horizon; with chance, the expectimax of Michie, "Game-playing and game-learning
automata" (1966). Its nodes are the nodes of the game *tree*, each counted as often as
lines of play pass it: the cost of a game before any improvement.

Players choose the first of their own best moves, as in backward induction.
"""

from __future__ import annotations

from collections.abc import Hashable

from endsight.game import CHANCE
from endsight.game.limits import Budget, Ends
from endsight.game.numbers import Number, added, average
from endsight.graph.game_tree import Call, GameNode, GameTree, ProvenNodes, SearchResult, Visits, run_deep


def minimax(tree: GameTree, budget: Budget, findings: ProvenNodes) -> SearchResult:
    """The value of the root; `states` is the number of distinct nodes visited (counted, not used).

    `findings` returns the values of the root's children that are finished.

    Raises `QuestionError` where play can come back to a position, `LimitReached` when the
    budget is spent.
    """
    run = _Minimax(tree, budget)
    findings.look = run.proven
    value = run_deep(run.value(tree.root))
    visits = run.visits
    return SearchResult(
        value,
        visits.nodes,
        len(visits.met),
        "minimax",
        is_complete=True,
        met_chance=visits.met_chance,
        rests_on_ties=run.rests_on_ties,
    )


class _Minimax:
    def __init__(self, tree: GameTree, budget: Budget) -> None:
        self.tree = tree
        self.done: dict[Hashable, tuple[Ends, ...]] = {}
        self.visits = Visits(tree, budget)
        self.has_choices = self.sums_differ = False

    @property
    def rests_on_ties(self) -> bool:
        """Whether some player's value may depend on which of several best moves somebody takes."""
        return self.has_choices and (self.tree.players > 2 or (self.tree.players == 2 and self.sums_differ))

    def value(self, key: Hashable) -> Call[tuple[Number, ...]]:
        """The value of what is still to come at a node, per player."""
        place = self.visits.enter(key)
        value = place.payoff
        if value is None:
            arrivals = []
            for child, gain in place.children:
                after = yield self.value(child)
                arrivals.append(self._arrival(after, gain))
            value = _mean(place, arrivals) if place.mover == CHANCE else self._best(place.mover, arrivals)
        self.visits.leave(key)
        if len(self.visits.path) == 1:
            self.done[key] = tuple((own, own) for own in value)
        return value

    def proven(self, key: Hashable) -> tuple[Ends, ...] | None:
        """The value of a finished child of the root; no ends for other visited nodes."""
        return self.done.get(key, ((None, None),) * self.tree.players) if key in self.visits.met else None

    def _arrival(self, after: tuple[Number, ...], gain: tuple[Number, ...] | None) -> tuple[Number, ...]:
        if self.tree.alternating:
            after = (after[1], after[0])
        return after if gain is None else added(gain, after)

    def _best(self, mover: int, arrivals: list[tuple[Number, ...]]) -> tuple[Number, ...]:
        player, sign = self.tree.interests[mover]
        self.has_choices |= len(arrivals) > 1
        # Where no choice changes what both get together, a player's amount determines the other's.
        self.sums_differ |= len({sum(value) for value in arrivals}) > 1
        return max(arrivals, key=lambda value: sign * value[player])


def _mean(place: GameNode, arrivals: list[tuple[Number, ...]]) -> tuple[Number, ...]:
    weights = place.weights or [1] * len(arrivals)
    return tuple(average(weights, column) for column in zip(*arrivals, strict=True))
