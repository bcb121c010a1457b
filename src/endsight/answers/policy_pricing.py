"""What a policy gives away: overall against best play, and at its worst position."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, partial
from typing import Any, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from endsight.algorithms.edge_arrays import edges_of
from endsight.algorithms.interval_iteration import Enclosure, enclose_values
from endsight.algorithms.policy_iteration import exact_near
from endsight.answers.enclosed import NodeBounds
from endsight.answers.solution import Solution
from endsight.answers.solver import solve
from endsight.compiler.columns import fields_of
from endsight.errors import QuestionError
from endsight.game import CHANCE, Game
from endsight.game.limits import Budget
from endsight.game.numbers import Amount, Interval, as_interval, not_below_0, simplest, sum_of, times, with_rest
from endsight.game.position import Position, as_text, policy_of
from endsight.game.question import BY_VALUE, PolicyRule, Question, bound_move, player_number, policy_function
from endsight.graph.objective import View
from endsight.graph.reachable import Ways, keeps_totals, reachable, way_to
from endsight.naming.arguments import as_asked


@dataclass(frozen=True)
class WorstPosition:
    """The position where a single decision of a policy gives away most.

    position  with a shortest history that leads there while the policy is followed
    move      the policy's move there; None where it moves at random
    best      the moves that give nothing away, as text
    regret    the position's value minus that after the policy's move (for a random move, on
              average), both under best play afterwards, for the policy's player
    """

    position: Position
    move: str | None
    best: tuple[str, ...]
    regret: Amount


@dataclass(frozen=True)
class PolicyLoss:
    """The cost to a player of following a policy that everybody else knows.

    player      the name of the player who follows the policy
    policy      the policy, as it was given
    best_value  per player, of the whole game under best play by everybody
    value       per player, when the policy is followed and everybody else answers best
    loss        `best_value` minus `value`, for that player (for the first player where
                all play for the first); never below 0 for one player or opposed players
    worst       where a single decision gives away most; None where none gives anything away
    """

    player: str
    policy: PolicyRule
    best_value: tuple[Amount, ...]
    value: tuple[Amount, ...]
    loss: Amount
    worst: WorstPosition | None


def policy_loss(
    game: Game | str,
    player: str | int,
    policy: PolicyRule,
    position: Position | str | None = None,
    *,
    best: Solution | None = None,
    **options: Any,
) -> PolicyLoss:
    """What `player` loses by following `policy` from `position` (default: the start) on.

    `policy` is a name or a `function(game, state) -> move`, `options` are those of `endsight.solve`; players in `fixed`
    keep their policies throughout. Everybody else gives a best response to the policy. The loss is exact, or proven
    bounds where the values are only enclosed. `best` is the solution with the same options but without the policy, if
    you have it.

    Raises `QuestionError` for an unknown player or policy, and `LimitReached` at a limit.
    """
    game, position = as_asked(game, position, "policy_loss")
    number = player_number(game, player)
    fixed = dict(options.get("fixed") or {})
    if number in fixed or game.player_names[number] in fixed:
        raise QuestionError(
            f"{game.player_names[number]} is fixed already, so there is no best play to compare a policy with",
            allowed="another player",
        )
    options["fixed"] = fixed
    Question(fixed={number: policy_of(game, policy)}).check(game)
    if best is None or best.position != position:
        best = solve(game, position, **options)
    options["limits"] = replace(best.budget.limits, seconds=best.budget.seconds_left, since=None)
    options["fixed"] = {each: policy_of(best.game, rule) for each, rule in fixed.items()}
    rule = policy_of(best.game, policy)
    return replace(_on_arrays(best, number, rule, options) or _by_positions(best, number, rule, options), policy=policy)


def _by_positions(best: Solution, player: int, policy: PolicyRule, options: dict[str, Any]) -> PolicyLoss:
    response = solve(best.game, best.position, **{**options, "fixed": {**options["fixed"], player: policy}})
    if response.source.by_history:
        raise QuestionError(
            f"players of {best.game.title()} go by what they see, so no single decision is judged by its position",
            advice="endsight exploit GAME PLAYER=POLICY: what the policy gives away in all",
        )
    loss = _lost(best, player, best.values(), response.values())
    worst = _worst(best, response, player)
    return PolicyLoss(best.game.player_names[player], policy, best.values(), response.values(), loss, worst)


def _lost(best: Solution, player: int, before: tuple[Amount, ...], after: tuple[Amount, ...]) -> Amount:
    """The loss between two values, for the player whose value counts."""
    target = best.question.counted(player)
    # Values are only enclosed where players are opposed, and there binding a player never helps.
    return not_below_0(simplest(before[target] - after[target]))


# -------------------------------------------------------------------- position by position


def _worst(best: Solution, response: Solution, player: int) -> WorstPosition | None:
    ways: Ways = {}
    totals = keeps_totals(best.question, best.game)
    reached = reachable(best.position, best.budget, totals=totals, moves=partial(_moves, response), ways=ways)
    decisions = (place for place in reached if place.mover == player and not place.is_over)
    regrets = ((_regret(best, response, player, place), place) for place in decisions)
    regret, worst_at = max(regrets, key=lambda pair: as_interval(pair[0]).upper, default=(0, best.position))
    if as_interval(regret).upper == 0:
        return None
    place = best.position
    for move in way_to(worst_at, ways):
        place = place.play(move)
    chosen = response.chosen(worst_at)
    text = None if chosen is None else as_text(best.game, "show_move", place.state, chosen)
    return WorstPosition(place, text, tuple(best.best_moves(worst_at)), regret)


def _regret(best: Solution, response: Solution, player: int, place: Position) -> Amount:
    moves = _moves(response, place)
    worths = (place.worth(move, best.ends(place.play(move))) for move in moves)
    losses = [_lost(best, player, best.ends(place), worth) for worth in worths]
    return times(Fraction(1, len(losses)), sum_of(losses))


def _moves(response: Solution, place: Position) -> list[Any]:
    """The possible moves at a position when all policies are followed and the others move freely."""
    rule = response.question.fixed.get(place.mover)
    offered = list(place.moves())
    # A policy is not called where there is only one move: it may not handle an end that the rules set there.
    if place.mover == CHANCE or rule is None or rule == "random" or len(offered) < 2:
        return offered
    if rule in BY_VALUE:
        return [response.chosen(place)]
    return [bound_move(place, rule)]


# -------------------------------------------------------------------- on arrays


def _on_arrays(best: Solution, player: int, policy: PolicyRule, options: dict[str, Any]) -> PolicyLoss | None:
    """The loss in a large game with chance and loops; None where the game was not solved on arrays."""
    if best.source.on_arrays is None or policy in BY_VALUE:
        return None

    if best.source.merges:
        # A policy may treat equivalent states differently.
        best = solve(best.game, best.position, **{**options, "symmetry": False})
    if best.source.on_arrays is None:
        return None
    bound = bind(best.source.on_arrays, best.position, player, policy, best.budget)
    loss = _lost(best, player, best.values(), bound.value)
    most_lost, worst = bound.worst(), None
    if most_lost is not None and most_lost[1].upper > 0:
        place, regret = most_lost
        move = None if policy == "random" else bound_move(place, policy)
        text = None if move is None else as_text(best.game, "show_move", place.state, move)
        worst = WorstPosition(place, text, tuple(best.best_moves(place)), regret)
    return PolicyLoss(best.game.player_names[player], policy, best.values(), bound.value, loss, worst)


Words = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Bound:
    """A solved game in which `player` follows a policy and everybody else answers best.

    `kept` marks the edges of the whole game that are left; `enclosure` bounds the first
    player's values of what is left. Without `kept`, the player moves at random.
    """

    table: NodeBounds
    position: Position
    player: int
    kept: Mask | None
    enclosure: Enclosure
    budget: Budget

    @cached_property
    def value(self) -> tuple[Amount, ...]:
        """The whole-game value per player at the position, exact where the value of best play is."""
        first: Amount = self.enclosure.interval(0)
        if 0 in self.table.known:
            first = exact_near(0, self.enclosure, self.budget)[0]
        return self.table.view.whole(self.position, with_rest(first, self.table.total), by_mover=False)

    @cached_property
    def _first_edges(self) -> Words:
        """For every node that the policy can reach, the edge that first reaches it, breadth first; -2 for the rest."""
        offsets, successors = self.enclosure.arena.offsets, self.enclosure.arena.successors
        leading = np.full(len(offsets) - 1, -2, np.int64)
        leading[0] = -1
        front = np.zeros(1, np.int64)
        while len(front):
            edges = edges_of(offsets, front)
            reached, first = np.unique(successors[edges], return_index=True)
            new = leading[reached] == -2
            leading[reached[new]] = edges[first[new]]
            front = reached[new].astype(np.int64)
        return leading

    def worst(self) -> tuple[Position, Interval] | None:
        """Where a single decision gives away most by the upper end, and how much; None where no decision is reached."""
        best = self.table.enclosure
        nodes = np.flatnonzero((self.table.arrays.movers == self.player) & (self._first_edges > -2))
        nodes = nodes[np.diff(best.arena.offsets)[nodes] > 0]
        if not len(nodes):
            return None
        low, high = self._given_away(nodes)
        at = int(np.lexsort((nodes, -high))[0])
        return self._place(int(nodes[at])), Interval(*(Fraction(int(end[at]), best.denominator) for end in (low, high)))

    def _given_away(self, nodes: Words) -> tuple[Words, Words]:
        """The ends of what the policy's move gives away at each node, in the units of best play's bounds."""
        best, left = self.table.enclosure, self.enclosure.arena
        scale = best.denominator // best.arena.unit
        after = np.zeros((len(nodes), 2), np.int64)
        counts = np.diff(left.offsets)[nodes]
        for number in range(int(counts.max())):
            has = counts > number
            edges = left.offsets[nodes[has]] + number
            ends = best.bounds[left.successors[edges]]
            if left.gains is not None:
                ends = ends + (left.gains[edges] * scale)[:, None]
            after[has] += ends
        # The mean over a random player's moves, rounded outwards.
        lows, highs = after[:, 0] // counts, -(-after[:, 1] // counts)
        here = best.bounds[nodes]
        if self.table.view.sign(self.player) > 0:
            low, high = here[:, 0] - highs, here[:, 1] - lows
        else:
            low, high = lows - here[:, 1], highs - here[:, 0]
        return np.maximum(low, 0), np.maximum(high, 0)

    def _place(self, node: int) -> Position:
        """A shortest path to a node under the policy, played from the position."""
        arena = self.enclosure.arena
        numbers = np.arange(len(self.table.enclosure.arena.successors))
        edges = numbers if self.kept is None else numbers[self.kept]
        offsets = self.table.enclosure.arena.offsets
        turns: list[int] = []
        while node:
            edge = int(self._first_edges[node])
            node = int(np.searchsorted(arena.offsets, edge, "right")) - 1
            turns.append(int(edges[edge]) - int(offsets[node]))
        place = self.position
        for turn in reversed(turns):
            place = place.play(list(place.moves())[turn])
        return place


def bind(table: NodeBounds, position: Position, player: int, rule: PolicyRule, budget: Budget) -> Bound:
    """Bind `player` to `rule` in a game solved on arrays without symmetry (from `position` on)."""
    arena = table.enclosure.arena
    if rule == "random":
        signs = arena.signs.copy()
        signs[table.arrays.movers == player] = 0
        bound, kept = replace(arena, signs=signs), None
    else:
        kept = _choices_of(table, player, rule, budget)
        bound = arena.among(np.arange(len(arena)), kept)
    enclosure = enclose_values(bound, budget=budget)
    assert enclosure is not None, "with fewer moves play still ends"
    return Bound(table, position, player, kept, enclosure, budget)


@runtime_checkable
class ColumnPolicy(Protocol):
    """A policy between two moves that can answer for many states at once."""

    def on_columns(self, columns: Mapping[str, Words]) -> tuple[Mask, Any, Any]:
        """Where the first of two moves is wanted, and the two moves."""


def _choices_of(table: NodeBounds, player: int, rule: PolicyRule, budget: Budget) -> Mask:
    """Mark all edges except those that the policy does not take."""
    arrays, offsets = table.arrays, table.enclosure.arena.offsets
    nodes = np.flatnonzero((arrays.movers == player) & (np.diff(offsets) > 0))
    edges = edges_of(offsets, nodes)
    kept = np.ones(arrays.edges, np.bool_)
    kept[edges] = False
    kept[_taken(table, nodes, player, rule, budget)] = True
    return kept


def _taken(table: NodeBounds, nodes: Words, player: int, rule: PolicyRule, budget: Budget) -> Words:
    """The edge that the policy takes at each of these nodes."""
    arrays, first = table.arrays, table.enclosure.arena.offsets[nodes]
    if arrays.moves.size != arrays.edges:
        return _asked(table, nodes, player, rule, budget)
    if isinstance(rule, ColumnPolicy):
        columns = fields_of(arrays.rules.packing, arrays.keys[nodes])
        is_first, *moves = rule.on_columns(dict(zip(table.view.game.State._fields, columns, strict=True)))
        # Where neither of the two moves is legal, a legal move is played.
        return _places(table, nodes, np.where(is_first, *moves), first)
    chosen = _policy_moves(table, nodes, player, rule, budget)
    if chosen is None:
        return _asked(table, nodes, player, rule, budget)
    taken = _places(table, nodes, chosen, first - 1)
    strange = taken < first
    if strange.any():
        taken[strange] = _asked(table, nodes[strange], player, rule, budget)
    return taken


def _policy_moves(table: NodeBounds, nodes: Words, player: int, rule: PolicyRule, budget: Budget) -> Words | None:
    """The moves that a policy plays; None where they are not all whole numbers."""
    policy = policy_function(table.view.game, rule)
    states, _ = table.arrays.rules.states(table.arrays.keys[nodes])
    moves = []
    for state in states:
        budget.glance(table.arrays.nodes, "asking the policy")
        moves.append(policy(state, player))
    if not all(type(move) is int and abs(move) < 1 << 62 for move in moves):
        return None
    return np.array(moves, np.int64)


def _places(table: NodeBounds, nodes: Words, chosen: Words, otherwise: Words) -> Words:
    """The first edge of each node whose move is the one wanted there, else `otherwise`."""
    offsets, moves = table.enclosure.arena.offsets, table.arrays.moves.reshape(-1)
    counts = np.diff(offsets)[nodes]
    edges_taken = otherwise.copy()
    for turn in reversed(range(int(counts.max(initial=0)))):
        edges = offsets[nodes] + np.minimum(turn, counts - 1)
        edges_taken = np.where(moves[edges] == chosen, edges, edges_taken)
    return edges_taken


def _asked(table: NodeBounds, nodes: Words, player: int, rule: PolicyRule, budget: Budget) -> Words:
    """The edges taken, found state by state; raises the error for an illegal move."""
    game, arrays, offsets = table.view.game, table.arrays, table.enclosure.arena.offsets
    legal = View(game, Question(fixed={player: rule})).legal
    states, _ = arrays.rules.states(arrays.keys[nodes])
    taken: Words = offsets[nodes].copy()
    for place, state in enumerate(states):
        budget.glance(arrays.nodes, "asking the policy")
        (move,) = legal(state, player, ())
        taken[place] += list(game.moves(state)).index(move)
    return taken
