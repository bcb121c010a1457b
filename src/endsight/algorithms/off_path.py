"""Play off the path: moves at information sets that an equilibrium never reaches.

An equilibrium need not be good there. So each player's game is solved once more over the sets
that were not reached, with the value fixed. Chance, unseen by the player, chooses between the whole game, with a weight
so large that the player gives nothing away there, and the game as the fewest mistakes lead to those sets, which the
other player sees. Mistakes are moves to which plans give no chance, each as likely as the others of its set; earlier
decisions stay. This decides the sets that such play reaches, and so on, until no set is left. So the moves at a set
are a best reply to play of the other that leads there, and with perfect information play is subgame perfect.

Of beliefs from mistakes see D. M. Kreps and R. Wilson, "Sequential equilibria", Econometrica 50, 1982; of zero-sum
games P. B. Miltersen and T. B. Sorensen, "Fast algorithms for finding proper strategies in game trees", SODA 2008.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import gcd, lcm
from typing import TypeAlias

from endsight.algorithms.best_reply import SequencePlan, secured
from endsight.algorithms.equilibrium import Equilibrium, equilibrium
from endsight.algorithms.treeplex import InformationSets, Payoffs, Treeplex
from endsight.game.limits import Budget

Masses: TypeAlias = Sequence[int]

_WEIGHTS = (1 << 10, 1 << 20, 1 << 30)
"""Weight of the whole game relative to the sets that mistakes lead to."""


@dataclass(frozen=True)
class CompletePlan:
    """One player's moves at every information set, reached or not, and the plan that they make.

    weights   by set: whole weights of its moves; None where nothing is proven
    mistakes  by set: the fewest mistakes of both players that lead there, 0 where the plans reach it
    plan      the plan of these weights; also optimal from the start
    """

    weights: Sequence[Sequence[int] | None]
    mistakes: Sequence[int]
    plan: SequencePlan


def off_path(
    sets: InformationSets, ends: Payoffs, optimal: Equilibrium, budget: Budget
) -> tuple[CompletePlan | None, CompletePlan | None]:
    """Both players' play off the path of an exact equilibrium; None for a player of whom nothing is proven.

    `ends` are the payoffs where every end pays 1, which show what is reached. Raises `LimitReached`.
    """
    sides = tuple(_Decided(side) for side in sets.sides)
    layer = _Layer(sides, ends, sets)
    for player, plan in enumerate(optimal.plans):
        layer.decide(player, plan.masses, optimal.plans[1 - player].masses)
    while any(None in side.weights for side in sides):
        layer = _Layer(sides, ends, sets)
        first, second = (_solved(layer, player, optimal.lower, budget) for player in (0, 1))
        if first is None or second is None:
            break
        layer.decide(0, *first)
        layer.decide(1, *second)
    return _behaviour(sets, 0, sides[0], optimal), _behaviour(sets, 1, sides[1], optimal)


def _solved(layer: _Layer, player: int, value: Fraction, budget: Budget) -> tuple[Masses, Masses] | None:
    """The player's masses in the game of the layer, and those of the other after mistakes; None where none are proven.

    The weight of the whole game grows until the player gives nothing away there.
    """
    for weight in _WEIGHTS:
        budget.glance(budget.states, "solving off the path")
        again = equilibrium(layer.game(player, weight), budget)
        if again.is_exact and layer.worth(player, again.plans[player]) == value:
            return again.plans[player].masses, layer.after_mistakes(player, again.plans[1 - player].masses)
    return None


class _Decided:
    """One player's sets: weights of the moves where they are decided, and the number of mistakes that lead there."""

    def __init__(self, side: Treeplex) -> None:
        self.side = side
        self.weights: list[Sequence[int] | None] = [None] * len(side)
        self.mistakes = [0] * len(side)


class _PlayerWays:
    """How a player reaches each sequence by decided moves alone, or by mistakes.

    chances   by sequence: the product of the chances of decided moves, mistakes among them
    mistakes  by sequence: the number of them
    undecided by sequence: the last sequence of an undecided set, in the numbers of `side`
    side      the treeplex of the undecided sets; `sets` has their numbers
    """

    def __init__(self, decided: _Decided) -> None:
        side = decided.side
        self.chances, self.mistakes, self.undecided = [Fraction(1)], [0], [0]
        self.sets = [number for number, weights in enumerate(decided.weights) if weights is None]
        parents, firsts, sequences = [], [], 1
        for number, parent in enumerate(side.parent):
            chance, before, last = self.chances[parent], self.mistakes[parent], self.undecided[parent]
            for own, wrong in _moves(decided.weights[number], side.count[number]):
                self.chances.append(chance * own)
                self.mistakes.append(before + wrong)
            if decided.weights[number] is None:
                parents.append(last)
                firsts.append(sequences)
                self.undecided += range(sequences, sequences + side.count[number])
                sequences += side.count[number]
            else:
                self.undecided += [last] * side.count[number]
        counts, views = ([row[number] for number in self.sets] for row in (side.count, side.view))
        moves = [side.moves[number] for number in self.sets]
        self.side = Treeplex(parents, firsts, counts, moves, views, side.views, sequences)


def _moves(weights: Sequence[int] | None, count: int) -> Iterator[tuple[Fraction | int, bool]]:
    """The chance of each move of a set, and whether it is a mistake; all mistakes are equally likely."""
    if weights is None:
        yield from ((1, False) for _ in range(count))
        return
    total, zeros = sum(weights), sum(not weight for weight in weights)
    for weight in weights:
        yield (Fraction(weight, total), False) if weight else (Fraction(1, zeros), True)


class _Layer:
    """The undecided sets that the fewest mistakes lead to."""

    def __init__(self, sides: tuple[_Decided, ...], ends: Payoffs, sets: InformationSets) -> None:
        self.sides, self.sets = sides, sets
        self.ways = [_PlayerWays(side) for side in sides]
        orders = [self._order(mine, yours) for mine, yours, _ in ends if self._is_open(mine, yours)]
        self.fewest = min(orders, default=0)  # there may be no decisions at all
        self.ends = list(self._kept(ends))

    def _order(self, mine: int, yours: int) -> int:
        return self.ways[0].mistakes[mine] + self.ways[1].mistakes[yours]

    def _is_open(self, mine: int, yours: int) -> bool:
        """Whether an undecided set comes before such an end."""
        return bool(self.ways[0].undecided[mine] or self.ways[1].undecided[yours])

    def _kept(self, pairs: Payoffs) -> Iterable[tuple[int, int, Fraction]]:
        """The pairs that the fewest mistakes lead to, in the numbers of this game, with the chances of both players."""
        first, second = self.ways
        for mine, yours, amount in pairs:
            if self._is_open(mine, yours) and self._order(mine, yours) == self.fewest:
                chance = first.chances[mine] * second.chances[yours]
                yield first.undecided[mine], second.undecided[yours], amount * chance

    def game(self, player: int, weight: int) -> InformationSets:
        """The game in which the whole game has that weight, and the part after mistakes has weight 1.

        The player knows only the undecided sets; the other has first all sets of the whole game, and then
        the undecided ones.
        """
        sums: dict[tuple[int, int], Fraction] = {}
        for pair, amount in self._weighted(player, weight):
            sums[pair] = sums.get(pair, Fraction(0)) + amount
        scale = lcm(*(amount.denominator for amount in sums.values()))
        payoffs = Payoffs.of({pair: int(amount * scale) for pair, amount in sums.items()})
        own, other = self.ways[player].side, _joined(self.sets.sides[1 - player], self.ways[1 - player].side)
        sides = (own, other) if player == 0 else (other, own)
        return replace(self.sets, sides=sides, payoffs=payoffs, scale=self.sets.scale * scale)

    def _weighted(self, player: int, weight: int) -> Iterator[tuple[tuple[int, int], Fraction]]:
        """The payoffs of pairs of sequences of that game."""
        ways, offset = self.ways[player], self._offset(player)
        for *pair, amount in self.sets.payoffs:
            own, other = pair[player], pair[1 - player]
            if not ways.mistakes[own]:
                yield _ordered(player, ways.undecided[own], other), weight * amount * ways.chances[own]
        for *kept, paid in self._kept(self.sets.payoffs):
            own, other = kept[player], kept[1 - player]
            yield _ordered(player, own, other + offset if other else 0), paid

    def _offset(self, player: int) -> int:
        """The offset of the numbers of the other's sequences after mistakes."""
        return self.sets.sides[1 - player].sequences - 1

    def after_mistakes(self, player: int, masses: Masses) -> Masses:
        """The other's masses in the game that belong to sequences after mistakes."""
        return [masses[0], *masses[self._offset(player) + 1 :]]

    def worth(self, player: int, plan: SequencePlan) -> Fraction:
        """The amount that the player's plan in the game secures in the whole game."""
        ways = self.ways[player]
        chances = [Fraction(0) if wrong else own for own, wrong in zip(ways.chances, ways.mistakes, strict=True)]
        after = [Fraction(mass, plan.total) for mass in plan.masses]
        masses = [own * after[last] for own, last in zip(chances, ways.undecided, strict=True)]
        return secured(self.sets, player, _whole(masses))

    def decide(self, player: int, masses: Masses, others: Masses) -> None:
        """Take the player's moves at all sets that these masses reach."""
        decided, ways = self.sides[player], self.ways[player]
        met = {pair[player] for pair in self.ends if others[int(pair[1 - player])]}
        for place in reversed(range(len(ways.side))):
            own, parent = ways.side.after(place), ways.side.parent[place]
            if met.isdisjoint(own):
                continue
            met.add(parent)
            if masses[parent]:
                common = gcd(*masses[own.start : own.stop])
                decided.weights[ways.sets[place]] = [mass // common for mass in masses[own.start : own.stop]]
                decided.mistakes[ways.sets[place]] = self.fewest


def _ordered(player: int, own: int, other: int) -> tuple[int, int]:
    """The sequences of both players, the first one's first."""
    return (own, other) if player == 0 else (other, own)


def _joined(whole: Treeplex, rest: Treeplex) -> Treeplex:
    """One treeplex of two that share the empty sequence."""
    offset = whole.sequences - 1
    return Treeplex(
        [*whole.parent, *(parent + offset if parent else 0 for parent in rest.parent)],
        [*whole.first, *(first + offset for first in rest.first)],
        [*whole.count, *rest.count],
        [*whole.moves, *rest.moves],
        [*whole.view, *rest.view],
        whole.views,
        whole.sequences + rest.sequences - 1,
    )


def _whole(masses: Sequence[Fraction]) -> SequencePlan:
    """A plan from masses that are fractions."""
    scale = lcm(*(mass.denominator for mass in masses))
    return SequencePlan([int(mass * scale) for mass in masses], scale)


def _behaviour(sets: InformationSets, player: int, decided: _Decided, optimal: Equilibrium) -> CompletePlan | None:
    """The behaviour of a player; None where its plan is worth less than the equilibrium's."""
    plan = _plan_of(decided)
    if secured(sets, player, plan) != optimal.lower:
        return None
    return CompletePlan(decided.weights, decided.mistakes, plan)


def _plan_of(decided: _Decided) -> SequencePlan:
    """The plan that makes these moves, and the first move where none is decided."""
    side = decided.side
    masses = [Fraction(1)] + [Fraction(0)] * (side.sequences - 1)
    for number, parent in enumerate(side.parent):
        weights = decided.weights[number] or [1] + [0] * (side.count[number] - 1)
        for sequence, weight in zip(side.after(number), weights, strict=True):
            masses[sequence] = masses[parent] * Fraction(weight, sum(weights))
    return _whole(masses)
