"""Games with chance and loops solved layer by layer: bounds of every position, edges of one layer at a time.

The rules' `layer` never falls, so layers can be solved from the last back. All states are found first, layer by layer;
then each layer is explored again for its edges, enclosed with the bounds of later layers as constants, and only its
bounds are kept. A `LayerStore` keeps them: in memory here, in files in `layers.round_files`.

Where the rules exchange the two players (`exchanged`), a position and the exchanged one share a row. Amounts are the
first player's, less half of both players' sum, so that the two positions have opposite values.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import lcm
from random import Random
from typing import Any

import numpy as np
import numpy.typing as npt

from endsight.algorithms.round_iteration import LayerRounds, enclose_layer
from endsight.answers.source import Row, Solved, StateTable, after_moves
from endsight.compiler.refusal import CannotCompile
from endsight.compiler.rules import CompiledRules
from endsight.engine.entry import trusted_rules
from endsight.engine.round_exploring import Rounds, explore_rounds
from endsight.game.limits import Budget
from endsight.game.numbers import Number, between, simplest, with_rest
from endsight.game.position import Position
from endsight.game.question import Question
from endsight.games import is_built_in
from endsight.graph.objective import View, may_have_rounds
from endsight.graph.soundness import compare_images

Words = npt.NDArray[np.int64]
Pair = tuple[int, int]
"""Lower and upper bound."""
_WORD = 61
"""No sum of amounts exceeds 2 to this power."""
_SAMPLED = 300
"""States of each layer on which the compiled exchange of the players must equal that of the rules."""
_BYTES_TO_ENCLOSE = 32
"""Memory for each position of a layer, and of those after it, beside its bounds and edges."""


@dataclass(frozen=True)
class SolvedLayer:
    """Keys of a layer in order, and their bounds (two columns, over the denominator of the table)."""

    keys: Words
    bounds: Words

    def find(self, key: int) -> Pair | None:
        """The bounds of a key, None where it is missing."""
        row = int(np.searchsorted(self.keys, key))
        if row == len(self.keys) or int(self.keys[row]) != key:
            return None
        return int(self.bounds[row, 0]), int(self.bounds[row, 1])

    def rows(self, keys: Words) -> Words:
        """Bounds of many keys, all of them present."""
        order = np.argsort(keys)
        found = np.empty((len(keys), 2), np.int64)
        # Neighbours are looked up in succession because their places are near in memory.
        found[order] = self.bounds[np.searchsorted(self.keys, keys[order])]
        return found


@dataclass(frozen=True)
class LayerFacts:
    """The facts about a layer from the search for its positions.

    nodes     their number
    later     layers that its rounds lead to
    payoffs   different payoffs of its ends
    heaviest  the largest sum of a node's weights
    """

    nodes: int
    later: Sequence[int]
    payoffs: Sequence[Sequence[int]]
    heaviest: int

    @staticmethod
    def of(rounds: Rounds, players: int) -> LayerFacts:
        """The notes about a layer that has been explored."""
        width = players if rounds.payoffs_are_tuples else 1
        payoffs = np.unique(rounds.payoffs[:, :width], axis=0).tolist()
        return LayerFacts(len(rounds.keys), np.unique(rounds.layers).tolist(), payoffs, rounds.heaviest)


class LayerStore:
    """The known facts about layers, in memory: keys and leaves of found ones, bounds of solved ones."""

    def __init__(self) -> None:
        self._found: dict[int, LayerFacts] = {}
        self._keys: dict[int, Words] = {}
        self._seeds: dict[int, list[Words]] = {}
        self._solved: dict[int, SolvedLayer] = {}

    @property
    def has_begun(self) -> bool:
        """Whether any layer has been found."""
        return bool(self._found)

    def found(self, layer: int) -> LayerFacts | None:
        """The facts about a layer, None before it is found."""
        return self._found.get(layer)

    def seeds(self, layer: int) -> list[Words]:
        """Keys that rounds of earlier layers lead to."""
        return self._seeds.pop(layer, [])

    def put_found(self, layer: int, found: LayerFacts, keys: Words, leaves: Mapping[int, Words]) -> None:
        """Keep a layer's keys, in order, and those of the states of later layers that its rounds lead to."""
        self._found[layer], self._keys[layer] = found, keys
        for later, seeds in leaves.items():
            self._seeds.setdefault(later, []).append(seeds)

    def keys(self, layer: int) -> Words:
        """The keys of a layer that is solved next."""
        return self._keys.pop(layer)

    def is_solved(self, layer: int, table: LayerTable) -> bool:
        """Whether a layer's bounds are known; `table` defines their meaning."""
        return layer in self._solved

    def put_solved(self, layer: int, solved: SolvedLayer, table: LayerTable) -> None:
        """Keep a layer's bounds."""
        self._solved[layer] = solved

    def solved(self, layer: int, table: LayerTable) -> SolvedLayer:
        """A layer's bounds."""
        return self._solved[layer]


def find_rounds(
    position: Position, question: Question, *, symmetry: bool, budget: Budget, store: LayerStore | None = None
) -> Run:
    """All layers of what play can reach from `position`, with their positions, none solved yet.

    `store` keeps the layers found, and may hold some of them already. Raises `CannotCompile` where this method does not
    fit the rules or the question, `LimitReached` past a limit.
    """
    game = position.game
    if not may_have_rounds(game, question):
        raise CannotCompile("only games with layers, chance and no rewards are solved in rounds")
    budget.later = "sweeping", *(step for step in budget.later if step == "looking")  # layers are stored one by one
    view = View(game, question, symmetry=symmetry)
    exchanges = symmetry and game.gives("exchanged") and game.player_count == 2
    budget.look(0, "compiling")
    rules = trusted_rules(view, position, tracks_mover=False, exchanges=exchanges)
    rules.require_whole_payoffs("a solve in rounds")
    if exchanges and not is_built_in(game):
        compare_images(game, position, exchanged=True)
    if rules.packing.words != 1:
        raise CannotCompile("states that need two words are not solved in rounds")
    run = Run(view, rules, budget, store or LayerStore())
    run.find(position)
    return run


@dataclass
class Run:
    """The search for layers and their solution."""

    view: View
    rules: CompiledRules
    budget: Budget
    store: LayerStore
    layers: list[int] = field(default_factory=list)
    states: int = 0

    # ---------------------------------------------------------------- forward

    def find(self, position: Position) -> None:
        """Find all layers with the keys of their nodes."""
        root = self.rules.least_key(position.state)
        if root is None:
            raise CannotCompile("the position lies outside limits()")
        (state,), _ = self.rules.states(np.array([[root[0]]], np.int64))
        first: int = self.view.game.layer(state)  # type: ignore[attr-defined]
        waiting = {first}
        while waiting:
            layer = min(waiting)
            waiting.remove(layer)
            seeds = [np.array([root[0]], np.int64)] if layer == first else []
            found = self.store.found(layer) or self._explored(layer, seeds + self.store.seeds(layer))
            self.layers.append(layer)
            self.states += found.nodes
            self.budget.spend(self.states)
            waiting.update(found.later)

    def _explored(self, layer: int, seeds: Sequence[Words]) -> LayerFacts:
        """Find and keep the keys of one layer."""
        known = np.unique(np.concatenate(seeds))
        rounds = explore_rounds(self.rules, layer, known, self.budget, edges=False, before=self.states)
        found = LayerFacts.of(rounds, self.rules.players)
        # In order of the keys, so that sweeps run against play (see docs/theory/layers-with-loops.md).
        keys = np.sort(rounds.keys)
        self._check_exchange(keys)
        leaves = {later: np.sort(rounds.leaves[rounds.layers == later]) for later in found.later}
        self.store.put_found(layer, found, keys, leaves)
        return found

    def _check_exchange(self, keys: Words) -> None:
        """Check on a sample that the compiled exchange of players equals that of the rules."""
        sample = keys[:: len(keys) // _SAMPLED + 1].reshape(-1, 1)
        if self.rules.exchanges and any(
            self.rules.least_key(state) != (int(key), False)
            for key, state in zip(sample[:, 0], self.rules.states(sample)[0], strict=True)
        ):
            raise CannotCompile("compiled rules exchange the players otherwise than the rules do")

    # ---------------------------------------------------------------- amounts

    def table(self) -> LayerTable:
        """Answers by position, once the layers are solved; `CannotCompile` where payoffs do not fit."""
        found = [note for note in map(self.store.found, self.layers) if note is not None]
        payoffs = {tuple(payoff) for note in found for payoff in note.payoffs}
        shares = {row: self.view.final_of(row if len(row) > 1 else row[0], 0, ()) for row in payoffs}
        sums = {simplest(sum(share)) for share in shares.values()}
        if len(sums) > 1 and self.view.players > 1:
            raise CannotCompile("the players' payoffs have no constant sum")
        total = next(iter(sums), 0) if self.view.players > 1 else None
        center = Fraction(total or 0) / 2
        unit = lcm(center.denominator, *(Fraction(share[0] - center).denominator for share in shares.values()))
        amounts = {row: int((share[0] - center) * unit) for row, share in shares.items()}
        limit = (1 << _WORD) // max(note.heaviest for note in found)
        bits = (limit // max(1, *map(abs, amounts.values()))).bit_length() - 2
        if bits < 1:
            raise CannotCompile("payoffs or weights have too many digits")
        scaled = {row: amount << bits for row, amount in amounts.items()}
        return LayerTable(
            self.view, self.rules, self.store, tuple(self.layers), total, scaled, limit, self.states, unit << bits
        )

    # ---------------------------------------------------------------- backward

    def solved(self) -> Solved:
        """Proven intervals of all positions; `LimitReached` past a limit or where play stays in one layer too long."""
        table = self.table()
        source = Solved(table)
        self.budget.witness = source.proven
        done = 0
        for layer in reversed(self.layers):
            if not self.store.is_solved(layer, table):
                self.solve(layer, table, done)
            found = self.store.found(layer)
            done += found.nodes if found is not None else 0
        return source

    def solve(self, number: int, table: LayerTable, done: int) -> None:
        """Find the bounds of one layer, after all later ones; `done` states are solved before it."""
        with self.budget.counted(done, self.states):
            rounds = explore_rounds(self.rules, number, self.store.keys(number), self.budget, edges=True)
        layer = self._layer_of(rounds, table)
        self.budget.reserve(_BYTES_TO_ENCLOSE * len(layer.bounds), self.states, "enclosing values")
        # Exploring takes about a third of the time.
        with self.budget.counted(done + layer.count // 3, self.states):
            enclose_layer(layer, table.limit, self.budget)
        solved = SolvedLayer(rounds.keys.copy(), layer.bounds[: layer.count].copy())
        del rounds, layer
        with self.budget.counted(done + len(solved.keys), self.states):
            self.store.put_solved(number, solved, table)

    def _layer_of(self, rounds: Rounds, table: LayerTable) -> LayerRounds:
        count, children = len(rounds.keys), rounds.children
        bounds = np.zeros((count + len(rounds.leaves), 2), np.int64)
        width = self.rules.players if rounds.payoffs_are_tuples else 1
        bounds[rounds.ends] = np.array(
            [[table.amounts[tuple(row)]] * 2 for row in rounds.payoffs[:, :width].tolist()], np.int64
        ).reshape(-1, 2)
        for later in map(int, np.unique(rounds.layers)):
            places = np.flatnonzero(rounds.layers == later)
            bounds[count + places] = self.store.solved(later, table).rows(rounds.leaves[places])
        # In place, as this is the largest of all arrays.
        np.subtract(2 * count - 1, children, out=children, where=children < 0)
        signs = table.signs_of(rounds.movers)
        return LayerRounds(count, rounds.offsets, rounds.groups, rounds.weights, signs, children, bounds)


@dataclass
class LayerTable(StateTable[Pair]):
    """Bounds of all positions, by state; positions inside a round are looked up one move later.

    A node is a position's bounds themselves, over the denominator and counted from the center.

    layers       in order; their bounds are in the store
    total        sum of the two players' amounts, None for one player
    amounts      of payoffs, over the denominator, less half of the total
    limit        largest size of a bound
    scale        the denominator of all bounds
    """

    view: View
    rules: CompiledRules
    store: LayerStore
    layers: tuple[int, ...]
    total: Number | None
    amounts: Mapping[tuple[int, ...], int]
    limit: int
    states: int
    scale: int
    method: str = "interval iteration by layers"
    form = "layers"
    has_loops = is_enclosed = True

    def drawn(self, random: Random, count: int) -> list[Any]:
        """Random positions that have a row."""
        sizes = [len(self.store.solved(layer, self).keys) for layer in self.layers]
        chosen = Counter(random.choices(self.layers, sizes, k=count))
        states: list[Any] = []
        for layer, share in sorted(chosen.items()):
            keys = self.store.solved(layer, self).keys
            some = random.sample(range(len(keys)), min(share, len(keys)))
            states += self.rules.states(keys[some].reshape(-1, 1))[0]
        random.shuffle(states)
        return states

    def signs_of(self, movers: npt.NDArray[np.int8]) -> npt.NDArray[np.int8]:
        """1 for each mover who maximizes the first player's amount, -1 for one who minimizes it; 1 if nobody moves."""
        signs = np.ones(len(movers), np.int8)
        for mover in range(self.rules.players):
            signs[movers == mover] = self.view.sign(mover)
        return signs

    @property
    def exchanges(self) -> bool:  # type: ignore[override]
        """Whether a state shares its row with the one with the players exchanged."""
        return self.rules.exchanges

    @property
    def center(self) -> Fraction:
        """The amount from which bounds are counted."""
        return Fraction(self.total or 0) / 2

    @property
    def shift(self) -> int:
        """The number to add to a bound to make it one of the first player's amount."""
        return int(self.center * self.scale)

    def _row(self, state: Any) -> Pair | None:
        """Bounds of a state from its row, or from that of the exchanged one."""
        key = self.rules.least_key(state)
        if key is None:
            return None
        if self.view.canonical is None:
            representative = self.view.game.exchanged(state) if key[1] else state
        else:
            (representative,), _ = self.rules.states(np.array([[key[0]]], np.int64))
        layer: int = self.view.game.layer(representative)  # type: ignore[attr-defined]
        if layer not in self.layers or not self.store.is_solved(layer, self):
            return None
        found = self.store.solved(layer, self).find(key[0])
        return (-found[1], -found[0]) if found is not None and key[1] else found

    def node(self, position: Position) -> Pair | None:
        """The position's bounds."""
        row = self._row(position.state)
        if row is None and (rows := after_moves(position, lambda place: self._row(place.state))):
            best: Any = max if self.view.sign(position.mover) > 0 else min
            row = best(low for low, _ in rows), best(high for _, high in rows)
        return row

    def row(self, node: Pair) -> Row:
        """Values, enclosed."""
        low, high = (self.center + Fraction(end, self.scale) for end in node)
        return with_rest(between(low, high), self.total), None

    def bounds(self, node: Pair) -> Pair:
        """Proven bounds of the first player's value, times `scale`."""
        return node[0] + self.shift, node[1] + self.shift
