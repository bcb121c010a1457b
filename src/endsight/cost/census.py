"""The number of positions of a game: counted where that is quick, else a range from the positions visited.

1. The first positions are counted breadth first by the plain rules; if there are more, compiled rules count on, some
   ten million a second. Most games end here.
2. **Graded games**, where a position has one ply only (boards that fill up, lines that grow): a sample of every
   later layer shows how many children a position has there, and the trend of parents how many of them are the same:
   see `endsight.cost.sampling`.
3. **Moves that can be undone**: random walks show how large a share was counted: see `endsight.cost.walks`.
4. **Other games**: once the frontier of the count shrinks, it shows how many positions are ahead at most. Before that a
   random walk gives a lower end.

The positions visited are a proven lower bound, the ranges in `limits` an upper one; the ends between them are
estimates. `benchmarks/sizes.py` reports how often they hold.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from random import Random
from time import process_time
from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

from endsight.base.deferred import deferred
from endsight.compiler.refusal import CannotCompile
from endsight.cost.sampling import FEWEST, SPARE_ABOVE, WIDEST, Sampler, ahead_at_most, by_trend
from endsight.cost.walks import can_be_undone, counted_share
from endsight.game.codec import Codec
from endsight.game.limits import ESTIMATING, Activity, Budget, Progress
from endsight.game.position import Position
from endsight.game.question import Question
from endsight.graph.objective import View

if TYPE_CHECKING:
    from endsight.engine.counting import Counted

with deferred(__name__):
    from endsight.engine.counting import count_levels


Basis: TypeAlias = Literal["counted", "sampled layers", "growth of layers", "sampled positions"]
_COUNTED, _LAYERS, _GROWTH, _POSITIONS = get_args(Basis)

MOST = 40_000_000
"""The most nodes that compiled rules count."""
_SECONDS, _SHRINKING = 2.8, 3.8
"""The computing time until the end of this count, and if there is less and less ahead."""
_BYTES = 40
"""Memory per node of this count, which takes at most a quarter of the allowed memory."""
PLAIN = 20_000
"""Nodes that plain rules count before compiled rules take over."""
_PLAIN_ALONE = 5
"""The factor for this number where compiled rules do not take over."""
SAMPLE = 1_500
"""The nodes of a sampled layer that are expanded."""
_NARROWEST = 1.5
"""The smallest width of a range, unless the visited positions exceed it."""
_TOO_LATE = 3.0
"""The divisor of the result of a walk that visits early positions too often."""
_NEAR = 1000
"""The ranges of `limits` are near if they have less than so many states for each one counted."""
_MOST_AHEAD = 9.0
"""A shrinking frontier has no more nodes ahead for each one found."""
PATIENCE = 4.0
"""Seconds of computing of a solve before a quick census: most solves are nearly done by then."""


@dataclass(frozen=True)
class Census:
    """The number of nodes: `nodes`, between `lower` and `upper`; all three are equal after a full count.

    edges      total of their moves
    depth      plies to the last new node; a lower bound unless all was counted
    is_graded  whether every node has one ply, among nodes examined by the plain rules
    looked_at  nodes examined
    counted    the count by compiled rules, None without one
    """

    nodes: float
    lower: float
    upper: float
    edges: float
    depth: int
    basis: Basis
    is_graded: bool
    looked_at: int
    counted: Counted | None

    @property
    def is_complete(self) -> bool:
        """Whether all nodes were counted."""
        return self.basis == "counted"


def take_census(
    position: Position,
    question: Question | None = None,
    *,
    symmetry: bool = True,
    most: int = MOST,
    plain: int = PLAIN,
    seed: int = 1,
    budget: Budget | None = None,
) -> Census:
    """Count or estimate the nodes reachable from `position`.

    Plain rules count `plain` nodes, compiled rules `most` (0: they are not used). The same `seed` gives the same answer
    where rules are quick. Raises `LimitReached` when the budget is spent.
    """
    began = process_time()
    view = View(position.game, question or Question(), symmetry=symmetry)
    run = Sampler(view, budget or Budget(), view.key(position))
    run.count(plain)
    counted = None if run.is_complete else _compiled(run, position, plain, most, began)
    if counted is None and not run.is_complete:
        run.count(_PLAIN_ALONE * plain)
    return _census_of(run, counted, Random(seed))


def quick_census(position: Position, question: Question | None = None, *, symmetry: bool) -> Census:
    """A census of about a second."""
    return take_census(position, question, symmetry=symmetry, plain=3_000, most=500_000)


def _compiled(run: Sampler, position: Position, plain: int, most: int, began: float) -> Counted | None:
    """The first levels by compiled rules; None where they do not fit the rules or the question."""
    most = min(most, run.budget.memory_left() // 4 // _BYTES)
    if most <= plain:
        return None
    try:
        counted = count_levels(run.view, position, most, began + _SECONDS, run.budget, with_sizes=run.is_graded)
        if not counted.is_complete and not run.is_graded and ahead_at_most(counted.growth) is not None:
            counted.count(most, began + _SHRINKING)
    except CannotCompile:
        return None
    return counted


def _census_of(run: Sampler, counted: Counted | None, random: Random) -> Census:
    """The census from what was counted, by plain and perhaps compiled rules; samples where that is incomplete."""
    known = counted or run
    nodes = lower = upper = float(known.found)
    depth, basis, steps = known.depth, _COUNTED, 0
    moves = known.edges / known.expanded
    most = _box(run.view)
    if not known.is_complete and _is_graded(run, random):
        sizes = max(known.sizes, run.sizes, key=len)
        nodes, lower, upper, moves = by_trend(run.layers, sizes, run.view.players)
        depth, basis = max(len(run.layers), len(sizes)) - 1, _LAYERS
    elif not known.is_complete:
        try:
            nodes, lower, upper, steps = _of_others(run, known, most, random)
        except CannotCompile:  # the rules fail at a position farther away
            nodes, lower, upper, steps = _of_others(run, run, most, random)
        basis = _POSITIONS if steps else _GROWTH
    # Visited nodes are a proven lower bound, the ranges in `limits` an upper one.
    visited = known.found
    upper = max(min(upper, most), visited)
    lower = max(min(lower, upper / _NARROWEST), visited)
    nodes = min(max(nodes or math.sqrt(lower * upper), lower), upper)
    return Census(nodes, lower, upper, moves * nodes, depth, basis, run.is_graded, known.expanded + steps, counted)


def _is_graded(run: Sampler, random: Random) -> bool:
    """Whether every node seems to have one ply; if so, all layers have been sampled."""
    if run.is_graded and len(run.layers) >= FEWEST:
        run.sample(SAMPLE, random)
    return run.is_graded and len(run.layers) >= FEWEST


def _of_others(run: Sampler, known: Sampler | Counted, most: float, random: Random) -> tuple[float, float, float, int]:
    """Nodes (0: the middle) with their range, and steps of walks, where nodes have several plies; `most` is proven."""
    visited, is_back = float(known.found), can_be_undone(run, random)
    ahead = ahead_at_most(known.growth)
    if ahead is not None and not is_back:
        return 0.0, visited, visited + min(SPARE_ABOVE * ahead, _MOST_AHEAD * visited), 0
    walked = counted_share(known, random, is_back=is_back)
    lower = max(visited, visited / walked.highest / (1 if is_back else _TOO_LATE))
    if not walked.agree:
        lower = visited
    elif is_back and walked.lowest:
        lower /= SPARE_ABOVE
        upper = min(visited / walked.lowest * SPARE_ABOVE, lower * WIDEST)
        return visited / walked.share, lower, upper, walked.steps
    # Only the lower end is known, and that there are no more than `most`. Moves that can be undone lead to a large part
    # of all states, or to a very small one.
    upper = most if is_back and most < _NEAR * lower else lower * WIDEST
    return 0.0, max(lower, upper / WIDEST), upper, walked.steps


def _box(view: View) -> float:
    """The number of nodes in the ranges of `limits`; infinite where nodes remember totals, too."""
    if view.tracks_totals or not view.game.gives("limits"):
        return math.inf
    states = math.prod(most + 1 for most in Codec(view.game).limits)
    return states * view.players if view.tracks else states


@dataclass
class Expecting:
    """Passes progress on; once finding positions has taken a while, with their range from a quick census."""

    passed_on: Progress
    position: Position
    question: Question
    symmetry: bool
    began: float = field(default_factory=process_time)
    range: tuple[float, float] | None = None
    is_counting: bool = False

    def __call__(self, doing: Activity, states: int) -> None:
        """Report the current activity and the number of states visited."""
        is_finding = doing.part is None and doing.step.startswith(("exploring", "expanding"))
        if is_finding and process_time() - self.began > PATIENCE:
            if self.range is None and not self.is_counting:
                self.is_counting = True  # visits of the census are no progress of the work
                self.passed_on(doing.instead(ESTIMATING), states)
                census = quick_census(self.position, self.question, symmetry=self.symmetry)
                self.range = census.lower, census.upper
            if self.range is not None:
                doing = doing.among(*self.range)
        self.passed_on(doing, states)
