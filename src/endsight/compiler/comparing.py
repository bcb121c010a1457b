"""Whether compiled rules and the plain engine agree, on the first positions and on some far from the start.

Both explore the same positions; keys, moves and their order, movers, weights, rewards and
payoffs must be equal. Thousands of first positions take a moment with most rules. Where
rules are slow (most often because of `canonical`), fewer do: what goes wrong in machine code
goes wrong in a line of the rules, and positions from all stages of some games at random
come to more lines than thousands of openings. Sums, shifts, indices and ranges that would
go wrong in a single position only are checked whenever they are worked out, here or not.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from random import Random
from time import process_time

from endsight.compiler.choice import nodes_with
from endsight.compiler.exploring import explore_arrays, graph_of
from endsight.compiler.layers import NeedsTracking
from endsight.compiler.refusal import CannotCompile
from endsight.compiler.rules import CompiledRules
from endsight.errors import EndsightError
from endsight.explorer import explore
from endsight.game import Position
from endsight.graph import Graph
from endsight.limits import Budget, Limits
from endsight.objective import View
from endsight.question import Question

__all__ = ["compare", "first_sample", "is_ordered"]

# Positions, and moves, from the start on; and the seconds of computing after which fewer do.
COMPARED = 3000
_COMPARED_EDGES = 30_000
_FIRST_COMPARED = 30
_FEWEST = 100
_SECONDS = 0.4
# Games at random, of so many moves, and positions from each of some of their stages on.
_GAMES, _PLIES, _MOVES = 4, 60, 1000
_STAGES = (0.4, 0.7, 0.95)
_LATER = 40
_LATER_SECONDS = 0.3

_PARTS = ("keys", "offsets", "successors", "moves", "movers", "weights", "rewards", "payoffs")


def first_sample(rules: CompiledRules, position: Position, begun: tuple[View, Graph] | None) -> tuple[View, Graph]:
    """The first positions by the plain engine, those of `begun` where they will do; `NeedsTracking`."""
    if begun is not None and _has_keys_of(begun[0], rules):
        return begun
    began = process_time()
    look = _explored(rules, position, _FIRST_COMPARED)[1]
    in_time = int(_FIRST_COMPARED * _SECONDS / max(1e-6, process_time() - began))
    most = min(COMPARED, nodes_with(_COMPARED_EDGES, look), max(_FEWEST, in_time))
    return _explored(rules, position, max(_FIRST_COMPARED, most))


def _has_keys_of(view: View, rules: CompiledRules) -> bool:
    merges = view.canonical is not None
    return (view.tracks, merges, view.tracks_totals) == (rules.tracks_mover, rules.has_symmetry, False)


def is_ordered(graph: Graph) -> bool:
    """Whether every move met leads to a position that was found later."""
    nodes = range(len(graph.offsets) - 1)
    return all(graph.successors[edge] > node for node in nodes for edge in graph.edges(node))


def compare(rules: CompiledRules, position: Position, first: tuple[View, Graph]) -> None:
    """Raise `CannotCompile` unless both engines find the same: from the start on, and from later positions."""
    _hold_against(rules, position, first)
    if len(first[1]) == len(first[1].offsets) - 1:
        return  # that was all of the game
    began = process_time()
    for place in _later(position):
        if process_time() - began > _LATER_SECONDS:
            return
        try:
            sample = _explored(rules, place, _LATER)
        except EndsightError:
            return  # rules that fail somewhere: the solve will say so, if it gets there
        _hold_against(rules, place, sample, fails=False)


def _explored(rules: CompiledRules, position: Position, nodes: int) -> tuple[View, Graph]:
    view, graph = explore(
        rules.game,
        position,
        Question(),
        symmetry=rules.has_symmetry,
        tracks_mover=rules.tracks_mover,
        at_most=nodes,
    )
    if view.tracks != rules.tracks_mover:
        raise NeedsTracking
    return view, graph


def _later(position: Position) -> Iterator[Position]:
    """Positions of some stages of games at random."""
    random = Random(0)
    for _ in range(_GAMES):
        way = [position]
        while len(way) <= _PLIES and (moves := list(islice(way[-1].moves(), _MOVES))):
            way.append(way[-1].play(random.choice(moves)))
        yield from (way[int(stage * (len(way) - 1))] for stage in _STAGES)


def _hold_against(rules: CompiledRules, position: Position, sample: tuple[View, Graph], *, fails: bool = True) -> None:
    """Compare one part; where the compiled rules themselves report a fault, that counts if `fails`."""
    view, plain = sample
    nodes = len(plain.offsets) - 1
    try:
        arrays, _ = explore_arrays(rules, position, Budget(Limits(memory=1 << 60)), at_most=nodes)
    except CannotCompile:
        if fails:
            raise
        return
    again = View(rules.game, view.question, symmetry=rules.has_symmetry, tracks_mover=rules.tracks_mover)
    compiled = graph_of(arrays, again)
    for part in _PARTS:
        if getattr(plain, part) != getattr(compiled, part):
            raise CannotCompile(f"both engines were compared, and their {part} differ")
