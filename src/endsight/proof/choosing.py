"""Which moves a play takes, and what it claims of the states that it returns to."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from dataclasses import replace
from fractions import Fraction
from functools import cached_property, partial
from math import lcm
from typing import Any, TypeAlias

from endsight.algorithms.matrix_game import matrix_game
from endsight.answers.solution import Solution
from endsight.errors import LimitReached
from endsight.game.joint_moves import parts_of
from endsight.game.limits import Budget
from endsight.game.numbers import Number, as_interval, count_text, is_enclosed
from endsight.game.position import Position
from endsight.proof.known import KnownAmounts, position_at
from endsight.proof.scales import factors, gain_unit, returning, whole_unit
from endsight.verifier.certificate import MOST_NUMBERS, Play
from endsight.verifier.walk import NOBODY, Terms, Walk

MOST_EXACT_BITS = 1 << 25
"""Bits of all exact values that a play may claim; beyond that it claims proven bounds."""


class Chooser:
    """Moves for one side by the values of a solution.

    At the states of `follow` the move is given (its number), as a play that must be shown best takes it.
    Of the moves that keep the bound, the first that leads to a state already visited is taken, else the one
    that ends play soonest: the fewer states a play visits, the smaller its certificate.
    """

    def __init__(self, solution: Solution, view: Terms, side: int, follow: Follow, budget: Budget) -> None:
        self.follow = follow
        self.budget = budget
        self.solution = solution
        self.view = view
        self.side = side
        self.values: dict[Any, Number] = {}
        self.mixtures: dict[Any, Mapping[Any, int]] = {}
        self.bound = self._value(solution.position)

    def _value(self, position: Position) -> Number:
        """The least that is known of a position's amount, times the side."""
        value = as_interval(self.solution._at(position).value(position)[self.view.subject])
        return value.lower if self.side > 0 else -value.upper

    def pick(self, walk: Walk, node: Any, moves: list[Any]) -> int:
        """The number of the move to take."""
        self._glance(walk)
        return self._picked(walk, node, moves, [self.view.after(node, move) for move in moves])

    def _picked(self, walk: Walk, node: Any, moves: list[Any], children: list[Any]) -> int:
        """The same, given the node after each move, with its gain."""
        # Without gains on the way and without chance only the worst end counts: any move that keeps the bound will do.
        if not self.view.pays and not walk.view.chance_seen:
            found = self._keeping(walk, children)
            if found is not None:
                return found
        values = [self._worth(child, gain) for child, gain in children]
        keep = [number for number, value in enumerate(values) if value >= max(values)]
        met = (number for number in keep if children[number][0] in walk.numbers)
        return next(met, min(keep, key=lambda number: self._haste(*children[number])))

    def _keeping(self, walk: Walk, children: list[Any]) -> int | None:
        """The first move that keeps the bound, if all states of the walk keep it; None if no move is known to."""
        for number, (child, _) in enumerate(children):
            if child in walk.numbers:
                return number
        order = sorted(range(len(children)), key=lambda number: self._haste(*children[number]))
        return next((number for number in order if self._keeps(children[number][0])), None)

    def _keeps(self, child: Any) -> bool:
        """Whether the side gets its bound from there; a search can show that without finding the value."""
        player = self.view.subject if self.side > 0 else 1 - self.view.subject
        reaches = self.solution.source.reaches(position_at(self.view, child), player, self.bound)
        return self._worth(child, None) >= self.bound if reaches is None else reaches

    def weight(self, walk: Walk, node: Any, moves: list[Any]) -> int:
        """The weight of the own part that these moves at once share, in the best mixture there."""
        own = 0 if self.view.side(0) == self.side else 1
        if node not in self.mixtures:
            self._glance(walk)
            self.mixtures[node] = mixture(self._joint(node), own)
        return self.mixtures[node][moves[0][own]]

    def _joint(self, node: Any) -> Mapping[Any, Number]:
        """The worth of every joint move of a node, times the side."""
        return {move: self._worth(*self.view.after(node, move)) for move in self.view.options(node)[0]}

    def _glance(self, walk: Walk) -> None:
        self.budget.glance(len(walk), "choosing moves")
        self.budget.spend(len(walk), "choosing moves")
        if len(walk.picked) >= MOST_NUMBERS:
            raise LimitReached(
                f"stopped: a certificate holds up to {count_text(MOST_NUMBERS, 'choice')} of a play",
                states=len(walk),
                found="a play that needs more",
                advice="--at MOVES: a position some moves later needs several times less",
            )

    def _worth(self, child: Any, gain: tuple[Number, ...] | None) -> Number:
        """The least that a move to that node is known to be worth."""
        if child not in self.values:
            self.values[child] = self._value(position_at(self.view, child))
        return self.values[child] + (0 if gain is None else self.side * gain[self.view.subject])

    def _haste(self, child: Any, _gain: tuple[Number, ...] | None) -> tuple[Number, ...]:
        """The key to minimize among moves of equal worth: how soon play ends."""
        source = self.solution.source
        if source.checker is not None or source.searcher is not None:
            # Distances would need a search; a small number of replies is a good sign too.
            return (self._replies(child),)
        return self._plies(child)

    def _plies(self, child: Any) -> tuple[bool, int]:
        """How soon play ends there; nodes for which that is not known come last."""
        place = position_at(self.view, child)
        plies = self.solution._at(place).distance(place)
        return plies is None, plies or 0

    def _replies(self, node: Any) -> int:
        moves, _ = self.view.options(node)
        return len(moves)

    def surer(self, walk: Walk) -> Chooser | None:
        """The chooser to try again with, where the walk repeats a state and endless play would pay too little."""
        if walk.order() is not None:
            return None
        if walk.dice:
            return self._other(LoopChooser)
        if self.bound <= min(walk.endless(walk.rounds())):
            return None
        return self._other(HurryingChooser)

    def _other(self, kind: type[Chooser]) -> Chooser:
        return kind(self.solution, self.view, self.side, self.follow, self.budget)

    def with_bounds(self, walk: Walk, play: Play) -> list[Play]:
        """The play with its scale, and bounds where it returns to a state; the strongest comes first."""
        order = walk.order()
        assert order is not None, "other choosers are for loops"
        return [replace(play, scale=factors(whole_unit(walk, order, {})))]

    def with_bound(self, walk: Walk, play: Play) -> Play:
        """The play with its own bound at every state that it returns to, where nothing is paid on the way."""
        nodes = returning(walk)
        bound = Fraction(self.bound)
        return self._claiming(play, bound.denominator, nodes, [self.side * bound.numerator] * len(nodes))

    def _claiming(self, play: Play, unit: int, nodes: Sequence[int], values: Sequence[int]) -> Play:
        return replace(play, scale=factors(unit), nodes=tuple(nodes), values=tuple(values))


class HurryingChooser(Chooser):
    """A chooser for where play must not repeat: it takes the shortest way to an end that pays enough.

    Distances are the solution's where it has them; else the attractor of the ends that pay enough supplies them.
    """

    def __init__(self, solution: Solution, view: Terms, side: int, follow: Follow, budget: Budget) -> None:
        super().__init__(solution, view, side, follow, budget)
        self.ranks = _Ranks(self) if solution.distance() is None else None

    def _picked(self, walk: Walk, node: Any, moves: list[Any], children: list[Any]) -> int:
        return min(range(len(moves)), key=lambda number: self._haste(*children[number]))

    def _haste(self, child: Any, gain: tuple[Number, ...] | None) -> tuple[Number, ...]:
        """The key that the chosen move minimizes."""
        if self.ranks is not None:
            return (self.ranks.of(child),)
        return -self._worth(child, gain), *self._plies(child)

    def surer(self, walk: Walk) -> Chooser | None:
        """The chooser to try again with, where no such end can be forced and the play repeats for less."""
        if walk.order() is not None or self.bound <= min(walk.endless(walk.rounds())):
            return None
        return self._other(FollowingChooser)


class FollowingChooser(Chooser):
    """A chooser for where play must repeat on the right loop, since loops pay differently: the solution's moves."""

    def pick(self, walk: Walk, node: Any, moves: list[Any]) -> int:
        """The number of the move to take."""
        self._glance(walk)
        return moves.index(self.solution.chosen(position_at(self.view, node)))

    def surer(self, walk: Walk) -> None:
        """None: the value was found by these very moves."""


class _Ranks:
    """Ranks in the attractor of the ends that pay the side its bound, over all states of the game."""

    def __init__(self, chooser: Chooser) -> None:
        self.whole = Walk(apart(chooser.view), NOBODY, lambda *_: -1)
        self.ranks = attractor(self.whole, chooser.side, chooser.bound, chooser.follow)

    def of(self, node: Any) -> int:
        """The rank; larger than any other where the side cannot force such an end."""
        return self.ranks.get(self.whole.numbers[node], len(self.whole))


class LoopChooser(Chooser):
    """A chooser for where chance meets loops: moves that keep the proven bound of every state."""

    @cached_property
    def known(self) -> KnownAmounts:
        """What the solution has proven, by state."""
        return KnownAmounts(self.solution, self.view)

    def _picked(self, walk: Walk, node: Any, moves: list[Any], children: list[Any]) -> int:
        leading = self.known.forced(node)
        places = [self.known.number(child) for child, _ in children]
        worths = [self._bound(place, gain) for place, (_, gain) in zip(places, children, strict=True)]
        numbers = [k for k, place in enumerate(places) if leading in (None, place)]
        most = max(worths[number] for number in numbers)
        first, *others = (number for number in numbers if worths[number] == most)
        # Another move of the same worth may repeat for ever.
        return min((first, *others), key=lambda k: self.known.plies(places[k])) if others else first

    def _bound(self, place: int, gain: tuple[Number, ...] | None) -> Number:
        low, high = self.known.bounds(place)
        more = 0 if gain is None else self.side * gain[self.view.subject] * self.known.scale
        return (low if self.side > 0 else -high) + more

    def _worth(self, child: Any, gain: tuple[Number, ...] | None) -> Number:
        """The same least worth over the scale, from the bounds of all nodes."""
        return self._bound(self.known.number(child), gain)

    def surer(self, walk: Walk) -> None:
        """None: this chooser already knows a bound of every state."""

    def with_bounds(self, walk: Walk, play: Play) -> list[Play]:
        """Exact bounds along best replies and proven bounds elsewhere, where that is small enough; proven bounds."""
        nodes = returning(walk)
        if self.known.scale == 1:
            return [self._exact_throughout(walk, play, nodes)]
        proven = self._claiming(play, self.known.scale, nodes, [int(self._end(walk, node)) for node in nodes])
        if not self.known.is_exact:
            return [proven]
        exact = self.budget.attempt(partial(self._exact_along_play, walk, play, nodes))
        return [proven] if exact is None else [exact, proven]

    def _end(self, walk: Walk, node: int) -> Number:
        """What the play guarantees from that node of the walk on, over the scale."""
        low, high = self.known.bounds(self.known.number(walk.nodes[node]))
        return low if self.side > 0 else high

    def _exact_throughout(self, walk: Walk, play: Play, nodes: list[int]) -> Play:
        """The play with exact values of all nodes to which it returns."""
        order = walk.order()
        if order is not None:
            return self._claiming(play, whole_unit(walk, order, {}), [], [])
        # In this unit all values and all gains on the way are whole, so nothing is rounded.
        unit = lcm(gain_unit(walk), *{self._end(walk, node).denominator for node in range(len(walk))})
        return self._claiming(play, unit, nodes, [int(self._end(walk, node) * unit) for node in nodes])

    def _exact_along_play(self, walk: Walk, play: Play, nodes: list[int]) -> Play | None:
        """The play with exact values where best replies lead, ends elsewhere; None where that is too long."""
        along = self._best_replies(walk)
        asked = {node: self.known.number(walk.nodes[node]) for node in nodes if along[node]}
        value = self.solution.values()[self.view.subject]
        if is_enclosed(value) or len(asked) * value.denominator.bit_length() > MOST_EXACT_BITS:
            return None
        exact = self.known.exact(asked.values(), self.budget) if asked else {}
        order = walk.order(tuple(nodes))
        assert order is not None, "every loop has a node to which play comes back"
        units = {node: exact[number].denominator for node, number in asked.items()}
        unit = lcm(self.known.scale, whole_unit(walk, order, units, along))
        finer = unit // self.known.scale
        values = [
            int(exact[asked[node]] * unit) if node in asked else int(self._end(walk, node)) * finer for node in nodes
        ]
        return self._claiming(play, unit, nodes, values)

    def _best_replies(self, walk: Walk) -> bytearray:
        """Mark all nodes that the play reaches against replies that are not proven worse than others."""
        along = bytearray(len(walk))
        along[0] = 1
        waiting = [0]
        for node in waiting:
            for child in walk.after(node) if node in walk.dice else self._replied(walk, node):
                if not along[child]:
                    along[child] = 1
                    waiting.append(child)
        return along

    def _replied(self, walk: Walk, node: int) -> Iterable[int]:
        """The targets of the player's moves that leave the least, as far as is known."""
        if len(walk.edges[node]) <= 1:
            return walk.after(node)
        bounds = []
        for child, gain in walk.edges[node]:
            low, high = self.known.bounds(self.known.number(walk.nodes[child]))
            more = self.known.scale * gain[self.view.subject] if gain else 0
            bounds.append((low + more, high + more) if self.side > 0 else (-high - more, -low - more))
        least = min(high for _, high in bounds)
        return [child for child, (low, _) in zip(walk.after(node), bounds, strict=True) if low <= least]


def apart(view: Terms) -> Terms:
    """A copy of the view with its own memory of what it meets: a claim covers only what its own plays meet."""
    own = copy(view)
    own.opposed = own.chance_seen = False
    own.ends_seen = set()
    return own


def chooser_of(solution: Solution, view: Terms, side: int, follow: Follow, budget: Budget) -> Chooser:
    """The chooser that the solution needs; its walks are on the budget."""
    if KnownAmounts(solution, view).has_uneasy_loops(pays=view.pays and not view.tracks):
        return LoopChooser(solution, view, side, follow, budget)
    return Chooser(solution, view, side, follow, budget)


# Mixtures of moves at once: the best that one of two rivals can do against every move of the other.


def mixture(worths: Mapping[Any, Number], own: int) -> Mapping[Any, int]:
    """Whole weights of the mover's own parts (part number `own` of every joint move), where the mover maximizes.

    `worths` gives the worth of every joint move of two players to that side.
    """
    parts = parts_of(list(worths))
    rows = [[worths[(row, other) if own == 0 else (other, row)] for other in parts[1 - own]] for row in parts[own]]
    return dict(zip(parts[own], matrix_game(rows).rows, strict=True))


# Plies to the terminals that one side can force, where play can return to a state.
#
# The region is an attractor, settled backwards from the terminals that pay enough (as in
# `algorithms.retrograde`). A play that takes moves of falling ranks never returns to a state.


Follow: TypeAlias = Mapping[Any, int]
"""The number of the move to take, by state as a walk names it."""


def attractor(walk: Walk, side: int, bound: Number, follow: Follow) -> dict[int, int]:
    """Rank of every node from which `side` forces a terminal that pays it at least `bound`.

    `whole` is a walk in which nobody's moves are named, without chance and without gains;
    `bound` counts the amount of the view's subject times the side. The rank is the number of plies
    until then when the side hurries and the other side delays; the side's moves in `follow` are given.
    """
    before: list[list[int]] = [[] for _ in range(len(walk))]
    open_edges = []
    for node, key in enumerate(walk.nodes):
        children = walk.after(node)
        if key in follow and walk.view.side(key[1]) == side:
            children = [children[follow[key]]]
        open_edges.append(len(children))
        for child in children:
            before[child].append(node)
    subject = walk.view.subject
    ranks = {node: 0 for node, amounts in walk.amounts.items() if side * amounts[subject] >= bound}
    waiting = deque(ranks)
    while waiting:
        node = waiting.popleft()
        for parent in before[node]:
            open_edges[parent] -= 1
            if parent not in ranks and (open_edges[parent] == 0 or walk.view.side(walk.nodes[parent][1]) == side):
                ranks[parent] = ranks[node] + 1
                waiting.append(parent)
    return ranks
