"""Policies short enough to remember, each with the exact price of the simplification.

Where every decision is between the same two moves, a rule may be *one threshold*: the one
move as soon as a number of the state is large enough, else the other; or *a sloped one*,
a threshold on that number plus a multiple of another. The number, the slope and a first
threshold are guessed: those that give away least, added up over all positions. From there
thresholds are tried one after another, upwards and downwards, by proven bounds of what
the whole game is worth under each. The price of the rule that is found, and of the
policies that the game names itself, is then that of `policy_pricing`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from endsight.algorithms.arena import arena_of
from endsight.algorithms.interval_iteration import Enclosure, enclose_values, fixed_arena
from endsight.enclosed import EnclosedSource
from endsight.errors import QuestionError, RulesError
from endsight.explorer import explore
from endsight.game import CHANCE, Game, Position
from endsight.numbers import simplest
from endsight.policy_bounds import keep_edges
from endsight.policy_pricing import PolicyLoss, policy_loss
from endsight.question import GENERAL_POLICIES, PolicyRule, policies_of
from endsight.solution import Solution
from endsight.solver import player_numbers, solve

__all__ = ["ShortRule", "short_rules"]

Words = npt.NDArray[np.int64]
SLOPES = [sign * Fraction(size) for size in ("2", "1", "1/2", "1/4", "1/8") for sign in (-1, 1)]
"""Multiples of another number of the state that a sloped threshold may add."""
PATIENCE = 3
"""Thresholds in a row without a better one after which no more are tried in that direction."""


@dataclass(frozen=True)
class ShortRule:
    """A rule in words, as a policy, with what it brings and what it gives away.

    tried   how many rules of its kind were compared by the value of the whole game
    """

    rule: str
    policy: PolicyRule
    price: PolicyLoss
    tried: int


@dataclass(frozen=True)
class _Threshold:
    """`move` once field + slope * other >= least, else `otherwise`; all of them as the rules yield them."""

    move: Any
    otherwise: Any
    field: str
    slope: Fraction
    other: str
    least: Fraction
    is_always: bool = False

    def __call__(self, game: Game, state: Any) -> Any:
        amount = getattr(state, self.field) + (self.slope * getattr(state, self.other) if self.slope else 0)
        wanted = self.move if amount >= self.least else self.otherwise
        moves = list(game.moves(state))
        return wanted if wanted in moves else moves[0]

    @property
    def __name__(self) -> str:
        return "threshold"

    def words(self, name: Callable[[Any], str]) -> str:
        """`hold once pot >= 21, else roll`."""
        if self.is_always:
            return f"always {name(self.move)}"
        amount = self.field
        if self.slope:
            size = abs(self.slope)
            part = self.other if size == 1 else f"{size} {self.other}" if size > 1 else f"{self.other}/{1 / size}"
            amount += f" {'+' if self.slope > 0 else '-'} {part}"
        return f"{name(self.move)} once {amount} >= {simplest(self.least)}, else {name(self.otherwise)}"


def short_rules(
    game: Game,
    player: str | int | None = None,
    position: Position | None = None,
    *,
    best: Solution | None = None,
    **options: Any,
) -> list[ShortRule]:
    """Short rules for `player` (default: the first), the best of each kind, with their prices.

    First the policies that the game names, then one threshold, then a sloped one where
    that is better. `options` are those of `endsight.solve`; large games with loops are
    priced by proven ends unless `exact` is asked for. `best` is the solution with the same
    options, where it is at hand. Raises `QuestionError` where the game names no policy and
    its decisions are not between the same two moves.
    """
    position = position or game.position()
    number = 0 if player is None else next(iter(player_numbers(game, {player: "random"})))
    if best is None or best.position != position:
        best = solve(game, position, **options)
    if isinstance(best.source, EnclosedSource) and not options.get("exact"):
        options["interval"] = True
    if isinstance(best.source, EnclosedSource) and best.source.arrays.rules.has_symmetry:
        options["symmetry"] = False
        best = solve(game, position, **options)
    if options.get("interval") and isinstance(best.source, EnclosedSource):
        # Exact values near the start would be found afresh for every rule.
        best = replace(best, source=replace(best.source, is_exact=False))

    def price(policy: PolicyRule) -> PolicyLoss:
        return policy_loss(game, number, policy, position, best=best, **options)

    own = [name for name in policies_of(game) if name not in GENERAL_POLICIES]
    rules = [ShortRule(name, name, price(name), 1) for name in own]
    ground = _ground(best, number)
    if ground is None and not rules:
        raise QuestionError(
            f"{game.title()} has no short rule: it names no policy, and its decisions are not all between"
            " the same two moves by numbers of the state",
            advice="--policy PLAYER=file.py:function of analyze prices a rule of your own",
        )
    for found, tried in [] if ground is None else _thresholds(ground):
        rules.append(ShortRule(found.words(ground.name), found, price(found), tried))  # type: ignore[union-attr]
    return rules


def _thresholds(ground: _Ground) -> Iterator[tuple[_Threshold, int]]:
    """The best threshold, and the best sloped one where it is proven better."""
    guesses = list(ground.guesses(Fraction(0)))
    # Single decisions only guide within one number: which number serves best, the whole game tells.
    ways = [ground.improved(guess) for _, guess in sorted(guesses, key=lambda pair: pair[0])]
    found, worth, _ = max(ways, key=lambda way: way[1][0])
    tried = sum(way[2] for way in ways)
    if found.is_always:
        yield ground.last_exception(found, worth) or found, tried + 1
        return
    yield found, tried
    sloped = [pair for slope in SLOPES for pair in ground.guesses(slope, found.field)]
    if sloped:
        steeper, value, tried = ground.improved(min(sloped, key=lambda pair: pair[0])[1])
        if value[0] > worth[1]:
            yield steeper, tried


def _ground(best: Solution, player: int) -> _Ground | None:
    """Where thresholds are looked for; None where there is nothing to look at."""
    source = best.source
    if isinstance(source, EnclosedSource):
        arrays = source.arrays
        moves = arrays.moves.tolist() if arrays.moves.size == arrays.edges else []
        ground = _Ground(best, player, source.enclosure, _array_states(arrays), arrays.movers, moves)
    else:
        view, graph = explore(
            best.game, best.position, best.question, symmetry=False, tracks_mover=True, budget=best.budget
        )
        try:
            enclosure = enclose_values(fixed_arena(arena_of(graph)), budget=best.budget)
        except RulesError:  # wishes that are not opposed have no single order of what is better
            return None
        if enclosure is None:
            return None
        places = [view.split(key) for key in graph.keys]
        movers = [CHANCE if graph.is_end(node) else graph.movers[node] for node in range(len(graph))]
        states = [state for state, *_ in places]
        ground = _Ground(
            best, player, enclosure, lambda nodes: [states[n] for n in nodes], np.array(movers), graph.moves
        )
    return ground if ground.fits else None


def _array_states(arrays: Any) -> Callable[[list[int]], list[Any]]:
    return lambda nodes: arrays.rules.states(arrays.keys[nodes])[0]


class _Ground:
    """A solved game as arrays, with the choices of one player between two moves."""

    def __init__(
        self,
        best: Solution,
        player: int,
        enclosure: Enclosure,
        states: Callable[[list[int]], list[Any]],
        movers: Any,
        moves: list[Any],
    ) -> None:
        self.best = best
        self.enclosure = enclosure
        self.arena = enclosure.arena
        self.moves = moves
        counts = np.diff(self.arena.offsets)
        self.nodes = np.flatnonzero((movers == player) & (counts == 2))
        self.states = states(self.nodes.tolist())
        self.is_wider = bool(((movers == player) & (counts > 2)).any())

    @cached_property
    def pair(self) -> tuple[Any, ...]:
        """The moves at these decisions, as the rules yield them."""
        firsts = self.arena.offsets[self.nodes].tolist()
        return tuple(dict.fromkeys(self.moves[first + turn] for first in firsts for turn in (0, 1)))

    @property
    def fits(self) -> bool:
        """Whether there are decisions, all between the same two moves, and states of numbers."""
        return (
            bool(self.moves)
            and bool(len(self.nodes))
            and not self.is_wider
            and len(self.pair) == 2
            and all(isinstance(value, int) for value in self.states[0])
        )

    def name(self, move: Any) -> str:
        """The move as text."""
        return self.best.game.show_move(self.states[0], move)

    @cached_property
    def columns(self) -> dict[str, Words]:
        """The numbers of the states that differ between decisions."""
        rows = np.array(self.states, np.int64)
        names = self.best.game.State._fields
        return {name: rows[:, i] for i, name in enumerate(names) if rows[:, i].min() < rows[:, i].max()}

    @cached_property
    def gaps(self) -> Words:
        """By how much the first of the two moves is better, roughly, in units that cannot overflow."""
        arena, bounds = self.arena, self.enclosure.bounds
        worth = bounds[arena.successors, 0] >> 8
        if arena.gains is not None:
            worth = worth + (arena.gains * (self.enclosure.denominator // arena.unit) >> 8)
        first = arena.offsets[self.nodes]
        gap = (worth[first] - worth[first + 1]) * arena.signs[self.nodes]
        gap = np.where(self._is_first(first), gap, -gap)
        found: Words = gap >> len(self.nodes).bit_length()
        return found

    def _is_first(self, edges: Words) -> npt.NDArray[np.bool_]:
        return np.array([self.moves[edge] == self.pair[0] for edge in edges.tolist()])

    def guesses(self, slope: Fraction, only: str | None = None) -> Iterator[tuple[int, _Threshold]]:
        """Thresholds with what they give away, added up over all decisions: one for each number and direction."""
        for field, own in self.columns.items():
            for other, more in self.columns.items() if slope else [("", own)]:
                if field == other or only not in (None, field):
                    continue
                amounts = own * slope.denominator + more * slope.numerator
                for turn in (0, 1):
                    gaps = self.gaps if turn == 0 else -self.gaps
                    loss, least = _least_loss(amounts, gaps)
                    move, otherwise = self.pair[turn], self.pair[1 - turn]
                    yield loss, _Threshold(move, otherwise, field, slope, other, Fraction(least, slope.denominator))

    def improved(self, guess: _Threshold) -> tuple[_Threshold, tuple[Fraction, Fraction], int]:
        """The best threshold near the guess by proven bounds of its worth, those bounds, and how many were tried."""
        slope = guess.slope
        own = self.columns[guess.field] * slope.denominator
        amounts = own + (self.columns[guess.other] * slope.numerator if slope else 0)
        places = np.unique(amounts).tolist()
        start = places.index(int(guess.least * slope.denominator))
        # A few thresholds far apart come first: the guess may lie on the wrong hill.
        apart = sorted({start, *range(0, len(places), max(1, len(places) // 8))})
        worths = {place: self._worth(amounts, places[place], guess) for place in apart}
        top = max(apart, key=lambda place: worths[place][0])
        start, best, tried = top, worths[top], len(apart)
        for step in (1, -1):
            place, since = start + step, 0
            while 0 <= place < len(places) and since < PATIENCE:
                worth = self._worth(amounts, places[place], guess)
                tried += 1
                since += 1
                if worth[0] > best[1]:
                    top, best, since = place, worth, 0
                place += step
        least = Fraction(places[top], slope.denominator)
        return replace(guess, least=least, is_always=top == 0), best, tried

    def last_exception(self, always: _Threshold, worth: tuple[Fraction, Fraction]) -> _Threshold | None:
        """The other move from the largest number on, unless that is proven worse: it says more than "always"."""
        amounts = self.columns[always.field] * always.slope.denominator
        top = int(amounts.max())
        swapped = replace(always, move=always.otherwise, otherwise=always.move, is_always=False)
        swapped = replace(swapped, least=Fraction(top, always.slope.denominator))
        return None if self._worth(amounts, top, swapped)[1] < worth[0] else swapped

    def _worth(self, amounts: Words, least: int, guess: _Threshold) -> tuple[Fraction, Fraction]:
        """Proven ends of what the whole game is worth to the player under a threshold, others answering best."""
        self.best.budget.look(len(self.arena), "comparing rules")
        first = self.arena.offsets[self.nodes]
        wants_first = (amounts >= least) == (guess.move == self.pair[0])
        kept = np.ones(len(self.arena.successors), np.bool_)
        turn = np.where(self._firsts == wants_first, 0, 1)
        kept[first + 1 - turn] = False
        enclosure = enclose_values(keep_edges(self.arena, kept), budget=self.best.budget)
        assert enclosure is not None, "with fewer moves play still ends"
        ends = enclosure.interval(0)
        up = int(self.arena.signs[self.nodes[0]]) > 0
        return (ends.lower, ends.upper) if up else (-ends.upper, -ends.lower)

    @cached_property
    def _firsts(self) -> npt.NDArray[np.bool_]:
        """Whether the first edge of each decision is the first of the two moves."""
        return self._is_first(self.arena.offsets[self.nodes])


def _least_loss(amounts: Words, gaps: Words) -> tuple[int, int]:
    """The threshold of least loss where a move that is better by `gaps` is taken from it on."""
    order = np.argsort(amounts, kind="stable")
    sorted_amounts, sorted_gaps = amounts[order], gaps[order]
    # Below the threshold a better move is lost, from it on a worse one is taken.
    below = np.concatenate(([0], np.cumsum(np.maximum(sorted_gaps, 0))))
    above = np.concatenate(([0], np.cumsum(np.maximum(-sorted_gaps, 0))))
    starts = np.flatnonzero(np.concatenate(([True], np.diff(sorted_amounts) > 0)))
    losses = below[starts] + (above[-1] - above[starts])
    at = int(np.argmin(losses))
    return int(losses[at]), int(sorted_amounts[starts[at]])
