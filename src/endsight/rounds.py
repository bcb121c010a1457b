"""Games with chance and loops solved layer by layer: bounds of every position, edges of one layer at a time.

The rules' `layer` never falls, so that layers can be solved from the last back. All states
are found first, layer by layer; then each layer is explored again for its edges, enclosed
with the bounds of later layers as constants, and only its bounds are kept.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import Any

import numpy as np
import numpy.typing as npt

from endsight.algorithms.round_iteration import Layer, enclose_layer
from endsight.compiler.engine import trusted_rules
from endsight.compiler.refusal import CannotCompile
from endsight.compiler.round_exploring import ANSWERS, EDGES, KEYS, Rounds, explore_rounds
from endsight.compiler.rules import CompiledRules
from endsight.game import CHANCE, Game, Position
from endsight.limits import Budget, Ends
from endsight.numbers import Amount, Interval, Number, ends_of, simplest
from endsight.objective import View, may_have_rounds
from endsight.question import Question

__all__ = ["RoundSource", "SolvedLayer", "solve_rounds"]

Words = npt.NDArray[np.int64]
_WORD = 61
"""No sum of amounts passes 2 to that power."""


@dataclass(frozen=True)
class SolvedLayer:
    """Keys of a layer in order, and their bounds (two columns, over the source's denominator)."""

    keys: Words
    bounds: Words

    def find(self, key: int) -> int | None:
        """The row of a key, None where it is not there."""
        row = int(np.searchsorted(self.keys, key))
        return row if row < len(self.keys) and int(self.keys[row]) == key else None

    def rows(self, keys: Words) -> Words:
        """Bounds of many keys, all of them there."""
        found: Words = self.bounds[np.searchsorted(self.keys, keys)]
        return found


def solve_rounds(game: Game, position: Position, question: Question, *, symmetry: bool, budget: Budget) -> RoundSource:
    """Proven intervals of all positions that play can reach from `position`.

    Raises `CannotCompile` where the rules or the question are not for this way,
    `LimitReached` past a limit or where play stays in one layer for too long.
    """
    if not may_have_rounds(game, question):
        raise CannotCompile("only games with layers, chance and no rewards are solved in rounds")
    view = View(game, question, symmetry=symmetry)
    rules = trusted_rules(game, position, symmetry=view.canonical is not None, tracks_mover=False)
    if rules.packing.words != 1:
        raise CannotCompile("states that need two words are not solved in rounds")
    run = _Run(view, rules, budget)
    run.find(position)
    run.settle_units()
    budget.witness = run.source().proven
    for layer in reversed(run.layers):
        run.solve(layer)
    return run.source()


@dataclass
class _Run:
    """Layers while they are found and solved."""

    view: View
    rules: CompiledRules
    budget: Budget
    keys: dict[int, Words] = field(default_factory=dict)
    solved: dict[int, SolvedLayer] = field(default_factory=dict)
    payoffs: set[tuple[int, ...]] = field(default_factory=set)
    layers: list[int] = field(default_factory=list)
    heaviest: int = 1
    states: int = 0
    sweeps: int = 0
    total: Number | None = None
    limit: int = 0
    denominator: int = 1
    amounts: dict[tuple[int, ...], int] = field(default_factory=dict)

    # ---------------------------------------------------------------- forward

    def find(self, position: Position) -> None:
        """All layers with the keys of their nodes."""
        key = self.rules.key(position.state, position.mover)
        if key is None:
            raise CannotCompile("the position lies outside limits()")
        waiting = {self._layer(position.state): np.array(key, np.int64)}
        while waiting:
            layer = min(waiting)
            rounds = explore_rounds(self.rules, layer, waiting.pop(layer), self.budget, keeps=KEYS)
            insort(self.layers, layer)
            # In order of the keys, so that sweeps go against play (see docs/theory/layers-with-loops.md).
            self.keys[layer] = np.sort(rounds.keys)
            self.states += len(rounds.keys)
            self.budget.spend(self.states)
            self._note(rounds)
            for later, keys in _by_layer(rounds).items():
                known = waiting.get(later)
                waiting[later] = np.unique(keys) if known is None else np.union1d(known, keys)

    def _layer(self, state: Any) -> int:
        view = self.view
        layer: int = view.game.layer(state if view.canonical is None else view.canonical(state))  # type: ignore[attr-defined]
        return layer

    def _note(self, rounds: Rounds) -> None:
        """Payoffs and weights that units must have room for."""
        self.heaviest = max(self.heaviest, rounds.heaviest)
        width = self.rules.players if rounds.payoffs_are_tuples else 1
        self.payoffs |= set(map(tuple, np.unique(rounds.payoffs[:, :width], axis=0).tolist()))

    # ---------------------------------------------------------------- amounts

    def settle_units(self) -> None:
        """Amounts of the first player, what all players' add up to, and the scale; `CannotCompile` where that fails."""
        shares = {row: self.view.final_of(row if len(row) > 1 else row[0], 0, ()) for row in self.payoffs}
        sums = {simplest(sum(share)) for share in shares.values()}
        if len(sums) > 1 and self.view.players > 1:
            raise CannotCompile("the players' payoffs have no constant sum")
        self.total = next(iter(sums), 0) if self.view.players > 1 else None
        unit = lcm(*(Fraction(share[0]).denominator for share in shares.values()))
        amounts = {row: int(share[0] * unit) for row, share in shares.items()}
        self.limit = (1 << _WORD) // self.heaviest
        bits = (self.limit // max(1, *map(abs, amounts.values()))).bit_length() - 2
        if bits < 1:
            raise CannotCompile("payoffs or weights have too many digits")
        self.denominator = unit << bits
        self.amounts = {row: amount << bits for row, amount in amounts.items()}

    @cached_property
    def signs(self) -> npt.NDArray[np.int8]:
        """Of every mover, chance (1) first, whether it wants more (1) or less (-1) of the first player's amount."""
        return np.array([1, *(_sign(self.view, mover) for mover in range(self.rules.players))], np.int8)

    # ---------------------------------------------------------------- backward

    def solve(self, number: int) -> None:
        """Bounds of one layer, later ones being solved."""
        rounds = explore_rounds(self.rules, number, self.keys.pop(number), self.budget, keeps=EDGES)
        layer = self._layer_of(rounds)
        self.sweeps = max(self.sweeps, enclose_layer(layer, self.limit, self.budget))
        self.solved[number] = SolvedLayer(rounds.keys.copy(), layer.bounds[: layer.count].copy())

    def _layer_of(self, rounds: Rounds) -> Layer:
        count, children = len(rounds.keys), rounds.children
        bounds = np.zeros((count + len(rounds.leaves), 2), np.int64)
        width = self.rules.players if rounds.payoffs_are_tuples else 1
        bounds[rounds.ends] = np.array(
            [[self.amounts[tuple(row)]] * 2 for row in rounds.payoffs[:, :width].tolist()], np.int64
        ).reshape(-1, 2)
        for later, layer in self.solved.items():
            places = np.flatnonzero(rounds.layers == later)
            bounds[count + places] = layer.rows(rounds.leaves[places])
        is_leaf = children < 0
        children[is_leaf] = count - 1 - children[is_leaf]
        signs = self.signs[rounds.movers + 1]
        return Layer(count, rounds.offsets, rounds.groups, rounds.weights, signs, children, bounds)

    def source(self) -> RoundSource:
        """Answers by position."""
        return RoundSource(
            self.view, self.rules, self.solved, self.denominator, self.total, self.signs, self.states, self.sweeps
        )


def _sign(view: View, mover: int) -> int:
    """Whether that mover wants more (1) or less (-1) of the first player's amount."""
    target, direction = view.wishes[mover]
    return direction if target == 0 else -direction


def _by_layer(rounds: Rounds) -> dict[int, Words]:
    """Keys of the leaves by their layers."""
    return {int(layer): rounds.leaves[rounds.layers == layer] for layer in np.unique(rounds.layers)}


@dataclass
class RoundSource:
    """Bounds of all positions, asked by position; those that rounds pass over are looked up one move on.

    `sweeps` is the largest number of sweeps that a layer took.
    """

    view: View
    rules: CompiledRules
    layers: Mapping[int, SolvedLayer]
    denominator: int
    total: Number | None
    signs: npt.NDArray[np.int8]
    states: int
    sweeps: int
    theorem: None = None
    notion: None = None
    is_win_loss: bool = False
    method: str = "interval iteration by layers"

    def with_answers(self, number: int) -> SolvedLayer:
        """All positions of a layer, also those that rounds pass over."""
        layer = self.layers[number]
        rounds = explore_rounds(self.rules, number, layer.keys, Budget(), keeps=ANSWERS)
        bounds = np.zeros((len(rounds.keys) + len(rounds.leaves), 2), np.int64)
        bounds[: len(rounds.keys)] = layer.bounds
        for later in self.layers:
            places = np.flatnonzero(rounds.layers == later)
            bounds[len(rounds.keys) + places] = self.layers[later].rows(rounds.leaves[places])
        answers = np.flatnonzero((rounds.movers >= 0) & (rounds.between >= 0))
        children = np.where(rounds.children < 0, len(rounds.keys) - 1 - rounds.children, rounds.children)
        signs = self.signs[rounds.movers[answers] + 1]
        best = np.empty((len(answers), 2), np.int64)
        for column in range(2):
            amounts = bounds[children, column]
            most = np.maximum.reduceat(amounts, rounds.groups[:-1])[answers]
            least = np.minimum.reduceat(amounts, rounds.groups[:-1])[answers]
            best[:, column] = np.where(signs > 0, most, least)
        keys, firsts = np.unique(np.concatenate([layer.keys, rounds.between[answers]]), return_index=True)
        return SolvedLayer(keys, np.concatenate([layer.bounds, best])[firsts])

    @property
    def width(self) -> Fraction:
        """The widest interval of all."""
        widest = max(int((layer.bounds[:, 1] - layer.bounds[:, 0]).max()) for layer in self.layers.values())
        return Fraction(widest, self.denominator)

    def _row(self, state: Any) -> tuple[int, int] | None:
        """Bounds of a state with a row of its own."""
        view = self.view
        state = state if view.canonical is None else view.canonical(state)
        key = self.rules.key(state, 0)
        layer = None if key is None else self.layers.get(view.game.layer(state))  # type: ignore[attr-defined]
        row = None if layer is None or key is None else layer.find(key[0])
        if layer is None or row is None:
            return None
        low, high = map(int, layer.bounds[row])
        return low, high

    def _ends(self, position: Position) -> tuple[int, int] | None:
        row = self._row(position.state)
        if row is not None or position.mover == CHANCE:
            return row
        rows = [self._row(position.play(move).state) for move in position.moves()]
        known = [row for row in rows if row is not None]
        if not rows or len(known) < len(rows):
            return None
        best: Any = max if _sign(self.view, position.mover) > 0 else min
        return best(low for low, _ in known), best(high for _, high in known)

    def covers(self, position: Position) -> bool:
        """Whether the position was met."""
        return self._ends(position) is not None

    def value(self, position: Position) -> tuple[Amount, ...]:
        """Whole-game value per player, enclosed."""
        ends = self._ends(position)
        assert ends is not None, "only positions that are covered are asked about"
        low, high = (Fraction(end, self.denominator) for end in ends)
        first: Amount = simplest(low) if low == high else Interval(low, high)
        return (first,) if self.total is None else (first, simplest(self.total - first))

    def proven(self, position: Position) -> tuple[Ends, ...] | None:
        """The value's ends."""
        return ends_of(self.value(position)) if self.covers(position) else None

    def distance(self, position: Position) -> int | None:
        """None: chance has a part."""
        return None

    def facts(self, position: Position) -> Mapping[str, Any]:
        """None beyond the values."""
        return {}
