"""Sizes of games as estimates find them: with counts and samples of any size, and from made-up measurements."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from functools import partial
from random import Random
from typing import Any, NamedTuple

import pytest

import endsight as es
from endsight import Game, Limits, Position, Question
from endsight.cost.census import Expecting, take_census
from endsight.cost.estimate import Estimate, fits
from endsight.cost.growth import Measurement, fits_of
from endsight.cost.remaining import Remaining
from endsight.cost.rounds import in_rounds
from endsight.cost.sampling import PlyNodes, Sampler, ahead_at_most, by_trend, layers_of, rough_size
from endsight.cost.walks import can_be_undone, counted_share
from endsight.engine import choice
from endsight.engine.choice import Task
from endsight.engine.counting import count_levels
from endsight.game.limits import Activity, Budget
from endsight.graph.explorer import explore
from endsight.layers.rounds import find_rounds

__all__ = [
    "Counted",
    "Rest",
    "Trend",
    "activity_text",
    "count_few_in_estimates",
    "counted",
    "counted_layers",
    "explored_layers",
    "follow_trend",
    "judged_large",
    "laws_of",
    "least_size",
    "most_ahead",
    "size_in_rounds",
    "solved_rounds",
    "told_while_counting",
    "walked_share",
    "way_back",
    "would_fit",
]


class Counted(NamedTuple):
    """Positions with their range, moves and plies; and how they were found."""

    positions: float
    lower: float
    upper: float
    edges: float
    depth: int
    basis: str
    is_compiled: bool


def counted(position: Position, **how: Any) -> Counted:
    """Count `plain` positions in Python, and `most` by compiled rules; sample others by the `seed`."""
    census = take_census(position, **how)
    found = (census.nodes, census.lower, census.upper, census.edges, census.depth, census.basis)
    return Counted(*found, census.counted is not None)


def count_few_in_estimates(patch: pytest.MonkeyPatch, plain: int) -> None:
    """Estimates count so many positions in Python, and none by compiled rules."""
    patch.setattr("endsight.cost.census.PLAIN", plain)
    patch.setattr("endsight.cost.estimate.take_census", partial(take_census, plain=plain, most=0))


def told_while_counting(position: Position, patch: pytest.MonkeyPatch) -> list[str]:
    """What a solve that is slow from the start says while it explores, and then solves."""
    patch.setattr("endsight.cost.census.PATIENCE", -1.0)
    said: list[str] = []
    told = Expecting(lambda doing, _: said.append(doing), position, Question(), symmetry=False)
    told(Activity("exploring", ahead=12, is_growing=True), 100)
    told(Activity("solving"), 200)
    return said


# ---------------------------------------------------------------- before a game is compiled


class Large(NamedTuple):
    """Whether a game counts as large, and how many of its moves were explored to see that."""

    is_large: bool
    explored: int


def judged_large(game: Game, patch: pytest.MonkeyPatch) -> Large:
    """What is thought of a game before its rules are compiled, whose moves are not slow on any machine."""
    patch.setattr(choice, "_SLOW_EDGE", 1.0)
    task = Task(game, game.position(), Question(), "auto", "auto", "auto", True, Budget())
    return Large(task.large, len(task.first[1].successors) if task.large else 0)


def least_size(game: Game, explored: int) -> tuple[float, float]:
    """Positions, and the least number of moves, by samples from so many explored positions; zeros if unknown."""
    return rough_size(*explore(game, game.position(), at_most=explored), Budget())


class Trend(NamedTuple):
    """Layers of positions: of each its nodes, children and moves; the last layer; and what was seen and counted."""

    layers: list[Any]
    frontier: Any
    seen: Any
    sizes: list[Any]
    edges: int
    expanded: int


def explored_layers(game: Game, explored: int) -> Trend:
    """Layers of the part of a game that was explored."""
    run = layers_of(*explore(game, game.position(), at_most=explored), Budget())
    assert run is not None
    return _trend(run)


def counted_layers(game: Game, layers: int) -> Trend:
    """So many layers of a game, as they are counted."""
    view, part = explore(game, game.position(), at_most=1)
    run = Sampler(view, Budget(), part.keys[0])
    run.count(0)
    while len(run.sizes) < layers:
        run.count(run.found)
    return _trend(run)


def _trend(run: Sampler) -> Trend:
    return Trend(run.layers, run.frontier, run.seen, run.sizes, run.edges, run.expanded)


def follow_trend(
    layers: Sequence[tuple[float, float, float]], sizes: Sequence[float], players: int = 1
) -> tuple[float, ...]:
    """Positions with their range, and moves of each, from nodes, children and moves of every layer."""
    return by_trend([PlyNodes(*layer) for layer in layers], sizes, players)


class Share(NamedTuple):
    """The share of positions that was counted, with its range; and whether walks agree that there is such a share."""

    share: float
    lowest: float
    highest: float
    agree: bool


def walked_share(game: Game, counted: int, *, compiled: bool, seed: int = 1) -> Share:
    """The share that about so many counted positions are of all, by walks in compiled rules or in Python."""
    view, part = explore(game, game.position(), at_most=1)
    run: Any = Sampler(view, Budget(), part.keys[0])
    if compiled:
        run = count_levels(view, game.position(), counted, 0.0, Budget(), with_sizes=True)
    else:
        run.count(counted)
    walked = counted_share(run, Random(seed), is_back=True)
    return Share(walked.share, walked.lowest, walked.highest, walked.agree)


def way_back(game: Game) -> bool:
    """Whether moves of a game can be undone, as a census sees it."""
    view, part = explore(game, game.position(), at_most=1)
    run = Sampler(view, Budget(), part.keys[0])
    run.count(500)
    return can_be_undone(run, Random(1))


def most_ahead(growth: Sequence[tuple[int, int]]) -> float | None:
    """Positions that are ahead at most, from pairs of positions expanded and found."""
    return ahead_at_most(growth)


# ---------------------------------------------------------------- games in rounds


def size_in_rounds(game: Game, **how: Any) -> Estimate:
    """The estimate of positions before a throw, `counted` first, then so many `sampled`; `plain` where none is made."""
    whole = Estimate(game, game.position(), Question(), 1, 1, 1, 1, 1, False, "counted", 1)
    asked = {"symmetry": True, **how}
    return in_rounds(whole, budget=Budget(), **asked)


def solved_rounds(game: Game) -> list[int]:
    """The numbers of positions of all layers of a solve in rounds."""
    run = find_rounds(game.position(), Question(), symmetry=True, budget=Budget())
    return [found.nodes for found in map(run.store.found, run.layers) if found is not None]


# ---------------------------------------------------------------- made-up measurements


def would_fit(limits: Limits, lower: int = 100_000, *, bytes_per_state: float, seconds_per_state: float) -> bool | None:
    """Whether a game whose size has this lower end is thought to fit within limits."""
    game = es.games.Nim()
    size: dict[str, Any] = {"states": 10 * lower, "lower": lower, "upper": 100 * lower, "edges": 1, "depth": 1}
    size |= {"exact": False, "basis": "sampled layers", "sampled": 1, "engine": "plain", "theorem": None}
    size |= {"bytes_per_state": bytes_per_state, "seconds_per_state": seconds_per_state, "elapsed": 0.1}
    return fits(Estimate(game, game.position(), Question(), **size), limits)


def laws_of(settings: Sequence[Any], law: Callable[[Any], int] | None, **more: Any) -> dict[str, dict[str, Any]]:
    """The laws by which quantities grow, by quantity: the positions by `law`, others as told."""
    row: dict[str, Any] = {"status": "exact", "seconds": 0.5, **more}
    rows = [Measurement(each, "graph", positions=None if law is None else law(each), **row) for each in settings]
    return {fit.quantity: asdict(fit) for fit in fits_of(rows)}


# ---------------------------------------------------------------- how long the rest may take


class Rest:
    """The rest of the work as it goes on, from made-up measurements."""

    def __init__(self) -> None:
        self._remaining = Remaining()

    def seconds(
        self, doing: tuple[str, Mapping[str, Any]], states: int, now: float, worked: float | None = None
    ) -> float:
        """Seconds that are left: `doing` is a step and what is known of it, `worked` seconds of computing until now."""
        step, known = doing
        return self._remaining.seconds(Activity(step, **known), states, now, worked)

    @property
    def states(self) -> float:
        """How many states there are, as far as is known."""
        return self._remaining.states

    @property
    def found(self) -> float:
        """Seconds of finding states."""
        return self._remaining.found

    @property
    def is_open(self) -> bool:
        """Whether more may be left than that."""
        return self._remaining.is_open


def activity_text(step: str, **known: Any) -> str:
    """A step and what is known of it, as one text."""
    return str(Activity(step, **known))
