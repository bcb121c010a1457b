"""The number of positions of a game: counted where that is quick, else a range from the positions visited.

1. The first positions are counted breadth first by the plain rules; if there are more, compiled rules count on, some
   ten million a second. Most games end here.
2. **Graded games**, where a position has one ply only (boards that fill up, lines that grow): a sample of every
   later layer shows how many children a position has there. The mean number of parents, known for the layers
   that were counted, grows smoothly; it is extrapolated along its trend, which gives each layer from the one
   before. One and a half times the trend gives fewer positions, half of it more.
3. **Other games**: a random walk shows how large a share was counted. Capture and recapture, after C. Petersen (1896)
   and F. Lincoln (1930): where a share p of a walk's positions is among M counted ones, there are about M / p. Where
   moves can be undone, a long walk visits every position in proportion to its number of moves, so each step is weighted
   by the inverse of that number. Else the walk restarts at each end, visits early positions more often than late ones,
   and the number is rather too low.

The positions visited are a proven lower bound, the ranges in `limits` an upper one; the ends between them are
estimates. `benchmarks/sizes.py` reports how often they hold.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from time import process_time
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args

from endsight.base.deferred import deferred
from endsight.compiler.refusal import CannotCompile
from endsight.cost.sampling import FEWEST, SPARE_ABOVE, Sampler, by_trend
from endsight.game.activity import ESTIMATING, Activity, Progress
from endsight.game.codec import Codec
from endsight.game.limits import Budget
from endsight.game.position import Position
from endsight.game.question import Question
from endsight.graph.objective import View

if TYPE_CHECKING:
    from endsight.engine.counting import Counted

with deferred(__name__):
    from endsight.engine.counting import count_levels


Basis: TypeAlias = Literal["counted", "sampled layers", "sampled positions"]
_COUNTED, _LAYERS, _POSITIONS = get_args(Basis)

MOST = 40_000_000
"""The most nodes that compiled rules count."""
_SECONDS = 2.7
"""The computing time for this count."""
_BYTES = 40
"""Memory per node of this count, which takes at most a quarter of the allowed memory."""
PLAIN = 20_000
"""Nodes that plain rules count before compiled rules take over."""
_PLAIN_ALONE = 5
"""The factor for this number where compiled rules do not take over."""
SAMPLE = 1_500
"""The nodes of a sampled layer that are expanded."""
_NARROWEST, _WIDEST = 1.5, 100.0
"""The smallest width of a range, unless the visited positions exceed it, and the largest."""
_TOO_LATE, _CORRELATED = 3.0, 3.0
"""Divisors of a walk's result where it visits early positions too often, and where it visited no counted one."""
_IS_EVERYWHERE = 0.98
"""A walk with a larger share among the counted positions has not left them, and shows nothing."""
_STEPS, _WALK_SECONDS = 200_000, 0.9
"""The steps of a walk; walks in slow rules are shorter."""
_BLOCKS = 10
_BETWEEN_CHECKS = 100
"""Steps of a walk between two checks for a way back."""
_TAKEN_BACK = 0.9
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
    view = View(position.game, question or Question(), symmetry=symmetry)
    run = Sampler(view, budget or Budget(), view.key(position))
    run.count(plain)
    counted = None if run.is_complete else _compiled(run, position, plain, most)
    if counted is None and not run.is_complete:
        run.count(_PLAIN_ALONE * plain)
    return _census_of(run, counted, Random(seed))


def quick_census(position: Position, question: Question | None = None, *, symmetry: bool) -> Census:
    """A census of about a second."""
    return take_census(position, question, symmetry=symmetry, plain=3_000, most=500_000)


def _compiled(run: Sampler, position: Position, plain: int, most: int) -> Counted | None:
    """The first levels by compiled rules; None where they do not fit the rules or the question."""
    most = min(most, run.budget.memory_left() // 4 // _BYTES)
    if most <= plain:
        return None
    try:
        return count_levels(run.view, position, most, _SECONDS, run.budget, with_sizes=run.is_graded)
    except CannotCompile:
        return None


def _census_of(run: Sampler, counted: Counted | None, random: Random) -> Census:
    """The census from what was counted, by plain and perhaps compiled rules; samples where that is incomplete."""
    known = counted or run
    looked_at = known.expanded
    if known.is_complete:
        nodes = lower = upper = float(known.found)
        moves, depth, basis = known.edges / nodes, known.depth, _COUNTED
    elif _is_graded(run, random):
        sizes = max(known.sizes, run.sizes, key=len)
        nodes, lower, upper, moves = by_trend(run.layers, sizes)
        depth, basis = max(len(run.layers), len(sizes)) - 1, _LAYERS
    else:
        walk = _recapture(run, known.holds, random)
        nodes, lower, upper = _recaptured(walk, known.found)
        moves, depth, basis = known.edges / known.expanded, known.depth, _POSITIONS
        looked_at += walk.steps
    # Visited nodes are a proven lower bound, the ranges in `limits` an upper one.
    visited, most = known.found, _box(run.view)
    upper = max(min(upper, most), visited)
    lower = max(min(lower, upper / _NARROWEST), visited)
    nodes = min(max(nodes, lower), upper)
    return Census(nodes, lower, upper, moves * nodes, depth, basis, run.is_graded, looked_at, counted)


def _is_graded(run: Sampler, random: Random) -> bool:
    """Whether every node seems to have one ply; if so, all layers have been sampled."""
    if run.is_graded and len(run.layers) >= FEWEST:
        run.sample(SAMPLE, random)
    return run.is_graded and len(run.layers) >= FEWEST


@dataclass(frozen=True)
class _Recapture:
    """The share of a walk at counted positions.

    share, lowest, highest  of the walk, within three standard errors
    is_reversible           whether moves can be undone
    steps                   of the walk
    """

    share: float
    lowest: float
    highest: float
    is_reversible: bool
    steps: int


def _recapture(run: Sampler, holds: Callable[[Any], bool], random: Random) -> _Recapture:
    """Walk at random from the root of `run`; `holds` tests whether a node was counted."""
    found: list[tuple[bool, int]] = []
    checked = returned = 0
    key, until = run.root, process_time() + _WALK_SECONDS
    while len(found) < _STEPS and process_time() < until:
        children, _ = run.children(key)
        if not children:
            key = run.root
            continue
        found.append((holds(key), len(children)))
        then = random.choice(children)
        if len(found) % _BETWEEN_CHECKS == 0:
            run.budget.look(len(found), "walking at random")
            checked += 1
            returned += key in run.children(then)[0]
        key = then
    is_reversible = returned > _TAKEN_BACK * checked
    # The start of a walk does not matter once the walk is far away.
    rest = found[len(found) // 2 :] if is_reversible else found
    length = max(1, len(rest) // _BLOCKS)
    blocks = [_share_held(rest[start : start + length], is_reversible) for start in range(0, len(rest), length)]
    mean = sum(blocks) / len(blocks)
    spread = sum((block - mean) ** 2 for block in blocks) / max(1, len(blocks) - 1)
    error = 3 * math.sqrt(spread / len(blocks))
    most = max(mean + error, 3 / len(rest))
    return _Recapture(mean, max(mean - error, mean / 4), most, is_reversible, len(found))


def _share_held(steps: list[tuple[bool, int]], is_weighted: bool) -> float:
    """The share of steps at counted nodes."""
    weights = [1 / children if is_weighted else 1.0 for _, children in steps]
    return sum(weight for weight, (is_held, _) in zip(weights, steps, strict=True) if is_held) / sum(weights)


def _recaptured(walk: _Recapture, visited: int) -> tuple[float, float, float]:
    """Nodes with their range, from the share of a walk that visited counted ones."""
    if walk.lowest > _IS_EVERYWHERE:
        lower, upper = float(visited), visited * _WIDEST
    elif walk.is_reversible and walk.share:
        lower, upper = visited / walk.highest / SPARE_ABOVE, visited / walk.lowest * SPARE_ABOVE
        return visited / walk.share, lower, upper
    else:
        lower = visited / walk.highest / (_TOO_LATE if walk.share else _CORRELATED)
        upper = lower * _WIDEST
    return math.sqrt(lower * upper), lower, upper


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
