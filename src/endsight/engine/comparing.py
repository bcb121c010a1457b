"""Whether compiled rules and the plain engine agree: at some positions, on the first ones, and on random games.

Both expand the same positions; keys, moves and their order, movers, weights, rewards and payoffs must be equal.
Thousands of first positions take a moment with most rules. Where rules are slow (most often because of `canonical`),
fewer suffice: an error in machine code is an error in a line of the rules, and positions of all depths of games played
to their end reach more lines than thousands of openings. Nothing here loads numpy, which would take longer than
examining a thousand positions.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice, pairwise
from random import Random
from time import process_time
from typing import Any, NamedTuple

from endsight.base.shortened import shortened
from endsight.compiler.native import distrust
from endsight.compiler.refusal import CannotCompile
from endsight.compiler.rules import CompiledRules
from endsight.engine.graph_run import GraphRun, explored
from endsight.errors import RulesError
from endsight.game.limits import Budget
from endsight.game.numbers import Number
from endsight.game.position import Position
from endsight.graph.explorer import Explorer, expand, explore, nodes_with
from endsight.graph.graph import Graph
from endsight.graph.objective import TrackedNode, View

_MOVES_EXPECTED = 16


class Difference(NamedTuple):
    """Where an answer and the rules in Python disagree: at which state, and how.

    `rule` is the rule that disagrees, or `value`, `distance` or `bounds` if it is an answer.
    """

    rule: str
    state: str
    what: str

    def __str__(self) -> str:
        where = f" at {self.state}" if self.state else ""
        if self.rule in ("value", "distance", "bounds"):
            return f"the {self.rule}{where}: {self.what}"
        return f"compiled, the rule {self.rule!r} says something else{where}: {self.what}"


class Look(NamedTuple):
    """What the rules say about one position, by rule; gains and payoffs are in the form of a `View`."""

    to_move: int
    moves: list[Any]
    play: list[Any]
    weight: list[int]
    reward: list[tuple[Number, ...] | None]
    payoff: tuple[Number, ...] | None


def looks_of(graph: Graph) -> list[Look]:
    """What a graph says about its expanded nodes."""
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

    Also None if the compiled rules stop at a number that exceeds its word: they report that themselves.
    """
    if not nodes:
        return None
    plain, fault = explored_plainly(view, nodes)
    try:
        compiled = compiled_looks(rules, view, nodes)
    except (CannotCompile, RulesError):
        return None
    if plain is None:
        return Difference("moves", "", fault)
    return difference_of(nodes, looks_of(plain), compiled)


def explored_plainly(view: View, nodes: Sequence[Any], budget: Budget | None = None) -> tuple[Graph | None, str]:
    """What the rules in Python say about these nodes, all different; None where they fail there, and how."""
    try:
        return expand(view, nodes, budget), ""
    except RulesError as error:
        return None, f"in Python the rules fail ({' '.join(str(error.found).split())})"


def difference_in(rules: CompiledRules, view: View, plain: Graph) -> Difference | None:
    """The first difference in what Python explored from its first node on, even in the order of positions.

    `view` has the same nodes. Raises `CannotCompile` for a fault.
    """
    root = rules.root_key(*view.split(plain.keys[0])[:2])
    expanded = len(plain.offsets) - 1
    compiled = _explored(rules, view, [root], expanded, len(plain.successors) + 1)
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
    return shortened(repr(value), 100)


# -------------------------------------------------------------------- by compiled rules


def compiled_looks(rules: CompiledRules, view: View, nodes: Sequence[Any]) -> list[Look]:
    """What compiled rules say about these nodes; raises `CannotCompile` for a fault."""
    keys = [rules.root_key(*view.split(node)[:2]) for node in nodes]
    return looks_of(_explored(rules, view, keys, len(keys), _MOVES_EXPECTED * (len(keys) + 4)))


def _explored(rules: CompiledRules, view: View, keys: Sequence[tuple[int, ...]], stop: int, edges: int) -> Graph:
    """Up to `stop` nodes expanded breadth first from these keys on, with initial room for `edges` moves."""
    run = explored(rules, keys, (len(keys) + edges, edges), Budget(), stop, blame=rules.fault)
    return _Found(run, view).graph()


class _Found:
    """What a run has found, in the form of Python's explorer."""

    def __init__(self, run: GraphRun, view: View) -> None:
        self.run, self.view, self.rules = run, view, run.rules

    def graph(self) -> Graph:
        """The graph, without an index."""
        run, view, gives = self.run, self.view, self.rules.translation.gives
        count = run.head
        offsets, movers = run.offsets[: count + 1].tolist(), run.movers[:count].tolist()
        edges = offsets[-1]
        payoffs: list[Any] = [None] * count
        for node, (begin, after) in enumerate(pairwise(offsets)):
            if begin == after:
                share = self._share(run.payoffs, node, run.payoffs_are_tuples)
                payoffs[node] = view.final_of(share, movers[node], ())
        rewards = list(self._gains(offsets, movers)) if gives("reward") else []
        weights = run.weights[:edges].tolist() if gives("weight") else []
        keys = list(map(self._node, range(run.tail)))
        explorer = Explorer(
            view, Budget(), keys, {}, offsets, run.successors[:edges].tolist(), self._moves(edges),
            list(map(view.acting, movers)), weights, rewards, payoffs,
        )  # fmt: skip
        return explorer.found()

    def _moves(self, edges: int) -> list[Any]:
        """The moves, in the rules' own form."""
        width, translation = max(1, self.run.move_words), self.rules.translation
        numbers = self.run.moves[: edges * width].tolist()
        if translation.moves_are_numbers:
            return numbers
        return [translation.move(iter(numbers[first : first + width])) for first in range(0, len(numbers), width)]

    def _gains(self, offsets: Sequence[int], movers: Sequence[int]) -> Iterator[tuple[Number, ...] | None]:
        """The gain of every move, in the form of a graph."""
        run, view = self.run, self.view
        known: dict[Any, tuple[Number, ...] | None] = {}
        for node, mover in enumerate(movers):
            for edge in range(offsets[node], offsets[node + 1]):
                what = self._share(run.rewards, edge, run.rewards_are_tuples), mover
                if what not in known:
                    known[what] = view.edge_gain(view.gain_of(*what))
                yield known[what]

    def _share(self, numbers: memoryview[int], place: int, is_tuple: bool) -> Any:
        """A payoff or reward as the rules gave it."""
        players = self.rules.players
        row = numbers[place * players : (place + 1) * players]
        return self.rules.share(row, is_tuple=is_tuple)

    def _node(self, number: int) -> Any:
        """The node with that number."""
        step = self.run.words
        state, mover = self.rules.state_of(tuple(self.run.order[number * step : (number + 1) * step]))
        return TrackedNode(state, mover, ()) if self.view.tracks else state


# -------------------------------------------------------------------- the first positions, and others from random games


# Positions and moves from the start, and the seconds of computing after which fewer suffice.
COMPARED = 3000
_COMPARED_EDGES = 30_000
_FIRST_COMPARED = 30
_FIRST_OF_MANY_MOVES = 3
_FEWEST = 100
_SECONDS = 0.4
# Random games to their end: for this many seconds of computing, until there are this many positions, or until this many
# plies reached no new one. The first is always played to its end, or for this many plies if it is very long.
_PLAYED_SECONDS = 0.1
_PLAYED = 1000
_STALE = 1000
_LONGEST = 5000
_MOVES = 1000
# Their positions are compared in batches of this size, for this many seconds.
_AT_ONCE = 50
_LATER_SECONDS = 0.3


def first_sample(rules: CompiledRules, position: Position, begun: tuple[View, Graph] | None) -> tuple[View, Graph]:
    """The first positions by the plain engine, or those of `begun` if they suffice."""
    if begun is not None and _has_keys_of(begun[0], rules):
        return begun
    began = process_time()
    few = max(_FIRST_OF_MANY_MOVES, _of_many_moves(_FIRST_COMPARED, _first_part(rules, position, 1)[1]))
    look = _first_part(rules, position, few)[1]
    in_time = int(few * _SECONDS / max(1e-6, process_time() - began))
    most = min(COMPARED, nodes_with(_COMPARED_EDGES, look), max(_FEWEST, in_time))
    return _first_part(rules, position, max(few, most))


def _of_many_moves(nodes: int, begun: Graph) -> int:
    """That many nodes, or fewer if they would have more moves than are compared, judging by those expanded so far."""
    return max(1, min(nodes, nodes_with(_COMPARED_EDGES, begun)))


def _has_keys_of(view: View, rules: CompiledRules) -> bool:
    merges = view.canonical is not None
    return (view.tracks, merges, view.tracks_totals) == (rules.tracks_mover, rules.has_symmetry, False)


def is_ordered(graph: Graph) -> bool:
    """Whether every move seen leads to a position that was found later."""
    nodes = range(len(graph.offsets) - 1)
    return all(graph.successors[edge] > node for node in nodes for edge in graph.edges(node))


def later_sample(position: Position, first: tuple[View, Graph]) -> list[Any]:
    """Nodes of random games to their end; none where the first positions are all that there are."""
    view, plain = first
    return [] if len(plain) == len(plain.offsets) - 1 else played(position, view)


def compare(rules: CompiledRules, first: tuple[View, Graph], later: list[Any]) -> None:
    """Raise `CannotCompile` unless both engines agree: on the first positions, and on later ones as time allows."""
    view, plain = first
    # A view of the same nodes, which has seen no payoffs yet.
    own = View(rules.game, view.question, symmetry=rules.has_symmetry, tracks_mover=rules.tracks_mover)
    _refuse(difference_in(rules, own, plain))
    at_once = _of_many_moves(_AT_ONCE, plain)
    began = process_time()
    for place in range(0, len(later), at_once):
        if process_time() - began > _LATER_SECONDS:
            break
        _refuse(difference_at(rules, view, later[place : place + at_once]))


def _refuse(found: Difference | None) -> None:
    if found is not None:
        raise refusal(found)


def refusal(found: Difference, wrong: CompiledRules | None = None) -> CannotCompile:
    """The reason for leaving rules to the plain engine, also in later runs where they are known to be `wrong`."""
    if wrong is not None:
        distrust(wrong.explorer, str(found))
    return CannotCompile(f"both engines were compared, and they differ: {found}")


def _first_part(rules: CompiledRules, position: Position, nodes: int) -> tuple[View, Graph]:
    symmetry, tracks_mover = rules.has_symmetry, rules.tracks_mover
    return explore(rules.game, position, symmetry=symmetry, tracks_mover=tracks_mover, at_most=nodes)


def played(position: Position, view: View) -> list[Any]:
    """Nodes of random games to their end: the last of each game first, the others in random order."""
    random = Random(0)
    began = process_time()
    last: dict[Any, None] = {}
    visited: dict[Any, None] = {}
    stale = 0
    while not last or (stale < _STALE and len(visited) < _PLAYED and process_time() - began < _PLAYED_SECONDS):
        place = position
        try:
            for _ in range(_LONGEST):
                node = view.key(place)
                stale = stale + 1 if node in visited else 0
                visited[node] = None
                moves = list(islice(place.moves(), _MOVES))
                if not moves or stale >= _STALE:
                    break
                place = place.play(random.choice(moves))
        except Exception:  # rules that fail: both engines are held to that
            node = view.key(place)
        last[node] = None
    rest = [node for node in visited if node not in last]
    random.shuffle(rest)
    return [*last, *rest]
