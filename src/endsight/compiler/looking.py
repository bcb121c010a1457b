"""Compiled rules held against Python at some positions: what each engine says of their moves, and the first difference.

Nothing here loads numpy, which would take longer than to look at a thousand positions.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

from endsight.compiler.kernels.core import HEAD, NEEDED, TAIL, UNSET, Children, Code, Keys, Work
from endsight.compiler.kernels.graph import MOVE_WIDTH, PAYOFF_KIND, REWARD_KIND, Found, explore_graph
from endsight.compiler.memory import words
from endsight.compiler.refusal import CannotCompile
from endsight.compiler.rules import CompiledRules
from endsight.compiler.tables import enter_keys, put, scratch
from endsight.errors import RulesError
from endsight.game.numbers import Number
from endsight.graph.discounting import discounts_of
from endsight.graph.explorer import expand
from endsight.graph.graph import Graph
from endsight.graph.objective import Node, View

__all__ = [
    "Difference",
    "Look",
    "brief",
    "compiled_looks",
    "difference_at",
    "difference_in",
    "difference_of",
    "looks_of",
]

_MOVES_EXPECTED = 16


@dataclass(frozen=True)
class Difference:
    """Where an answer and the rules in Python say different things: at which state, and what.

    `rule` is the rule that says something else, or `value`, `distance` or `bounds` where it is an answer.
    """

    rule: str
    state: str
    told: str

    def __str__(self) -> str:
        where = f" at {self.state}" if self.state else ""
        if self.rule in ("value", "distance", "bounds"):
            return f"the {self.rule}{where}: {self.told}"
        return f"compiled, the rule {self.rule!r} says something else{where}: {self.told}"


class Look(NamedTuple):
    """What the rules say of one position, by rule; gains and payoffs are in the form of a `View`."""

    to_move: int
    moves: list[Any]
    play: list[Any]
    weight: list[int]
    reward: list[tuple[Number, ...] | None]
    payoff: tuple[Number, ...] | None


def looks_of(graph: Graph) -> list[Look]:
    """What a graph says of its expanded nodes."""
    looks = []
    for node, mover in enumerate(graph.movers):
        first, stop = graph.offsets[node], graph.offsets[node + 1]
        looks.append(
            Look(
                mover,
                list(graph.moves[first:stop]),
                [graph.keys[after] for after in graph.successors[first:stop]],
                [1] * (stop - first) if graph.weights is None else list(graph.weights[first:stop]),
                [None] * (stop - first) if graph.rewards is None else list(graph.rewards[first:stop]),
                graph.payoffs[node],
            )
        )
    return looks


def difference_at(rules: CompiledRules, view: View, nodes: Sequence[Any]) -> Difference | None:
    """The first difference at these nodes of `view`, all different, if there is one.

    None also where the compiled rules stop at a number that leaves its word: that they say themselves.
    """
    if not nodes:
        return None
    found = ""
    plain: list[Look] = []
    try:
        plain = looks_of(expand(view, nodes))
    except RulesError as error:
        found = " ".join(str(error.found).split())
    try:
        compiled = compiled_looks(rules, view, nodes)
    except (CannotCompile, RulesError):
        return None
    if not plain:
        return Difference("moves", "", f"in Python the rules fail ({found})")
    return difference_of(nodes, plain, compiled)


def difference_in(rules: CompiledRules, view: View, plain: Graph) -> Difference | None:
    """The first difference in what Python explored from its first node on, be it in the order of positions.

    `view` has the same nodes. Raises `CannotCompile` for a fault.
    """
    root = rules.root_key(*view.split(plain.keys[0])[:2])
    expanded = len(plain.offsets) - 1
    compiled = _explored(rules, [root], expanded, len(plain.successors) + 1).graph(view)
    if plain.same_nodes(compiled):
        return None
    if len(compiled.offsets) - 1 != expanded:
        return Difference("moves", "", "not as many positions")
    found = difference_of(plain.keys[:expanded], looks_of(plain), looks_of(compiled))
    return found or Difference("play", "", "positions are found in another order")


def difference_of(nodes: Sequence[Any], plain: Sequence[Look], compiled: Sequence[Look]) -> Difference | None:
    """The first difference between looks at the same nodes."""
    for node, expected, found in zip(nodes, plain, compiled, strict=True):
        if expected != found:
            for rule, one, other in zip(Look._fields, expected, found, strict=True):
                if one != other:
                    return Difference(rule, brief(node), f"{brief(other)} in place of {brief(one)}")
    return None


def brief(value: Any) -> str:
    """A value as text, shortened."""
    text = repr(value)
    return text if len(text) <= 100 else text[:99] + "…"


# -------------------------------------------------------------------- by compiled rules


def compiled_looks(rules: CompiledRules, view: View, nodes: Sequence[Any]) -> list[Look]:
    """What compiled rules say of these nodes; raises `CannotCompile` for a fault."""
    keys = [rules.root_key(*view.split(node)[:2]) for node in nodes]
    return looks_of(_explored(rules, keys, len(keys), _MOVES_EXPECTED * (len(keys) + 4)).graph(view))


def _explored(rules: CompiledRules, keys: Sequence[tuple[int, ...]], stop: int, edges: int) -> _Run:
    """Up to `stop` nodes expanded breadth first from these keys on, with room for so many moves at first."""
    width = 0
    while True:
        run = _Run(rules, keys, stop, edges, width)
        if run.result in (Code.EDGES_FULL, Code.BUFFER_FULL):
            edges = 2 * edges + run.needed
        elif run.result == Code.FAULT:
            raise rules.fault(run.needed)
        elif run.width > width:
            width = run.width
        else:
            return run


class _Run:
    """One call of the kernel that explores, with room for so many moves; a move of `width` words is a tuple.

    Of several first nodes only one is in the table: moves back to the others are listed under another number.
    """

    def __init__(
        self, rules: CompiledRules, keys: Sequence[tuple[int, ...]], stop: int, edges: int, width: int
    ) -> None:
        count, step = len(keys), rules.packing.words
        self.rules = rules
        nodes = count + edges
        slots = 1 << (2 * nodes).bit_length()
        self.order = scratch(nodes * step)
        put(self.order, 0, (word for key in keys for word in key))
        self.offsets, self.movers, self.payoffs = scratch(nodes + 1), words(nodes, "b"), scratch(nodes * rules.players)
        self.successors, self.moves = words(edges, "i"), scratch(edges * max(1, width))
        gives = rules.translation.gives
        self.weights = scratch(edges) if gives("weight") else None
        self.rewards = scratch(edges * rules.players) if gives("reward") else None
        self.move_words = width
        counters = self.counters = scratch(8)
        counters[TAIL] = count
        table, numbers = scratch(slots * step), words(slots, "i")
        enter_keys(rules.packing, table, slots - 1, self.order, 1, UNSET)
        self.result = rules.kernel(explore_graph, MOVE_WORDS=width)(
            Keys(table, slots - 1, self.order, nodes), numbers,
            Found(
                self.offsets, self.movers, self.payoffs, self.successors,
                self.moves, self.weights or scratch(1), self.rewards or scratch(1), edges,
            ),
            Children(scratch(edges * step), edges), Work(rules.data, counters, stop),
        )  # fmt: skip
        self.expanded, self.found = int(counters[HEAD]), int(counters[TAIL])
        self.needed, self.width = int(counters[NEEDED]), int(counters[MOVE_WIDTH])

    def graph(self, view: View) -> Graph:
        """What was found, as Python's explorer tells it, without an index."""
        count, players = self.expanded, self.rules.players
        offsets, movers = self.offsets[: count + 1].tolist(), self.movers[:count].tolist()
        edges = offsets[-1]
        payoffs = [
            view.final_of(self._share(self.payoffs, node, PAYOFF_KIND), movers[node], ()) if begin == after else None
            for node, (begin, after) in enumerate(pairwise(offsets))
        ]
        rewards = None if self.rewards is None else list(self._gains(view, offsets, movers))
        weights = None if self.weights is None else self.weights[:edges].tolist()
        keys = [self._state(view, number) for number in range(self.found)]
        return Graph(
            keys=keys,
            index={},
            offsets=offsets,
            successors=self.successors[:edges].tolist(),
            moves=self._moves(edges),
            movers=list(map(view.acting, movers)),
            weights=None if weights is None or set(weights) <= {1} else weights,
            rewards=None if rewards is None or set(rewards) <= {None} else rewards,
            payoffs=payoffs,
            wishes=view.wishes,
            players=players,
            endless=view.endless,
            alternating=view.relative,
            is_win_loss=view.is_win_loss,
            discounts=discounts_of(view, keys, offsets) if view.discounted else None,
        )

    def _moves(self, edges: int) -> list[Any]:
        """The moves, in the rules' own form."""
        width, translation = max(1, self.move_words), self.rules.translation
        numbers = self.moves[: edges * width].tolist()
        if translation.moves_are_numbers:
            return numbers
        return [translation.move(iter(numbers[first : first + width])) for first in range(0, len(numbers), width)]

    def _gains(self, view: View, offsets: Sequence[int], movers: Sequence[int]) -> Iterator[tuple[Number, ...] | None]:
        """What every move brings, as a graph says it."""
        assert self.rewards is not None, "the rules give rewards"
        known: dict[Any, tuple[Number, ...] | None] = {}
        for node, mover in enumerate(movers):
            for edge in range(offsets[node], offsets[node + 1]):
                what = self._share(self.rewards, edge, REWARD_KIND), mover
                if what not in known:
                    known[what] = view.edge_gain(view.gain_of(*what))
                yield known[what]

    def _share(self, numbers: memoryview[int], place: int, kind: int) -> Any:
        """A payoff or reward as the rules gave it; the counter `kind` says whether it is a tuple."""
        players = self.rules.players
        row = numbers[place * players : (place + 1) * players]
        return self.rules.share(row, is_tuple=bool(self.counters[kind]))

    def _state(self, view: View, number: int) -> Any:
        """The node of that number."""
        step = self.rules.packing.words
        state, mover = self.rules.state_of(tuple(self.order[number * step : (number + 1) * step]))
        return Node(state, mover, ()) if view.tracks else state
