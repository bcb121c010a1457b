"""Whether compiled rules and the plain engine agree, on the first positions and on others from random games.

Both expand the same positions; keys, moves and their order, movers, weights, rewards and payoffs must be equal.
Thousands of first positions take a moment with most rules. Where rules are slow (most often because of `canonical`),
fewer suffice: an error in machine code is an error in a line of the rules, and positions of all depths of games played
to their end reach more lines than thousands of openings.
"""

from __future__ import annotations

from itertools import islice
from random import Random
from time import process_time
from typing import Any

from endsight.compiler.refusal import CannotCompile
from endsight.compiler.rules import CompiledRules
from endsight.engine.looking import Difference, difference_at, difference_in
from endsight.game.position import Position
from endsight.graph.explorer import explore, nodes_with
from endsight.graph.graph import Graph
from endsight.graph.objective import View

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
    few = max(_FIRST_OF_MANY_MOVES, _of_many_moves(_FIRST_COMPARED, _explored(rules, position, 1)[1]))
    look = _explored(rules, position, few)[1]
    in_time = int(few * _SECONDS / max(1e-6, process_time() - began))
    most = min(COMPARED, nodes_with(_COMPARED_EDGES, look), max(_FEWEST, in_time))
    return _explored(rules, position, max(few, most))


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


def compare(rules: CompiledRules, position: Position, first: tuple[View, Graph]) -> None:
    """Raise `CannotCompile` unless both engines agree: from the start on, and in random games to their end."""
    view, plain = first
    # A view of the same nodes, which has seen no payoffs yet.
    own = View(rules.game, view.question, symmetry=rules.has_symmetry, tracks_mover=rules.tracks_mover)
    _refuse(difference_in(rules, own, plain))
    if len(plain) == len(plain.offsets) - 1:
        return  # that was the whole game
    places = played(position, view)
    at_once = _of_many_moves(_AT_ONCE, plain)
    began = process_time()
    while places and process_time() - began <= _LATER_SECONDS:
        _refuse(difference_at(rules, view, places[:at_once]))
        del places[:at_once]


def _refuse(found: Difference | None) -> None:
    if found is not None:
        raise CannotCompile(f"both engines were compared, and they differ: {found}")


def _explored(rules: CompiledRules, position: Position, nodes: int) -> tuple[View, Graph]:
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
