"""Estimates before solving a game: states, memory and time, by sampling."""

from __future__ import annotations

import time
import tracemalloc
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from typing import Any, TypeAlias

from endsight.algorithms.backward_induction import backward_induction
from endsight.algorithms.information_sets import few_information_sets
from endsight.algorithms.retrograde import retrograde
from endsight.answers.graph_values import solved_graph
from endsight.base.deferred import deferred
from endsight.base.machine import free_memory
from endsight.compiler.refusal import CannotCompile
from endsight.cost.census import Census, take_census
from endsight.engine.choice import PLAIN_EDGES
from endsight.game import CHANCE, Game
from endsight.game.limits import Budget, Limits, Progress, in_time
from endsight.game.position import Position
from endsight.game.question import Question
from endsight.games import is_built_in
from endsight.graph.common_view import different_sights
from endsight.graph.explorer import explore
from endsight.graph.graph import Graph
from endsight.graph.judgement import amount_player, judge, opposed_signs
from endsight.graph.objective import View, may_have_rounds
from endsight.graph.plan import MOST_IN_ONE_GRAPH
from endsight.theorems import find

with deferred(__name__):
    from endsight.cost.rounds import in_rounds

Explore: TypeAlias = Callable[[], tuple[View, Graph]]

_THERE_AND_BACK = 2
"""Solving by layers generates every child twice, counting does so once."""
_MEASURED = 2_000
"""Nodes that are explored and solved to measure the cost of one."""
_MEASURED_MOVES = 100_000
"""Fewer nodes are measured if, going by the first node, they would have more moves than this."""
_TRACED = 4
"""Memory is measured on this many times fewer nodes, as tracing slows every allocation several times."""
_EDGE_BYTES = 36
"""An edge has an entry in four lists of eight bytes, which grow by an eighth at a time."""


@dataclass(frozen=True)
class Estimate:
    """The estimated cost of solving `position`, by the engine and the method that `auto` would choose.

    states             the solver would have to tell apart (canonical ones with symmetry;
                       with the mover, and totals, where the question must remember them)
    lower, upper       ends of an interval around it: all three are equal where they were
                       counted; else they are estimates themselves (see `endsight.cost.census`)
    edges              moves at all those states together
    depth              plies from the position to the last new state; a lower one unless exact
    exact              whether all was counted
    basis              `counted`; `sampled layers`, for games whose states have one ply only;
                       `sampled positions` for others; of games that are solved in rounds, positions
                       before chance are counted or sampled, players exchanged together
    sampled            states examined
    engine             `plain`, with the whole graph kept, or `compiled`, layer by layer
    bytes_per_state    of memory, measured on part of the game
    seconds_per_state  of computing time on one core, measured there as well; both None where the rules say what players
                       see, as states do not determine the time then
    plans              information sets and sequences of two players who see different things; None for others, and for
                       games of more than 100 000 histories
    theorem            name of the method by which a theorem settles the position, without any of this;
                       None where none does
    elapsed            seconds the estimate took
    is_judged          whether the whole game was searched for loops that leave it without a value; else only its
                       first positions
    """

    game: Game
    position: Position
    question: Question
    states: int
    lower: int
    upper: int
    edges: int
    depth: int
    exact: bool
    basis: str
    sampled: int
    engine: str = "plain"
    bytes_per_state: float | None = None
    seconds_per_state: float | None = None
    theorem: str | None = None
    elapsed: float = 0.0
    is_judged: bool = True
    plans: PlanSizes | None = None

    @property
    def memory(self) -> int | None:
        """Bytes of memory for the states; None where unknown."""
        return None if self.bytes_per_state is None else round(self.states * self.bytes_per_state)

    @property
    def seconds(self) -> float | None:
        """Computing time for all states; None where unknown."""
        return None if self.seconds_per_state is None else self.states * self.seconds_per_state


@in_time
def estimate(
    game: Game,
    position: Position | None = None,
    question: Question | None = None,
    *,
    symmetry: bool = True,
    seed: int = 1,
    limits: Limits | None = None,
    progress: Progress | None = None,
) -> Estimate:
    """Estimate states, memory and time for solving `game` from `position` (default: its start).

    The number of states is that of `endsight.cost.census`; `seed` is that of its samples.

    Raises `QuestionError` for a question that makes no sense for the game, `RulesError` for rules that break their
    contract, `NoValue` where the game has none (judged by the explored part of larger games), `LimitReached` past one
    of `limits` (those of the estimate itself).
    """
    started = time.monotonic()
    position = position or game.position()
    question = question or Question()
    budget = Budget(limits, progress)
    if game.gives("sees"):
        return replace(_of_hidden(position, question, seed, budget), elapsed=time.monotonic() - started)
    first = sum(1 for _ in islice(position.moves(), _MEASURED_MOVES))
    nodes = min(_MEASURED, max(1, _MEASURED_MOVES // max(first, 1)))
    part = partial(explore, game, position, question, symmetry=symmetry, budget=budget)
    view, graph, seconds = _timed(partial(part, at_most=nodes))
    own = _bytes(partial(part, at_most=max(1, nodes // _TRACED)))
    census = take_census(position, question, symmetry=symmetry, seed=seed, budget=budget)
    expanded = len(graph.offsets) - 1
    theorem = find(game, question, position, budget, "auto")
    is_judged = theorem is not None or _has_value(view, graph, census, budget, position)
    is_known = is_built_in(game) and question.is_plain  # all of those have values
    costs = own + _EDGE_BYTES * census.edges / census.nodes, seconds / expanded * _relative_moves(census, graph)
    compiled = _compiled_costs(census, graph) if theorem is None else None
    bytes_per_state, seconds_per_state = compiled or costs
    found = Estimate(
        game,
        position,
        question,
        **_counted(census),
        engine="plain" if compiled is None else "compiled",
        bytes_per_state=bytes_per_state,
        seconds_per_state=seconds_per_state,
        theorem=None if theorem is None else theorem.method,
        is_judged=is_judged or is_known,
    )
    if theorem is None and census.nodes > MOST_IN_ONE_GRAPH and may_have_rounds(game, question):
        with suppress(CannotCompile):
            found = in_rounds(found, symmetry=symmetry, budget=budget, seed=seed)
    return replace(found, elapsed=time.monotonic() - started)


def _counted(census: Census) -> dict[str, Any]:
    """The facts of an estimate that come from a census."""
    return {
        "states": round(census.nodes),
        "lower": round(census.lower),
        "upper": round(census.upper),
        "edges": round(census.edges),
        "depth": census.depth,
        "exact": census.is_complete,
        "basis": census.basis,
        "sampled": census.looked_at,
    }


def _of_hidden(position: Position, question: Question, seed: int, budget: Budget) -> Estimate:
    """The true states of a game whose players do not see everything, and the sizes of plans; no memory or time."""
    game = position.game
    view, part = explore(game, position, question, symmetry=False, budget=budget, at_most=_MEASURED)
    plans = plan_sizes(view, part, question, budget)
    census = take_census(position, question, symmetry=False, seed=seed, budget=budget)
    return Estimate(game, position, question, **_counted(census), is_judged=plans is not None, plans=plans)


def _has_value(view: View, part: Graph, census: Census, budget: Budget, position: Position) -> bool:
    """Whether solving will certainly find a value; `NoValue` where it is known not to.

    Small games are judged as a whole, others by the explored part.
    """
    is_small = census.is_complete and census.counted is None
    if census.is_graded and is_small and not part.moves_at_once:
        return True  # no loops
    nodes = None if is_small else len(part.offsets) - 1
    symmetry = view.canonical is not None
    explored = explore(
        view.game, position, view.question, symmetry=symmetry, tracks_mover=True, budget=budget, at_most=nodes
    )
    if is_small:
        solved_graph(*explored, budget)
    elif (reason := judge(explored[1], explored[0])) is not None and not (reason.hinges or reason.unopposed):
        raise reason.error()
    return is_small


def _compiled_costs(census: Census, graph: Graph) -> tuple[float, float] | None:
    """Bytes and seconds per state where `auto` would solve compiled rules by layers; None where it would not."""
    counted = census.counted
    if counted is None or census.edges <= PLAIN_EDGES or CHANCE in graph.movers:
        return None
    size = counted.bytes_of_layers(round(census.nodes))
    return None if size is None else (size, _THERE_AND_BACK * counted.seconds / counted.expanded)


def fits(estimate: Estimate, limits: Limits) -> bool | None:
    """Whether solving may keep within `limits`: False only where even the lower end is too much; None if not known.

    Without a limit of memory, three quarters of the free memory count as the limit.
    """
    memory = limits.memory or free_memory() * 3 // 4
    if estimate.bytes_per_state is None or estimate.seconds_per_state is None:
        return None
    return (
        (limits.states is None or estimate.lower <= limits.states)
        and estimate.lower * estimate.bytes_per_state <= memory
        and (limits.seconds is None or estimate.lower * estimate.seconds_per_state <= limits.seconds)
    )


def _relative_moves(census: Census, graph: Graph) -> float:
    """The moves of a state, relative to those of the measured part."""
    measured = len(graph.successors) / (len(graph.offsets) - 1)
    return census.edges / census.nodes / measured if measured else 1.0


def _timed(part: Explore) -> tuple[View, Graph, float]:
    """Part of the graph, and the computing time to explore and solve it."""
    started = time.process_time()
    view, graph = part()
    _solve(graph)
    return view, graph, time.process_time() - started


def _bytes(part: Explore) -> float:
    """The peak memory of a node of a part, without its edges."""
    was_tracing = tracemalloc.is_tracing()
    tracemalloc.start()
    tracemalloc.reset_peak()
    before = tracemalloc.get_traced_memory()[0]
    _, graph = part()
    table = _solve(graph)
    peak = tracemalloc.get_traced_memory()[1] - before
    if not was_tracing:
        tracemalloc.stop()
    del table
    # Nodes at the border of the part have no edges yet.
    return max(1.0, (peak - _EDGE_BYTES * len(graph.successors)) / len(graph))


def _solve(graph: Graph) -> Any:
    """A table for the explored part of a graph, as if the game ended at its border."""
    cut = graph.padded((0,) * graph.players)
    if cut.moves_at_once and cut.players != 2:
        return cut.components  # without a value, which is reported later
    if not cut.is_cyclic:
        return backward_induction(cut)
    if cut.has_chance or cut.alternating or opposed_signs(cut) is None or amount_player(cut):
        return cut.components  # loops with chance: the number of iterations cannot be predicted
    return retrograde(cut)


_MOST_HISTORIES = 100_000


@dataclass(frozen=True)
class PlanSizes:
    """Numbers of histories, and by name of each player's information sets and sequences; from the game's start."""

    histories: int
    sets: Mapping[str, int]
    sequences: Mapping[str, int]


def plan_sizes(view: View, part: Graph, question: Question, budget: Budget) -> PlanSizes | None:
    """The sizes of a game whose `part` is explored; None for larger ones, and where all players see the same there.

    Raises `QuestionError`, `NoValue` and `RulesError` as `information_sets` does.
    """
    game = view.game
    if different_sights(view, part.keys) is None:
        return None
    sets = few_information_sets(game, budget, question.utility, _MOST_HISTORIES)
    if sets is None:
        return None
    names = game.player_names
    return PlanSizes(
        sets.nodes,
        {name: len(side) for name, side in zip(names, sets.sides, strict=True)},
        {name: side.sequences for name, side in zip(names, sets.sides, strict=True)},
    )
